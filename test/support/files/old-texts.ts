// A few sentences of many languages that were written in code pages of one byte a letter, with the pages that were usual.

export interface OldText {
  language: string
  pages: readonly string[]
  text: string
}

const western = ['windows-1252', 'iso-8859-1', 'iso-8859-15', 'cp850', 'macintosh']
const central = ['windows-1250', 'iso-8859-2', 'cp852']
const cyrillic = ['windows-1251', 'iso-8859-5', 'koi8-r', 'ibm866']
const baltic = ['windows-1257', 'iso-8859-13']

export const oldTexts: readonly OldText[] = [
  {
    language: 'German',
    pages: western,
    text: 'Der Mieter übergibt die Räume am letzten Werktag gründlich gereinigt. Für größere Schäden haftet er, soweit sie nicht durch übliche Abnutzung entstanden sind. Die Kündigung muss spätestens drei Monate vorher schriftlich erklärt werden, und sämtliche Schlüssel gehören dem Eigentümer zurückgegeben.',
  },
  {
    language: 'French',
    pages: western,
    text: 'Le locataire s’engage à remettre les clés dès la fin du contrat et à réparer les dégâts causés à l’appartement. Les frais de ménage sont réglés à part, après vérification de l’état des lieux, où chaque pièce a été décrite. La première échéance tombe déjà au début de février.'.replaceAll(
      '’',
      "'",
    ),
  },
  {
    language: 'Spanish',
    pages: western,
    text: 'El arrendatario entregará las llaves el último día del mes y pagará los daños según el acta de la inspección. La señora Muñoz llamó mañana y tarde, pero nadie contestó el teléfono de la compañía. Además, la reunión del próximo año será más pequeña y también más útil.',
  },
  {
    language: 'Portuguese',
    pages: western,
    text: 'O inquilino não poderá fazer alterações sem autorização por escrito do proprietário. As reuniões da comissão são públicas, e as decisões serão publicadas até amanhã. A manutenção das instalações é da responsabilidade da administração, que também suporta as despesas de água.',
  },
  {
    language: 'Italian',
    pages: western,
    text: 'La società è responsabile della qualità dei lavori e potrà chiedere un anticipo più alto. La responsabilità è limitata perché la città non ha ancora deciso. Si farà così finché ci sarà la possibilità, cioè fino a lunedì, e già si sa che il caffè è più caro.',
  },
  {
    language: 'Dutch',
    pages: western,
    text: 'De huurder wordt geïnformeerd over de coördinatie van de werkzaamheden en de financiële gevolgen. Het café en de beëdigde taxateur zijn geëvalueerd, ideeën van cliënten werden geïnventariseerd, en het reünieprogramma is gecreëerd door de vergaderde ruziënde leden.',
  },
  {
    language: 'Danish',
    pages: western,
    text: 'Lejeren skal aflevere nøglerne senest på den sidste hverdag i måneden. Større skader på køkkenet og værelserne betales af lejeren selv, så længe årsagen ikke er almindeligt slid. Bestyrelsen mødes igen på tirsdag og drøfter næste års regnskab og bådenes pladser.',
  },
  {
    language: 'Swedish',
    pages: western,
    text: 'Hyresgästen ska lämna över nycklarna senast den sista vardagen i månaden. Större skador på köket får han själv stå för, så länge de inte beror på vanligt slitage. Styrelsen träffas åter på måndag och går då igenom årets räkenskaper och båtarnas platser.',
  },
  {
    language: 'Norwegian',
    pages: western,
    text: 'Leietakeren må levere nøklene senest på siste hverdag i måneden. Større skader på kjøkkenet må han selv gjøre opp for, så lenge årsaken ikke er vanlig slitasje. Styret møtes på nytt på mandag og drøfter neste års regnskap og hvor båtene skal ligge på vinteren.',
  },
  {
    language: 'Finnish',
    pages: western,
    text: 'Vuokralaisen täytyy jättää avaimet viimeistään kuukauden viimeisenä arkipäivänä. Isommista vahingoista hän vastaa itse, ellei syynä ole tavallinen käyttö. Hallitus päättää myöhemmin, mitä töitä tänä kesänä tehdään, ja näkee tämän vuoden tilinpäätöksen heinäkuussa.',
  },
  {
    language: 'Icelandic',
    pages: ['windows-1252', 'iso-8859-1'],
    text: 'Leigjandinn skal skila lyklunum í síðasta lagi á síðasta virka degi mánaðarins. Stærri skemmdir á íbúðinni greiðir hann sjálfur, enda sé ástæðan ekki venjulegt slit. Stjórnin hittist aftur á þriðjudaginn og ræðir þá reikninga ársins og hvar bátarnir eiga að liggja í vetur.',
  },
  {
    language: 'Polish',
    pages: central,
    text: 'Najemca zwróci klucze najpóźniej w ostatni dzień miesiąca. Większe szkody pokrywa sam, chyba że są skutkiem zwykłego zużycia. Zarząd spotka się ponownie we wtorek i omówi sprawozdanie za bieżący rok, a także miejsca dla łodzi. Proszę też pamiętać o źródłach ciepła i świetle.',
  },
  {
    language: 'Czech',
    pages: central,
    text: 'Nájemce předá klíče nejpozději poslední pracovní den v měsíci. Větší škody hradí sám, pokud nevznikly běžným opotřebením. Výbor se sejde znovu v úterý a projedná účetní závěrku za letošní rok i místa pro lodě. Žádáme také, aby každý šetřil vodou a včas zaplatil příspěvek.',
  },
  {
    language: 'Slovak',
    pages: central,
    text: 'Nájomca odovzdá kľúče najneskôr v posledný pracovný deň mesiaca. Väčšie škody uhradí sám, ak nevznikli bežným opotrebovaním. Výbor sa stretne opäť v utorok a prerokuje účtovnú závierku za tento rok aj miesta pre lode. Žiadame tiež, aby každý šetril vodou a včas zaplatil príspevok.',
  },
  {
    language: 'Hungarian',
    pages: central,
    text: 'A bérlő legkésőbb a hónap utolsó munkanapján adja át a kulcsokat. A nagyobb károkat maga fizeti, hacsak nem a szokásos kopásból erednek. A vezetőség kedden újra összeül, és megtárgyalja az idei év zárszámadását, valamint a hajók helyét. Kérjük, hogy időben fizessék be a díjat, és legyenek türelemmel a felújítás idején.',
  },
  {
    language: 'Slovene',
    pages: central,
    text: 'Najemnik izroči ključe najpozneje zadnji delovni dan v mesecu. Večjo škodo poravna sam, če ni nastala z običajno rabo. Odbor se znova sestane v torek in bo obravnaval letošnji zaključni račun ter prostore za čolne. Prosimo tudi, da vsakdo varčuje z vodo in pravočasno plača članarino.',
  },
  {
    language: 'Croatian',
    pages: central,
    text: 'Najmoprimac predaje ključeve najkasnije zadnji radni dan u mjesecu. Veću štetu plaća sam, osim ako je nastala uobičajenim korištenjem. Odbor će se ponovno sastati u utorak i raspraviti ovogodišnji završni račun te mjesta za brodove. Molimo također da svatko štedi vodu i na vrijeme plati članarinu, što će biti riješeno između susjeda.',
  },
  {
    language: 'Romanian',
    pages: central,
    text: 'Chiriaşul predă cheile cel târziu în ultima zi lucrătoare a lunii. Pagubele mai mari le plăteşte singur, dacă nu provin din uzura obişnuită. Comitetul se întruneşte din nou marţi şi va discuta bilanţul acestui an, precum şi locurile pentru bărci. Vă rugăm să economisiţi apa şi să plătiţi cotizaţia la timp.',
  },
  {
    language: 'Russian',
    pages: cyrillic,
    text: 'Арендатор сдаёт ключи не позднее последнего рабочего дня месяца. Крупный ущерб он возмещает сам, если причиной не был обычный износ. Правление соберётся снова во вторник и обсудит отчёт за этот год, а также места для лодок. Просим также беречь воду и вовремя платить взносы.',
  },
  {
    language: 'Bulgarian',
    pages: ['windows-1251', 'iso-8859-5'],
    text: 'Наемателят предава ключовете най-късно в последния работен ден на месеца. По-големите щети плаща сам, освен ако не са от обичайно износване. Управителният съвет ще се събере отново във вторник и ще обсъди отчета за тази година, както и местата за лодките.',
  },
  {
    language: 'Ukrainian',
    pages: ['windows-1251', 'koi8-u'],
    text: 'Орендар здає ключі не пізніше останнього робочого дня місяця. Більшу шкоду він відшкодовує сам, якщо причиною не був звичайний знос. Правління збереться знову у вівторок і обговорить звіт за цей рік, а також місця для човнів. Просимо також берегти воду і вчасно платити внески, її та їхні.',
  },
  {
    language: 'Serbian',
    pages: ['windows-1251', 'iso-8859-5'],
    text: 'Закупац предаје кључеве најкасније последњег радног дана у месецу. Већу штету плаћа сам, осим ако је настала уобичајеним коришћењем. Одбор ће се поново састати у уторак и расправљати о овогодишњем завршном рачуну и о местима за чамце.',
  },
  {
    language: 'Greek',
    pages: ['windows-1253', 'iso-8859-7'],
    text: 'Ο μισθωτής παραδίδει τα κλειδιά το αργότερο την τελευταία εργάσιμη ημέρα του μήνα. Τις μεγαλύτερες ζημιές τις πληρώνει ο ίδιος, εκτός αν οφείλονται στη συνηθισμένη χρήση. Το συμβούλιο συνεδριάζει πάλι την Τρίτη και θα συζητήσει τον φετινό απολογισμό.',
  },
  {
    language: 'Turkish',
    pages: ['windows-1254', 'iso-8859-9'],
    text: 'Kiracı anahtarları en geç ayın son iş günü teslim eder. Büyük hasarları, olağan kullanımdan doğmadıkça, kendisi öder. Yönetim kurulu salı günü yeniden toplanacak, bu yılın hesaplarını ve teknelerin yerlerini görüşecektir. Lütfen suyu boşa harcamayınız ve aidatı zamanında ödeyiniz; çünkü başka bir çıkış yolu kalmamıştır.',
  },
  {
    language: 'Hebrew',
    pages: ['windows-1255', 'iso-8859-8'],
    text: 'השוכר ימסור את המפתחות לכל המאוחר ביום העבודה האחרון של החודש. נזקים גדולים ישלם בעצמו, אלא אם נגרמו משימוש רגיל. הוועד יתכנס שוב ביום שלישי וידון בדוח של השנה ובמקומות לסירות. אנו מבקשים גם לחסוך במים ולשלם את דמי החבר בזמן.',
  },
  {
    language: 'Arabic',
    pages: ['windows-1256', 'iso-8859-6'],
    text: 'يسلم المستأجر المفاتيح في آخر يوم عمل من الشهر على أبعد تقدير. ويدفع الأضرار الكبيرة بنفسه ما لم تكن ناتجة عن الاستعمال العادي. يجتمع المجلس من جديد يوم الثلاثاء لمناقشة تقرير هذه السنة وأماكن القوارب. ونرجو أيضا توفير الماء ودفع الاشتراك في موعده.',
  },
  {
    language: 'Estonian',
    pages: [...baltic, 'iso-8859-15'],
    text: 'Üürnik annab võtmed üle hiljemalt kuu viimasel tööpäeval. Suuremad kahjud tasub ta ise, kui need ei ole tekkinud tavalisest kasutamisest. Juhatus koguneb uuesti teisipäeval ning arutab käesoleva aasta aruannet ja paatide kohti. Palume säästa vett ja maksta liikmemaks õigel ajal.',
  },
  {
    language: 'Latvian',
    pages: baltic,
    text: 'Īrnieks nodod atslēgas vēlākais mēneša pēdējā darba dienā. Lielākus bojājumus viņš apmaksā pats, ja tie nav radušies parastas lietošanas dēļ. Valde atkal sanāks otrdien un apspriedīs šā gada pārskatu, kā arī vietas laivām. Lūdzam taupīt ūdeni un laikus samaksāt biedru naudu.',
  },
  {
    language: 'Lithuanian',
    pages: baltic,
    text: 'Nuomininkas raktus grąžina ne vėliau kaip paskutinę mėnesio darbo dieną. Didesnę žalą jis atlygina pats, jeigu ji neatsirado dėl įprasto dėvėjimosi. Valdyba vėl susirinks antradienį ir svarstys šių metų ataskaitą bei vietas valtims. Prašome taupyti vandenį ir laiku mokėti nario mokestį, kad būtų šilčiau.',
  },
  {
    language: 'Thai',
    pages: ['windows-874'],
    text: 'ผู้เช่าต้องส่งคืนกุญแจภายในวันทำการสุดท้ายของเดือน ความเสียหายขนาดใหญ่ผู้เช่าต้องชำระเอง เว้นแต่เกิดจากการใช้งานตามปกติ คณะกรรมการจะประชุมอีกครั้งในวันอังคาร เพื่อพิจารณารายงานประจำปีและที่จอดเรือ',
  },
]
