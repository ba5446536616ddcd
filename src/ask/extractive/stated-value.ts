// The value that answers a question, marked in the sentence that is quoted for it: "CHF 40" in "Keys returned late cost CHF 40."
// It is marked only if the question asks for one value of a kind that has a form, such as an amount, a date or a telephone number, and
// exactly one value of this kind in the sentence can be meant. Pure.

import { contentTerms } from '../../language/analyse.ts'
import { wholeWords, words } from '../../language/words.ts'
import { type TextValue, valuesIn } from '../check/values.ts'
import type { Span } from '../citations/markers.ts'
import { isMeasure } from '../compute/units.ts'
import type { PassageSpan } from '../tools/tools.ts'
import { answerType, containsAnswerOfType, DAY, isTypeWord, NUMBER_WORDS, PERIOD } from './answer-type.ts'
import type { Evidence } from './evidence.ts'
import type { Criteria } from './features.ts'
import { coverage, type Keyword, matchStrength, textTerms } from './keywords.ts'
import { ANY_UNIT, dimensionOf, fitsDimension } from './measures.ts'
import { isCode } from './question.ts'
import type { ScoredEvidence } from './ranking.ts'

type Quote = Pick<ScoredEvidence, 'evidence' | 'features' | 'matchesHeading' | 'isAmended' | 'isAmendment'>

// Another quote that covers this share of what the first one covers may state the answer as well.
const SIMILAR_SHARE = 0.9

/**
 * The value, as a span of its passage. Below a heading that matches the question any of the quotes may have it, but only one of
 * them. Undefined if a clause and its amendment are quoted, because both have values, or if another quote that covers as much of the
 * question has another value.
 */
export function statedValue(
  quotes: readonly Quote[],
  question: string,
  { keywords }: Pick<Criteria, 'keywords'>,
): PassageSpan | undefined {
  const kind = valueKind(question)
  if (!kind || quotes.some(({ isAmended, isAmendment }) => isAmended || isAmendment)) return undefined
  const [first] = quotes
  const section = first?.matchesHeading
    ? quotes.filter(({ evidence }) => kind.candidatesIn(evidence).length > 0)
    : quotes.slice(0, 1)
  const [quote, ...others] = section
  const value = quote && others.length === 0 ? chosenValue(quote.evidence, kind, keywords) : undefined
  if (!quote || !value) return undefined
  const textOf = ({ text }: Evidence, { start, end }: Span): string => text.slice(start, end).toLowerCase()
  const hasOther = quotes.some(
    ({ evidence, features }) =>
      evidence !== quote.evidence &&
      features.own >= SIMILAR_SHARE * quote.features.own &&
      kind
        .candidatesIn(evidence)
        .some((other) => !containsWhole(textOf(evidence, other), textOf(quote.evidence, value))),
  )
  const start = startOf(quote.evidence)
  if (hasOther || start < 0 || neighbourMayAnswer(quote.evidence, kind, keywords)) return undefined
  return {
    passage: quote.evidence.foundPassage.passage,
    start: start + value.start,
    end: start + value.end,
  }
}

/** Whether the text contains the value, but not within a longer number: "5 days" is not in "15 days". */
function containsWhole(text: string, value: string): boolean {
  const at = text.indexOf(value)
  return (
    at >= 0 &&
    !/[\p{L}\d]$|\d[.,]$/u.test(text.slice(0, at)) &&
    !/^(?:[\p{L}\d]|[.,]\d)/u.test(text.slice(at + value.length))
  )
}

/**
 * Whether another sentence of the paragraph has a value of the kind and all words of the question that this one has: "The flat has 74 m².
 * To the flat belongs a cellar of 6 m²."
 */
function neighbourMayAnswer(evidence: Evidence, kind: ValueKind, keywords: readonly Keyword[]): boolean {
  const { language } = evidence.ownTerms
  const others = (evidence.paragraph ?? []).filter(({ text }) => text !== evidence.text)
  return others.some(({ text }) => {
    const ownTerms = textTerms(text, language)
    return (
      kind.candidatesIn({ ...evidence, text, ownTerms }).length > 0 &&
      keywords.every(
        (keyword) => matchStrength(evidence.ownTerms, keyword) === 0 || matchStrength(ownTerms, keyword) > 0,
      )
    )
  })
}

/** The offset of the evidence in its passage. */
const startOf = ({ paragraph, text, foundPassage: { passage } }: Evidence): number =>
  paragraph?.find((sentence) => sentence.text === text)?.start ?? passage.text.indexOf(text)

/** A kind of value that a question asks for. */
interface ValueKind {
  candidatesIn: (evidence: Evidence) => Span[]
  /** Values that are not the answer, but to which words of the question may belong, so that no candidate is certain. */
  othersIn?: (evidence: Evidence) => Span[]
  /** Whether the clause may be about the kind: "210 cm high" does not say how wide something is. */
  fits: (clause: string) => boolean
  /** Whether its values have a form of their own, such as an e-mail address. */
  hasForm: boolean
  /** Whether a word names the kind: "duration" in "duration 2 hours". */
  isNamedBy: (word: string) => boolean
}

// Matches a question that asks for a value, and not for a thing ("Which is cheaper?") or for yes or no.
const ASKS =
  /^[¿\s]*(?:(?:and|und|et|y|about|for|from|until|till|since|by|at|to|on|in|up|bis|ab|seit|um|für|mit|in|an|auf|zu|von|depuis|jusqu['’]à|pour|à|desde|hasta|por|para|en|a)\s+){0,2}(?:how|when|what|which|wie|wann|was|welche[mnrs]?|combien|quand|quel(?:le)?s?|cuándo|cuánt[oa]s?|cuál|qué)(?!\p{L})/iu
const ANOTHER_QUESTION = wholeWords(
  '(?<=\\S\\s)(?:and|or|und|oder|et|ou|y|o) (?:how|when|what|which|where|who|why|wie|wann|was|welche[mnrs]?|wo|wer|warum|combien|quand|où|qui|pourquoi|cuándo|cuánto|dónde|quién|por qué)',
)
const TIME_QUESTION = wholeWords('what time|wie ?viel uhr|welche uhrzeit|quelle heure|qué hora')
// "The total rent" and "the highest fee" are found by comparing, unless the sentence says so itself.
const OF_SEVERAL = wholeWords(
  'total|overall|average|altogether|combined|difference|most|least|(?:cheap|high|low|large|small|long|short|old|new|heavi|bigg|earli|late|fast)est|gesamt\\p{L}*|insgesamt|durchschnitt\\p{L}*|(?:höchst|niedrigst|größt|kleinst|billigst|teuerst|günstigst|ältest|neuest|längst|kürzest)e[nrms]?|moyenne?|totale?|promedio',
)
// "How much does it weigh?" does not ask for money.
const HOW_MUCH_VERB =
  /(?<!\p{L})how much (?:do|does|did|will|would)(?!.*(?<!\p{L})(?:pay|paid|costs?|charged?|owe|spend|get|earn|receive|save)(?!\p{L}))/iu
// "Which kiln is cheaper?" asks for a kiln.
const ASKS_FOR_THING =
  /(?<!\p{L})(?:what|which|welche[mnrs]?|quel(?:le)?s?|qué)\s(?!(?:is|are|was|were|does|do|did|will|would|must|should|ist|sind|war|est|sont|était|es|son|era)(?!\p{L}))(?!(?:\p{L}+\s)?(?:dates?|day|year|month|time|deadline|hours?|share|percentage|percent|proportion|rate|price|fee|amount|number|period|size|temperature|speed|weight|capacity|e-?mail|phone|telephone|web|code|datum|tag|jahr|uhrzeit|frist|preis|gebühr|betrag|\p{L}*nummer|temperatur|adresse|kündigungsfrist|jour|date|année|délai|prix|taux|numéro|fecha|día|año|plazo|precio)(?!\p{L}))/iu

function valueKind(question: string): ValueKind | undefined {
  if (!ASKS.test(question) || ANOTHER_QUESTION.test(question) || ASKS_FOR_THING.test(question))
    return undefined
  const isOfOtherType =
    ['date', 'duration', 'frequency', 'money', 'percent'].includes(answerType(question)) ||
    COUNTED_THINGS.test(question)
  const form = isOfOtherType ? undefined : FORMS.find((one) => one.question.test(question))
  // "What is the procedure if the temperature is too high?" does not ask for a temperature.
  const head = AT_START.test(question) ? (BEFORE_DETAIL.exec(question)?.[0] ?? question) : question
  const type = HOW_TO.test(question) ? 'any' : answerType(head)
  const dimension = dimensionOf(head)
  const isNew = (text: string, { start, end }: Span): boolean => !isRepeated(question, text.slice(start, end))
  const ofSeveral = OF_SEVERAL.exec(question)?.[0].toLowerCase() ?? ''
  const kind = (candidatesIn: (text: string, values: TextValue[]) => Span[]): ValueKind => ({
    candidatesIn: ({ text, ownTerms, cells, list }) =>
      cells || list || !text.toLowerCase().includes(ofSeveral)
        ? []
        : withoutPairs(text, merged(text, candidatesIn(text, valuesIn(text, ownTerms.language))))
            .map((span) => withBounds(text, span))
            .filter((span) => isWhole(text, span) && isNew(text, span)),
    hasForm: false,
    fits: (clause) => fitsDimension(head, clause),
    isNamedBy: (word) =>
      isTypeWord(type, word) || dimension?.words.test(word) === true || VERB_OF_LENGTH.test(word),
  })
  if (form)
    return {
      candidatesIn: ({ text, cells, list }) =>
        cells || list
          ? []
          : Array.from(text.matchAll(form.answer), ({ index, 0: match }) => trimmed(match, index))
              .filter(({ start, end }) => form.isValue?.(text.slice(start, end)) ?? true)
              .filter((span) => isNew(text, span)),
      hasForm: true,
      // A fax number is no telephone number.
      fits: (clause) =>
        SPECIAL_LINE.exec(question)?.[0].toLowerCase() === SPECIAL_LINE.exec(clause)?.[0].toLowerCase(),
      isNamedBy: (word) => form.question.test(word) || NAME_OF_FORM.test(word),
    }
  if (TIME_QUESTION.test(question))
    return kind((text, values) => merged(text, datesIn(text, values)).filter(hasClock(text)))
  switch (type) {
    case 'money':
      return HOW_MUCH_VERB.test(question)
        ? dimension && kind(measuresIn(dimension.unit))
        : kind(amountsOfType('money'))
    case 'percent':
      return kind(amountsOfType('percent'))
    case 'duration':
      return kind(lengthsIn)
    case 'frequency':
      return kind(frequenciesIn)
    case 'count':
      return { ...kind(countsIn(question)), othersIn: allCounts }
    case 'measure':
      return kind(measuresIn(dimension?.unit ?? ANY_UNIT))
    case 'date':
      return kind(datesIn)
    default:
      return dimension?.words.test(HOW_ADJECTIVE.exec(question)?.[1] ?? '')
        ? kind(measuresIn(dimension.unit))
        : undefined
  }
}

const VERB_OF_LENGTH =
  /^(?:takes?|took|taken|lasts?|lasted|dauert(?:e|en)?|gedauert|dure|duré|durent|dura|duró)$/iu
const AT_START = /^[¿\s]*(?:what|which|was|welche[mnrs]?|quel(?:le)?s?|cuál(?:es)?|qué)(?!\p{L})/iu
const BEFORE_DETAIL =
  /^.*?(?=\s(?:if|when|while|for|of|in|at|on|during|after|before|that|who|wenn|falls|für|von|bei|beim|im|nach|vor|si|quand|pour|dans|du|de|cuando|para|del|en)(?!\p{L}))/iu
const HOW_TO =
  /^[¿\s]*(?:how|wie|comment|cómo)\s(?:do|does|did|can|could|should|must|to|is|are|was|were|will|would|kann|können|muss|müssen|wird|werden|wurden?|soll|geht|mache|macht|man|ich|wir)(?!\p{L})/iu
const HOW_ADJECTIVE = /^(?:how|wie)\s(\p{L}+)/iu

// The share of the question's weight that the sentence must cover together with what stands above it, apart from the words that only
// name the kind of value.
const MIN_COVERED = 0.75

/**
 * The only value that can be meant. Of several, the one to which all words of the question belong that belong to another, and at least
 * one more.
 */
function chosenValue(evidence: Evidence, kind: ValueKind, keywords: readonly Keyword[]): Span | undefined {
  const candidates = kind.candidatesIn(evidence)
  if (candidates.length === 0) return undefined
  const isOther = (span: Span): boolean =>
    candidates.every(({ start, end }) => span.end <= start || end <= span.start)
  const values = [...candidates, ...(kind.othersIn?.(evidence) ?? []).filter(isOther)].toSorted(
    (a, b) => a.start - b.start,
  )
  const { text, ownTerms, headerTerms, contextTerms, headingAbove } = evidence
  const contentKeywords = keywords.filter(({ word }) => !kind.isNamedBy(word))
  if (coverage(contentKeywords, [ownTerms, headerTerms, contextTerms, headingAbove.terms]) < MIN_COVERED)
    return undefined
  const keywordsIn = (span: Span): Keyword[] => {
    const terms = textTerms(text.slice(span.start, span.end), ownTerms.language)
    return keywords.filter((keyword) => matchStrength(terms, keyword) > 0)
  }
  const clauses = clausesAround(text, values)
  const keywordSets = values.map((_, i) => new Set(spansAround(text, values, i, clauses).flatMap(keywordsIn)))
  const value = values.find((_, i) =>
    keywordSets.every((others, j) => i === j || isProperSubset(others, keywordSets[i] ?? new Set())),
  )
  if (!value || !candidates.includes(value)) return undefined
  const clause = clauseOf(value, clauses)
  const spans = values.length === 1 ? [clause] : spansAround(text, values, values.indexOf(value), clauses)
  const before = spans.map(({ start, end }) => text.slice(start, Math.min(end, value.start))).join(' ')
  const isAboutQuestion = kind.hasForm
    ? keywordsIn({ start: 0, end: text.length }).length > 0
    : saysNothingElse(
        contentTerms(before, ownTerms.language).length > 0 ? before : text.slice(value.end, clause.end),
        {
          evidence,
          kind,
          keywords,
        },
      )
  if (!isAboutQuestion) return undefined
  // "Wednesday" or "Unit 7" of the question must be said of this value, or above it.
  const above = [headerTerms, contextTerms, headingAbove.terms]
  const ownKeywords = new Set(spans.flatMap(keywordsIn))
  const isSaid = (keyword: Keyword): boolean =>
    ownKeywords.has(keyword) || above.some((terms) => matchStrength(terms, keyword) > 0)
  if (
    keywords.some(
      (keyword) => /^[\p{Lu}\d]/u.test(keyword.word) && !kind.isNamedBy(keyword.word) && !isSaid(keyword),
    )
  )
    return undefined
  if (!kind.fits(text.slice(clause.start, clause.end))) return undefined
  // "A repair over £200 must be approved" does not say what a repair costs.
  if (
    /^(?:over|above|below|under|more than|less than|über|unter|plus de|moins de|más de|menos de)\s/iu.test(
      text.slice(value.start, value.end),
    )
  )
    return undefined
  const rest = `${text.slice(clause.start, value.start)} ${text.slice(value.end, clause.end)}`
  return NEGATION.test(rest) || isComparison(rest, keywords) ? undefined : value
}

/**
 * Whether the text before a value, or after it if none stands before, has words of the question, and no other word that means something: "The course requires a deposit
 * of £50" does not say what the course costs, "The rent goes up by £20" not what the rent is.
 */
function saysNothingElse(
  text: string,
  { evidence, kind, keywords }: { evidence: Evidence; kind: ValueKind; keywords: readonly Keyword[] },
): boolean {
  const { ownTerms, headerTerms, contextTerms, headingAbove } = evidence
  const { language } = ownTerms
  const above = [headerTerms, contextTerms, headingAbove.terms]
  const isOfQuestion = (raw: string): boolean => {
    const wordTerms = textTerms(raw, language)
    return keywords.some((keyword) => matchStrength(wordTerms, keyword) > 0)
  }
  const isAbove = (raw: string): boolean =>
    [...textTerms(raw, language).terms].some((term) => above.some(({ terms }) => terms.has(term)))
  const contentWords = [...words(text)].filter(
    ({ raw }) => contentTerms(raw, language).length > 0 || /\d/.test(raw),
  )
  return (
    contentWords.some(({ raw }) => isOfQuestion(raw)) &&
    contentWords.every(({ raw }) => isOfQuestion(raw) || kind.isNamedBy(raw) || isAbove(raw))
  )
}

const isProperSubset = <T>(some: ReadonlySet<T>, all: ReadonlySet<T>): boolean =>
  some.size < all.size && [...some].every((one) => all.has(one))

const clauseOf = (value: Span, clauses: readonly Span[]): Span =>
  clauses.find(({ start, end }) => start <= value.start && value.start < end) ?? value

/**
 * The text that belongs to a value: its part of the clause, and what stands before the first value up to a semicolon, which belongs to
 * all: "Boarding costs 18 euros for a cat and 26 euros for a dog."
 */
function spansAround(text: string, values: readonly Span[], index: number, clauses: readonly Span[]): Span[] {
  const value = values[index]
  if (!value) return []
  const clause = clauseOf(value, clauses)
  const [previous, next] = [values[index - 1], values[index + 1]]
  const statementStart = text.lastIndexOf(';', value.start) + 1
  const first = values.find(({ start }) => start >= statementStart) ?? value
  return [
    { start: statementStart, end: first.start },
    {
      start: previous && previous.start >= clause.start ? value.start : clause.start,
      end: Math.min(clause.end, next?.start ?? clause.end),
    },
  ]
}

// Words by which a number is a difference, or a limit of something else, and not the value itself.
const COMPARISON = wholeWords(
  'cheaper|less|more|discount|surcharge|extra|additional\\p{L}*|raised (?:from|to|by)|increased?|reduced|ris(?:e|es|ing)|rose|erhöht|gesenkt|günstiger|billiger|rabatt|zuschlag|weniger|réduction|remise|supplément|descuento|rebaja|recargo',
)
const isComparison = (text: string, keywords: readonly Keyword[]): boolean => {
  const word = COMPARISON.exec(text)?.[0].toLowerCase()
  return (
    word !== undefined && !keywords.some((keyword) => keyword.word.toLowerCase().startsWith(word.slice(0, 5)))
  )
}

const NEGATION = wholeWords(
  'not|no|never|without|except|instead|formerly|previously|originally|nicht|kein\\p{L}*|nie|ohne|außer|statt|bisher|früher|ursprünglich|ne|pas|sans|sauf|jamais|sin|nunca|excepto|devait|devaient|(?:was|were) to|planned|postponed|moved|geplant|verschoben|sollten?|reportée?s?|aplazad[oa]s?',
)
// Matches what may separate clauses.
const CLAUSE_END =
  /[,;](?=\s)|\s[–—-](?=\s)|[()]|(?<!\p{L})(?:that|which|who|when|if|unless|while|because|where|after which|dass|wenn|falls|weil|während|sofern|obwohl|que|qui|si|quand|cuando|porque)(?!\p{L})/giu
const CONJUNCTION = /(?<!\p{L})(?:and|but|or|und|aber|oder|et|mais|ou|y|pero|o)(?!\p{L})/giu

/** The clauses of a sentence. No clause boundary lies in a value; a conjunction ends a clause between two values. */
function clausesAround(text: string, values: readonly Span[]): Span[] {
  const isOutside = (at: number): boolean => !values.some(({ start, end }) => start <= at && at < end)
  const [first, last] = [values[0], values.at(-1)]
  const ends = [
    ...text.matchAll(CLAUSE_END),
    ...[...text.matchAll(CONJUNCTION)].filter(
      ({ index }) => values.length > 1 && index > (first?.end ?? 0) && index < (last?.start ?? 0),
    ),
  ]
    .map(({ index }) => index)
    .filter(isOutside)
    .sort((a, b) => a - b)
  return [...ends, text.length].map((end, i) => ({ start: ends[i - 1] ?? 0, end }))
}

// What changes a number that follows it: a sign, a fraction, "half past", "one hundred and", "the first".
const CHANGES_VALUE =
  /(?:[\p{L}\d.,/:−–-]|(?<!\p{L})(?:minus|plus|moins|menos|half|halb|quarter|viertel|past|hundred|thousand|hundert|tausend|cent|mille|mil|first|second|third|fourth|last|other|\d(?:st|nd|rd|th|\.)|ersten|zweiten|dritten|vierten|letzten|premier|deuxième|troisième|dernier|primer|segundo|tercer|último)\s|(?:hundred|thousand) and\s|[−–-]\s)$/iu
const isWhole = (text: string, { start, end }: Span): boolean =>
  !CHANGES_VALUE.test(text.slice(Math.max(0, start - 40), start)) &&
  !/^(?:[\p{L}\d]|[.,]\d|\s\d)/u.test(text.slice(end))

/** A value that the question contains is not its answer. */
const isRepeated = (question: string, value: string): boolean =>
  question.toLowerCase().includes(value.toLowerCase())

// What may stand between two values that are one: "2 hours 35 minutes", "3 to 5 days", "Saturday, 14 March at 9:30 am".
const WITHIN_VALUE =
  /^[\s,]*(?:(?:to|until|till|bis|at|um|on|am|den|the|of|and|und|or|oder|from|von|ab|in|each|le|à|au|et|ou|de|du|a|al|las?|el|y|o|[ap]\.?m\.?|uhr|h|–|-|\/)[\s,]*){0,3}$/iu

/** No values if two amounts are joined: both are the answer, or one of them under a condition. */
const withoutPairs = (text: string, spans: Span[]): Span[] => {
  const isPair = ({ start, end }: Span): boolean =>
    AFTER_ANOTHER.test(withoutBetween(text.slice(0, start))) || PAIR.test(text.slice(start, end))
  return spans.some(isPair) ? [] : spans
}
const withoutBetween = (text: string): string =>
  text.replace(/(?:between|zwischen|entre)\s\S+(?:\s\S+)?\s(?:and|und|et|y)\s$/iu, '')
const PAIR =
  /(?:\p{Sc}|[A-Z]{3})\s?\d[\d.,]*\s(?:and|or|und|oder|et|ou|y|o)\s|\d[\d.,]*\s?(?:€|%|euros?|\p{Lu}{3})\s(?:and|or|und|oder|et|ou|y|o)\s/u

/** Whether two values are parts of one. "And" between times of day joins two statements, such as the opening hours of two days. */
function isOneValue(text: string, first: Span, second: Span): boolean {
  const between = text.slice(first.end, second.start)
  if (!WITHIN_VALUE.test(between)) return false
  return !AND_OR.test(between) || ![first, second].some(hasClock(text))
}
const AND_OR = wholeWords('and|or|und|oder|et|ou|y|o')

/** Adjacent values as one. */
function merged(text: string, spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const previous = result.at(-1)
    if (previous && (span.start <= previous.end || isOneValue(text, previous, span)))
      result[result.length - 1] = { start: previous.start, end: Math.max(previous.end, span.end) }
    else result.push(span)
  }
  return result
}

// Words before a value without which it would say something else, and the beginning of a range.
const BEFORE_VALUE =
  /(?:(?<!\p{L})(?:at least|at most|up to|no (?:more|less|later|earlier) than|not (?:more|less|later|earlier|before)(?: than)?|more than|less than|over|under|above|below|about|around|approximately|approx\.?|nearly|almost|some|from|since|until|till|by|before|after|within|between|every|min\.?|max\.?|minimum|maximum|only|mindestens|höchstens|maximal|minimal|bis zu|bis|ab|seit|vor|nach|innerhalb von|binnen|spätestens|frühestens|etwa|rund|circa|ca\.?|ungefähr|knapp|fast|über|unter|zwischen|von|alle|nur|environ|jusqu['’]à|au moins|au plus|avant|après|dès|depuis|entre|al menos|como máximo|hasta|desde|antes de|después de|unos?)\s|[~≈<>≤≥±]\s?|\d[\d.,:]*\s?(?:\p{L}{1,3}|°\s?C|%)?\s?(?:to|bis|à|a|–|-)\s?|(?:between|zwischen|entre)\s\d[\d.,:]*\s?(?:\p{L}{1,3}|°\s?C|%)?\s(?:and|und|et|y)\s)$/iu
// "8 or 12 weeks", "£5 and £10"
const AFTER_ANOTHER = /\d[\d.,]*\s?\p{L}{0,7}\s(?:and|or|und|oder|et|ou|y|o)\s$/u
// What a value is counted by: "£22 an hour", "EUR 412.80 plus VAT", "6% a year".
const AFTER_VALUE =
  /^(?:\s?\/\s?\p{L}+|\s(?:an?|im|al|par|por)\s(?:year|month|week|day|night|hour|minute|person|head|piece|visit|mile|jahr|monat|an|mois|jour|nuit|heure|personne|año|mes|día|noche|hora|persona)(?!\p{L})|\s(?:per|each|every|pro|je)\s\p{L}+(?:\s(?:and|und|et|y)\s(?:year|month|week|day|night|jahr|monat|tag|nacht|mois|jour|nuit|mes|día|noche)(?!\p{L}))?|\s(?:plus|zzgl\.?|zuzüglich|inkl\.?|incl\.?|including|excluding)\s[^,;.()]{1,40}(?=[,;.()]|$)|\s(?:or|oder|ou|o)\s(?:more|less|mehr|weniger|plus|más)|\s(?:o['’]clock|uhr|[ap]\.m\.|[ap]m)(?!\p{L})|\s(?:laborables|hábiles|naturales|ouvrables|ouvrés|at the latest|ago)|\sbefore\s(?:and|or)\safter)/iu

function withBounds(text: string, { start, end }: Span): Span {
  let from = start
  for (
    let match = BEFORE_VALUE.exec(text.slice(0, from));
    match;
    match = BEFORE_VALUE.exec(text.slice(0, from))
  )
    from -= match[0].length
  return { start: from, end: end + (AFTER_VALUE.exec(text.slice(end))?.[0].length ?? 0) }
}

const trimmed = (match: string, index: number): Span => {
  const value = match.replace(/[\s.,;:]+$/u, '')
  return { start: index, end: index + value.length }
}

// How many words after a number may be needed until it is a value: "three (3) full months".
const MAX_UNIT_WORDS = 3

/** The amounts that are values of the type, each with as many following words as that needs. */
const amountsOfType =
  (type: 'money' | 'percent' | 'duration') =>
  (text: string, values: readonly TextValue[]): Span[] =>
    values.flatMap(({ start, end, content }) => {
      if (content.kind !== 'amount') return []
      const nextStart = Math.min(
        text.length,
        ...values.flatMap((other) => (other.start > start ? [other.start] : [])),
      )
      const ends = [
        end,
        ...Array.from(
          text.slice(end, Math.max(end, nextStart)).matchAll(/[\s(-]*[\p{L}\d€$£%]+[)'’]?/gu),
          (match) => end + match.index + match[0].length,
        ),
      ]
      const last = ends.slice(0, MAX_UNIT_WORDS + 1).find((at) => startsWithType(type, text.slice(start, at)))
      return last === undefined ? [] : [{ start, end: last }]
    })

/** Whether the text is a value of the type from its beginning: "30 euros a month" is no duration. */
const startsWithType = (type: 'money' | 'percent' | 'duration', text: string): boolean =>
  containsAnswerOfType(type, text) &&
  (type !== 'duration' || !/\p{Sc}|^\S+\s\p{L}+\s(?:an?|per|each|every|im|pro|je|par|por|al)\s/u.test(text))

/** "CHF 5 a day" and "children under 12 years" do not say how long something takes. */
const isLength =
  (text: string) =>
  ({ start, end }: Span): boolean =>
    !/(?<!\p{L})(?:per|pro|je|every|alle|each|aged?|alter|ab|unter|children|kinder)\s(?:under\s|over\s)?$/iu.test(
      text.slice(0, start),
    ) && !/^\s(?:old|alt|of age|und älter|ago)(?!\p{L})/iu.test(text.slice(end))

const lengthsIn = (text: string, values: readonly TextValue[]): Span[] =>
  amountsOfType('duration')(text, values).filter(isLength(text))

const FREQUENCY = new RegExp(
  String.raw`(?<!\p{L})(?:(?:once|twice|(?:\d+|${NUMBER_WORDS}) times|(?:ein|zwei|drei|vier|\d+-?\s?)mal|(?:une|deux|trois) fois|una vez|dos veces)(?:\s(?:an?|per|each|every|in an?|in der|im|am|pro|jede[nrs]?|par|al?|por)\s\p{L}+)?|(?:every|each|alle|jede[nrsm]?|to[ut]{1,2}e?s les|chaque|cada)\s(?:(?:\d+|other|second|${NUMBER_WORDS})\s)?(?:${PERIOD}|${DAY})|(?:hourly|daily|weekly|fortnightly|monthly|quarterly|yearly|annually|täglich|wöchentlich|monatlich|vierteljährlich|halbjährlich|jährlich))(?!\p{L})`,
  'giu',
)
const frequenciesIn = (text: string): Span[] =>
  Array.from(text.matchAll(FREQUENCY), ({ index, 0: match }) => ({ start: index, end: index + match.length }))

/** The numbers of what the question counts, such as "14 dogs" for "How many dogs …?", or else numbers that count nothing. */
const countsIn =
  (question: string) =>
  (text: string, values: readonly TextValue[]): Span[] => {
    const countedNoun = COUNTED.exec(question)?.[1]?.toLowerCase()
    const amounts = values.flatMap(({ start, end, content }) =>
      content.kind === 'amount' ? [{ start, end, unit: content.unit }] : [],
    )
    const withNoun = amounts.flatMap(({ start, end }) => {
      const following = [/^\s(\p{L}+)/u, /^\s\p{L}+\s(\p{L}+)/u].map((pattern) =>
        pattern.exec(text.slice(end)),
      )
      const noun = following.find((match) => countedNoun && match?.[1] && isSameNoun(match[1], countedNoun))
      return noun ? [{ start, end: end + noun[0].length }] : []
    })
    return withNoun.length > 0 ? withNoun : amounts.filter(({ unit }) => unit === '')
  }
/** The numbers that are no measures, whatever they count. */
const allCounts = ({ text, ownTerms }: Evidence): Span[] =>
  valuesIn(text, ownTerms.language).flatMap(({ start, end, content }) =>
    content.kind === 'amount' && !isMeasure(content.unit) && !/[\p{Sc}%]/u.test(content.unit)
      ? [{ start, end }]
      : [],
  )

const COUNTED =
  /(?:how many|number of|wie ?viele|anzahl (?:der )?|combien d['e]\s?|nombre d['e]\s?|cuánt[oa]s|número de)\s?(\p{L}+)/iu
const isSameNoun = (word: string, other: string): boolean => {
  const [a, b] = [word.toLowerCase(), other]
  return a === b || a.replace(/(?:e?s|e?n)$/u, '') === b.replace(/(?:e?s|e?n)$/u, '')
}

/** The numbers with one of the units. */
const measuresIn =
  (unit: Pick<RegExp, 'test'>) =>
  (text: string, values: readonly TextValue[]): Span[] =>
    values.flatMap(({ start, end, content }) => {
      if (content.kind !== 'amount') return []
      if (/(?:\p{Sc}|%|°\s?[CF])/u.test(text.slice(start, end)))
        return unit.test(content.unit) ? [{ start, end }] : []
      const attachedUnit = /\d\s?([\p{L}µΩ²³/]+)$/u.exec(text.slice(start, end))?.[1]
      const next = attachedUnit
        ? undefined
        : /^[\s-]?((?:square |cubic )?[\p{L}µΩ²³°]+(?:\/[\p{L}²³]+)?)/u.exec(text.slice(end))
      const name = attachedUnit ?? next?.[1] ?? ''
      return name && unit.test(name) ? [{ start, end: end + (next?.[0].length ?? 0) }] : []
    })

const CLOCK = /(?<![\d.,:])\d{1,2}(?:[.:]\d\d)?\s?(?:uhr|[ap]\.m\.|[ap]m|h|o['’]clock)(?![\p{L}\d])/giu
const hasClock =
  (text: string) =>
  ({ start, end }: Span): boolean =>
    /\d[:.]\d\d(?!\d)|\d\s?(?:uhr|[ap]\.?m|h|o['’]clock)|noon|midnight|mittag|mitternacht/iu.test(
      text.slice(start, end),
    )
const DATE_WORD = new RegExp(
  String.raw`(?<!\p{L})(?:(?:next |every |each )?(?:${DAY})|noon|midnight|mittags|mitternacht)(?!\p{L})`,
  'giu',
)
const RELATIVE = new RegExp(
  String.raw`(?<!\p{L})(?:within|after|before|no later than|innerhalb(?: von)?|binnen|nach|vor|spätestens|dans|sous|après|avant|dentro de|después de|antes de)\s(?:\p{L}+\s){0,2}?(?:\d+|${NUMBER_WORDS})[\s-]+(?:\p{L}+\s)?(?:${PERIOD})(?:\s(?:of|after|before|from|nach|vor|ab|de|du|des)\s[^,;.()]{1,60}(?=[,;.()]|$))?(?![\p{L}])`,
  'giu',
)

/** Dates, times and days of the week, and what is said relative to another date: "within 14 days of delivery". */
function datesIn(text: string, values: readonly TextValue[]): Span[] {
  const spansOf = (pattern: RegExp): Span[] =>
    Array.from(text.matchAll(pattern), ({ index, 0: match }) => ({ start: index, end: index + match.length }))
  return [
    ...values.filter(({ content: { kind } }) => kind === 'date' || kind === 'time'),
    ...[CLOCK, DATE_WORD, RELATIVE, FREQUENCY].flatMap(spansOf),
  ]
    .filter(
      ({ start, end }) => !DATE_OF_THING.test(text.slice(0, start)) && !isYearOfThing(text, { start, end }),
    )
    .map(({ start, end }) => ({ start, end }))
}
// "The storm of 3 May" does not say when something was repaired.
const isYearOfThing = (text: string, { start, end }: Span): boolean =>
  /^\d{4}$/.test(text.slice(start, end)) &&
  !/(?<!\p{L})(?:in|since|until|by|early|late|jahre?|seit|bis|ab|en|depuis|desde|hasta)\s$/iu.test(
    text.slice(0, start),
  )
const DATE_OF_THING = /(?<!\p{L})(?<!end |ende |date |as )(?:of|dated|vom|du|del)\s$/iu

const SPECIAL_LINE = /fax|mobile|handy|emergency|notruf|durchwahl|extension/iu
const COUNTED_THINGS = wholeWords('how many|wie ?viele|combien de|cuánt[oa]s')
const NAME_OF_FORM = /^(?:address|number|call|dial|ring|adresse|nummer|numéro|número|dirección)$/iu

/** Values with a form of their own, which the question names. */
const FORMS: readonly { question: RegExp; answer: RegExp; isValue?: (text: string) => boolean }[] = [
  {
    question: /e-?mail|mailadresse|courriel|correo electrónico/iu,
    answer: /(?<![^\s()[\]<>,;:])[^\s()[\]<>,;:@]+@[^\s()[\]<>,;:@]+\.[\p{L}]{2,}/giu,
  },
  {
    question:
      /(?<!\p{L})(?:web ?site|web ?page|web address|url|homepage|internetadresse|web ?seite|site web|sitio web|página web)(?!\p{L})/iu,
    answer: /(?:https?:\/\/|www\.)[^\s()[\]<>]+/giu,
  },
  {
    question:
      /(?:phone|telephone|fax|mobile|emergency) number|which number (?:do|can|should) .*(?:call|dial|ring)|(?:telefon|handy|fax|ruf|notruf|durchwahl)\p{L}*nummer|welche nummer (?:hat|wähle|rufe)|numéro de téléphone|número de teléfono/iu,
    answer:
      /(?<![\p{L}\d.,/()-]|[\d)]\s)(?:\+\d{1,3}\s?\(0\)\s?)?\+?\(?\d[\d\u0020\u00a0/-]{1,8}\)?[\d\u0020\u00a0/-]{1,14}\d(?![\p{L}\d/-]|[.,:]\d|\s?(?:hours?|h|uhr|stunden|heures|horas|days|tage|[ap]m)(?!\p{L}))/gu,
    isValue: (text) =>
      text.replace(/\D/g, '').length >= 6 && !/24\/7|^\d{4}-\d\d-\d\d|^\d\d?\/\d\d?\/\d{2,4}$/.test(text),
  },
  {
    question:
      /(?:part|article|serial|order|model|item|policy|account|customer|reference|invoice|contract|registration|tracking|catalogue|file|booking|licence|license) (?:number|no\.?|code|id)(?!\p{L})|\biban\b|(?:artikel|teile|serien|bestell|modell|policen|versicherungs|konto|kunden|vertrags|rechnungs|akten|chargen|inventar)\p{L}*nummer|aktenzeichen|numéro de (?:série|pièce|contrat|client)|número de (?:serie|pieza|contrato|cliente)/iu,
    answer: /(?<![\p{L}\d])[\p{Lu}\d][\p{L}\d]*(?:[-/._][\p{L}\d]+)*(?:\s(?=\d{4}(?!\d))\d{4})*/gu,
    isValue: (text) => isCode(text) || /^[\d/.-]{5,}$/.test(text),
  },
]
