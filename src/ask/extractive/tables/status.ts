// "Who has not paid?": a column that says of every row whether it is so, by its name ("paid": yes, no) or in its cells
// ("status": paid, not paid, open). Search drops the "not"; here it decides. English, German, French, Spanish. Pure.

import { contentTerms } from '../../../language/analyse.ts'
import type { TableRowOf } from '../../tools/tools.ts'
import { holds, type Part, profileOf } from '../keywords.ts'

export interface Status {
  /** The word that says what is so or not: `paid`. */
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
// "What is the rent in Kiel?", "Wer ist der Ansprechpartner in Rostock?": what a thing is, not whether it is so. Its last word
// was taken for a status, and the answer was "Country: 1, in 1 of 3 rows".
const IDENTITY =
  /^[¿\s]*(?:who|what|wer|wen|qui|quel(?:le)?s?|quién(?:es)?|qué|cuáles)\s+(?:is|are|was|were|ist|sind|war|waren|est|sont|es|son|está|están|fue|fueron)\s+(?:the|an?|our|their|its|his|her|your|my|der|die|das|den|ein|eine|unsere?|ihre?|seine?|le|la|les|une?|notre|nos|leur|el|los|las|un|una|nuestr[oa])(?![\p{L}])/iu
const NEGATION = new RegExp(`(?<![\\p{L}])${NOT}(?![\\p{L}])|n['’](?=[aeo])|n['’]t(?![\\p{L}])`, 'iu')
const VERBS = new RegExp(`(?<![\\p{L}])${VERB}(?![\\p{L}])`, 'giu')
const NEGATIONS = new RegExp(NEGATION.source, 'giu')

/** The status that a question asks for and the question without its "not"; undefined when it asks for none. */
export function statusAsked(question: string): { status: Status; rest: string } | undefined {
  const word = ASKED.exec(question)?.groups?.word
  if (word === undefined) return undefined
  const negated = NEGATION.test(question)
  if (!negated && IDENTITY.test(question)) return undefined
  return { status: { word, negated }, rest: question.replace(NEGATIONS, ' ').replace(VERBS, ' ') }
}

const NO =
  /^(?:|[-–—/x✗✘☐]|no|n|false|0|nein|falsch|non|faux|falso|open|pending|outstanding|due|overdue|missing|offen|ausstehend|überfällig|fehlt|en attente|impayée?s?|pendiente|impagad[oa]s?|(?:not|noch nicht|nicht|pas|non|no)[ -].+|un(?:paid|settled|signed|confirmed|bezahlt|erledigt|bestätigt))$/iu

/** The rows of which the word holds, or does not; undefined where no column says so of some rows and not of others. */
export function withStatus(
  rows: readonly TableRowOf[],
  headers: readonly string[],
  part: Part,
  negated: boolean,
): { rows: TableRowOf[]; column: string } | undefined {
  for (const column of headers) {
    const holding = rows.filter((row) => isSo(row, column, part))
    if (holding.length === 0 || holding.length === rows.length) continue
    return { rows: negated ? rows.filter((row) => !holding.includes(row)) : holding, column }
  }
  return undefined
}

function isSo(row: TableRowOf, column: string, part: Part): boolean {
  const { language } = row.passage
  const text = row.cells.find(({ header }) => header === column)?.text.trim() ?? ''
  if (isNamed(column, part, language)) return !NO.test(text)
  // A status is a word or two; a sentence that holds the word says something else.
  return contentTerms(text, language).length <= 2 && holds(profileOf(text, language), part) && !NO.test(text)
}

const isNamed = (column: string, part: Part, language: TableRowOf['passage']['language']): boolean =>
  holds(profileOf(column.replace(/_/g, ' '), language), part) &&
  contentTerms(column.replace(/_/g, ' '), language).length <= 2
