// Answers a question from the documents, with citations. Each step is sent as a progress notification.

import { z } from 'zod'
import { ask } from '../../ask/ask.ts'
import { text } from '../../contract/fields.ts'
import type { Answer, Citation, Step } from '../../contract/resources.ts'
import { ApiError } from '../../errors.ts'
import { countFitting, cutText, tokensOf } from '../budget.ts'
import { label, workspace } from '../fields.ts'
import { documentUrl } from '../links.ts'
import { searchWorkspaces } from '../search-workspaces.ts'
import { defineTool, READS, type Session } from '../tool.ts'
import { objectNamed, type ReadableWorkspace, workspacesFor } from '../workspaces.ts'

// If the best passages are in several workspaces, these are tried one after the other until one gives an answer.
const MAX_TRIED_WORKSPACES = 3
const MAX_PASSAGES = 10
const MAX_ANSWER_TOKENS = 4000
const MAX_QUOTE_TOKENS = 300
// A query is at most 2,000 characters; the beginning of a question says what it is about.
const MAX_QUERY = 2000

export const askTool = defineTool({
  name: 'ask',
  title: 'Ask',
  description: 'Answer a question from the documents, with citations. thread_id continues a conversation.',
  ability: 'read',
  hints: READS,
  input: z.object({ question: text(1, 8000), workspace, thread_id: text(1, 100).optional() }),
  output: z.object({
    answer: z.string(),
    citations: z.array(
      z.object({
        number: z.int(),
        title: z.string(),
        page: z.int().optional(),
        text: z.string(),
        url: z.string(),
      }),
    ),
    workspace: label,
    thread_id: z.string(),
  }),
  run: async (session, { question, workspace: idOrName, thread_id: thread }) => {
    const workspaces = thread
      ? [await workspaceOfThread(session, thread, idOrName)]
      : await workspacesToAsk(session, question, idOrName)
    let bestAnswer: { answer: Answer; workspace: ReadableWorkspace } | undefined
    for (const workspace of workspaces) {
      const answer = await answerIn(session, workspace, question, thread)
      // An answer without a citation says that nothing was found: the first one says it best.
      if (!bestAnswer || answer.citations.length > 0) bestAnswer = { answer, workspace }
      if (answer.citations.length > 0) break
    }
    if (!bestAnswer) throw new ApiError(404, 'not_found', 'There are no documents yet that you can read.')
    return toOutput(session, bestAnswer.workspace, bestAnswer.answer)
  },
})

async function workspaceOfThread(
  { deps, caller }: Session,
  id: string,
  idOrName: string | undefined,
): Promise<ReadableWorkspace> {
  return (await objectNamed(deps, caller, { kind: 'thread', id, idOrName })).workspace
}

/** The named workspace, the only one, or those of the best passages. */
async function workspacesToAsk(
  session: Session,
  question: string,
  idOrName: string | undefined,
): Promise<ReadableWorkspace[]> {
  const { workspaces } = await workspacesFor(session.deps, session.caller, idOrName)
  if (workspaces.length < 2) return workspaces
  await session.progress('Looking in which workspace to answer')
  const query = question.slice(0, MAX_QUERY).toWellFormed()
  const { passages } = await searchWorkspaces(session, { query, workspace: idOrName })
  const best = passages.slice(0, MAX_PASSAGES)
  const ids = [...new Set(best.map(({ workspaceId }) => workspaceId))].slice(0, MAX_TRIED_WORKSPACES)
  const withPassages = ids.flatMap((id) => workspaces.find((workspace) => workspace.id === id) ?? [])
  return withPassages.length > 0 ? withPassages : workspaces.slice(0, 1)
}

async function answerIn(
  { depsOf, caller, signal, progress, requireStillAllowed }: Session,
  workspace: ReadableWorkspace,
  question: string,
  thread: string | undefined,
): Promise<Answer> {
  const request = { question, stream: true, ...(thread === undefined ? {} : { thread_id: thread }) }
  let label = ''
  for await (const { event, data } of ask(depsOf(workspace.id), caller, workspace.id, request, { signal })) {
    await requireStillAllowed()
    if (event === 'answer') return data
    // Each sentence of the answer is a step with the same label.
    if (label !== labelOf(data)) await progress(labelOf(data))
    label = labelOf(data)
  }
  throw new Error('the answer ended without its last event')
}

const labelOf = ({ label, query }: Step): string =>
  query === undefined ? label : `${label}: ${query.slice(0, 200)}`

function toOutput(
  { deps }: Session,
  workspace: ReadableWorkspace,
  { answer, value, citations, thread_id }: Answer,
) {
  // In the answer, because another field would have to be described in each list of tools.
  const valueLine = value ? `**${value.text}** [${value.citation}]\n\n` : ''
  const text = cutText(`${valueLine}${answer}`, MAX_ANSWER_TOKENS)
  const allCitations = citations.map((citation) => citationOutput(deps.settings, citation))
  const fittingCitations = allCitations.slice(0, countFitting(allCitations, tokensOf(JSON.stringify(text))))
  return { answer: text, citations: fittingCitations, ...workspace.label, thread_id }
}

function citationOutput(settings: { siteUrl: string }, citation: Citation) {
  const { number, document_title: title, page, text, document_id: document, chunk_id: chunk } = citation
  return {
    number,
    title: cutText(title ?? '', 100),
    ...(page == null ? {} : { page }),
    text: cutText(text, MAX_QUOTE_TOKENS),
    url: documentUrl(settings, document ?? '', chunk),
  }
}
