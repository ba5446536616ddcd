// The marks that distinguish editions of a document: the numbers, periods and states in its name and in its first lines.
// English, German, French, Spanish. Pure.

import { monthNamed, placedPeriods, startOf } from '../../../language/periods.ts'
import { fold } from '../../../language/words.ts'

/** `released`: the edition applies from its start on. `withdrawn`: the document states that it no longer applies. */
export type EditionState = 'released' | 'draft' | 'withdrawn'

/** The marks of the edition in a name, and the rest of the name. */
export interface NameMarks {
  /** `[2, 1]` of "version 2.1". A letter is its position in the alphabet: `[2]` of "rev B". */
  number: number[] | undefined
  /** A year, month, quarter or day: `2024-Q3`. */
  period: string | undefined
  /** Whether a word such as "from" or "valid from" is before the period. */
  statesStart: boolean
  state: EditionState
  /** The remaining words, sorted, as one string. All editions of a series share them. */
  nameWords: string
}

const WORD_START = String.raw`(?<![\p{L}\p{N}])`
const WORD_END = String.raw`(?![\p{L}\p{N}])`
const group = (source: string): string => `(?:${source})`

const NUMBER_GROUP = String.raw`(\d{1,3}(?:\.\d{1,3}){0,3})`
const EDITION_NOUN =
  'version|versión|rev|revision|révision|revisión|release|edition|édition|edición|ausgabe|auflage|fassung'
const ORDINALS: readonly string[] = [
  'first|erste[nrs]?|première?|primera?',
  'second|zweite[nrs]?|deuxième|seconde|segunda?',
  'third|dritte[nrs]?|troisième|tercera?',
  'fourth|vierte[nrs]?|quatrième|cuarta?',
  'fifth|fünfte[nrs]?|cinquième|quinta?',
]
// Matches "version 2.1", "rev. no. 3", "v2".
const NUMBERED = new RegExp(
  `${WORD_START}(?:${group(`${EDITION_NOUN}|vers|ver|ed`)}[\\s._-]*(?:no\\.?|nr\\.?|n[º°o]\\.?)?[\\s._-]*|v[._-]?)${NUMBER_GROUP}${WORD_END}`,
  'giu',
)
// Matches "rev B".
const LETTERED = new RegExp(
  `${WORD_START}(?:rev|revision|revisión|révision)[\\s._-]*([a-h])${WORD_END}`,
  'giu',
)
// Matches "3rd edition", "third edition".
const ORDINAL = new RegExp(
  `${WORD_START}(?:(\\d{1,2})(?:st|nd|rd|th|\\.|e|ème|ª|\\.ª)|${ORDINALS.map((words) => `(${words})`).join('|')})[\\s._-]+${group(EDITION_NOUN)}${WORD_END}`,
  'giu',
)

const DRAFT = 'drafts?|entw[uü]rfe?|vorentwurf|brouillon|ébauche|avant-projet|borrador|anteproyecto'
const WITHDRAWN =
  'withdrawn|superseded|obsolete|outdated|expired|retired|zurückgezogen|ungültig|veraltet|überholt|aufgehoben|au(?:ß|ss)er kraft|retirée?|abrogée?|périmée?|obsolète|annulée?|retirad[oa]|derogad[oa]|obsolet[oa]|anulad[oa]'
// Marks only in names. In a text these words are mostly about something else.
const OLD_IN_NAMES = 'old|archived?|archiv|alt|ancienne?|antigu[oa]'
const NEW_IN_NAMES =
  'new|final|approved|released|current|latest|neu|endfassung|final|gültig|nouveau|nouvelle|définiti(?:f|ve)|nuev[oa]|definitiv[oa]|copy|kopie|copie|copia'

const wholeWord = (source: string, flags = 'iu'): RegExp =>
  new RegExp(`${WORD_START}${group(source)}${WORD_END}`, flags)
const DRAFT_WORD = wholeWord(DRAFT)
const WITHDRAWN_WORD = wholeWord(`${WITHDRAWN}|${OLD_IN_NAMES}`)
const STATE_WORDS = wholeWord(`${DRAFT}|${WITHDRAWN}|${OLD_IN_NAMES}|${NEW_IN_NAMES}`, 'giu')
// Matches a year such as 2025/26, which counts as 2025.
const SEASON = /(?<!\d)((?:19|20)\d\d)[/–-]\d\d(?![\d/–-])/gu

const VALIDITY_WORDS =
  'valid|effective|in force|in effect|applies|apply|applicable|comes? into (?:force|effect)|gültig|gilt|gelten|in kraft|tritt|wirksam|en vigueur|applicables?|valables?|entrent?|vigentes?|válid[oa]s?|en vigor|aplicables?|entran?'
// Matches the words before a period in a name: "from " in "prices from 1 March 2026", "à partir du " in "tarifs à partir du 1er juillet".
const BEFORE_PERIOD = new RegExp(
  `${WORD_START}${group(`${VALIDITY_WORDS}|as|from|since|of|for|ab|vom|seit|für|à (?:partir|compter)|depuis|dès|du|de|pour|desde|a partir|del?|para`)}(?: (?:from|as|of|at|since|the|ab|vom|dem|du|de|le|la|desde|el|del))*[\\s:(]*$`,
  'iu',
)

const START_BEFORE_PERIOD =
  /(?<!\p{L})(?:from|as of|effective|ab|gültig(?: seit| vom)?|à (?:partir|compter) (?:du|de)|dès|a partir del?|desde(?: el)?)[\s:]*$/iu

/** The number of an edition and its position in the text: `[2, 1]` of "version 2.1", `[3]` of "third edition". */
export interface PlacedNumber {
  number: number[]
  start: number
  end: number
}

/** The numbers of editions in a text, in reading order. */
export function editionNumbers(text: string): PlacedNumber[] {
  const numbers: PlacedNumber[] = []
  const add = (match: RegExpMatchArray, number: number[]): void => {
    const start = match.index ?? 0
    numbers.push({ number, start, end: start + match[0].length })
  }
  for (const match of text.matchAll(NUMBERED)) add(match, (match[1] ?? '').split('.').map(Number))
  for (const match of text.matchAll(LETTERED)) add(match, [(match[1] ?? '').toLowerCase().charCodeAt(0) - 96])
  for (const match of text.matchAll(ORDINAL)) {
    const [, digits, ...words] = match
    add(match, [digits === undefined ? words.findIndex((word) => word !== undefined) + 1 : Number(digits)])
  }
  return numbers.sort((a, b) => a.start - b.start)
}

/** The marks in the name of a document or of its file. */
export function marksInName(name: string): NameMarks {
  const plainName = name.replace(SEASON, '$1').replaceAll('_', ' ')
  const numbers = editionNumbers(plainName)
  const periods = placedPeriods(plainName)
  const lastSpanFirst = [...numbers, ...periods].sort((a, b) => b.start - a.start)
  const withoutSpans = lastSpanFirst.reduce(
    (text, { start, end }) => `${text.slice(0, start).replace(BEFORE_PERIOD, '')} ${text.slice(end)}`,
    plainName,
  )
  const words = withoutSpans
    .replace(STATE_WORDS, ' ')
    .split(/[^\p{L}\p{N}.]+/u)
    .map(fold)
    // Words are not stemmed, because "HX-410S" is not an edition of "HX-410".
    .filter((word) => word !== '' && monthNamed(word) === undefined)
  return {
    number: numbers.at(0)?.number,
    period: periods.at(0)?.period,
    statesStart: periods[0] !== undefined && START_BEFORE_PERIOD.test(plainName.slice(0, periods[0].start)),
    state: DRAFT_WORD.test(plainName) ? 'draft' : WITHDRAWN_WORD.test(plainName) ? 'withdrawn' : 'released',
    nameWords: [...new Set(words)].sort().join(' '),
  }
}

/** The statements about validity in the first lines of a document. */
export interface ValidityMarks {
  number: number[] | undefined
  /** The first day on which it applies, if the document states it. */
  starts: string | undefined
  /** The last day on which it applies, if the document states it. */
  ends: string | undefined
  /** The first date in the lines. */
  firstDate: string | undefined
  state: EditionState
  /** Whether the document states that it replaces another one. */
  replaces: boolean
}

// Matches the words before the first day: "valid from " in "valid from 1 January 2025".
const BEFORE_START_DATE = new RegExp(
  `${WORD_START}${group(VALIDITY_WORDS)}(?: en (?:vigueur|vigor))?(?: (?:only|again|since|from|as|of|on|with|effect|ab|seit|vom|von|am|dem|à|compter|partir|depuis|dès|du|de|le|la|les|desde|a|el|del))*[\\s:]*$`,
  'iu',
)
// Matches the words before the last day: "valid until " in "valid until 31 December 2025".
const BEFORE_END_DATE = new RegExp(
  `${WORD_START}${group(VALIDITY_WORDS)}.{0,60}?${group("until|till|to|through|bis|jusqu['’]au|au|hasta(?: el)?|al")}(?: (?:and including|zum|einschließlich|inclus))?\\s*$`,
  'iu',
)
const REPLACES =
  /(?<!\p{L})(?:replac(?:es|ing)|supersed(?:es|ing)|ersetz(?:t|en)(?! durch)|tr(?:itt|eten) an die stelle|löst(?=.{0,60} ab)|remplacent?|annulent?|sustituyen?|reemplazan?|derogan?)(?!\p{L})/iu
const NO_LONGER =
  "no longer (?:valid|in force|in use|applies|apply)|must (?:no longer|not) be used|(?:has been |is |was )?replaced by|superseded by|ersetzt durch|(?:nicht mehr|nicht länger) (?:gültig|in kraft|zu verwenden)|gilt nicht mehr|n['’]est plus (?:valable|en vigueur|applicable)|remplacée? par|ya no (?:vale|rige|está en vigor|es válid[oa])|sustituid[oa] por|reemplazad[oa] por"
// The text before a state: the beginning of a line or clause, or a word such as "status" or "is".
const STATE_LABEL = `(?:^|${WORD_START}(?:status|state|stand|statut|état|estado)\\s*:?\\s*|${WORD_START}(?:this|is|are|it|dies(?:er|es)?|ist|ce|cette|est|este|esta|es|ed\\S* \\S+|version \\S+)[\\s:,]+(?:edition |version |policy |document |ausgabe |fassung |is |a |an |the |ein |eine |un |une |has been |wurde |a été |ha sido )*)`
// The text after a state: an end of the line, punctuation or a preposition. "Expired passes are returned" does not state that the
// document has expired.
const LABEL_END = String.raw`(?=[\s*_)\]]*(?:$|[:.,;!/]|(?:by|on|since|as|for|of|until|and|am|seit|ab|vom|zum|zur|durch|und|le|du|depuis|pour|par|et|desde|el|de|del|para|por|y)${WORD_END}))`
const label = (words: string): string =>
  String.raw`${STATE_LABEL}[*_#(\[\s]*${group(words)}${WORD_END}${LABEL_END}`
const IS_DRAFT = new RegExp(`${label(DRAFT)}|${WORD_START}not (?:yet )?released${WORD_END}`, 'iu')
const IS_WITHDRAWN = new RegExp(`${label(WITHDRAWN)}|${WORD_START}${group(NO_LONGER)}${WORD_END}`, 'iu')
// In UTF-16 units. The marks of an edition are at the beginning of a text.
const MAX_FIRST_LINES_LENGTH = 700

/** @param beginning the text of its first passage */
export function validityIn(beginning: string): ValidityMarks {
  const marks: ValidityMarks = {
    number: undefined,
    starts: undefined,
    ends: undefined,
    firstDate: undefined,
    state: 'released',
    replaces: false,
  }
  for (const wholeClause of clausesOf(beginning.slice(0, MAX_FIRST_LINES_LENGTH))) {
    // The words after "replaces" are about another edition.
    const replaces = REPLACES.exec(wholeClause)
    if (replaces) marks.replaces = true
    const clause = wholeClause.slice(0, replaces?.index)
    const [firstNumber] = editionNumbers(clause)
    const isOtherEdition =
      firstNumber !== undefined && marks.number !== undefined && !isSame(firstNumber.number, marks.number)
    if (!isOtherEdition && marks.state === 'released')
      marks.state = IS_DRAFT.test(clause) ? 'draft' : IS_WITHDRAWN.test(clause) ? 'withdrawn' : 'released'
    marks.number ??= firstNumber?.number
    for (const { period, start } of placedPeriods(clause)) {
      const textBefore = clause.slice(0, start)
      marks.firstDate ??= startOf(period)
      if (BEFORE_START_DATE.test(textBefore)) marks.starts ??= startOf(period)
      else if (BEFORE_END_DATE.test(textBefore)) marks.ends ??= startOf(period)
    }
  }
  return marks
}

/** The clauses of the first lines, split at punctuation. The full stop of a German day ("1. Januar") does not end a clause. */
function clausesOf(text: string): string[] {
  const clauses: string[] = []
  for (const part of text.split(/(?<=[.;!?])[ \t]+|[\n·|•;]|,\s+(?=\p{L})|\s[–—-]\s/u)) {
    const [previousClause] = clauses.slice(-1)
    const endsWithDay = previousClause !== undefined && /(?<!\S)\d{1,2}\.$/.test(previousClause)
    if (endsWithDay && monthNamed(/^\p{L}+/u.exec(part)?.[0] ?? '') !== undefined)
      clauses.push(`${clauses.pop()} ${part}`)
    else clauses.push(part.trim())
  }
  return clauses
}

const isSame = (a: readonly number[], b: readonly number[]): boolean => compareNumbers(a, b) === 0

/** Below 0 if the first number is lower, above 0 if it is higher: 1.9 is lower than 1.10. */
export function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** A title without the file name or path that Kenning adds to documents of the same title (docs/decisions/0026-titles.md). */
export function ownTitle(title: string, path: string): string {
  const end = [path, stemOf(path)]
    .map((name) => ` – ${name}`)
    .find((name) => fold(title).endsWith(fold(name)))
  return end === undefined ? title : title.slice(0, -end.length)
}

/** The name of a file without folders and extension. */
export const stemOf = (path: string): string =>
  (path.split('/').at(-1) ?? path).replace(/\.[\p{L}\p{N}]{1,5}$/u, '')
