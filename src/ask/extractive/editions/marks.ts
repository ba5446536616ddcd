// What tells one edition of a document from another: the numbers, periods and states in its name and in its first lines.
// English, German, French, Spanish. Pure.

import { monthNamed, placedPeriods, startOf } from '../../../language/periods.ts'
import { fold } from '../../../language/words.ts'

/** released: it applies from its start on; withdrawn: it says that it applies no longer. */
export type EditionState = 'released' | 'draft' | 'withdrawn'

/** What a name tells of the edition, and what it is called beside that. */
export interface NameMarks {
  /** `[2, 1]` of "version 2.1"; a letter counts as its place in the alphabet. */
  number: number[] | undefined
  /** A year, month, quarter or day: `2024-Q3`. */
  period: string | undefined
  state: EditionState
  /** The words that all editions share, sorted, as one string. */
  rest: string
}

const START = String.raw`(?<![\p{L}\p{N}])`
const END = String.raw`(?![\p{L}\p{N}])`
const any = (source: string): string => `(?:${source})`

const NUMBER = String.raw`(\d{1,3}(?:\.\d{1,3}){0,3})`
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
  `${START}(?:${any(`${EDITION_NOUN}|vers|ver|ed`)}[\\s._-]*(?:no\\.?|nr\\.?|n[º°o]\\.?)?[\\s._-]*|v[._-]?)${NUMBER}${END}`,
  'giu',
)
const LETTERED = new RegExp(`${START}(?:rev|revision|revisión|révision)[\\s._-]*([a-h])${END}`, 'giu')
const ORDINAL = new RegExp(
  `${START}(?:(\\d{1,2})(?:st|nd|rd|th|\\.|e|ème|ª|\\.ª)|${ORDINALS.map((words) => `(${words})`).join('|')})[\\s._-]+${any(EDITION_NOUN)}${END}`,
  'giu',
)

const DRAFT = 'drafts?|entw[uü]rfe?|vorentwurf|brouillon|ébauche|avant-projet|borrador|anteproyecto'
const WITHDRAWN =
  'withdrawn|superseded|obsolete|outdated|expired|retired|zurückgezogen|ungültig|veraltet|überholt|aufgehoben|au(?:ß|ss)er kraft|retirée?|abrogée?|périmée?|obsolète|annulée?|retirad[oa]|derogad[oa]|obsolet[oa]|anulad[oa]'
// In names only: in a text they say something of other things.
const OLD_IN_NAMES = 'old|archived?|archiv|alt|ancienne?|antigu[oa]'
const NEW_IN_NAMES =
  'new|final|approved|released|current|latest|neu|endfassung|final|gültig|nouveau|nouvelle|définiti(?:f|ve)|nuev[oa]|definitiv[oa]|copy|kopie|copie|copia'

const whole = (source: string, flags = 'iu'): RegExp => new RegExp(`${START}${any(source)}${END}`, flags)
const DRAFT_WORD = whole(DRAFT)
const WITHDRAWN_WORD = whole(`${WITHDRAWN}|${OLD_IN_NAMES}`)
const STATE_WORDS = whole(`${DRAFT}|${WITHDRAWN}|${OLD_IN_NAMES}|${NEW_IN_NAMES}`, 'giu')
// 2025/26 is the year that begins in 2025.
const SEASON = /(?<!\d)((?:19|20)\d\d)[/–-]\d\d(?![\d/–-])/gu

/** A number of an edition as text: `2.1` of "version 2.1", `3` of "third edition". */
export interface PlacedNumber {
  number: number[]
  start: number
  end: number
}

/** The numbers of editions that a text says, in reading order. */
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
    // "HX-410S" is no edition of "HX-410": words are compared as they are written.
    .filter((word) => word !== '' && monthNamed(word) === undefined)
  return {
    number: number?.number,
    period: periods.at(0)?.period,
    state: DRAFT_WORD.test(plain) ? 'draft' : WITHDRAWN_WORD.test(plain) ? 'withdrawn' : 'released',
    rest: [...new Set(words)].sort().join(' '),
  }
}

/** What the first lines of a document tell of its validity. */
export interface ValidityMarks {
  number: number[] | undefined
  /** The first day on which it applies, where it says so. */
  starts: string | undefined
  /** The last day. */
  ends: string | undefined
  /** The first date that it says. */
  dated: string | undefined
  state: EditionState
  /** It says that it replaces another. */
  replaces: boolean
}

const VALID =
  'valid|effective|in force|in effect|applies|apply|applicable|comes? into (?:force|effect)|gültig|gilt|gelten|in kraft|tritt|wirksam|en vigueur|applicables?|valables?|entrent?|vigentes?|válid[oa]s?|en vigor|aplicables?|entran?'
const STARTS = new RegExp(
  `${START}${any(VALID)}(?: en (?:vigueur|vigor))?(?: (?:only|again|since|from|as|of|on|with|effect|ab|seit|vom|von|am|dem|à|compter|partir|depuis|dès|du|de|le|la|les|desde|a|el|del))*[\\s:]*$`,
  'iu',
)
const ENDS = new RegExp(
  `${START}${any(VALID)}.{0,60}?${any("until|till|to|through|bis|jusqu['’]au|au|hasta(?: el)?|al")}(?: (?:and including|zum|einschließlich|inclus))?\\s*$`,
  'iu',
)
const REPLACES =
  /(?<!\p{L})(?:replac(?:es|ing)|supersed(?:es|ing)|ersetz(?:t|en)(?! durch)|tr(?:itt|eten) an die stelle|löst(?=.{0,60} ab)|remplacent?|annulent?|sustituyen?|reemplazan?|derogan?)(?!\p{L})/iu
const NO_LONGER =
  "no longer (?:valid|in force|in use|applies|apply)|must (?:no longer|not) be used|(?:has been |is |was )?replaced by|superseded by|ersetzt durch|(?:nicht mehr|nicht länger) (?:gültig|in kraft|zu verwenden)|gilt nicht mehr|n['’]est plus (?:valable|en vigueur|applicable)|remplacée? par|ya no (?:vale|rige|está en vigor|es válid[oa])|sustituid[oa] por|reemplazad[oa] por"
// A state is the whole of a line or clause, or follows "status".
const STATE_LABEL = `(?:^|${START}(?:status|state|stand|statut|état|estado)\\s*:?\\s*|${START}(?:this|is|are|it|dies(?:er|es)?|ist|ce|cette|est|este|esta|es|ed\\S* \\S+|version \\S+)[\\s:,]+(?:edition |version |policy |document |ausgabe |fassung |is |a |an |the |ein |eine |un |une |has been |wurde |a été |ha sido )*)`
// "Expired passes are returned" is no state of the document.
const LABEL_END = String.raw`(?=[\s*_)\]]*(?:$|[:.,;!/]|(?:by|on|since|as|for|of|until|and|am|seit|ab|vom|zum|zur|durch|und|le|du|depuis|pour|par|et|desde|el|de|del|para|por|y)${END}))`
const label = (words: string): string => String.raw`${STATE_LABEL}[*_#(\[\s]*${any(words)}${END}${LABEL_END}`
const IS_DRAFT = new RegExp(`${label(DRAFT)}|${START}not (?:yet )?released${END}`, 'iu')
const IS_WITHDRAWN = new RegExp(`${label(WITHDRAWN)}|${START}${any(NO_LONGER)}${END}`, 'iu')
// The lines that say which edition it is stand before the first part of the text.
const MAX_FIRST_LINES = 700

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
  for (const whole of clausesOf(beginning.slice(0, MAX_FIRST_LINES))) {
    // What is replaced is another edition.
    const replacing = REPLACES.exec(whole)
    if (replacing) marks.replaces = true
    const clause = whole.slice(0, replacing?.index)
    const [first] = editionNumbers(clause)
    const isOfOther = first !== undefined && marks.number !== undefined && !isSame(first.number, marks.number)
    if (!isOfOther && marks.state === 'released')
      marks.state = IS_DRAFT.test(clause) ? 'draft' : IS_WITHDRAWN.test(clause) ? 'withdrawn' : 'released'
    marks.number ??= first?.number
    for (const { period, start } of placedPeriods(clause)) {
      const before = clause.slice(0, start)
      marks.dated ??= startOf(period)
      if (STARTS.test(before)) marks.starts ??= startOf(period)
      else if (ENDS.test(before)) marks.ends ??= startOf(period)
    }
  }
  return marks
}

/** The parts of the first lines, as they are punctuated; a German day ("1. Januar") ends none. */
function clausesOf(text: string): string[] {
  const clauses: string[] = []
  for (const part of text.split(/(?<=[.;!?])[ \t]+|[\n·|•;]|,\s+(?=\p{L})|\s[–—-]\s/u)) {
    const [before] = clauses.slice(-1)
    const isDay = before !== undefined && /(?<!\S)\d{1,2}\.$/.test(before)
    if (isDay && monthNamed(/^\p{L}+/u.exec(part)?.[0] ?? '') !== undefined)
      clauses.push(`${clauses.pop()} ${part}`)
    else clauses.push(part.trim())
  }
  return clauses
}

const isSame = (a: readonly number[], b: readonly number[]): boolean => compareNumbers(a, b) === 0

/** Less than 0 where the first is the lower one: 1.9 before 1.10. */
export function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** A title without the name or path of the file that tells documents of one title apart (docs/decisions/0026-titles.md). */
export function ownTitle(title: string, path: string): string {
  const end = [path, stemOf(path)]
    .map((name) => ` – ${name}`)
    .find((name) => fold(title).endsWith(fold(name)))
  return end === undefined ? title : title.slice(0, -end.length)
}

/** The name of a file without folders and extension. */
export const stemOf = (path: string): string =>
  (path.split('/').at(-1) ?? path).replace(/\.[\p{L}\p{N}]{1,5}$/u, '')
