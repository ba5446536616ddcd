// Amendments: whether a text changes an earlier one, and which clause it changes. "In clause 2.1 the words … are
// replaced by …" need not say what clause 2.1 is about, so it can only be found by the clause's number. English,
// German, French, Spanish. Pure.

import { contentTerms } from '../../language/analyse.ts'
import { monthNamed, placedPeriods, startOf } from '../../language/periods.ts'
import type { Evidence } from './evidence.ts'
import { combined } from './keywords.ts'
import { CLAUSE_WORDS } from './part-number.ts'

const NUMBER = /^\(?(\d{1,3}(?:\.\d{1,3})+)[.)]?\s/
const HEADING_NUMBER = new RegExp(
  String.raw`^(?:(?:${CLAUSE_WORDS})\s*)?(\d{1,3}(?:\.\d{1,3})*)(?:[.):]|\s*[–—-]|\s|$)`,
  'iu',
)
const RUN_IN_NUMBER = new RegExp(String.raw`^(?:${CLAUSE_WORDS})\s*(\d{1,3}(?:\.\d{1,3})*)(?!\d)`, 'iu')
// An amendment's title or first lines must contain this share of the words of the amended document's title.
const MIN_TITLE_SHARE = 0.5

/** The number at the start of a clause, of its paragraph ("§ 3 Rent. The rent is …"), or of the heading above it: `2.1`. */
export const clauseNumber = ({ text, headingAbove, found: { passage } }: Evidence): string | undefined =>
  NUMBER.exec(text)?.[1] ??
  RUN_IN_NUMBER.exec(lineWith(text, passage.text))?.[1] ??
  HEADING_NUMBER.exec(headingAbove.text)?.[1]

/** The line that a text stands in, from its beginning. */
const lineWith = (text: string, wholeText: string): string => {
  const at = wholeText.indexOf(text)
  return at < 0 ? '' : wholeText.slice(wholeText.lastIndexOf('\n', at) + 1, at + text.length)
}

/** The beginnings of documents by their ids. An amendment states there what it amends. */
export type Beginnings = ReadonlyMap<string, string>

/** The beginnings of the documents whose first passage is among those of the evidence. */
export const beginningsOf = (pieces: readonly Evidence[]): Beginnings =>
  new Map(
    pieces.flatMap(({ found: { passage } }) =>
      passage.chunk_no === 0 ? [[passage.document_id, passage.text.slice(0, MAX_BEGINNING)] as const] : [],
    ),
  )

const MAX_BEGINNING = 500

/** Returns a function that says whether a text names the clause to which `earlier` belongs. */
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
 * clause of the earlier text. If it names none, it must be on the same subject.
 */
export const amends = (later: Evidence, earlier: Evidence, beginnings: Beginnings): boolean =>
  isOfAmendment(later, earlier, beginnings) &&
  (namesAnyClause(later) ? namesClause(later, earlier) : isOnSameSubject(later, earlier))

/** Whether a statement, the line that leads to it or its heading names a clause. */
export const namesAnyClause = (later: Evidence): boolean => ANY_CLAUSE.test(clauseNames(later))

/** Whether a statement belongs to an amendment of the document of the earlier one, whichever of its clauses it changes. */
export function isOfAmendment(later: Evidence, earlier: Evidence, beginnings: Beginnings): boolean {
  const { passage } = later.found
  if (later.list || passage.document_id === earlier.found.passage.document_id) return false
  const beginning = beginnings.get(passage.document_id) ?? ''
  const isAmending =
    statesAmendment(later.text) ||
    statesAmendment(leadOf(later)) ||
    isAmendmentDocument(`${passage.document_title} ${passage.heading}`, beginning)
  return isAmending && isNamedAfter(later, earlier, beginning)
}

/** The text that names a part of a document: the statement itself, the line that leads to it, or its heading. */
const clauseNames = (later: Evidence): string => {
  if (ANY_CLAUSE.test(later.text)) return later.text
  const lead = leadOf(later)
  return ANY_CLAUSE.test(lead) ? lead : later.headingAbove.text
}

const LEAD_BEFORE = /[^.!?\n]*(?:\.\d[^.!?\n]*)*:\s*["“„«»'‘-]*\s*$/u

/** The line with a colon directly before a text: "Clause 6.2 is replaced by this text:". */
function leadOf({ text, found: { passage } }: Evidence): string {
  const at = passage.text.indexOf(text)
  return at < 0 ? '' : (LEAD_BEFORE.exec(passage.text.slice(Math.max(0, at - MAX_BEGINNING), at))?.[0] ?? '')
}

function isNamedAfter(later: Evidence, earlier: Evidence, beginning: string): boolean {
  const { document_title: title } = later.found.passage
  const termsOfAmendment = new Set(contentTerms(`${title}\n${beginning}`, later.own.language))
  const termsOfTitle = contentTerms(earlier.found.passage.document_title, earlier.own.language)
  return (
    termsOfTitle.filter((term) => termsOfAmendment.has(term)).length >= MIN_TITLE_SHARE * termsOfTitle.length
  )
}

// "The deposit remains 900 euros" shares only some terms with "The tenant pays a deposit of 800 euros."
const MIN_SHARED = 0.5

/**
 * Whether two statements share at least half of the terms of the shorter one. Figures and names of months do not count. The terms of a
 * row are those of its cells and column names.
 */
function isOnSameSubject(first: Evidence, second: Evidence): boolean {
  const [shorter = [], longer = []] = [first, second]
    .map(({ own, headers, cells }) =>
      [...(cells ? combined(own, headers) : own).terms].filter(
        (term) => !/\d/.test(term) && monthNamed(term) === undefined,
      ),
    )
    .sort((a, b) => a.length - b.length)
  return (
    shorter.length > 0 &&
    shorter.filter((term) => longer.includes(term)).length >= MIN_SHARED * shorter.length
  )
}

/** Matches a reference to the clause; a whole number (5) also matches its sub-clauses (5.1). */
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
  const [one, other] = [orderOf(a, beginnings), orderOf(b, beginnings)]
  return one.number !== undefined && other.number !== undefined && one.number !== other.number
    ? other.number - one.number
    : other.dated.localeCompare(one.dated)
}

function orderOf(
  { found: { passage } }: Evidence,
  beginnings: Beginnings,
): { number: number | undefined; dated: string } {
  const beginning = beginnings.get(passage.document_id) ?? ''
  const [, numberAfter, numberBefore] =
    AMENDMENT_NUMBER.exec(passage.document_title) ?? AMENDMENT_NUMBER.exec(titleLines(beginning)) ?? []
  const number = numberAfter ?? numberBefore
  // An amendment also names the day of the contract, which is earlier than its own day.
  const days = placedPeriods(`${passage.document_title}\n${beginning}`).map(({ period }) => startOf(period))
  return { number: number === undefined ? undefined : Number(number), dated: days.sort().at(-1) ?? '' }
}

const AMENDING_WORDS =
  /(?<![\p{L}])(?:(?:is|are|be) (?:hereby )?(?:amended|replaced|deleted|added|inserted|changed|substituted|extended|reduced|shortened)|replac(?:es|ed) (?:by|with|the)|supersed(?:e|es|ed)|shall (?:now )?read|in place of|(?:wird|werden|ist|sind) [^.;]{0,120}?(?:geändert|ersetzt|gestrichen|aufgehoben|verlängert|verkürzt|angepasst|neu gefasst)|ersetzt durch|an die stelle|tritt an|(?:lautet|lauten|gilt|beträgt) (?:künftig|nunmehr|ab)|(?:est|sont) (?:modifiée?s?|remplacée?s?|supprimée?s?|prolongée?s?|réduite?s?|portée?s?)|remplacée?s? par|au lieu de|(?:se (?:sustituye|modifica|reemplaza|suprime|amplía|reduce)n?|queda(?:n)? (?:modificad[oa]s?|sustituid[oa]s?|redactad[oa]s?)|en lugar de))(?![\p{L}])/iu
const AMENDMENT_TITLE =
  /(?<![\p{L}])(?:amend(?:ment|ing)|addendum|variation|supplement(?:al)?|nachtr(?:ag|äge)|\p{L}*änderung(?:s\p{L}*)?|ergänzung\p{L}*|zusatzvereinbarung|avenant|modificatif|adenda|anexo modificatorio|enmienda|modificación)(?![\p{L}])/iu

const statesAmendment = (text: string): boolean => AMENDING_WORDS.test(text)

/** Whether a sentence of an amendment names a clause, or the line that leads to it or its heading does. */
export const changesClause = (piece: Evidence): boolean =>
  ANY_CLAUSE.test(clauseNames(piece)) && !/:\s*$/.test(piece.text)

/** Whether its title, or the lines above its text, call a document an amendment. */
export const isAmendmentDocument = (title: string, beginning: string): boolean =>
  AMENDMENT_TITLE.test(`${title}\n${titleLines(beginning)}`)

const MAX_TITLE_LINES = 6

/** Those of the first lines that do not end like a sentence. */
export const titleLines = (beginning: string): string =>
  beginning
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_TITLE_LINES)
    .filter((line) => !/[.;:!?]\s*$/.test(line))
    .join('\n')
