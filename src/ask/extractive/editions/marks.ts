// The marks that distinguish editions of a document: the numbers, periods and states in its name and in its first lines.
// English, German, French, Spanish. Pure.

import { monthNamed, placedPeriods, startOf } from '../../../language/periods.ts'
import { fold } from '../../../language/words.ts'

/** `released`: it applies from its start on. `withdrawn`: the document states that it no longer applies. */
export type EditionState = 'released' | 'draft' | 'withdrawn'

/** The marks of the edition in a name, and the rest of the name. */
export interface NameMarks {
  /** `[2, 1]` of "version 2.1"; a letter counts as its place in the alphabet. */
  number: number[] | undefined
  /** A year, month, quarter or day: `2024-Q3`. */
  period: string | undefined
  state: EditionState
  /** The words that all editions share, sorted, as one string. */
  rest: string
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
const NUMBERED = new RegExp(
  `${WORD_START}(?:${group(`${EDITION_NOUN}|vers|ver|ed`)}[\\s._-]*(?:no\\.?|nr\\.?|n[º°o]\\.?)?[\\s._-]*|v[._-]?)${NUMBER_GROUP}${WORD_END}`,
  'giu',
)
const LETTERED = new RegExp(
  `${WORD_START}(?:rev|revision|revisión|révision)[\\s._-]*([a-h])${WORD_END}`,
  'giu',
)
const ORDINAL = new RegExp(
  `${WORD_START}(?:(\\d{1,2})(?:st|nd|rd|th|\\.|e|ème|ª|\\.ª)|${ORDINALS.map((words) => `(${words})`).join('|')})[\\s._-]+${group(EDITION_NOUN)}${WORD_END}`,
  'giu',
)

const DRAFT = 'drafts?|entw[uü]rfe?|vorentwurf|brouillon|ébauche|avant-projet|borrador|anteproyecto'
const WITHDRAWN =
  'withdrawn|superseded|obsolete|outdated|expired|retired|zurückgezogen|ungültig|veraltet|überholt|aufgehoben|au(?:ß|ss)er kraft|retirée?|abrogée?|périmée?|obsolète|annulée?|retirad[oa]|derogad[oa]|obsolet[oa]|anulad[oa]'
// Only in names. In a text these words are about other things.
const OLD_IN_NAMES = 'old|archived?|archiv|alt|ancienne?|antigu[oa]'
const NEW_IN_NAMES =
  'new|final|approved|released|current|latest|neu|endfassung|final|gültig|nouveau|nouvelle|définiti(?:f|ve)|nuev[oa]|definitiv[oa]|copy|kopie|copie|copia'

const wholeWord = (source: string, flags = 'iu'): RegExp =>
  new RegExp(`${WORD_START}${group(source)}${WORD_END}`, flags)
const DRAFT_WORD = wholeWord(DRAFT)
const WITHDRAWN_WORD = wholeWord(`${WITHDRAWN}|${OLD_IN_NAMES}`)
const STATE_WORDS = wholeWord(`${DRAFT}|${WITHDRAWN}|${OLD_IN_NAMES}|${NEW_IN_NAMES}`, 'giu')
// 2025/26 is the year that begins in 2025.
const SEASON = /(?<!\d)((?:19|20)\d\d)[/–-]\d\d(?![\d/–-])/gu

/** A number of an edition as text: `2.1` of "version 2.1", `3` of "third edition". */
export interface PlacedNumber {
  number: number[]
  start: number
  end: number
}

/** The numbers of editions in a text, in reading order. */
export function editionNumbers(text: string): PlacedNumber[] {
  const placed: PlacedNumber[] = []
  const add = (match: RegExpMatchArray, number: number[]): void => {
    const start = match.index ?? 0
    placed.push({ number, start, end: start + match[0].length })
  }
  for (const match of text.matchAll(NUMBERED)) add(match, (match[1] ?? '').split('.').map(Number))
  for (const match of text.matchAll(LETTERED)) add(match, [(match[1] ?? '').toLowerCase().charCodeAt(0) - 96])
  for (const match of text.matchAll(ORDINAL)) {
    const [, digits, ...words] = match
    add(match, [digits === undefined ? words.findIndex((word) => word !== undefined) + 1 : Number(digits)])
  }
  return placed.sort((a, b) => a.start - b.start)
}

/** What the name of a document or of its file tells. */
export function marksInName(name: string): NameMarks {
  const plain = name.replace(SEASON, '$1').replaceAll('_', ' ')
  const [number] = editionNumbers(plain)
  const periods = placedPeriods(plain)
  const cut = [...editionNumbers(plain), ...periods].sort((a, b) => b.start - a.start)
  const without = cut.reduce((text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`, plain)
  const words = without
    .replace(STATE_WORDS, ' ')
    .split(/[^\p{L}\p{N}.]+/u)
    .map(fold)
    // "HX-410S" is not an edition of "HX-410", so words are not stemmed.
    .filter((word) => word !== '' && monthNamed(word) === undefined)
  return {
    number: number?.number,
    period: periods.at(0)?.period,
    state: DRAFT_WORD.test(plain) ? 'draft' : WITHDRAWN_WORD.test(plain) ? 'withdrawn' : 'released',
    rest: [...new Set(words)].sort().join(' '),
  }
}

/** What the first lines of a document state about its validity. */
export interface ValidityMarks {
  number: number[] | undefined
  /** The first day on which it applies, if the document states it. */
  starts: string | undefined
  /** The last day on which it applies, if the document states it. */
  ends: string | undefined
  /** The first date in the lines. */
  dated: string | undefined
  state: EditionState
  /** The document states that it replaces another one. */
  replaces: boolean
}

const VALIDITY_WORDS =
  'valid|effective|in force|in effect|applies|apply|applicable|comes? into (?:force|effect)|gültig|gilt|gelten|in kraft|tritt|wirksam|en vigueur|applicables?|valables?|entrent?|vigentes?|válid[oa]s?|en vigor|aplicables?|entran?'
const BEFORE_START_DATE = new RegExp(
  `${WORD_START}${group(VALIDITY_WORDS)}(?: en (?:vigueur|vigor))?(?: (?:only|again|since|from|as|of|on|with|effect|ab|seit|vom|von|am|dem|à|compter|partir|depuis|dès|du|de|le|la|les|desde|a|el|del))*[\\s:]*$`,
  'iu',
)
const BEFORE_END_DATE = new RegExp(
  `${WORD_START}${group(VALIDITY_WORDS)}.{0,60}?${group("until|till|to|through|bis|jusqu['’]au|au|hasta(?: el)?|al")}(?: (?:and including|zum|einschließlich|inclus))?\\s*$`,
  'iu',
)
const REPLACES =
  /(?<!\p{L})(?:replac(?:es|ing)|supersed(?:es|ing)|ersetz(?:t|en)(?! durch)|tr(?:itt|eten) an die stelle|löst(?=.{0,60} ab)|remplacent?|annulent?|sustituyen?|reemplazan?|derogan?)(?!\p{L})/iu
const NO_LONGER =
  "no longer (?:valid|in force|in use|applies|apply)|must (?:no longer|not) be used|(?:has been |is |was )?replaced by|superseded by|ersetzt durch|(?:nicht mehr|nicht länger) (?:gültig|in kraft|zu verwenden)|gilt nicht mehr|n['’]est plus (?:valable|en vigueur|applicable)|remplacée? par|ya no (?:vale|rige|está en vigor|es válid[oa])|sustituid[oa] por|reemplazad[oa] por"
// The words before a state: a state is a whole line or clause, or follows a word such as "status" or "is".
const STATE_LABEL = `(?:^|${WORD_START}(?:status|state|stand|statut|état|estado)\\s*:?\\s*|${WORD_START}(?:this|is|are|it|dies(?:er|es)?|ist|ce|cette|est|este|esta|es|ed\\S* \\S+|version \\S+)[\\s:,]+(?:edition |version |policy |document |ausgabe |fassung |is |a |an |the |ein |eine |un |une |has been |wurde |a été |ha sido )*)`
// The text after a state. "Expired passes are returned" does not state that the document has expired.
const LABEL_END = String.raw`(?=[\s*_)\]]*(?:$|[:.,;!/]|(?:by|on|since|as|for|of|until|and|am|seit|ab|vom|zum|zur|durch|und|le|du|depuis|pour|par|et|desde|el|de|del|para|por|y)${WORD_END}))`
const label = (words: string): string =>
  String.raw`${STATE_LABEL}[*_#(\[\s]*${group(words)}${WORD_END}${LABEL_END}`
const IS_DRAFT = new RegExp(`${label(DRAFT)}|${WORD_START}not (?:yet )?released${WORD_END}`, 'iu')
const IS_WITHDRAWN = new RegExp(`${label(WITHDRAWN)}|${WORD_START}${group(NO_LONGER)}${WORD_END}`, 'iu')
// In UTF-16 units. The marks of an edition stand at the beginning of a text.
const MAX_FIRST_LINES_LENGTH = 700

/** @param beginning the text of its first passage */
export function validityIn(beginning: string): ValidityMarks {
  const marks: ValidityMarks = {
    number: undefined,
    starts: undefined,
    ends: undefined,
    dated: undefined,
    state: 'released',
    replaces: false,
  }
  for (const part of clausesOf(beginning.slice(0, MAX_FIRST_LINES_LENGTH))) {
    // The words after "replaces" are about another edition.
    const replacing = REPLACES.exec(part)
    if (replacing) marks.replaces = true
    const clause = part.slice(0, replacing?.index)
    const [firstNumber] = editionNumbers(clause)
    const isOtherEdition =
      firstNumber !== undefined && marks.number !== undefined && !isSame(firstNumber.number, marks.number)
    if (!isOtherEdition && marks.state === 'released')
      marks.state = IS_DRAFT.test(clause) ? 'draft' : IS_WITHDRAWN.test(clause) ? 'withdrawn' : 'released'
    marks.number ??= firstNumber?.number
    for (const { period, start } of placedPeriods(clause)) {
      const before = clause.slice(0, start)
      marks.dated ??= startOf(period)
      if (BEFORE_START_DATE.test(before)) marks.starts ??= startOf(period)
      else if (BEFORE_END_DATE.test(before)) marks.ends ??= startOf(period)
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

/** Less than 0 if the first number is lower: 1.9 is lower than 1.10. */
export function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** A title without the file name or path that was added to distinguish documents of one title (docs/decisions/0026-titles.md). */
export function ownTitle(title: string, path: string): string {
  const end = [path, stemOf(path)]
    .map((name) => ` – ${name}`)
    .find((name) => fold(title).endsWith(fold(name)))
  return end === undefined ? title : title.slice(0, -end.length)
}

/** The name of a file without folders and extension. */
export const stemOf = (path: string): string =>
  (path.split('/').at(-1) ?? path).replace(/\.[\p{L}\p{N}]{1,5}$/u, '')
