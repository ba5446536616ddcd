// Judgments: query_id TAB document_id TAB grade, with or without BEIR's header, or TREC's four columns.

import { join } from 'node:path'
import { wrongSet } from '../error.ts'
import { type Line, linesOf } from './lines.ts'

interface Judgment {
  query: string
  document: string
  grade: number
}

/** Query → document → grade. @throws EvaluationFailed for a malformed line and for an unknown query or document */
export async function readJudgments(
  folder: string,
  queries: ReadonlySet<string>,
  documents: ReadonlySet<string> | undefined,
): Promise<Map<string, Map<string, number>>> {
  const judgments = new Map<string, Map<string, number>>()
  let isFirstLine = true
  for await (const line of linesOf(join(folder, 'qrels.tsv'), 'qrels.tsv')) {
    const judgment = parseJudgment(line, isFirstLine)
    isFirstLine = false
    if (!judgment) continue
    const { query, document, grade } = judgment
    if (!queries.has(query)) throw wrongSet(`${line.location}: queries.jsonl has no query "${query}".`)
    if (documents && !documents.has(document))
      throw wrongSet(`${line.location}: the set has no document "${document}".`)
    const grades = judgments.get(query) ?? new Map<string, number>()
    const previousGrade = grades.get(document)
    if (previousGrade !== undefined && previousGrade !== grade) {
      throw wrongSet(
        `${line.location}: "${document}" already has the grade ${previousGrade} for query "${query}".`,
      )
    }
    judgments.set(query, grades.set(document, grade))
  }
  return judgments
}

/** Undefined for a header. Ids may contain spaces only when tabs separate the columns. */
function parseJudgment(line: Line, isFirstLine: boolean): Judgment | undefined {
  const columns = (line.text.includes('\t') ? line.text.split('\t') : line.text.trim().split(/\s+/)).map(
    (text) => text.trim(),
  )
  const [query, document, grade] = columns.length === 4 ? [columns[0], columns[2], columns[3]] : columns
  if (!query || !document || !grade || columns.length < 3 || columns.length > 4) {
    throw wrongSet(`${line.location} must be a query id, a document id and a grade, separated by tabs.`)
  }
  if (!/^-?\d+(\.\d+)?$/.test(grade)) {
    if (isFirstLine) return undefined
    throw wrongSet(`${line.location}: the grade "${grade}" is not a number.`)
  }
  return { query, document, grade: Number(grade) }
}
