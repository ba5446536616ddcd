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
const TITLE_SHARE = 0.5

/** The number at the start of a clause, of its paragraph ("§ 3 Rent. The rent is …"), or of the heading above it: `2.1`. */
export const clauseNumber = ({ text, under, found: { passage } }: Evidence): string | undefined =>
  NUMBER.exec(text)?.[1] ??
  RUN_IN_NUMBER.exec(lineWith(text, passage.text))?.[1] ??
  HEADING_NUMBER.exec(under.text)?.[1]

/** The line that a text stands in, from its beginning. */
const lineWith = (text: string, all: string): string => {
  const at = all.indexOf(text)
  return at < 0 ? '' : all.slice(all.lastIndexOf('\n', at) + 1, at + text.length)
}

/** What amendments say of themselves stands in their first passages. */
export type Beginnings = ReadonlyMap<string, string>

/** The beginnings of the documents whose first passage is among those of the evidence. */
export const beginningsOf = (pieces: readonly Evidence[]): Beginnings =>
  new Map(
    pieces.flatMap(({ found: { passage } }) =>
      passage.chunk_no === 0 ? [[passage.document_id, passage.text.slice(0, MAX_BEGINNING)] as const] : [],
    ),
  )

const MAX_BEGINNING = 500

/** Tells of texts whether they name the clause that another is. */
export function namingClause(earlier: Evidence): (later: Evidence) => boolean {
  const number = clauseNumber(earlier)
  if (number === undefined) return () => false
  const pattern = clausePattern(number)
  return (later) => pattern.test(clauseNames(later))
}

/** Whether a text names the clause that another is. */
export const namesClause = (later: Evidence, earlier: Evidence): boolean => namingClause(earlier)(later)

/**
 * Whether a text of another document, named after that one, amends it: it is an amendment and names the clause that the other is,
 * or, where it names none, says the same with another value. "This can be changed" alone changes nothing, and an amendment of
 * another clause nothing of this one.
 */
export const amends = (later: Evidence, earlier: Evidence, beginnings: Beginnings): boolean =>
  isOfAmendment(later, earlier, beginnings) &&
  (namesAnyClause(later) ? namesClause(later, earlier) : saysSame(later, earlier))

/** Whether a statement, the line that leads to it or its heading names a clause. */
export const namesAnyClause = (later: Evidence): boolean => ANY_CLAUSE.test(clauseNames(later))

/** Whether a statement is of an amendment of the document of another one, whichever of its clauses it changes. */
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

/** The parts of a document that a text names: itself, in the line that leads to it, or in its heading. */
const clauseNames = (later: Evidence): string => {
  if (ANY_CLAUSE.test(later.text)) return later.text
  const lead = leadOf(later)
  return ANY_CLAUSE.test(lead) ? lead : later.under.text
}

const LEAD = /[^.!?\n]*(?:\.\d[^.!?\n]*)*:\s*["“„«»'‘-]*\s*$/u

/** The line with a colon directly before a text: "Clause 6.2 is replaced by this text:". */
function leadOf({ text, found: { passage } }: Evidence): string {
  const at = passage.text.indexOf(text)
  return at < 0 ? '' : (LEAD.exec(passage.text.slice(Math.max(0, at - MAX_BEGINNING), at))?.[0] ?? '')
}

function isNamedAfter(later: Evidence, earlier: Evidence, beginning: string): boolean {
  const { document_title: title } = later.found.passage
  const named = new Set(contentTerms(`${title}\n${beginning}`, later.own.language))
  const criteria = contentTerms(earlier.found.passage.document_title, earlier.own.language)
  return criteria.filter((term) => named.has(term)).length >= TITLE_SHARE * criteria.length
}

// "The deposit remains 900 euros" says as much of "The tenant pays a deposit of 800 euros." as it can.
const MIN_SAME = 0.5

/**
 * Whether the shorter of two statements has half of its words, figures and the names of months aside, in the other. What a row says
 * is its cells with the names of their columns.
 */
function saysSame(one: Evidence, other: Evidence): boolean {
  const [shorter = [], longer = []] = [one, other]
    .map(({ own, headers, cells }) =>
      [...(cells ? combined(own, headers) : own).terms].filter(
        (term) => !/\d/.test(term) && monthNamed(term) === undefined,
      ),
    )
    .sort((a, b) => a.length - b.length)
  return (
    shorter.length > 0 && shorter.filter((term) => longer.includes(term)).length >= MIN_SAME * shorter.length
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

/** Orders amendments, the latest first: by their numbers where both have one, else by the first date that they say. */
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
  const [, behind, before] =
    AMENDMENT_NUMBER.exec(passage.document_title) ?? AMENDMENT_NUMBER.exec(titleLines(beginning)) ?? []
  const number = behind ?? before
  // An amendment names the day of the contract, too, which is the earlier one.
  const days = placedPeriods(`${passage.document_title}\n${beginning}`).map(({ period }) => startOf(period))
  return { number: number === undefined ? undefined : Number(number), dated: days.sort().at(-1) ?? '' }
}

const AMENDS =
  /(?<![\p{L}])(?:(?:is|are|be) (?:hereby )?(?:amended|replaced|deleted|added|inserted|changed|substituted|extended|reduced|shortened)|replac(?:es|ed) (?:by|with|the)|supersed(?:e|es|ed)|shall (?:now )?read|in place of|(?:wird|werden|ist|sind) [^.;]{0,120}?(?:geändert|ersetzt|gestrichen|aufgehoben|verlängert|verkürzt|angepasst|neu gefasst)|ersetzt durch|an die stelle|tritt an|(?:lautet|lauten|gilt|beträgt) (?:künftig|nunmehr|ab)|(?:est|sont) (?:modifiée?s?|remplacée?s?|supprimée?s?|prolongée?s?|réduite?s?|portée?s?)|remplacée?s? par|au lieu de|(?:se (?:sustituye|modifica|reemplaza|suprime|amplía|reduce)n?|queda(?:n)? (?:modificad[oa]s?|sustituid[oa]s?|redactad[oa]s?)|en lugar de))(?![\p{L}])/iu
const AMENDMENT_TITLE =
  /(?<![\p{L}])(?:amend(?:ment|ing)|addendum|variation|supplement(?:al)?|nachtr(?:ag|äge)|\p{L}*änderung(?:s\p{L}*)?|ergänzung\p{L}*|zusatzvereinbarung|avenant|modificatif|adenda|anexo modificatorio|enmienda|modificación)(?![\p{L}])/iu

const statesAmendment = (text: string): boolean => AMENDS.test(text)

/** Whether a sentence of an amendment changes a clause that it, or the line that leads to it, names. */
export const changesClause = (piece: Evidence): boolean =>
  ANY_CLAUSE.test(clauseNames(piece)) && !/:\s*$/.test(piece.text)

/** Whether its title, or the lines above its text, call a document an amendment. */
export const isAmendmentDocument = (title: string, beginning: string): boolean =>
  AMENDMENT_TITLE.test(`${title}\n${titleLines(beginning)}`)

const MAX_TITLE_LINES = 6

/** The first lines that are no sentences. */
export const titleLines = (beginning: string): string =>
  beginning
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_TITLE_LINES)
    .filter((line) => !/[.;:!?]\s*$/.test(line))
    .join('\n')
