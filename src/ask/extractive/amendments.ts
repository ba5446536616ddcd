// Amendments: whether a text changes an earlier one, and which clause it changes. "In clause 2.1 the words … are replaced by …"
// need not state what clause 2.1 is about, so it can only be found by the number of the clause. English, German, French, Spanish.
// Pure.

import { contentTerms } from '../../language/analyse.ts'
import { monthNamed, placedPeriods, startOf } from '../../language/periods.ts'
import type { Evidence } from './evidence.ts'
import { combineTerms } from './keywords.ts'
import { CLAUSE_WORDS } from './text-structure.ts'

// Matches `2.1` of "2.1 The rent is …".
const NUMBER = /^\(?(\d{1,3}(?:\.\d{1,3})+)[.)]?\s/
// Matches `3` of "§ 3 Rent" and "3. Rent".
const HEADING_NUMBER = new RegExp(
  String.raw`^(?:(?:${CLAUSE_WORDS})\s*)?(\d{1,3}(?:\.\d{1,3})*)(?:[.):]|\s*[–—-]|\s|$)`,
  'iu',
)
// Matches `3` of "§ 3 Rent. The rent is …", a heading in the line of its text.
const RUN_IN_NUMBER = new RegExp(String.raw`^(?:${CLAUSE_WORDS})\s*(\d{1,3}(?:\.\d{1,3})*)(?!\d)`, 'iu')
// An amendment's title or first lines must contain this share of the words of the amended document's title.
const MIN_TITLE_SHARE = 0.5

/** The number of a clause, such as `2.1`: at the start of its text, at the start of its line, or in the heading above it. */
export const clauseNumber = ({
  text,
  headingAbove,
  foundPassage: { passage },
}: Evidence): string | undefined =>
  NUMBER.exec(text)?.[1] ??
  RUN_IN_NUMBER.exec(lineWith(text, passage.text))?.[1] ??
  HEADING_NUMBER.exec(headingAbove.text)?.[1]

/** The line that contains a text, from the beginning of the line to the end of the text. */
const lineWith = (text: string, wholeText: string): string => {
  const at = wholeText.indexOf(text)
  return at < 0 ? '' : wholeText.slice(wholeText.lastIndexOf('\n', at) + 1, at + text.length)
}

/** The beginnings of documents by their ids. An amendment states at its beginning what it amends. */
export type Beginnings = ReadonlyMap<string, string>

/** The beginnings of the documents whose first passage is among those of the evidence. */
export const beginningsOf = (pieces: readonly Evidence[]): Beginnings =>
  new Map(
    pieces.flatMap(({ foundPassage: { passage } }) =>
      passage.chunk_no === 0 ? [[passage.document_id, passage.text.slice(0, MAX_BEGINNING)] as const] : [],
    ),
  )

const MAX_BEGINNING = 500

/** Returns a function that checks whether a text names the clause to which `earlier` belongs. */
export function namingClause(earlier: Evidence): (later: Evidence) => boolean {
  const number = clauseNumber(earlier)
  if (number === undefined) return () => false
  const pattern = clausePattern(number)
  return (later) => pattern.test(clauseNames(later))
}

/** Whether the later text names the clause to which the earlier one belongs. */
export const namesClause = (later: Evidence, earlier: Evidence): boolean => namingClause(earlier)(later)

/**
 * Whether the later text amends the earlier one. It must belong to an amendment of that document. If it names a clause, it must be the
 * clause of the earlier text, or both must stand below a heading of the same words ("2. Rent", "4. Rent"). If it names none, it must
 * be on the same subject.
 */
export const amends = (later: Evidence, earlier: Evidence, beginnings: Beginnings): boolean =>
  isOfAmendment(later, earlier, beginnings) &&
  (namesAnyClause(later)
    ? namesClause(later, earlier) || haveSameHeading(later, earlier)
    : isOnSameSubject(later, earlier))

function haveSameHeading(later: Evidence, earlier: Evidence): boolean {
  const [first, second] = [later, earlier].map(({ headingAbove, foundPassage: { passage } }) =>
    headingAbove.text === passage.document_title ? [] : [...headingAbove.terms.terms],
  )
  return (
    first !== undefined &&
    second !== undefined &&
    first.length > 0 &&
    first.length === second.length &&
    first.every((term) => second.includes(term))
  )
}

/** Whether a statement, the line before it that ends with a colon, or its heading names a clause. */
export const namesAnyClause = (later: Evidence): boolean => ANY_CLAUSE.test(clauseNames(later))

/** Whether a statement belongs to an amendment of the earlier statement's document. It may change any clause of that document. */
export function isOfAmendment(later: Evidence, earlier: Evidence, beginnings: Beginnings): boolean {
  const { passage } = later.foundPassage
  if (later.list || passage.document_id === earlier.foundPassage.passage.document_id) return false
  const beginning = beginnings.get(passage.document_id) ?? ''
  const isAmending =
    statesAmendment(later.text) ||
    statesAmendment(leadOf(later)) ||
    isAmendmentDocument(`${passage.document_title} ${passage.heading}`, beginning)
  return isAmending && isNamedAfter(later, earlier, beginning)
}

/** The text that names a clause: the statement itself, the line before it that ends with a colon, or its heading. */
const clauseNames = (later: Evidence): string => {
  if (ANY_CLAUSE.test(later.text)) return later.text
  const lead = leadOf(later)
  return ANY_CLAUSE.test(lead) ? lead : later.headingAbove.text
}

// Matches the last line if it ends with a colon: "Clause 6.2 is replaced by this text: “".
const LEAD_BEFORE = /[^.!?\n]*(?:\.\d[^.!?\n]*)*:\s*["“„«»'‘-]*\s*$/u

/** The line that ends with a colon directly before a text: "Clause 6.2 is replaced by this text:". */
function leadOf({ text, foundPassage: { passage } }: Evidence): string {
  const at = passage.text.indexOf(text)
  return at < 0 ? '' : (LEAD_BEFORE.exec(passage.text.slice(Math.max(0, at - MAX_BEGINNING), at))?.[0] ?? '')
}

/** Whether the title or beginning of the later document contains enough words of the earlier document's title. */
function isNamedAfter(later: Evidence, earlier: Evidence, beginning: string): boolean {
  const { document_title: title } = later.foundPassage.passage
  const termsOfAmendment = new Set(contentTerms(`${title}\n${beginning}`, later.ownTerms.language))
  const termsOfTitle = contentTerms(earlier.foundPassage.passage.document_title, earlier.ownTerms.language)
  return (
    termsOfTitle.filter((term) => termsOfAmendment.has(term)).length >= MIN_TITLE_SHARE * termsOfTitle.length
  )
}

// Half, because "The deposit remains 900 euros" shares only some terms with "The tenant pays a deposit of 800 euros."
const MIN_SHARED = 0.5

/**
 * Whether two statements share at least MIN_SHARED of the terms of the shorter one. Figures and names of months do not count. The
 * terms of a row are those of its cells and column names.
 */
function isOnSameSubject(first: Evidence, second: Evidence): boolean {
  const [shorter = [], longer = []] = [first, second]
    .map(({ ownTerms, headerTerms, cells }) =>
      [...(cells ? combineTerms(ownTerms, headerTerms) : ownTerms).terms].filter(
        (term) => !/\d/.test(term) && monthNamed(term) === undefined,
      ),
    )
    .sort((a, b) => a.length - b.length)
  return (
    shorter.length > 0 &&
    shorter.filter((term) => longer.includes(term)).length >= MIN_SHARED * shorter.length
  )
}

/** A pattern for references to the clause. For a whole number (5) it also matches references to sub-clauses (5.1). */
const clausePattern = (number: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}])(?:${CLAUSE_WORDS})\\s*${number.replaceAll('.', '\\.')}(?!\\d${number.includes('.') ? '|\\.\\d' : ''})`,
    'iu',
  )
const ANY_CLAUSE = new RegExp(`(?<![\\p{L}])(?:${CLAUSE_WORDS})\\s*\\d`, 'iu')

const AMENDMENT_NUMBER =
  /(?:no\.?|nr\.?|n[º°o]\.?|amendment|addendum|nachtrag|avenant|adenda|anexo)\s*(\d{1,2})(?![\d.])|(?<!\d)(\d{1,2})\.\s*(?:nachtrag|änderung)/iu

/** Orders amendments, the latest first: by their numbers if both have one, else by the latest date at their beginning. */
export function laterFirst(a: Evidence, b: Evidence, beginnings: Beginnings): number {
  const [first, second] = [orderOf(a, beginnings), orderOf(b, beginnings)]
  return first.number !== undefined && second.number !== undefined && first.number !== second.number
    ? second.number - first.number
    : second.date.localeCompare(first.date)
}

/** The number of an amendment and the latest date at its beginning. */
function orderOf(
  { foundPassage: { passage } }: Evidence,
  beginnings: Beginnings,
): { number: number | undefined; date: string } {
  const beginning = beginnings.get(passage.document_id) ?? ''
  const [, numberAfter, numberBefore] =
    AMENDMENT_NUMBER.exec(passage.document_title) ?? AMENDMENT_NUMBER.exec(titleLines(beginning)) ?? []
  const number = numberAfter ?? numberBefore
  // The latest date is that of the amendment, because it also states the earlier date of the contract.
  const days = placedPeriods(`${passage.document_title}\n${beginning}`).map(({ period }) => startOf(period))
  return { number: number === undefined ? undefined : Number(number), date: days.sort().at(-1) ?? '' }
}

const AMENDING_WORDS =
  /(?<![\p{L}])(?:(?:is|are|be) (?:hereby )?(?:amended|replaced|deleted|added|inserted|changed|substituted|extended|reduced|shortened)|replac(?:es|ed) (?:by|with|the)|supersed(?:e|es|ed)|shall (?:now )?read|in place of|(?:wird|werden|ist|sind) [^.;]{0,120}?(?:geändert|ersetzt|gestrichen|aufgehoben|verlängert|verkürzt|angepasst|neu gefasst)|ersetzt durch|an die stelle|tritt an|(?:lautet|lauten|gilt|beträgt) (?:künftig|nunmehr|ab)|(?:est|sont) (?:modifiée?s?|remplacée?s?|supprimée?s?|prolongée?s?|réduite?s?|portée?s?)|remplacée?s? par|au lieu de|(?:se (?:sustituye|modifica|reemplaza|suprime|amplía|reduce)n?|queda(?:n)? (?:modificad[oa]s?|sustituid[oa]s?|redactad[oa]s?)|en lugar de))(?![\p{L}])/iu
const AMENDMENT_TITLE =
  /(?<![\p{L}])(?:amend(?:ment|ing)|addendum|variation|supplement(?:al)?|nachtr(?:ag|äge)|\p{L}*änderung(?:s\p{L}*)?|ergänzung\p{L}*|zusatzvereinbarung|avenant|modificatif|adenda|anexo modificatorio|enmienda|modificación)(?![\p{L}])/iu

const statesAmendment = (text: string): boolean => AMENDING_WORDS.test(text)

/** Whether a sentence of an amendment changes a clause: it names one as above, and is not only a line that ends with a colon. */
export const changesClause = (piece: Evidence): boolean =>
  ANY_CLAUSE.test(clauseNames(piece)) && !/:\s*$/.test(piece.text)

/** Whether the title of a document, or the lines above its text, contain a word for an amendment. */
export const isAmendmentDocument = (title: string, beginning: string): boolean =>
  AMENDMENT_TITLE.test(`${title}\n${titleLines(beginning)}`)

const MAX_TITLE_LINES = 6

/** The first lines that do not end like a sentence. */
export const titleLines = (beginning: string): string =>
  beginning
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_TITLE_LINES)
    .filter((line) => !/[.;:!?]\s*$/.test(line))
    .join('\n')
