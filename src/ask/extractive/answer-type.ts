// The type of answer that a question asks for, and whether a sentence, a cell or a column contains one. Recognises
// questions in English, German, French and Spanish; for others the type is `any`.

import { contentTerms } from '../../language/analyse.ts'
import { wholeWords, words } from '../../language/words.ts'

export type AnswerType =
  | 'person'
  | 'place'
  | 'date'
  | 'duration'
  | 'frequency'
  | 'money'
  | 'count'
  | 'measure'
  | 'percent'
  | 'phone'
  | 'email'
  | 'reason'
  | 'definition'
  | 'steps'
  | 'any'

const MONTH =
  'jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|février|febrero|mar(?:ch|zo)?|märz|mars|apr(?:il)?|avril|abril|may|mai|mayo|june?|juni|juin|junio|july?|juli|juillet|julio|aug(?:ust)?|août|agosto|sept?(?:ember|embre|iembre)?|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?|de[cz](?:ember)?|décembre|diciembre|enero'
export const DAY =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo'
export const NUMBER_WORDS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty|sixty|ninety|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|vierzehn|zwanzig|dreißig|sechzig|neunzig|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|vingt|trente|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|veinte|treinta'
export const PERIOD =
  'seconds?|minutes?|hours?|days?|nights?|weeks?|months?|quarters?|years?|decades?|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|quartale?n?|jahre?n?|secondes?|heures?|jours?|semaines?|mois|trimestres?|ans?|années?|segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|trimestres?|años?'
const CURRENCY = String.raw`[€$£¥₹]|(?<![\p{L}])(?:eur|usd|gbp|chf|nok|sek|dkk|isk|pln|czk|huf|cad|aud|nzd|jpy|cny|inr|brl|mxn|zar|euros?|dollars?|pounds?|francs?|franken|pfund|livres|libras|dólares|kron(?:er|or|en)|yen|rupees)(?![\p{L}])`

// Matches a date that is relative to another date: "within 30 days of the invoice", "90 days after the end", "at the end of each
// quarter", "le 5 de chaque mois". Does not match "extended by three months" and "by giving six months' notice".
const RELATIVE_DATE = String.raw`(?<![\p{L}])(?:within|after|before|until|no later than|innerhalb|binnen|nach|vor|bis|spätestens|dans|sous|après|avant|au plus tard|dentro de|en el plazo de|después de|antes de|a los)\s(?:[\p{L}.]+\s){0,3}?(?:\d+|${NUMBER_WORDS})[\s-]+(?:\p{L}+\s)?(?:${PERIOD})(?![\p{L}])|(?<![\p{L}\d])(?:\d+|${NUMBER_WORDS})[\s-]+(?:\p{L}+\s)?(?:${PERIOD})\s(?:after|before|prior to|nach|vor|après|avant|después|antes)(?![\p{L}])|(?:\d{1,2}(?:st|nd|rd|th|er|\.)?|first|last|end|beginning|middle|erste[nrs]?|letzte[nrs]?|ende|anfang|mitte|premier|dernier|fin|début|primero|último|fin|final)\s(?:day |working day |tag |werktag |jour |día )?(?:of (?:each|every|the)|jede[sr]|des|eines|de chaque|du|de cada|del)\s(?:${PERIOD})(?![\p{L}])`

interface TypePatterns {
  /** Matches a question that asks for this type. */
  question: RegExp
  /** Matches a text that contains an answer of this type. */
  answer: RegExp
  /** Matches the name of a table column with answers of this type. */
  column?: RegExp
  /** Matches words of a question that only name the type. An answer need not repeat them. */
  typeWord: RegExp
}

// In order of precedence: narrower types come first.
const PATTERNS: Record<Exclude<AnswerType, 'definition' | 'steps' | 'any'>, TypePatterns> = {
  phone: {
    question: wholeWords(
      '(?:phone|telephone|fax|mobile|emergency) (?:number|line)|(?:telefon|handy|fax|ruf|notruf|durchwahl)\\p{L}*nummer|numéro de téléphone|número de teléfono|t[eé]l',
    ),
    // Not a date: 2026-08-07.
    answer: /(?<![\p{L}\d.,])\+?\(?(?!\d{4}-\d\d-\d\d)\d[\d\s()/-]{4,20}\d(?![\p{L}\d]|[.,:]\d)/u,
    typeWord:
      /^(?:(?:tele)?phone|number|line|fax|mobile|call|(?:telefon|handy|fax|ruf|notruf|durchwahl)\p{L}*nummer|lautet|numéro|téléphone|t[eé]l|número|teléfono)$/iu,
  },
  email: {
    question: wholeWords(
      'e-?mail address|what (?:is|are) .{1,40}e-?mail|e-?mail-?adresse|mailadresse|adresse e-?mail|correo electrónico',
    ),
    answer: /(?<![^\s()[\]<>,;:])[^\s()[\]<>,;:@]+@[^\s()[\]<>,;:@]+\.\p{L}{2,}/u,
    typeWord: /^(?:e-?mail|mail|address|(?:e-?mail-?|mail)?adresse|lautet|correo|electrónico)$/iu,
  },
  percent: {
    question: wholeWords(
      '(?:what|which) (?:share|percentage|percent|proportion|interest|rate)|how many percent|wie ?viel prozent|(?:welcher|wie hoch ist der) (?:anteil|prozentsatz|zinssatz|rabatt)|quel pourcentage|quel taux|quelle part|qué porcentaje|qué tasa|qué parte',
    ),
    answer: /\d\s?(?:%|percent|per cent|prozent|pour cent|por ciento)/i,
    typeWord: /^(?:percent\w*|share|proportion|rate|prozent\w*|anteil|pourcentage|taux|porcentaje|tasa)$/i,
  },
  money: {
    question: wholeWords(
      'how much (?:do|does|did|is|are|was|were|will|would|money|rent|for)|costs?|prices?|priced|fees?|rent|salary|budget|charge|deposit|worth|expensive|cheap(?:er|est)?|was kostet|was kosten|wie teuer|preise?|kosten|kostet|gebühr|miete|jahresmiete|gehalt|kaution|teurer|teuerste[rns]?|billiger|billigste[rns]?|günstiger|günstigste[rns]?|combien coûte(?:nt)?|prix|coût|loyer|tarif|salaire|caution|cher|chère|cuánto (?:cuestan?|vale|valen)|cuestan?|precios?|coste|alquiler|salario|fianza|car[oa]s?|barat[oa]s?',
    ),
    answer: new RegExp(
      String.raw`(?:${CURRENCY})\s?\d|\d[\d.,]*\s?(?:million|millionen|millions|millones|billion|thousand|tausend|mille|mil|mio\.?|k|m|bn)?\s?(?:${CURRENCY})`,
      'iu',
    ),
    column: new RegExp(
      `price|cost|fee|rate|amount|total|budget|rent|preis|kosten|gebühr|betrag|miete|prix|coût|tarif|montant|loyer|precio|coste|importe|alquiler|${CURRENCY}`,
      'iu',
    ),
    typeWord:
      /^(?:costs?|prices?|priced|fees?|amount|much|money|pay|paid|worth|charged?|expensive|cheap\w*|kosten|kostet|betrag|preise?|teuer\w*|teurer|billig\w*|günstig\w*|viel|prix|coûte(?:nt)?|coût|cher|chère|combien|montant|precios?|cuestan?|cuánto|vale|importe|car[oa]|barat[oa])$/i,
  },
  // "How long" also asks for a length.
  duration: {
    question: wholeWords(
      `how (?:long|much (?:time|notice|warning|leave)|many (?:${PERIOD}))|notice period|period of notice|what period|duration|lead times?|delivery time|wie lange?|welche frist|kündigungsfrist|lieferzeit|lieferfrist|dauer|wie viel zeit|combien de temps|quelle durée|quel délai|préavis|délai|cuánto tiempo|qué plazo|preaviso|duración|plazo de entrega|wie ?viele (?:${PERIOD})|combien d[e'] ?(?:${PERIOD})|cuánt[oa]s (?:${PERIOD})`,
    ),
    answer: new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:\d+|${NUMBER_WORDS}|an?|eine?[mnrs]?|une?|una?)[\s-]+(?:\((?:\w+)\)\s+)?(?:full |calendar |working |business |volle[nr]? )?(?:${PERIOD})(?![\p{L}])|(?<!\p{Sc}\s?[\d.,]{0,12})\d\s?(?:[cmk]?m|met(?:re|er)s?|kilomet(?:re|er)s?|miles|feet|ft|inches|mètres|metros)(?![\p{L}²³])`,
      'iu',
    ),
    column:
      /duration|period|days|weeks|months|years|hours|lead time|delivery|dauer|frist|tage|wochen|monate|jahre|lieferzeit|durée|délai|jours|semaines|mois|duración|plazo|días|semanas|meses/i,
    typeWord:
      /^(?:long|much|time|period|duration|lange?|dauer|zeit|durée|temps|combien|tiempo|duración|cuánto)$/i,
  },
  frequency: {
    question: wholeWords(
      'how (?:often|frequently)|how many times|wie (?:oft|häufig)|(?:à )?quelle fréquence|combien de fois|(?:con )?qué frecuencia|cuántas veces',
    ),
    answer: new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:(?:\d+|${NUMBER_WORDS}|an?|per|each|every(?: (?:\d+|${NUMBER_WORDS}|other|second))?|jede[mnrs]?|pro|alle \p{L}+|par|chaque|tou[ts]e?s les(?: \p{L}+)?|cada(?: \p{L}+)?)[\s-]+(?:${PERIOD})|\d+ times|once|twice|hourly|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|(?:ein|zwei|drei)mal|stündlich|täglich|wöchentlich|monatlich|jährlich|une fois|deux fois|quotidien\p{L}*|hebdomadaire\p{L}*|mensuel\p{L}*|annuel\p{L}*|una vez|dos veces|diari[oa]\p{L}*|semanal\p{L}*|mensual\p{L}*|anual\p{L}*)(?![\p{L}])`,
      'iu',
    ),
    typeWord: /^(?:often|frequently|frequency|times|oft|häufig|fréquence|fois|frecuencia|veces)$/i,
  },
  count: {
    question: wholeWords(
      "how many|(?:the )?number of|wie ?viele|(?:die )?anzahl|combien d[e']|(?:le )?nombre de|cuánt[oa]s|(?:el )?número de",
    ),
    // The digits of a name ("37signals") are not a count.
    answer: new RegExp(
      String.raw`(?<![\p{Script=Latin}\d])\d+(?![\p{Script=Latin}\d])|(?<![\p{L}])(?:${NUMBER_WORDS})(?![\p{L}])`,
      'iu',
    ),
    typeWord: /^(?:many|number|count|anzahl|viele?|nombre|combien|número|cuánt[oa]s)$/i,
  },
  measure: {
    question: wholeWords(
      'how (?:wide|tall|high|heavy|large|big|far|fast|deep|old|thick|hot|cold|strong|powerful)|heav(?:ier|iest)|lighte(?:r|st)|weight|width|height|length|dimensions?|size|capacity|power|voltage|speed|temperature|depth|draught|wie (?:breit|hoch|schwer|groß|weit|schnell|tief|alt|dick|heiß|kalt|stark|lang ist (?:der|die|das) \\p{L}*(?:kabel|schiff|leitung))|gewicht|breite|höhe|länge|größe|leistung|spannung|geschwindigkeit|temperatur|tiefe|poids|largeur|hauteur|longueur|taille|puissance|tension|vitesse|température|profondeur|peso|anchura|altura|longitud|tamaño|potencia|velocidad|temperatura|profundidad',
    ),
    answer: new RegExp(String.raw`\d|(?<![\p{L}])(?:${NUMBER_WORDS})[\s-]+(?:${PERIOD})(?![\p{L}])`, 'iu'),
    typeWord:
      /^(?:wide|tall|high|heavy|large|big|far|fast|deep|thick|heavier|lighter|much|breit|hoch|schwer|groß|weit|schnell|tief|dick)$/i,
  },
  date: {
    question: wholeWords(
      '(?:since )?when|(?:what|which|on what|by what) (?:date|day|year|month|time|deadline)|deadline|(?:seit |bis )?wann|welche[mnrs]? (?:tag|datum|jahr|termin)|quand|(?:à )?quelle date|quel jour|quelle année|cuándo|qué (?:fecha|día|año)',
    ),
    // "5.1" is a clause or an amount, "5.1." may be a day.
    answer: new RegExp(
      String.raw`\b(?:1[5-9]|20)\d\d\b|\b\d{1,2}[/-]\d{1,2}(?:[/-]\d{2,4})?\b|\b\d{1,2}\.\d{1,2}\.(?:\d{2,4})?(?!\d)|(?<![\p{L}])(?:${MONTH}|${DAY})(?![\p{L}])|\b\d{1,2}[:.]\d\d\b|\b(?:today|yesterday|tomorrow|noon|midnight)\b|${RELATIVE_DATE}`,
      'iu',
    ),
    typeWord:
      /^(?:when|wann|quand|cuándo|dates?|day|year|month|time|deadline|happen\w*|take|took|place|datum|tag|jahr|jour|fecha|día)$/i,
  },
  reason: {
    question: wholeWords(
      'why|for what reason|what (?:caused|(?:is|are|was|were) the (?:reasons?|causes?))|warum|weshalb|wieso|(?:was (?:ist|war|sind|waren)|welche[nrs]?) (?:der|die)? ?(?:gründe?|ursachen?|grund)|pourquoi|quelles? (?:est|était|sont|étaient) (?:la|les) (?:raisons?|causes?)|por qué|cuáles? (?:es|fue|era|son|fueron) (?:la|las|el|los) (?:causas?|motivos?|razón|razones)',
    ),
    answer: wholeWords(
      'because|since|due to|owing to|in order to|so that|therefore|as a result|reasons?|caused?|weil|wegen|aufgrund|deshalb|daher|grund|ursache|damit|parce que|car|en raison|à cause|afin|porque|debido|ya que|por eso',
    ),
    typeWord: /^(?:reasons?|caused?|causes|grund|gründe|ursachen?|raisons?|razón|razones|causas?|motivos?)$/i,
  },
  person: {
    question: wholeWords('who|whom|whose|wer|wen|wem|wessen|qui|quién|quiénes'),
    answer:
      /\p{Lu}[\p{L}'’.-]+(?:\s+(?:(?:van|von|de|da|der|den|di|al|of|and|&)\s+)?\p{Lu}[\p{L}'’.-]+)+|\b(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|Mme|Sra?)\b/u,
    typeWord: /^(?:persons?|name|people|individual)$/i,
  },
  place: {
    question: wholeWords(
      "where|(?:what|which) (?:city|town|country|place|address|location|street|port|harbour|harbor|room|building)|wo|woher|wohin|welche[mnrs]? (?:stadt|land|ort|adresse|raum)|où|d'où|quelle (?:ville|adresse)|quel pays|dónde|qué (?:ciudad|país|dirección)",
    ),
    answer:
      /(?<![\p{L}])(?:in|at|on|from|to|near|of|im|am|an|bei|nach|aus|à|au|dans|sur|en)\s+(?:(?:the|der|dem|den|la|le|el)\s+)?\p{Lu}|(?:street|road|avenue|quay|lane|square|room|floor|building|straße|platz|weg|gebäude|rue|calle)(?![\p{L}])/iu,
    typeWord: /^(?:located?|place|location|address|found|ort|lieu|lugar)$/i,
  },
}

const TYPES_IN_ORDER = Object.keys(PATTERNS) as (keyof typeof PATTERNS)[]

const HOW_MUCH = wholeWords('how much|wie ?viel|combien|cuánto')
const HOW_HIGH = /^(?:wie hoch|how high)(?!\p{L})/iu

/** The type of answer that a question asks for: the type whose words come first in it, or `any` if it contains none of them. */
export function answerType(question: string): AnswerType {
  let best: { type: AnswerType; at: number } = { type: 'any', at: Number.POSITIVE_INFINITY }
  for (const type of TYPES_IN_ORDER) {
    const at = question.search(PATTERNS[type].question)
    if (at >= 0 && at < best.at) best = { type, at }
  }
  // "Wie hoch waren die Kosten?" asks for money, but "wie hoch" alone asks for a height.
  if (best.type === 'measure' && HOW_HIGH.test(question.slice(best.at))) {
    const otherTypes = TYPES_IN_ORDER.filter(
      (type) => type !== 'measure' && PATTERNS[type].question.test(question),
    )
    if (otherTypes[0]) return otherTypes[0]
  }
  // "How much cheaper" asks for money, "how much heavier" for a weight. "How much" alone asks for any measure, and so does "the
  // total amount".
  if (best.type === 'any' && (HOW_MUCH.test(question) || NAMES_AMOUNT.test(question))) return 'measure'
  if (['any', 'person'].includes(best.type) && asksForDefinition(question)) return 'definition'
  return best.type === 'any' && STEPS.test(question) ? 'steps' : best.type
}

const NAMES_AMOUNT = wholeWords(
  '(?:what|which) (?:is|are|was|were) the (?:(?:total|net|average|mean|overall|combined) )*(?:amounts?|balance|sum|total|increase|decrease|rise|fall)|(?:total|whole|combined) (?:value|amount|sum)|value of (?:all|every|each)|(?:der|die|das) (?:gesamt(?:betrag|wert|summe)|restbetrag|saldo)|(?:le|la|el) (?:montant|solde|somme|importe|saldo|suma)',
)

const STEPS = wholeWords(
  'how (?:do|does|did|can|could|should|must|to|is|are)|(?:what|which) (?:steps|procedure)|what (?:do|should|must|can) (?:i|we|you) do|what (?:is|has) to be done|wie (?:kann|können|muss|müssen|soll|sollen|wird|werden|geht|mache|macht|man)|welche schritte|was (?:ist|muss|soll|kann) (?:\\p{L}+ )?(?:zu )?tun|was tun|comment|que (?:faire|dois-je faire)|quelles (?:étapes|démarches)|cómo|qué (?:pasos|hacer|hago|debo hacer|hay que hacer)',
)

const DEFINITION =
  /^[¿\s]*(?:(?:what|who)(?: is|['’]s| are| was| were)(?: meant by)?|define|explain|was (?:ist|sind|war|waren|bedeutet|heißt)(?: mit)?|was versteht man unter|wer (?:ist|war)|qu['’]est[- ]ce qu(?:e |['’])|que signifie|qui (?:est|était)|qué (?:es|son|significa)|quién (?:es|fue))\s*(?:(?:an?|eine?|une?|un)\s)?(?<thing>[^?]{2,60}?)[\s?.!]*$|^what (?:does|do) (?:an? |the (?:term|word|abbreviation) )?(?<meant>[^?]{2,60}?) (?:mean|stand for)[\s?.!]*$/iu
// A term to be defined has few words. "What is the capital of Denmark?" and "Who is the chair?" do not ask for definitions.
const MAX_NAME_WORDS = 4

/** Whether the question asks only what a thing or person is: "What is moonlighting?" */
function asksForDefinition(question: string): boolean {
  const { thing, meant: quotedTerm } = DEFINITION.exec(question)?.groups ?? {}
  const termWords = [...words(quotedTerm ?? thing ?? '')]
  return (
    termWords.length > 0 &&
    termWords.length <= MAX_NAME_WORDS &&
    termWords.every(({ raw }) => isContentWord(raw))
  )
}

const isContentWord = (word: string): boolean =>
  !/['’]s$/.test(word) && DEFINITION_LANGUAGES.every((language) => contentTerms(word, language).length > 0)
const DEFINITION_LANGUAGES = ['en', 'de', 'fr', 'es'] as const

// Matches "is a", "means", "refers to" and a colon; not the "was" of "IBM was founded in 1911".
const DEFINING_VERB =
  /(?<![\p{L}])(?:(?:is|was)\s+(?:an?|the|one|our|any|all|how|when|where|what)|(?:are|were)(?!\s+\p{L}+(?:ed|ing)(?![\p{L}]))|means?|refers? to|stands? for|denotes?|describes?|(?:ist|war|sind|waren)\s+(?:eine?|der|die|das|unsere?)|bedeutet|bezeichnet|heißt|(?:est|était|sont)\s+(?:une?|le|la|les|des)|(?:est|était)\s+l['’]|désigne|signifie|(?:es|era|fue|son)\s+(?:un[oa]?s?|el|la|los|las)|significa|designa)(?![\p{L}])|[:–—](?=\s)/iu

/** The subject of a sentence that defines something: "A tern" of "A tern is a small seabird". */
export function definedSubject(text: string): string | undefined {
  const at = text.search(DEFINING_VERB)
  return at < 0 ? undefined : text.slice(0, at)
}

/**
 * Whether a text contains an answer of the type. Every text contains an answer of the types `any` and `steps`.
 * @param isAsked whether a part of the text contains a word of the question
 */
export function containsAnswerOfType(
  type: AnswerType,
  text: string,
  isAsked: (text: string) => boolean = () => false,
): boolean {
  if (type === 'any' || type === 'steps') return true
  if (type === 'definition') return definedSubject(text) !== undefined
  if (type === 'place') return /\p{Lu}/u.test(text) && PATTERNS.place.answer.test(text)
  if (type === 'count') {
    const withoutDates = DATES.reduce(
      (rest, date) => rest.replace(date, (match) => (MONTH_AS_VERB.test(match) ? match : ' ')),
      text,
    )
    const withoutOtherNumbers = NOT_A_COUNT.reduce(
      (rest, pattern) => rest.replace(pattern, (match) => (isAsked(match) ? match : ' ')),
      withoutDates,
    )
    return PATTERNS.count.answer.test(withoutOtherNumbers)
  }
  // "may" and "march" in small letters are verbs.
  return PATTERNS[type].answer.test(
    type === 'date' ? text.replace(/(?<![\p{L}])(?:may|march)(?![\p{L}])/gu, ' ') : text,
  )
}

const withGlobalFlag = ({ source, flags }: RegExp): RegExp => new RegExp(source, `g${flags}`)
// "28 days" is not the answer to "How many employees are there?". It is a count only if the question contains "days".
const NOT_A_COUNT = [PATTERNS.percent, PATTERNS.duration].map(({ answer }) => withGlobalFlag(answer))
const MONTH_AS_VERB = /^(?:may|march)\s/
const DATES = [
  new RegExp(
    String.raw`(?<![\p{L}])(?:${MONTH})\.?\s+\d{1,2}(?:st|nd|rd|th)?(?![\p{L}\d])|(?<!\d)\d{1,2}(?:st|nd|rd|th|er|º|\.)?\s+(?:of\s+|de\s+)?(?:${MONTH})(?=\.?,?\s+(?:de\s+)?\d{4})`,
    'giu',
  ),
  withGlobalFlag(PATTERNS.date.answer),
]

/** Whether a table column with this name has values of the type. */
export const isColumnOfType = (type: AnswerType, header: string): boolean =>
  hasPatterns(type) && (PATTERNS[type].column?.test(header) ?? false)

/** Whether a word of a question only names the type of the answer ("cost" in "What does it cost?"). */
export function isTypeWord(type: AnswerType, word: string): boolean {
  if (type === 'definition') return DEFINITION_WORD.test(word)
  return type === 'steps' ? STEPS_WORD.test(word) : hasPatterns(type) && PATTERNS[type].typeWord.test(word)
}

const STEPS_WORD =
  /^(?:steps?|procedures?|do|done|follow|schritte?n?|vorgehen|tun|étapes?|démarches?|faire|procédure|pasos?|hacer|hago|sigo|seguir|procedimiento)$/iu

const DEFINITION_WORD =
  /^(?:defined?|definitions?|means?|meant|meaning|term|word|explain|definiere?|definition|bedeutung|bedeutet|begriff|wort|gemeint|versteht|définir|définition|signifie|signification|terme|mot|entend|define|definición|significa|significado|término|palabra|entiende)$/iu

const hasPatterns = (type: AnswerType): type is keyof typeof PATTERNS => type in PATTERNS
