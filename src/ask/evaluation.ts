// Evaluation questions (extension): queries that people saved with the passage that search should find, and their export together
// with the feedback on answers, in the format of `kenning eval` (docs/evaluation.md). Members see their own questions, owners see
// all.

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { lockWorkspaceForShare } from '../auth/access.sql.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type { EvaluationLine, EvaluationQuestion, EvaluationQuestionCreate } from '../contract/evaluation.ts'
import type { Page } from '../contract/resources.ts'
import { invalid, notFound } from '../errors.ts'
import { uuid5 } from '../identity.ts'
import { sentences } from '../language/sentences.ts'
import type { Bytes } from '../ports/bytes.ts'
import type { Deps } from '../ports/deps.ts'
import { citedPassageStates, deletedNumbers, redactDeleted } from './threads/cited-passages.ts'
import {
  insertQuestion,
  type QuestionPosition,
  type QuestionRow,
  questionExists,
  removeQuestion,
  selectQuestions,
} from './threads/evaluation.sql.ts'
import { type JudgedAnswer, type JudgedPosition, selectJudgedAnswers } from './threads/feedback.sql.ts'
import { rewriteFollowUp } from './threads/follow-up.ts'

type Needs = Pick<Deps, 'db' | 'cursorKey'>

// The number of questions that one principal may store in a workspace. Nobody saves that many by hand.
const MAX_QUESTIONS_PER_PRINCIPAL = 5000

/** The principal whose questions the caller may see. Undefined if the caller may see those of everybody. @throws ApiError 404 */
async function requirePrincipalFilter(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
): Promise<string | undefined> {
  const role = await requireWorkspace(deps, caller, workspaceId, 'read')
  return role === 'owner' ? undefined : principal(caller)
}

export async function listEvaluationQuestions(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  query: PageQuery,
): Promise<Page<EvaluationQuestion>> {
  const principalFilter = await requirePrincipalFilter(deps, caller, workspaceId)
  const binding = ['evaluation questions', workspaceId, principalFilter ?? '', principal(caller)]
  const { rows, ...next } = await readPage(deps, {
    binding,
    page: query,
    select: (before: QuestionPosition | undefined, limit) =>
      selectQuestions(deps.db, workspaceId, { principal: principalFilter }, { before, limit }),
    positionOf: (row) => ({ at: row.position, id: row.id }),
  })
  return { data: rows.map((row) => asQuestion(row, caller)), ...next }
}

/** The id of a question. It is the same if the same principal saves the same question again. */
export const questionId = (
  workspaceId: string,
  question: { principal: string; query: string; documentId: string; chunkId: string | null },
): string => {
  const { principal, query, documentId, chunkId } = question
  return uuid5(workspaceId, JSON.stringify([principal, query, documentId, chunkId]))
}

/**
 * @throws ApiError 404 for the workspace; 422 for a document or passage that is not in it, or if the caller has
 * MAX_QUESTIONS_PER_PRINCIPAL questions
 */
export async function createEvaluationQuestion(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  { query, document_id: documentId, chunk_id: chunkId = null }: EvaluationQuestionCreate,
): Promise<EvaluationQuestion> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  if (!(await questionExists(deps.db, workspaceId, { documentId, chunkId })))
    throw invalid(
      ['body', chunkId === null ? 'document_id' : 'chunk_id'],
      'The workspace has no such passage',
    )
  const owner = principal(caller)
  const id = questionId(workspaceId, { principal: owner, query, documentId, chunkId })
  const question = { id, principal: owner, query, documentId, chunkId }
  const isStored = await deps.db.tx(async (tx) => {
    if (!(await lockWorkspaceForShare(tx, workspaceId))) throw notFound()
    return insertQuestion(tx, workspaceId, question, MAX_QUESTIONS_PER_PRINCIPAL)
  })
  if (!isStored)
    throw invalid(
      ['body', 'query'],
      `You have ${MAX_QUESTIONS_PER_PRINCIPAL} evaluation questions here; delete some first`,
    )
  const [row] = await selectQuestions(deps.db, workspaceId, { id }, { before: undefined, limit: 1 })
  if (!row) throw notFound()
  return asQuestion(row, caller)
}

/** @throws ApiError 404 unless the caller may see the question */
export async function deleteEvaluationQuestion(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  id: string,
): Promise<void> {
  const principalFilter = await requirePrincipalFilter(deps, caller, workspaceId)
  if (!(await removeQuestion(deps.db, workspaceId, id, principalFilter))) throw notFound()
}

const asQuestion = (row: QuestionRow, caller: Caller): EvaluationQuestion => ({
  id: row.id,
  query: row.query,
  document_id: row.document_id,
  document_title: row.document_title,
  chunk_id: row.chunk_id,
  own: row.principal === principal(caller),
  created_at: row.created_at.toISOString(),
})

/** The saved questions and the judged answers as lines of JSON. Saved questions whose document was deleted are left out. */
export async function exportEvaluationSet(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
): Promise<Bytes> {
  const principalFilter = await requirePrincipalFilter(deps, caller, workspaceId)
  const lines: string[] = []
  for await (const line of savedLines(deps, workspaceId, principalFilter)) lines.push(JSON.stringify(line))
  for await (const line of judgedLines(deps, workspaceId, principalFilter)) lines.push(JSON.stringify(line))
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  return {
    size: bytes.length,
    mediaType: 'application/x-ndjson',
    etag: createHash('sha256').update(bytes).digest('hex'),
    filename: 'evaluation-set.jsonl',
    read: (start, end) => Readable.from([bytes.subarray(start, end + 1)]),
    close: async () => {},
  }
}

const BATCH_ROWS = 100

async function* savedLines(
  { db }: Pick<Deps, 'db'>,
  workspaceId: string,
  principalFilter: string | undefined,
): AsyncGenerator<EvaluationLine> {
  for (let before: QuestionPosition | undefined; ; ) {
    const rows = await selectQuestions(
      db,
      workspaceId,
      { principal: principalFilter },
      { before, limit: BATCH_ROWS },
    )
    for (const row of rows) if (row.document_title !== null) yield asSavedLine(row)
    const last = rows.at(-1)
    if (!last || rows.length < BATCH_ROWS) return
    before = { at: last.position, id: last.id }
  }
}

// A shorter sentence, such as a heading or a label, may occur in many passages.
const MIN_FACT_CHARACTERS = 20

/**
 * The facts that a result must contain: the sentences of the passage, without short ones. They are sentences, because another
 * version of the document may be split into other passages. Empty for a table, because search shows only some of its rows.
 */
const factsOf = ({ type, text }: QuestionRow): string[] =>
  type === 'text' && text !== null
    ? sentences(text).flatMap((sentence) =>
        sentence.text.length >= MIN_FACT_CHARACTERS ? [sentence.text] : [],
      )
    : []

const asSavedLine = (row: QuestionRow): EvaluationLine => ({
  id: `saved-${row.id}`,
  text: row.query,
  documents: { [row.document_id]: 1 },
  pages: row.page === null ? [] : [{ document: row.document_id, page: row.page }],
  facts: factsOf(row),
  source: 'saved',
  created_at: row.created_at.toISOString(),
})

async function* judgedLines(
  { db }: Pick<Deps, 'db'>,
  workspaceId: string,
  principalFilter: string | undefined,
): AsyncGenerator<EvaluationLine> {
  for (let after: JudgedPosition | undefined; ; ) {
    const rows = await selectJudgedAnswers(db, workspaceId, principalFilter, { after, limit: BATCH_ROWS })
    const stateOf = await citedPassageStates(db, workspaceId, rows)
    for (const row of rows) yield asJudgedLine(row, stateOf)
    const last = rows.at(-1)
    if (!last || rows.length < BATCH_ROWS) return
    after = { threadId: last.thread_id, number: last.number }
  }
}

/**
 * A judged question, with the documents that the answer cites if it helped. A follow-up is rewritten so that it can be understood
 * alone, but only with words of the earlier questions. So it may lack a name that an earlier answer brought in.
 */
function asJudgedLine(
  row: JudgedAnswer,
  stateOf: Awaited<ReturnType<typeof citedPassageStates>>,
): EvaluationLine {
  const { thread_id, number, question, earlier, verdict, note, answer, citations } = row
  const turns = earlier.map((earlierQuestion) => ({ question: earlierQuestion, answer: '' }))
  const deletedNumbersOfRow = deletedNumbers(row, stateOf)
  const helped = verdict === 'helped'
  const cited = helped ? citations.map((citation) => ({ ...stateOf(citation), spans: citation.spans })) : []
  const pages = cited.flatMap(({ document, chunk }) =>
    document && chunk && chunk.page !== null ? [{ document: document.id, page: chunk.page }] : [],
  )
  return {
    id: `feedback-${thread_id}-${number}`,
    text: rewriteFollowUp(question, turns).text,
    documents: Object.fromEntries(cited.flatMap(({ document }) => (document ? [[document.id, 1]] : []))),
    pages: [...new Map(pages.map((page) => [JSON.stringify(page), page])).values()],
    facts: cited.flatMap(({ chunk, spans }) =>
      chunk?.type === 'text' ? spans.map(({ start, end }) => chunk.text.slice(start, end)) : [],
    ),
    // The right documents are unknown if the answer did not help or if one of them was deleted.
    ...(!helped || deletedNumbersOfRow.size > 0 ? { unjudged: true as const } : {}),
    source: 'feedback',
    verdict,
    note,
    reply: redactDeleted(answer, deletedNumbersOfRow),
    created_at: row.updated_at.toISOString(),
  }
}
