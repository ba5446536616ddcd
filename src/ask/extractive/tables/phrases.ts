// The words of questions about tables, in English, German, French and Spanish: operations on rows, bounds, periods, and words that
// no operation supports. Data.

import { wholeWords } from '../../../language/words.ts'
import type { Comparison } from '../../compute/compute.ts'
import type { AnswerType } from '../answer-type.ts'

export type Operation = 'count' | 'sum' | 'mean' | 'min' | 'max' | 'rows' | 'value' | 'check'

export const NUMERIC_OPERATIONS: ReadonlySet<Operation> = new Set(['count', 'sum', 'mean', 'min', 'max'])

export interface DatePhrase {
  operation: 'min' | 'max'
  column: RegExp
}

export interface Phrase {
  operation: Operation
  pattern: RegExp
  type?: AnswerType
  /** Matches the names of columns that the words are about: prices for "cheapest". */
  column?: RegExp
  /** The operation for a column of dates, if it is a different one: the oldest thing has the earliest date. */
  dateOperation?: DatePhrase
  /** Matches the names of columns that are used if the question does not name one. */
  defaultColumn?: RegExp
}

export const AGE_COLUMN = /(?<![\p{L}])(?:age|alter|âge|edad)(?![\p{L}])/iu
const WEIGHT_COLUMN = /weight|mass|gewicht|masse|poids|peso|(?<![\p{L}])(?:kg|g|t|lbs?)(?![\p{L}])/iu
const LENGTH_COLUMN =
  /length|länge|longueur|longitud|duration|dauer|durée|duración|period|days|weeks|months|years|hours|tage|wochen|monate|jahre|stunden|jours|semaines|mois|días|semanas|meses|time|frist|délai|plazo/iu

// Columns in which more is better. German grades are left out, because a lower grade is better.
const RATING_COLUMN =
  /rating|score|stars|points|(?<![\p{L}])note(?:s| moyenne)(?![\p{L}])|puntuación|valoración|puntos/iu
// Columns of sizes, which are used if the question names no column.
const SIZE_COLUMN =
  /size|capacity|area|surface|seats|volume|population|größe|fläche|kapazität|plätze|einwohner|taille|capacité|superficie|surface|places|tamaño|capacidad|aforo|plazas|(?<![\p{L}])(?:m²|m2|ha|qm)(?![\p{L}])/iu
const HEIGHT_COLUMN = /height|höhe|hauteur|altura|elevation|altitude/iu

// Columns with the date on which somebody or something began.
const ORIGIN_COLUMN =
  /born|birth|built|planted|construct|founded|established|manufactur|(?<![\p{L}])year(?![\p{L}])|baujahr|geburt|geboren|gebaut|gepflanzt|errichtet|gegründet|herstellung|naissance|(?<![\p{L}])née?(?![\p{L}])|construi|fondée?|année|nacimiento|nacid[oa]|construid[oa]|fundad[oa]|(?<![\p{L}])año(?![\p{L}])/iu
const NEW = new RegExp(
  `${ORIGIN_COLUMN.source}|joined|since|start|acquired|purchase|bought|beitritt|eintritt|seit|anschaffung|gekauft|entrée|depuis|achat|acquis|ingreso|desde|alta|compra`,
  'iu',
)

// Columns of prices.
const PRICE_COLUMN =
  /price|cost|rate|fee|fare|charge|tarif|rent|preis|kosten|gebühr|miete|prix|coût|loyer|precio|coste|tarifa|cuota|alquiler/iu

const SUPERLATIVES: readonly Phrase[] = [
  {
    operation: 'min',
    type: 'money',
    column: PRICE_COLUMN,
    pattern: wholeWords(
      'cheapest|least expensive|lowest[- ]priced?|günstigste[nrsm]?|billigste[nrsm]?|(?:le |la |les )?moins ch(?:er|ère)s?|más barat[oa]s?',
    ),
  },
  {
    operation: 'max',
    type: 'money',
    column: PRICE_COLUMN,
    pattern: wholeWords(
      'most expensive|priciest|dearest|teuerste[nrsm]?|(?:le |la |les )?plus ch(?:er|ère)s?|más car[oa]s?',
    ),
  },
  {
    operation: 'min',
    column: WEIGHT_COLUMN,
    pattern: wholeWords(
      'lightest|leichteste[nrsm]?|(?:le |la |les )?plus légers?|(?:le |la |les )?plus légères?|más liger[oa]s?',
    ),
  },
  {
    operation: 'max',
    column: WEIGHT_COLUMN,
    pattern: wholeWords('heaviest|schwerste[nrsm]?|(?:le |la |les )?plus lourde?s?|más pesad[oa]s?'),
  },
  {
    operation: 'min',
    type: 'duration',
    column: LENGTH_COLUMN,
    pattern: wholeWords(
      'shortest|quickest|kürzeste[nrsm]?|schnellste[nrsm]?|(?:le |la |les )?plus courte?s?|(?:le |la |les )?plus rapides?|más cort[oa]s?|más rápid[oa]s?',
    ),
  },
  {
    operation: 'max',
    type: 'duration',
    column: LENGTH_COLUMN,
    pattern: wholeWords('longest|slowest|längste[nrsm]?|(?:le |la |les )?plus long(?:ue)?s?|más larg[oa]s?'),
  },
  {
    operation: 'max',
    column: AGE_COLUMN,
    dateOperation: { operation: 'min', column: ORIGIN_COLUMN },
    pattern: wholeWords(
      'oldest|älteste[nrsm]?|(?:le |la |les )?plus âgée?s?|(?:le |la |les )?plus ancien(?:ne)?s?|más antigu[oa]s?|mayor de edad',
    ),
  },
  {
    operation: 'min',
    column: AGE_COLUMN,
    dateOperation: { operation: 'max', column: ORIGIN_COLUMN },
    pattern: wholeWords('youngest|jüngste[nrsm]?|(?:le |la |les )?plus jeunes?|más jóven(?:es)?|más joven'),
  },
  {
    operation: 'min',
    column: AGE_COLUMN,
    dateOperation: { operation: 'max', column: NEW },
    pattern: wholeWords('newest|neueste[nrsm]?|(?:le |la |les )?plus (?:neufs?|neuves?)|más nuev[oa]s?'),
  },
  {
    operation: 'max',
    column: RATING_COLUMN,
    pattern: wholeWords('best(?:[- ]rated)?|(?:le |la |les )?mieux not(?:ée?s?)|mejor(?: valorad[oa]s?)?'),
  },
  {
    operation: 'min',
    column: RATING_COLUMN,
    pattern: wholeWords(
      'worst(?:[- ]rated)?|(?:le |la |les )?moins bien not(?:ée?s?)|peor(?: valorad[oa]s?)?',
    ),
  },
  {
    operation: 'min',
    type: 'date',
    pattern: wholeWords('earliest|first|zuerst|en premier|primero|früheste[nrsm]?'),
  },
  {
    operation: 'max',
    type: 'date',
    pattern: wholeWords(
      'latest|most recent|last|zuletzt|en dernier|último|späteste[nrsm]?|plus récente?s?|más recientes?',
    ),
  },
]

const AGGREGATES: readonly Phrase[] = [
  {
    operation: 'min',
    defaultColumn: SIZE_COLUMN,
    pattern: wholeWords('(?:the )?smallest|kleinste[nrsm]?|(?:le |la |les )?plus petite?s?|más pequeñ[oa]s?'),
  },
  {
    operation: 'max',
    defaultColumn: SIZE_COLUMN,
    pattern: wholeWords(
      '(?:the )?(?:largest|biggest)|größte[nrsm]?|(?:le |la |les )?plus grande?s?|más grandes?',
    ),
  },
  {
    operation: 'max',
    defaultColumn: HEIGHT_COLUMN,
    pattern: wholeWords(
      '(?:the )?(?:highest|tallest)|höchste[nrsm]?|(?:le |la |les )?plus haute?s?|más alt[oa]s?',
    ),
  },
  {
    operation: 'min',
    pattern: wholeWords(
      "(?:the )?(?:lowest|minimum|least|fewest)|niedrigste[nrsm]?|geringste[nrsm]?|(?:am |die )?wenigsten|(?:le |la |les )?plus (?:bas|basse|faible)s?|le moins d[e’']|más baj[oa]s?|(?:el |la |los |las )menor(?:es)?|menos|mínim[oa]",
    ),
  },
  {
    operation: 'max',
    pattern: wholeWords(
      "(?:the )?(?:greatest|maximum|most)|(?:am |die )?meisten|(?:le |la |les )?plus (?:élevée?)s?|le plus d[e’']|(?:el |la |los |las )mayor(?:es)?|más|máxim[oa]",
    ),
  },
  {
    operation: 'mean',
    pattern: wholeWords(
      '(?:the |on )?average|(?:the )?mean|(?:im )?durchschnitt(?:lich\\p{L}*)?|(?:la )?moyenne|en moyenne|moyens?|(?:el )?promedio|la media|en promedio|(?<!(?:por|en|un|el) )medi[oa]s?',
    ),
  },
  {
    operation: 'sum',
    pattern: wholeWords(
      'in total|altogether|together|combined|(?:the )?sum of|sums? to|sum up to|(?:the )?(?:grand )?total(?: of)?|add(?:s|ed)? up to|insgesamt|gesamte[nrs]?|zusammen|(?:die )?(?:gesamt)?summe(?: der)?|au total|(?:le )?total(?: des?| du)?|totale?s?|(?:la )?somme des?|en total|(?:el )?total(?: del?| de los| de las)?|(?:la )?suma de',
    ),
  },
]

const COUNT: Phrase = {
  operation: 'count',
  pattern: wholeWords(
    'how many(?: (?:different|distinct|of (?:the|our|these)))?|(?:what is )?the number of|count (?:of )?(?:the|all)|wie ?viele(?: verschiedene)?|die anzahl(?: der)?|combien de|le nombre des?|cuánt[oa]s|el número de',
  ),
}

const ROWS: Phrase = {
  operation: 'rows',
  pattern: wholeWords(
    'which(?: of (?:the|our|these))?|list(?: all)?(?: the| of)?|show(?: me)?(?: all)?(?: the)?|name (?:all|the)|what are(?: all)? the|what (?:\\p{L}+ )?(?:are there|do we have)|what(?= \\p{L}+ (?:does|do|did) (?:\\p{L}+ )+have(?!\\p{L}))|welche[nrsm]?|liste(?: alle)?|nenne(?: mir)?(?: alle)?|quel(?:le)?s|listez|cuáles|qué|lista|who|wer|qui|quién(?:es)?',
  ),
}

const VALUE: Phrase = {
  operation: 'value',
  pattern: wholeWords(
    'what (?:is|are|was|were|does|do|did)|what|who|when|where|how (?:much|long|high|heavy|old|large|far)|was|wer|wann|wo|wie (?:viel|hoch|lange?|schwer|alt|groß|teuer)|qui|quand|où|combien|quel(?:le)?|quién|cuándo|dónde|cuánto|cuál|qué',
  ),
}

const CHECK: Phrase = {
  operation: 'check',
  pattern:
    /^[¿\s]*(?:is|are|was|were|has|have|does|do|did|ist|sind|war|hat|haben|est(?:-ce que?)?|sont|a|ont|está|están|es|tiene|ha|han)(?![\p{L}])/iu,
}

// The groups in their order of precedence: "the average number of beds" is a mean and not a count.
export const EXTREMES: readonly Phrase[] = [
  ...SUPERLATIVES,
  ...AGGREGATES.filter(({ operation }) => operation === 'min' || operation === 'max'),
]
export const SUMS: readonly Phrase[] = AGGREGATES.filter(
  ({ operation }) => operation === 'sum' || operation === 'mean',
)
export { CHECK, COUNT, ROWS, VALUE }

export interface BoundPhrase {
  is: Comparison
  pattern: string
  column?: RegExp
  type?: AnswerType
}

export const BOUNDS: readonly BoundPhrase[] = [
  {
    is: 'at_least',
    pattern: 'at least|no less than|not less than|mindestens|au moins|al menos|por lo menos|como mínimo',
  },
  {
    is: 'at_most',
    pattern:
      "at most|no more than|not more than|up to|höchstens|bis zu|maximal|au plus|jusqu[’']à|como máximo|hasta",
  },
  {
    is: 'more',
    pattern: 'older than|älter als|plus âgée?s? (?:de|que)|mayor(?:es)? de|mayor(?:es)? que',
    column: AGE_COLUMN,
  },
  {
    is: 'less',
    pattern: 'younger than|jünger als|plus jeunes? (?:de|que)|menor(?:es)? de|menor(?:es)? que',
    column: AGE_COLUMN,
  },
  {
    is: 'more',
    pattern: 'heavier than|schwerer als|plus lourde?s? (?:de|que)|más pesad[oa]s? (?:de|que)',
    column: WEIGHT_COLUMN,
  },
  {
    is: 'less',
    pattern: 'lighter than|leichter als|plus léger?s? (?:de|que)|más liger[oa]s? (?:de|que)',
    column: WEIGHT_COLUMN,
  },
  {
    is: 'more',
    pattern:
      'more expensive than|dearer than|teurer als|plus ch(?:er|ère)s? (?:de|que)|más car[oa]s? (?:de|que)',
    type: 'money',
  },
  {
    is: 'less',
    pattern:
      'cheaper than|billiger als|günstiger als|moins ch(?:er|ère)s? (?:de|que)|más barat[oa]s? (?:de|que)',
    type: 'money',
  },
  {
    is: 'more',
    pattern: 'longer than|länger als|plus long(?:ue)?s? (?:de|que)|más larg[oa]s? (?:de|que)',
    column: LENGTH_COLUMN,
  },
  {
    is: 'less',
    pattern: 'shorter than|kürzer als|plus courte?s? (?:de|que)|más cort[oa]s? (?:de|que)',
    column: LENGTH_COLUMN,
  },
  {
    is: 'more',
    pattern:
      "more than|over|above|greater than|higher than|larger than|exceed(?:s|ing)?|übersteig(?:en|t)|dépasse(?:nt)?|superan?(?: los| las)?|mehr als|über|höher als|größer als|plus d[e’']|plus que|supérieure?s? à|más de|más que|superior(?:es)? a",
  },
  {
    is: 'less',
    pattern:
      "less than|under|below|fewer than|lower than|smaller than|weniger als|unter|niedriger als|kleiner als|moins d[e’']|moins que|inférieure?s? à|menos de|menos que|inferior(?:es)? a",
  },
]

/** Phrases for comparisons of two columns in a row. Besides bounds they are words of time: "delivered after the deadline". */
export const COLUMN_BOUNDS: readonly BoundPhrase[] = [
  ...BOUNDS.filter(({ column, type }) => !column && !type),
  {
    is: 'more',
    pattern: 'after|later than|past|nach|später als|après|plus tard que|después de|más tarde que',
  },
  { is: 'less', pattern: 'before|earlier than|vor|früher als|avant|plus tôt que|antes de|antes que' },
]

/** Words for "later than the due date". */
export const LATE = wholeWords(
  'too late|late|overdue|zu spät|verspätet|überfällig|en retard|con retraso|tarde',
)
export const DUE_COLUMN =
  /(?<![\p{L}])(?:due|deadline|promised|agreed|fällig\p{L}*|frist|stichtag|échéance|délai|vencimiento|fecha límite)(?![\p{L}])/iu

/** Words for a plan, as in "over budget". */
export const PLAN_WORD = /^(?:budget|plan|target|haushalt|soll|prévision|presupuesto)s?$/iu
/** Columns of planned values. */
export const PLANNED_COLUMN = /budget|plan|target|haushalt|(?<![\p{L}])soll|prévu|presupuest/iu
/** Columns of actual values. */
export const ACTUAL_COLUMN =
  /actual|spent|spend|used|result|real|(?<![\p{L}])ist(?![\p{L}])|ausgegeben|ausgaben|tatsächlich|dépensé|réel|gastad|gasto/iu

export type Relation = 'within' | 'from' | 'until' | 'before' | 'after'

export const RELATIONS: readonly { relation: Relation; pattern: RegExp }[] = [
  { relation: 'after', pattern: /(?<![\p{L}])(?:after|later than|nach|après|después de)\s*$/iu },
  { relation: 'before', pattern: /(?<![\p{L}])(?:before|earlier than|vor|avant|antes de)\s*$/iu },
  {
    relation: 'from',
    pattern: /(?<![\p{L}])(?:since|from|starting|seit|ab|depuis|à partir d[e’']|dès|desde|a partir de)\s*$/iu,
  },
  {
    relation: 'until',
    pattern: /(?<![\p{L}])(?:until|till|up to|by|bis|jusqu[’']en|jusqu[’']à|hasta)\s*$/iu,
  },
  {
    relation: 'within',
    pattern:
      /(?<![\p{L}])(?:in|during|on|at|for|of|im|in|am|an|während|für|von|en|au|le|pendant|durante|el|del?)\s*(?:the\s+|year\s+|jahre?\s+|año\s+|l[’']année\s+)?$/iu,
  },
]

/** Matches the words before the first end of a period: "between " in "between 2010 and 2015". */
export const BETWEEN = /(?<![\p{L}])(?:between|from|zwischen|von|entre|de|desde)\s*$/iu
/** Matches the words between the two ends of a period. */
export const AND = /^\s*(?:and|to|until|und|bis|et|à|y|a|hasta|[-–])\s*$/iu

export const NEGATION =
  /(?<![\p{L}])(?:not|no|none|without|never|cannot|\p{L}+n['’]t|nicht|keine?[nmrs]?|ohne|nie|pas(?: de| d['’])?|sans|aucune?|jamais|no|sin|ningun[oa]?|ningún|nunca)(?![\p{L}])/giu
export const DOUBLED_NEGATION = /(?<![\p{L}])(?:n['’]|ne)(?=\s?\p{L})/giu

export const OR = /(?<![\p{L}])(?:or|oder|ou|o|u)(?![\p{L}])/iu
/** Matches what may be between two values of one column. A row then may have either of them. */
export const EITHER = /(?<![\p{L}])(?:or|and|oder|und|ou|et|o|y|u)(?![\p{L}])|,/iu

/** Words that no operation supports. They are listed because most of them are stop words, which would be ignored otherwise. */
export const UNSUPPORTED_WORDS = wholeWords(
  'cheaper|dearer|longer|shorter|heavier|lighter|older|younger|newer|higher|lower|larger|bigger|smaller|taller|faster|slower|earlier|later|billiger|günstiger|teurer|länger|kürzer|schwerer|leichter|älter|jünger|neuer|höher|niedriger|größer|kleiner|schneller|langsamer|früher|später|per|each|every|except(?: for)?|besides|others?(?: than)?|apart from|only|both|neither|nor|same|more|less|fewer|twice|double|difference|percent(?:age)?|share|ratio|rate of|change[ds]?|increase[ds]?|decrease[ds]?|compare[ds]?|versus|vs|than|je|jede[rsnm]?|pro|außer|nur|beide[rsn]?|weder|andere[rsnm]?|gleiche[rsnm]?|mehr|weniger|unterschied|prozent|anteil|als|par|chaque|sauf|seulement|ni|autres?|mêmes?|plus|moins|différence|pourcentage|por|cada|excepto|salvo|solo|sólo|ambos|otr[oa]s?|mism[oa]s?|más|menos|diferencia|porcentaje|que',
)

/** Words of relations: "over budget", "outside Cork", "before noon". Those that are left after the analysis were not understood. */
export const RELATION_WORDS = wholeWords(
  'over|under|above|below|outside|out of|beyond|before|after|since|until|against|almost|nearly|über|unter|oberhalb|unterhalb|außerhalb|vor|nach|fast|sous|avant|après|depuis|hors|presque|sobre|bajo|antes|después|desde|hasta|fuera|casi',
)

/**
 * Words about tables and values in general, which set no condition for the rows: "list" in "how many entries does the list have?"
 */
export const TABLE_WORDS =
  /^(?:go(?:es)?|went|gone|gets?|got|becomes?|became|lists?|tables?|sheets?|files?|overview|directory|register(?:ed)?|exists?|existing|listed|recorded|shown|given|there|current(?:ly)?|now|today|please|tell|altogether|total|values?|amounts?|figures?|readings?|numbers?|liste[n]?|tabelle[n]?|verzeichnis(?:ses)?|blatt|datei|gibt|existieren|aktuell|derzeit|heute|yet|already|still|so|far|schon|bereits|noch|bislang|bisher|déjà|encore|ya|aún|todavía|bitte|werte?[s]?|betrags?|beträge?|fichiers?|tableaux?|existe(?:nt)?|actuellement|aujourd|hui|valeurs?|montants?|tabla|lista|archivo|hay|existen?|a-t-il|actualmente|valor(?:es)?|importes?)$/iu
/** Words for the rows of a table. */
export const ROW_WORDS =
  /^(?:entr(?:y|ies)|rows?|lines?|records?|items?|positions?|einträge?|eintrag|zeilen?|positionen|datensätze?|entrées?|lignes?|enregistrements?|entradas?|filas?|registros?|líneas?)$/iu

/** Names of columns with totals. */
export const TOTAL_COLUMN =
  /^(?:(?:grand )?total|sum|amount|gesamt|summe|betrag|insgesamt|somme|montant|suma|importe)(?:[ _(].{0,12})?$/iu

/** Matches an elided French "de": "d'" in "combien d'adhérents". */
export const ELIDED = /(?<=(?<![\p{L}])(?:combien|nombre|somme|total|plus|moins)\s)d['’](?=\p{L})/giu

/** German compounds of the operation and the name of the column: "Gesamtwert", "Durchschnittsalter". */
export const COMPOUNDS: readonly { pattern: RegExp; replacement: string }[] = [
  { pattern: /(?<![\p{L}])gesamt(?=\p{Ll}{3})/iu, replacement: 'insgesamt ' },
  { pattern: /(?<![\p{L}])durchschnitts(?=\p{Ll}{3})/iu, replacement: 'durchschnitt ' },
]

/** Verbs of being somewhere, which add nothing to "in". */
export const POSITION_WORDS =
  /^(?:lies?|lying|lives?|living|sits?|stands?|comes?|works?|working|based|located|situated|stationed|liege?n?t?|sitz(?:en|t)|steh(?:en|t)|wohn(?:en|t)|leb(?:en|t)|arbeite(?:n|t)|komm(?:en|t)|stamm(?:en|t)|befinden?t?|sich|trouve(?:nt)?|situé(?:e?s?)|habite(?:nt)?|travaille(?:nt)?|vien(?:t|nent)|viv(?:ent|en)|vit|vive|vienen?|encuentran?|trabajan?|ubicad[oa]s?|situad[oa]s?)$/iu

/** Words for a state that lasts for a time. They add nothing to a condition for the time of a row. */
export const STATE_WORDS =
  /^(?:stay(?:s|ed|ing)?|overnight|here|there|present|away|absent|off|out|run(?:s|ning)?|going|taking|takes?|valid|active|effective|appl(?:y|ies)|open|available|booked|occupied|working|employed|anwesend|abwesend|da|weg|läuft|laufen|gültig|gilt|aktiv|offen|belegt|gebucht|présente?s?|absente?s?|valables?|actif|en cours|ouverte?s?|presentes?|ausentes?|válid[oa]s?|vigentes?|activ[oa]s?|abiert[oa]s?|alojad[oa]s?)$/iu

/** Verbs beside an amount, which add nothing to it: "costs 90 euros". */
export const AMOUNT_VERBS =
  /^(?:last(?:s|ed)?|takes?|took|weigh(?:s|ed)?|costs?|pays?|earns?|dauer(?:n|t)|wieg(?:en|t)|kosten?|kostet|zahl(?:en|t)|verdien(?:en|t)|dur(?:e|ent|an)|pès(?:e|ent)|coûte(?:nt)?|paie(?:nt)?|gagne(?:nt)?|pesan?|cuestan?|pagan?|ganan?)$/iu

/** Words beside a number in a column of ages. */
export const AGE_WORDS =
  /^(?:child(?:ren)?|kids?|adults?|persons?|people|aged?|old|kind(?:er|es)?|erwachsene[nrs]?|person(?:en)?|alt|enfants?|adultes?|personnes?|niñ[oa]s?|adult[oa]s?|personas?)$/iu

/** Words for people in a question. They stand for the rows if a column contains names of persons. */
export const PEOPLE_WORDS =
  /^(?:people|persons?|individuals?|person(?:en)?|leute|personnes?|gens|personas?|gente)$/iu
/** Forms of address, which are not a part of a name: a cell may have "Olsson" for "Dr Olsson". */
export const FORM_OF_ADDRESS =
  /^(?:mr|mrs|ms|miss|dr|prof|professor|herrn?|frau|fr|m|mme|mlle|monsieur|madame|sr|sra|srta|señora?|don|doña|dra)$/iu
/** Words for people in the names of tables and columns. */
export const PERSON_NOUN =
  /(?<![\p{L}])(?:employees?|staff|personnel|colleagues?|workers?|crew|members?|volunteers?|participants?|attendees?|students?|pupils?|tenants?|patients?|guests?|residents?|mitarbeite\p{L}*|beschäftigte\p{L}*|angestellte\p{L}*|personal|belegschaft|mitglied\p{L}*|teilnehme\p{L}*|schüler\p{L}*|mieter\p{L}*|patient\p{L}*|employée?s?|salariée?s?|membres?|adhérente?s?|bénévoles?|élèves?|emplead[oa]s?|plantilla|miembros?|voluntari[oa]s?|alumn[oa]s?)(?![\p{L}])/iu
/** Words for people who work somewhere. They are synonyms of each other. */
export const STAFF_WORDS =
  /^(?:employees?|staff|personnel|colleagues?|workers?|workforce|mitarbeite\p{L}*|beschäftigte[nr]?|angestellte[nr]?|personal|belegschaft|kolleg\p{L}*|employée?s?|salariée?s?|collègues?|emplead[oa]s?|trabajador[ae]?s?|plantilla)$/iu
/** The beginning of a question for persons. */
export const WHO = /^[¿\s]*(?:who|wer|qui|quién(?:es)?)(?![\p{L}])/iu
/** The name of a column of persons. */
export const PERSON_COLUMN =
  /^(?:(?:full )?names?|person|employee|member|volunteer|participant|student|pupil|tenant|patient|guest|mitarbeiter\p{L}*|mitglied(?:er)?|teilnehmer\p{L}*|schüler\p{L}*|patient\p{L}*|nom|employée?|membre|adhérente?|bénévole|élève|nombre|emplead[oa]|miembro|voluntari[oa]|alumn[oa])$/iu

/** Matches the scale of the amounts of a table: "in thousand euros", "TEUR", "$m". */
export const SCALE =
  /(?<![\p{L}])(?:in|en)\s+(?:(?:tausend|millionen|mio\.?|tsd\.?|thousands?|millions?|billions?|milliers|milliards|miles|millones)(?:\s+(?:of|d[e’']|de))?\s?(?:U\.S\. \p{L}+|\p{L}+|[€$£¥])|[kT]\s?(?:€|EUR|USD)|TEUR|(?:€|EUR|USD|GBP|[$£])\s?(?:k|m|bn|thousands?|millions?|'?000s?))(?![\p{L}])|[€$£](?:['’]000s?|m|bn)(?![\p{L}\d])/iu
