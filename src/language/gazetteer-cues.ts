// Cue words for entity types: our own lists, mostly English, with the most common German, French, Spanish and Italian
// words. A cue at the end of a name (Ltd, River, Festival) or at its head (University of) decides its type.

import { MONTHS, SHORT_MONTHS } from './months.ts'

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Legal forms, which end a company's name and are left out of its key. */
export const LEGAL_FORMS = wordSet(
  'inc incorporated ltd limited llc llp lp plc corp corporation co company gmbh ag kg ohg mbh se sa sas sarl srl spa ' +
    'bv nv ab as asa oy oyj aps pty pte pvt kk ug eg ev cie operative cooperative',
)

export const ORGANIZATION_CUES = wordSet(
  'legislature films tv television caucus railroad patrol unit democrats ' +
    'company corporation group holdings holding partners associates brothers bros industries enterprises enterprise ' +
    'solutions systems technologies labs laboratory laboratories studios studio pictures records entertainment ' +
    'productions press publishing publishers publications media network networks broadcasting bank bancorp insurance ' +
    'capital ventures fund trust foundation charity institute institution university college academy school ' +
    'gymnasium faculty polytechnic seminary conservatory hospital clinic church cathedral_chapter diocese archdiocese ' +
    'ministry department agency authority administration bureau commission committee council senate parliament ' +
    'congress assembly cabinet government court tribunal office inspectorate directorate secretariat party union ' +
    'federation confederation association society club league team fc united athletic rovers rangers army navy force ' +
    'forces corps regiment battalion brigade division squadron fleet guard police militia guerrillas legion front movement ' +
    'alliance coalition organization organisation band orchestra ensemble choir quartet trio symphony theatre theater ' +
    'museum gallery library airlines airways railways railway motors automotive pharmaceuticals chemicals energy ' +
    'power electric oil petroleum steel mining foods breweries brewery bakery hotels newspaper times post gazette ' +
    'tribune herald chronicle guardian telegraph magazine journal legal logistics consulting services carriers ' +
    'manufacturing works steelers accountants solicitors architects engineers engineering properties realty estates ' +
    'gesellschaft verein verband stiftung universität hochschule ministerium amt behörde bundesamt bank sparkasse ' +
    'verlag werke universidad université università ministère ministerio ministero société asociación associazione ' +
    'comité conseil consejo institut instituto istituto fondation fundación fondazione banque banco banca',
)

export const LOCATION_CUES = wordSet(
  'river lake sea ocean bay gulf strait channel canal creek falls mountain mountains mount mt hill hills valley ' +
    'island islands isle isles peninsula cape coast beach desert forest woods park gardens plateau plain plains ' +
    'county district province region state territory municipality city town village borough parish township ' +
    'prefecture oblast canton commune governorate republic kingdom empire emirate sultanate street road avenue ' +
    'boulevard lane square drive highway freeway motorway bridge tunnel station airport port harbour harbor stadium ' +
    'arena building tower palace castle fort cathedral abbey temple monastery cemetery plaza mall centre ' +
    'hall house farm ranch yard quay wharf reservoir dam glacier volcano basin north south east west ' +
    'straße strasse platz allee weg gasse tal berg see insel rue place quai calle plaza avenida via piazza corso',
)

export const EVENT_CUES = wordSet(
  'war wars battle siege campaign invasion revolution rebellion uprising revolt massacre genocide crisis crash ' +
    'olympics games championship championships cup tournament open masters marathon race grand_prix prix festival ' +
    'fair exhibition expo conference summit congress symposium convention election elections referendum awards ' +
    'ceremony season tour derby final finals bowl earthquake hurricane flood disaster meeting workshop agm webinar ' +
    'operation offensive crusade armistice plebiscite riots protests strike biennale regatta parade day eve christmas',
)

export const WORK_CUES = wordSet(
  'album song single ep symphony sonata concerto opera novel book trilogy saga film movie series show sitcom episode ' +
    'soundtrack anthology magazine game dictionary encyclopedia bible report handbook manual guide plan policy ' +
    'survey study memorandum prize award medal trophy chart hot scripture gospel',
)

export const LAW_CUES = wordSet(
  'act treaty convention agreement directive regulation regulations constitution amendment charter protocol accord ' +
    'accords pact code law statute ordinance decree bill gesetz verordnung richtlinie loi ley legge règlement iso din ' +
    'standard gdpr',
)

export const PRODUCT_CUES = wordSet(
  'engine aircraft rifle missile tank locomotive car truck phone tablet camera console',
)
export const TECHNOLOGY_CUES = wordSet(
  'software protocol algorithm api sdk framework database language format compiler',
)

/** Titles before a person's name, left out of the name and of its key. */
export const HONORIFICS = wordSet(
  'mr mrs ms miss mx dr prof professor sir dame madam rev reverend fr hon herr frau monsieur madame mme mlle m señor ' +
    'señora don doña signor signora ing dipl phd md messrs',
)

/** Titles after which only a person's name follows. Other titles also occur elsewhere, as in Notre Dame and John M Smith. */
export const ADDRESS_FORMS = wordSet(
  'mr mrs ms mx messrs dr prof professor herr herrn frau monsieur madame mme mlle señor señora signor signora',
)

/** Words that open a letter, before the name of its reader. */
export const SALUTATIONS = wordSet(
  'dear hello hi hey hallo liebe lieber geehrte geehrter guten cher chère chers bonjour salut estimado estimada ' +
    'querido querida hola',
)

/** Roles before a person's name, left out of the name. */
export const ROLES = wordSet(
  'president vice-president chancellor premier minister secretary senator congressman congresswoman representative ' +
    'governor mayor ambassador judge justice chief chairman chairwoman chair chairperson director manager ceo cfo cto ' +
    'coo cio officer executive head dean rector provost principal coach captain general colonel major lieutenant ' +
    'commander admiral marshal sergeant corporal private bishop archbishop cardinal pope rabbi imam emperor empress ' +
    'tsar king queen prince princess duke duchess count countess baron baroness lord lady earl author writer actor ' +
    'actress singer composer director producer artist painter architect engineer professor doctor founder co-founder ' +
    'owner partner treasurer deputy acting former prime foreign defense defence attorney counsel inspector ' +
    'commissioner spokesman spokeswoman spokesperson editor journalist member candidate leader speaker president-elect ' +
    'vice executive managing senior assistant',
)

/** Nouns that name an entity's type: "X is a <noun>" decides the type of X. */
export const TYPE_NOUNS: Readonly<Record<string, ReadonlySet<string>>> = {
  organization: wordSet(
    'company corporation firm manufacturer supplier provider organization organisation charity bank university college ' +
      'school institute band group team club party agency association federation union society label publisher ' +
      'newspaper broadcaster airline brewery hospital ministry department subsidiary startup nonprofit studio museum ' +
      'network station retailer distributor brand orchestra militia league division foundation academy',
  ),
  location: wordSet(
    'city town village municipality commune county district province state country region island river lake mountain ' +
      'peninsula suburb neighbourhood neighborhood settlement locality hamlet township parish borough capital street ' +
      'airport station park building stadium castle bridge valley bay port hill glacier prefecture',
  ),
  work: wordSet(
    'film movie novel book album song single ep series sitcom show drama play opera poem painting magazine game ' +
      'soundtrack episode documentary comic manga anime story musical ballet symphony record compilation telenovela',
  ),
  event: wordSet(
    'war battle tournament festival championship election event conference race match campaign operation siege ' +
      'revolution uprising ceremony competition attack massacre accident season edition',
  ),
  product: wordSet(
    'product device vehicle car aircraft airliner helicopter ship engine pump sensor valve printer machine model rifle missile ' +
      'tank locomotive truck bicycle phone smartphone camera processor chip medicine drug',
  ),
  technology: wordSet(
    'software protocol algorithm language framework database library format technology system tool method server ' +
      'client plugin exporter module package endpoint api sdk cli app application browser repository cluster container ' +
      'driver console dashboard query version release configuration runtime compiler binary schema syntax',
  ),
  law: wordSet('act law treaty regulation directive standard statute'),
}

/** Months and weekdays (English, German, French, Spanish, Italian), which are never entities. */
/** Words of units that follow a number, besides symbols such as "kg". */
export const UNIT_WORDS: ReadonlySet<string> = wordSet(
  'eur euro euros usd dollar dollars gbp pound pounds chf franc francs franken cent cents percent prozent unit units piece pieces ' +
    'stück einheiten minute minutes minuten hour hours stunden stunde day days tag tage week weeks woche wochen month months ' +
    'monat monate year years jahr jahre heures jours semaines mois ans minutos horas días semanas meses años euros',
)

export const CALENDAR: ReadonlySet<string> = new Set([
  ...[MONTHS.en, MONTHS.de, MONTHS.fr, MONTHS.es, MONTHS.it].flat(),
  ...SHORT_MONTHS.keys(),
  ...wordSet(
    'monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun montag ' +
      'dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes ' +
      'martes miércoles jueves viernes sábado domingo lunedì martedì mercoledì giovedì venerdì sabato domenica',
  ),
])

/** Words that documents and forms capitalise although they name nothing. */
export const BOILERPLATE = wordSet(
  'page pages chapter section sections appendix annex figure fig table tables contents index introduction summary ' +
    'abstract conclusion conclusions overview background references bibliography note notes date name title subject ' +
    'total subtotal amount quantity qty price unit item items description number no nr tel phone fax email e-mail web ' +
    'website copyright confidential draft version revision signature signed yes no n/a tbd tba ok todo click menu ' +
    'file edit view help home back next previous submit cancel save delete search login logout read more share ' +
    'article clause paragraph exhibit schedule part volume vol issue step question answer example am pm ad bc ce bce ' +
    'usd eur gbp chf jpy q1 q2 q3 q4 fy re fwd fw cc bcc from to sent seite kapitel tabelle abbildung datum betrag summe anlage',
)

/** Acronyms that are words, degrees and media, not names. */
export const COMMON_ACRONYMS = wordSet(
  'tv cd cds dvd dvds lp lps vhs ba ma bsc msc mba phd pdf url urls uri faq asap fyi aka id ids hr it pc pcs diy rsvp nb ' +
    'ps vat ngo ngos r&d b2b md&a sg&a eps pr prs ok ooo eod tl dr wip imo iirc afaik lgtm rfc rfcs ui ux q&a',
)

/** Words that contracts, forms and reports capitalise although they name only a part of the document or a party to it. */
export const DEFINED_TERMS = wordSet(
  'company agreement contract party parties tenant landlord lessor lessee buyer seller client customer supplier ' +
    'contractor subcontractor board committee management government state federal court act law bank group team ' +
    'department university college school church army navy city county river lake mount war internet earth moon sun ' +
    'god english-language service services product products order effective term fee premises property licensee ' +
    'issuer person persons trustee registrant holder holders note notes securities shares rule form financial ' +
    'international plan participant indenture street avenue road affiliate affiliates subsidiary subsidiaries closing ' +
    'port licensor borrower lender employer employee vendor purchaser guarantor project programme program see report ' +
    'reports annual quarterly interim risk risks factor factors consolidated condensed balance sheet sheets statement ' +
    'statements result results income earnings cash flow flows equity operations accounting policies policy discussion ' +
    'analysis directors minutes agenda monitoring staff member members attendees invited present apologies action actions',
)

/** Organizations whose names go on with "for", "on" or "and". */
export const ORGANIZATION_HEADS = wordSet(
  'center centre institute society association foundation council committee department office organization ' +
    'organisation agency fund commission conference school college convention symposium board bureau coalition ' +
    'campaign alliance trust union administration academy faculty ministry',
)

/** Roles that are part of the name. */
export const ROYAL_ROLES = wordSet(
  'king queen prince princess duke duchess count countess baron lord lady earl pope emperor empress',
)

/** Events whose year is part of the name: 2002 Winter Olympics. */
export const YEARLY_EVENTS = wordSet(
  'olympics games championship championships cup season tournament election elections conference festival summit open ' +
    'prix awards',
)

export const TECHNOLOGIES = wordSet(
  'ai ml llm vr ar api apis sql html css json xml yaml csv http https tcp udp ip dns ssh ssl tls usb wifi wi-fi bluetooth ' +
    '5g 4g lte nfc gps gpu cpu ram ssd oled lcd led iot saas crm erp oauth jwt blockchain bitcoin ethereum java ' +
    'javascript typescript python ruby rust golang php perl linux unix android ios macos windows kubernetes docker git ' +
    'postgresql mysql sqlite redis kafka nginx excel hdmi dna rna mri ascii unicode utf-8 utf-16 utf8',
)

/** Words for the use of a technology: "using X", "installed X". */
export const USES = wordSet(
  'using use uses used via install installed installing run running runs configure configured deploy deployed ' +
    'deploying integrate integrated through with',
)
