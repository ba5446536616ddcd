// Amendments: whether a text changes an earlier one, and which clause it changes. "In clause 2.1 the words … are
// replaced by …" need not say what clause 2.1 is about, so it can only be found by the clause's number. English,
// German, French, Spanish. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Passage } from '../../search/passage.ts'
import type { Evidence } from './evidence.ts'
import { CLAUSE_WORDS } from './part-number.ts'

const NUMBER = /^\(?(\d{1,3}(?:\.\d{1,3})+)[.)]?\s/
// An amendment's title must contain this share of the words of the amended document's title.
const TITLE_SHARE = 0.5

/** The number at the start of a clause: `2.1`. */
export const clauseNumber = ({ text }: Evidence): string | undefined => NUMBER.exec(text)?.[1]

/** The sentence of another document that amends the quoted clause; undefined when there is none. */
export function amendmentOf(quoted: Evidence, pieces: readonly Evidence[]): Evidence | undefined {
  const number = clauseNumber(quoted)
  if (number === undefined) return undefined
  const clause = clausePattern(number)
  return pieces.find(
    (piece) =>
      !piece.list &&
      !piece.cells &&
      clause.test(piece.text) &&
      statesAmendment(piece.text) &&
      isTitledAfter(piece.found.passage, quoted.found.passage),
  )
}

/** Whether a text names the clause that another is. */
export function namesClause(later: Evidence, earlier: Evidence): boolean {
  const number = clauseNumber(earlier)
  return number !== undefined && clausePattern(number).test(later.text)
}

/**
 * Whether a text of another document, named after that one, amends it: its title says so, or it says so of the clause that
 * the other is. "This can be changed" alone changes nothing.
 */
export const amends = (later: Evidence, earlier: Evidence): boolean => {
  const { passage } = later.found
  return (
    ((statesAmendment(later.text) && namesClause(later, earlier)) ||
      isAmendmentTitle(`${passage.document_title} ${passage.heading}`)) &&
    isTitledAfter(passage, earlier.found.passage)
  )
}

function isTitledAfter(later: Passage, earlier: Passage): boolean {
  if (later.document_id === earlier.document_id) return false
  const called = new Set(contentTerms(later.document_title, later.language))
  const criteria = contentTerms(earlier.document_title, earlier.language)
  return criteria.filter((term) => called.has(term)).length >= TITLE_SHARE * criteria.length
}

/** Matches a reference to the clause; a whole number (5) also matches its sub-clauses (5.1). */
const clausePattern = (number: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}])(?:${CLAUSE_WORDS})\\s*${number.replaceAll('.', '\\.')}(?!\\d${number.includes('.') ? '|\\.\\d' : ''})`,
    'iu',
  )

const AMENDS =
  /(?<![\p{L}])(?:(?:is|are|be) (?:hereby )?(?:amended|replaced|deleted|changed|substituted|extended|reduced|shortened)|replac(?:es|ed) (?:by|with|the)|supersed(?:e|es|ed)|shall (?:now )?read|in place of|(?:wird|werden|ist|sind) [^.;]{0,120}?(?:geändert|ersetzt|gestrichen|aufgehoben|verlängert|verkürzt|angepasst|neu gefasst)|ersetzt durch|an die stelle|tritt an|(?:lautet|lauten|gilt|beträgt) (?:künftig|nunmehr|ab)|(?:est|sont) (?:modifiée?s?|remplacée?s?|supprimée?s?|prolongée?s?|réduite?s?|portée?s?)|remplacée?s? par|au lieu de|(?:se (?:sustituye|modifica|reemplaza|suprime|amplía|reduce)n?|queda(?:n)? (?:modificad[oa]s?|sustituid[oa]s?|redactad[oa]s?)|en lugar de))(?![\p{L}])/iu
const AMENDMENT_TITLE =
  /(?<![\p{L}])(?:amend(?:ment|ing)|addendum|variation|supplement(?:al)?|nachtr(?:ag|äge)|\p{L}*änderung(?:s\p{L}*)?|ergänzung\p{L}*|zusatzvereinbarung|avenant|modificatif|adenda|anexo modificatorio|enmienda|modificación)(?![\p{L}])/iu

const statesAmendment = (text: string): boolean => AMENDS.test(text)

const isAmendmentTitle = (title: string): boolean => AMENDMENT_TITLE.test(title)
