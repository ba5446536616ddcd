// The edition that a question asks for: one that it names, the previous one, a draft, or the one in force, which is also the
// default. A text that answers need not contain the words that ask for an edition. English, German, French, Spanish. Pure.

import { contentTerms } from '../../../language/analyse.ts'
import type { Language } from '../../../language/language.ts'
import { narrowest, placedPeriods } from '../../../language/periods.ts'
import { words } from '../../../language/words.ts'
import { compareNumbers, editionNumbers } from './marks.ts'
import {
  type Edition,
  editionsBefore,
  editionsOfPeriod,
  isOtherEdition,
  predecessorOf,
  type Series,
} from './series.ts'

/** A part of the question. Offsets are in UTF-16 units. */
export interface Span {
  start: number
  end: number
}

const wholeWords = (source: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'giu')

const LATEST = wholeWords(
  'latest|most (?:recent|current)|newest|current(?:ly)?|now(?:adays)?|at (?:the moment|present)|presently|up[- ]to[- ]date|in (?:force|effect)|(?:neu|jüng)este[nrsm]?|aktuell(?:e[nrsm]?)?|derzeit(?:ige[nrsm]?)?|zurzeit|zur zeit|momentan|gegenwärtig(?:e[nrsm]?)?|geltende[nrsm]?|gültige[nrsm]?|jetzt|en vigueur|actuel(?:le)?s?|actuellement|maintenant|(?:(?:le|la|les) )?plus récente?s?|en vigor|vigentes?|actual(?:es|mente)?|ahora|más (?:recientes?|nuev[oa]s?)',
)
const LAST = wholeWords('last|letzte[nrsm]?|dernière?s?|derniers?|últim[oa]s?')
const NEW = wholeWords('new|neue[nrsm]?|nouve(?:au|lle)|nuev[oa]')
const PREVIOUS = wholeWords(
  'previous|former|prior|earlier|old|before the|vorherige[nrsm]?|vorige[nrsm]?|frühere[nrsm]?|bisherige[nrsm]?|alte[nrsm]?|vor der|précédente?s?|ancien(?:ne)?s?|antérieure?s?|avant (?:la|le)|anterior(?:es)?|antigu[oa]s?|previ[oa]s?|antes de la',
)
const PREVIOUSLY = wholeWords('previously|formerly|précédemment|auparavant|anteriormente')
const LAST_YEAR = wholeWords(
  "last year(?:['’]s)?|(?:im )?letzten jahr(?:es)?|(?:im )?vorigen jahr(?:es)?|(?:im )?vorjahr(?:es)?|l['’]an(?:née)? (?:dernière?|passée?)|(?:el )?año pasado",
)
const FIRST = wholeWords(
  'original|first|initial|ursprüngliche[nrsm]?|erste[nrsm]?|initiale?s?|première?|primera?',
)
const DRAFT = wholeWords('drafts?|entwurfs?|entwürfen?|brouillon|ébauche|borrador(?:es)?')
const WITHDRAWN = wholeWords(
  'withdrawn|superseded|obsolete|outdated|zurückgezogene[nrsm]?|veraltete[nrsm]?|überholte[nrsm]?|retirée?s?|périmée?s?|obsolètes?|retirad[oa]s?|derogad[oa]s?|obsolet[oa]s?',
)
const SEVERAL = wholeWords(
  'chang(?:es?|ed|ing)|differ(?:s|ence|ences|ent)?|compar(?:e|ed|ison)|history|over the years|versions|editions|rise|rose|risen|increased?|decreased?|geändert|ändert|änderung(?:en)?|veränder\\p{L}*|unterschied\\p{L}*|unterscheiden|vergleich\\p{L}*|gestiegen|gesunken|fassungen|ausgaben|chang(?:é|er|ement|ements)|différen\\p{L}*|évolu\\p{L}*|augmenté|éditions|cambi(?:o|os|ó|ado|a|an)|diferenci\\p{L}*|compara\\p{L}*|subido|versiones|ediciones',
)
const EDITION_NOUN = wholeWords('versions?|editions?|versión|edición|éditions?|ausgabe|auflage|fassung')
// Matches the words before a period: "before the " in "before the 2026 edition".
const BEFORE =
  /(?<!\p{L})(?:before|until|prior to|vor|bis|avant|jusqu['’]en|antes de|hasta)\s+(?:the\s+|dem\s+|el\s+|le\s+|l['’])?$/iu

/** Whether a question is about the past or about several times, and not about how things are now. */
export const asksForAnotherTime = (question: string): boolean =>
  [PREVIOUS, PREVIOUSLY, LAST_YEAR, FIRST, WITHDRAWN, SEVERAL].some((words) => question.search(words) >= 0)

export interface EditionRequest {
  text: string
  numbers: (Span & { number: number[] })[]
  periods: (Span & { period: string })[]
  /** Whether the question asks for the edition in force before the period: "before 2026". */
  isBefore: boolean
  /** Whether the question asks what changed, or for several editions. */
  isOfSeveral: boolean
  /** The words that ask for the edition in force. */
  latest: Span[]
}

// In Spanish "actual" means "current". In English it means "real", so it does not ask for an edition.
const ONLY_SPANISH = /^actual(?:es)?$/i

/** @param today `2026-11-29` */
export function editionRequest(text: string, language: Language, today: string): EditionRequest {
  const allPeriods = placedPeriods(text)
  const narrowestPeriods = narrowest(allPeriods.map(({ period }) => period))
  const [firstPeriod] = allPeriods
  const lastYear = String(Number(today.slice(0, 4)) - 1)
  return {
    text,
    numbers: editionNumbers(text),
    periods: [
      ...allPeriods.filter(({ period }) => narrowestPeriods.includes(period)),
      ...spansOf(text, LAST_YEAR).map((span) => ({ ...span, period: lastYear })),
    ],
    isBefore: firstPeriod !== undefined && BEFORE.test(text.slice(0, firstPeriod.start)),
    isOfSeveral: spansOf(text, SEVERAL).length > 0,
    latest: spansOf(text, LATEST).filter(
      ({ start, end }) => language === 'es' || !ONLY_SPANISH.test(text.slice(start, end)),
    ),
  }
}

const spansOf = (text: string, pattern: RegExp): Span[] =>
  [...text.matchAll(pattern)].map(({ 0: match, index }) => ({ start: index, end: index + match.length }))

/** The editions of a series that a question asks for. */
export interface Choice {
  editions: Edition[]
  /** The parts of the question that ask for the editions. A text that answers need not contain them. */
  spans: Span[]
  /** Whether the question does not say which edition it means, so that the one in force is chosen. */
  isDefault: boolean
}

/**
 * The editions of a series that the question asks for. Undefined if it may mean all of them.
 * @param texts the texts that were found. If they write "Old Mill" in capitals, it is a name and not an old edition.
 */
export function choose(
  series: Series,
  request: EditionRequest,
  texts: readonly string[] = [],
): Choice | undefined {
  const { editions, currentEdition, kind } = series
  const withCopies = (edition: Edition): Edition[] =>
    editions.filter((other) => !isOtherEdition(edition, other))
  // "The prior policy" asks for an edition, "prior approval" does not.
  const spansBesideName = (pattern: RegExp): Span[] =>
    spansOf(request.text, pattern).filter(
      (span) =>
        isBesideName(span, request.text, series) && !isInName(span, request.text, [request.text, ...texts]),
    )
  if (kind === 'reports') {
    const latest = [...request.latest, ...spansBesideName(LAST)]
    if (latest.length === 0 || request.isOfSeveral || request.periods.length > 0) return undefined
    return { editions: withCopies(currentEdition), spans: latest, isDefault: false }
  }
  const namedChoice = namedEditions(series, request)
  if (namedChoice) return { ...namedChoice, editions: namedChoice.editions.flatMap(withCopies) }
  if (request.isOfSeveral) return undefined
  const nouns = spansOf(request.text, EDITION_NOUN)
  const choiceOf = (candidates: readonly (Edition | undefined)[], spans: Span[]): Choice | undefined => {
    const editionsWithCopies = candidates.flatMap((edition) => (edition ? withCopies(edition) : []))
    return spans.length > 0 && editionsWithCopies.length > 0
      ? { editions: [...new Set(editionsWithCopies)], spans: [...spans, ...nouns], isDefault: false }
      : undefined
  }
  return (
    choiceOf(
      editions.filter(({ state }) => state === 'draft'),
      spansBesideName(DRAFT),
    ) ??
    choiceOf(
      editions.filter(({ state }) => state === 'withdrawn'),
      spansBesideName(WITHDRAWN),
    ) ??
    choiceOf(
      [predecessorOf(series, currentEdition)],
      [...spansBesideName(PREVIOUS), ...spansOf(request.text, PREVIOUSLY)],
    ) ??
    choiceOf([editions[0]], spansBesideName(FIRST)) ?? {
      editions: withCopies(currentEdition),
      spans: [...request.latest, ...spansBesideName(LAST), ...spansBesideName(NEW), ...nouns],
      isDefault: true,
    }
  )
}

/** The editions that a question names by number or period. Undefined if the series has no such edition. */
function namedEditions(
  series: Series,
  { text, numbers, periods, isBefore }: EditionRequest,
): Choice | undefined {
  const isNumbered = ({ number }: Edition, other: { number: number[] }): boolean =>
    number !== undefined && compareNumbers(number, other.number) === 0
  const numberedEditions = series.editions.filter((edition) =>
    numbers.some((number) => isNumbered(edition, number)),
  )
  if (numberedEditions.length > 0) return { editions: numberedEditions, spans: numbers, isDefault: false }
  const editionsInPeriod = ({ period }: { period: string }): Edition[] =>
    isBefore ? editionsBefore(series, period) : editionsOfPeriod(series, period)
  const editionsByPeriod = new Set(periods.flatMap(editionsInPeriod))
  const editions = series.editions.filter((edition) => editionsByPeriod.has(edition))
  // A year in the title is not among the spans, because a text that answers may contain it.
  const isInTitle = ({ start, end }: Span): boolean =>
    editions.some(({ title }) => title.includes(text.slice(start, end)))
  return editions.length > 0
    ? { editions, spans: periods.filter((span) => !isInTitle(span)), isDefault: false }
    : undefined
}

const MAX_WORDS_BETWEEN = 3

/** Whether a word of the series' name, or a word such as "edition", is within MAX_WORDS_BETWEEN words of a part of the question. */
function isBesideName({ start, end }: Span, text: string, { terms, language }: Series): boolean {
  const allWords = [...words(text)]
  const firstIndex = allWords.findIndex((word) => word.start >= start)
  const lastIndex = allWords.findLastIndex((word) => word.end <= end)
  return allWords
    .slice(Math.max(0, firstIndex - MAX_WORDS_BETWEEN), lastIndex + MAX_WORDS_BETWEEN + 1)
    .some(
      (word) =>
        (word.end <= start || word.start >= end) &&
        (contentTerms(word.raw, language).some((term) => terms.has(term)) || isEditionNoun(word.raw)),
    )
}

/**
 * Whether a text writes the span and the word beside it in capitals, as in the name "The Old Mill", which is no edition of a mill.
 */
function isInName({ start, end }: Span, text: string, texts: readonly string[]): boolean {
  const allWords = [...words(text)]
  const capitalisedSpan = capitalised(text.slice(start, end))
  const wordAfter = allWords.find((other) => other.start >= end)?.raw
  const wordBefore = allWords.findLast((other) => other.end <= start)?.raw
  const names = [
    ...(wordAfter === undefined ? [] : [`${capitalisedSpan} ${capitalised(wordAfter)}`]),
    ...(wordBefore === undefined ? [] : [`${capitalised(wordBefore)} ${capitalisedSpan}`]),
  ]
  return names.some((name) => texts.some((passageText) => passageText.includes(name)))
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const isEditionNoun = (word: string): boolean => spansOf(word, EDITION_NOUN).length > 0

/** The text without the spans. */
export const withoutSpans = (text: string, spans: readonly Span[]): string =>
  [...spans]
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text)
    .replace(/\s+/g, ' ')
    .trim()
