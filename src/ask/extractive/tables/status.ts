// Status questions ("Who has not paid?"): a column gives the status of every row, by its name ("paid": yes, no) or in
// its cells ("status": paid, not paid, open). Search ignores the "not"; here it decides. English, German, French,
// Spanish. Pure.

import { contentTerms } from '../../../language/analyse.ts'
import type { PassageRow } from '../../tools/tools.ts'
import { contains, type Keyword, textTerms } from '../keywords.ts'

export interface Status {
  /** The word for the status: `paid`. */
  word: string
  negated: boolean
}

const SUBJECT =
  '(?:who|whom|which|what|list|show|wer|wen|welche[nrsm]?|qui|quel(?:le)?s?|quién(?:es)?|qué|cuáles)'
const VERB =
  "(?:has|have|had|is|are|was|were|did|hat|haben|ist|sind|war|waren|wurde|wurden|a|ont|est|sont|n['’]a|n['’]ont|n['’]est|n['’]ont|ne sont|ha|han|está|están|fue|fueron)"
const NOT =
  '(?:not|never|still not|not yet|nicht|noch nicht|nie|pas|pas encore|jamais|no|nunca|todavía no|aún no)'
const ASKED = new RegExp(
  `^[¿\\s]*${SUBJECT}(?![\\p{L}])(?<before>[^?]*?)(?:(?:(?:${VERB})(?<short>n['’]t)?|(?<no>no) (?:ha|han|está|están|fue|fueron))(?![\\p{L}]))(?<between>[^?]*?)(?<word>\\p{L}{3,})(?: (?:yet|already|encore|todavía|aún))?[\\s?.!]*$`,
  'iu',
)
// "What is the rent in Kiel?", "Wer ist der Ansprechpartner in Rostock?" ask what something is and for no status:
// without this their last word was taken for a status, and the answer was "Country: 1, in 1 of 3 rows".
const IDENTITY =
  /^[¿\s]*(?:who|what|wer|wen|qui|quel(?:le)?s?|quién(?:es)?|qué|cuáles)\s+(?:is|are|was|were|ist|sind|war|waren|est|sont|es|son|está|están|fue|fueron)\s+(?:the|an?|our|their|its|his|her|your|my|der|die|das|den|ein|eine|unsere?|ihre?|seine?|le|la|les|une?|notre|nos|leur|el|los|las|un|una|nuestr[oa])(?![\p{L}])/iu
const NEGATION = new RegExp(`(?<![\\p{L}])${NOT}(?![\\p{L}])|n['’](?=[aeo])|n['’]t(?![\\p{L}])`, 'iu')
const VERBS = new RegExp(`(?<![\\p{L}])${VERB}(?![\\p{L}])`, 'giu')
const NEGATIONS = new RegExp(NEGATION.source, 'giu')

/** The status that a question asks for, and the question without negation and verb; undefined when it asks for none. */
export function statusAsked(question: string): { status: Status; rest: string } | undefined {
  const word = ASKED.exec(question)?.groups?.word
  if (word === undefined) return undefined
  const negated = NEGATION.test(question)
  if (!negated && IDENTITY.test(question)) return undefined
  return { status: { word, negated }, rest: question.replace(NEGATIONS, ' ').replace(VERBS, ' ') }
}

const NO =
  /^(?:|[-–—/x✗✘☐]|no|n|false|0|nein|falsch|non|faux|falso|open|pending|outstanding|due|overdue|missing|offen|ausstehend|überfällig|fehlt|en attente|impayée?s?|pendiente|impagad[oa]s?|(?:not|noch nicht|nicht|pas|non|no)[ -].+|un(?:paid|settled|signed|confirmed|bezahlt|erledigt|bestätigt))$/iu

/** The rows with the status, or without it when negated; undefined when no column divides the rows by it. */
export function withStatus(
  rows: readonly PassageRow[],
  headers: readonly string[],
  keyword: Keyword,
  negated: boolean,
): { rows: PassageRow[]; column: string } | undefined {
  for (const column of headers) {
    const holding = rows.filter((row) => hasStatus(row, column, keyword))
    if (holding.length === 0 || holding.length === rows.length) continue
    return { rows: negated ? rows.filter((row) => !holding.includes(row)) : holding, column }
  }
  return undefined
}

function hasStatus(row: PassageRow, column: string, keyword: Keyword): boolean {
  const { language } = row.passage
  const text = row.cells.find(({ header }) => header === column)?.text.trim() ?? ''
  if (isNamed(column, keyword, language)) return !NO.test(text)
  // A status is one or two words; a sentence with the word says something else.
  return (
    contentTerms(text, language).length <= 2 && contains(textTerms(text, language), keyword) && !NO.test(text)
  )
}

const isNamed = (column: string, keyword: Keyword, language: PassageRow['passage']['language']): boolean =>
  contains(textTerms(column.replace(/_/g, ' '), language), keyword) &&
  contentTerms(column.replace(/_/g, ' '), language).length <= 2
