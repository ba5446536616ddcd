// Suggested questions (extension): up to three questions that the documents of a workspace answer. A background task makes them
// after somebody listed them and the documents had changed. They are the same for all members, because every member can read all
// documents.

import { canRead, requireWorkspace } from '../auth/access.ts'
import { type Caller, principal, SCOPES } from '../auth/caller.ts'
import type { SuggestedQuestions } from '../contract/conversations.ts'
import type { Deps } from '../ports/deps.ts'
import { span } from '../ports/trace/trace.ts'
import { type Handler, TaskLost } from '../work/handler.ts'
import { finishTask, PRIORITY, type Task } from '../work/queue.sql.ts'
import { candidateQuestions } from './suggestions/candidates.ts'
import { MAX_SUGGESTIONS, suggestQuestions } from './suggestions/suggest.ts'
import {
  queueSuggestions,
  type SourcePassage,
  type StoredQuestion,
  selectCurrentVersions,
  selectDocumentState,
  selectSourcePassages,
  selectSuggestions,
  upsertSuggestions,
} from './suggestions/suggestions.sql.ts'
import { bindTools } from './tools/tools.ts'

// Younger questions are not made again if their documents are unchanged. Otherwise an upload of many files would make them all the
// time.
const MIN_AGE_SECONDS = 600

/** The questions whose documents have not changed since they were made. `pending`: new ones are being made. @throws ApiError 404 */
export async function listSuggestedQuestions(
  { db, llm }: Pick<Deps, 'db'> & Partial<Pick<Deps, 'llm'>>,
  caller: Caller,
  workspaceId: string,
): Promise<SuggestedQuestions> {
  await requireWorkspace({ db }, caller, workspaceId, 'read')
  const state = await selectDocumentState(db, workspaceId)
  const stored = await selectSuggestions(db, workspaceId)
  const questions = stored?.questions ?? []
  const versions = await selectCurrentVersions(
    db,
    workspaceId,
    questions.map(({ document_id }) => document_id),
  )
  const currentQuestions = questions.filter(
    ({ document_id, version_id }) => versions.get(document_id) === version_id,
  )
  const isRecent =
    stored !== undefined && stored.age < MIN_AGE_SECONDS && currentQuestions.length === MAX_SUGGESTIONS
  const pending = state.documents > 0 && stored?.changes !== state.changes && !isRecent
  if (pending)
    await queueSuggestions(db, workspaceId, { accountId: caller.userId, priority: PRIORITY.background })
  return {
    data: currentQuestions.map(({ question, document_id }) => ({ question, document_id })),
    pending,
    answers: (await llm?.()) ? 'written' : 'quotations',
  }
}

export type SuggestionDeps = Pick<Deps, 'db' | 'log' | 'embedder'>

interface SuggestionTask extends Task {
  subject: Task['subject'] & { account_id: string }
}

export const suggestionsHandler: Handler<SuggestionDeps> = {
  run: (deps, task, signal) => makeSuggestions(deps, task as SuggestionTask, signal),
  giveUp: {
    write: async (tx, { workspace_id: workspaceId }) => {
      // The questions made before are kept. Those of changed documents are left out when they are listed.
      const { changes } = await selectDocumentState(tx, workspaceId)
      const questions = (await selectSuggestions(tx, workspaceId))?.questions ?? []
      await upsertSuggestions(tx, workspaceId, { changes, questions })
    },
  },
}

// How many of the newest documents, and how many passages of them, the questions are made from.
const SOURCES = { documents: 80, passages: 40 }

async function makeSuggestions(
  deps: SuggestionDeps,
  task: SuggestionTask,
  signal: AbortSignal,
): Promise<void> {
  const workspaceId = task.workspace_id
  // The task has the rights that the person who listed the questions has now. Without access nothing is read and nothing is stored.
  const { account_id: userId } = task.subject
  const reader: Caller = { auth: 'session', id: userId, userId, scopes: SCOPES }
  const questions = await span('ask: suggestions', {}, () => questionsOf(deps, reader, workspaceId, signal))
  await deps.db.tx(async (tx) => {
    if (!(await finishTask(tx, task))) throw new TaskLost()
    if (questions) await upsertSuggestions(tx, workspaceId, questions)
  })
}

async function questionsOf(
  deps: SuggestionDeps,
  reader: Caller,
  workspaceId: string,
  signal: AbortSignal,
): Promise<{ changes: number; questions: StoredQuestion[] } | undefined> {
  if (!(await canRead(deps.db, workspaceId, principal(reader)))) return undefined
  // The state is read before the passages, so that the questions count as outdated if a document changes meanwhile.
  const { changes } = await selectDocumentState(deps.db, workspaceId)
  const passages = await selectSourcePassages(deps.db, workspaceId, SOURCES)
  const versions = new Map(passages.map(({ document_id, version_id }) => [document_id, version_id]))
  const candidates = documentsOf(passages).flatMap(candidateQuestions)
  const tools = bindTools(deps, reader, workspaceId, { signal, outOfTime: () => false })
  const suggested = await suggestQuestions(tools, candidates, signal)
  deps.log.debug({ candidates: candidates.length, suggested: suggested.length }, 'questions suggested')
  return {
    changes,
    questions: suggested.map(({ question, passage: { document_id } }) => ({
      question,
      document_id,
      version_id: versions.get(document_id) ?? '',
    })),
  }
}

/** The passages of each document. */
const documentsOf = (passages: readonly SourcePassage[]): SourcePassage[][] => [
  ...passages
    .reduce(
      (documents, passage) =>
        documents.set(passage.document_id, [...(documents.get(passage.document_id) ?? []), passage]),
      new Map<string, SourcePassage[]>(),
    )
    .values(),
]
