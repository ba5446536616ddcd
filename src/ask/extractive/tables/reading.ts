// Reads the answer to a question from one table. There is an answer only if every word of the question has a role: it is a column
// name, the text of a cell, the subject of the table, or the operation. Pure.

import type { Language } from '../../../language/language.ts'
import type { SourceTable } from '../../tools/tools.ts'
import type { Keyword } from '../keywords.ts'
import { interpret } from './interpretation.ts'
import { readOperation } from './operations.ts'
import { hasEnoughOfQuestion, readPartly } from './partial.ts'
import type { TableQuestion } from './question.ts'
import type { TableResult } from './result.ts'
import { rolesOf } from './roles.ts'
import { type TableColumn, type TypedTable, typeTable, withSynonyms } from './typed-table.ts'

// A table with fewer columns or rows is a form or a list, in which words have other roles.
const MIN_COLUMNS = 2
const MIN_ROWS = 2

/**
 * The answer from the table if its rows and its column are certain, else the part of the question that the table answers. Undefined
 * if the table contains too few words of the question.
 * @param questionKeywords the keywords of `question.rest`
 */
export function readTable(
  table: SourceTable,
  question: TableQuestion,
  questionKeywords: readonly Keyword[],
  language: Language,
): TableResult | undefined {
  const typed = typeTable(table, language)
  const { columns } = typed
  if (columns.all.length === 0) return undefined
  const keywords = questionKeywords.map((keyword) => withSynonyms(keyword, typed))
  const roles = rolesOf(typed, question, keywords, table.isPartial)
  const interpretation = interpret({ table, typed, question, keywords, roles })
  const { thing } = interpretation
  // In a list of prices, the column "Member" contains prices and no members.
  const countsOrLists = question.operation === 'count' || question.operation === 'rows'
  if (countsOrLists && thing && hasMostlyAmounts(typed, thing)) return undefined
  const hasRolesForAllWords = roles.unplacedWords.length === 0
  const reading = !hasRolesForAllWords
    ? undefined
    : interpretation.doubtfulWords.length > 0
      ? 'unclear'
      : readOperation(interpretation)
  const isWholeTable =
    columns.all.length >= MIN_COLUMNS && columns.rows.length >= MIN_ROWS && !table.isPartial
  if (isWholeTable && typeof reading === 'object') return { reading }
  const isShown = isWholeTable && hasEnoughOfQuestion(interpretation)
  if (reading === undefined && !isShown) return undefined
  return { partial: readPartly(interpretation, { containsAllWords: reading !== undefined, isShown }) }
}

/** Whether most cells of a text column are amounts, beside words such as "free". */
function hasMostlyAmounts({ columns }: TypedTable, column: TableColumn): boolean {
  const amounts = columns.rows.filter((row) => column.number(row) !== undefined)
  return column.kind === 'text' && amounts.length * 2 > columns.rows.length
}
