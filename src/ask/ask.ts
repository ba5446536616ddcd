// POST /ask (spec, "AskRequest body"): checks the request, sends steps as they happen, then one answer.

import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import type { Answer, AskRequest, Step } from '../contract/resources.ts'
import { passageUrl } from '../documents/passage-url.ts'
import { ApiError, unavailable } from '../errors.ts'
import { analysedText } from '../language/analysed-text.ts'
import type { Deps } from '../ports/deps.ts'
import type { CurrentModel } from '../ports/llm/llm.ts'
import { span, spanOfSteps } from '../ports/trace/trace.ts'
import { meteredModel } from '../spending/metered-model.ts'
import { answerQuestion } from './agent.ts'
import { type Verified, verifyCitations } from './citations/verify.ts'
import { type CountedQuestion, countQuestion, uncountQuestion } from './rate-limit.ts'
import { addQuestionTokens } from './spending.sql.ts'
import { statedValueOf } from './threads/cited-passages.ts'
import { openThread, storeTurn, type Thread } from './threads/threads.ts'
import { bindTools, isTimeout, type PassageSpan, type Reply, unlessAborted } from './tools/tools.ts'

type Needs = Pick<Deps, 'db' | 'log' | 'settings' | 'embedder'> & Partial<Pick<Deps, 'llm' | 'use'>>

type AskEvent = { event: 'step'; data: Step } | { event: 'answer'; data: Answer }

/** The limits of one answer, in milliseconds from the start. */
export interface Limits {
  /** No new search starts after this; the answer is written from what was found. */
  searchMs: number
  /** The model is stopped and the passages found are quoted instead. */
  modelMs: number
  endMs: number
}

// An answer takes at most 120 s (spec, "Limits").
const LIMITS: Limits = { searchMs: 75_000, modelMs: 110_000, endMs: 118_000 }

/**
 * Answers a question.
 * @throws ApiError before the first event: 404 for the workspace or the thread, 429. Later: 404 if the caller lost access meanwhile, 502
 *   if the model fails and no fallback is allowed, 503 if nothing was found in time. The signal's reason if the caller disconnects.
 */
export async function* ask(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  request: AskRequest,
  options: { signal: AbortSignal; limits?: Limits },
): AsyncGenerator<AskEvent> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  yield* spanOfSteps('ask', {}, () => askNow(deps, caller, { workspaceId, request }, options))
}

async function* askNow(
  deps: Needs,
  caller: Caller,
  { workspaceId, request }: { workspaceId: string; request: AskRequest },
  options: { signal: AbortSignal; limits?: Limits },
): AsyncGenerator<AskEvent> {
  const asker = principal(caller)
  const thread = await openThread(deps, workspaceId, asker, request.thread_id)
  const countedQuestion = await countQuestion(deps, asker, async (tx) => {
    // The workspace may have been deleted while this request waited for the asker's other questions to be counted.
    await requireWorkspace({ db: tx }, caller, workspaceId, 'read')
    await record(tx, { action: 'question_asked', actor: actorOf(caller), workspaceIds: [workspaceId] })
  })
  try {
    yield* answerEvents(deps, caller, { thread, question: request.question }, options)
  } catch (error) {
    if (isOurFault(error, options.signal)) await uncount(deps, countedQuestion)
    throw error
  }
}

async function* answerEvents(
  deps: Needs,
  caller: Caller,
  { thread, question }: { thread: Thread; question: string },
  { signal: callerSignal, limits = LIMITS }: { signal: AbortSignal; limits?: Limits },
): AsyncGenerator<AskEvent> {
  const started = performance.now()
  const elapsed = (): number => Math.round(performance.now() - started)
  const signal = AbortSignal.any([callerSignal, AbortSignal.timeout(limits.endMs)])
  const modelSignal = AbortSignal.any([callerSignal, AbortSignal.timeout(limits.modelMs)])
  // Sent before any work, so that a reader sees progress within milliseconds.
  yield {
    event: 'step',
    data: { type: 'think', label: 'Reading the question', index: 0, elapsed_ms: elapsed() },
  }
  const tools = bindTools(deps, caller, thread.workspaceId, {
    signal,
    outOfTime: () => elapsed() > limits.searchMs,
  })
  const conversation = { question: analysedText(question), turns: thread.turns }
  const agent = answerQuestion({ ...deps, llm: modelFor(deps, caller) }, tools, conversation, modelSignal)
  let reply: Reply | undefined
  for (let index = 1; !reply; index++) {
    const next = await agent.next().catch(asUnavailable)
    callerSignal.throwIfAborted()
    if (next.done) reply = next.value
    else {
      if (next.value.tokens) await addQuestionTokens(deps.db, thread.workspaceId, next.value.tokens)
      yield { event: 'step', data: { ...next.value, index, elapsed_ms: elapsed() } }
    }
  }
  const { markdown, passages, note } = reply
  const citedReply = reply.verified ?? span('ask: citations', {}, () => verifyCitations(markdown, passages))
  const verified = withValue(
    note ? { ...citedReply, answer: `${citedReply.answer}\n\n${note}` } : citedReply,
    reply.value,
  )
  await span('ask: store', {}, () =>
    unlessAborted(callerSignal, () => storeAnswer(deps, caller, { thread, question }, verified)),
  )
  const { answer, citations, stored, unsupported } = verified
  deps.log.info(
    { elapsed_ms: elapsed(), citations: citations.length, unsupported, ...reply.logFields },
    'question answered',
  )
  deps.use?.cited(
    thread.workspaceId,
    citations.flatMap(({ document_id }) => document_id ?? []),
  )
  const citationsWithUrl = citations.map((citation) => ({
    ...citation,
    source_url: passageUrl(deps, thread.workspaceId, citation),
  }))
  const value = statedValueOf(
    stored,
    ({ chunk_id }) => passages.find((passage) => passage.chunk_id === chunk_id)?.text,
  )
  yield {
    event: 'answer',
    data: { thread_id: thread.id, answer, citations: citationsWithUrl, ...(value && { value }) },
  }
}

/** The answer with the value stored at the citation of its passage. */
const withValue = (verified: Verified, value: PassageSpan | undefined): Verified =>
  value
    ? {
        ...verified,
        stored: verified.stored.map((citation) =>
          citation.chunk_id === value.passage.chunk_id
            ? { ...citation, value: { start: value.start, end: value.end } }
            : citation,
        ),
      }
    : verified

/** The model. Its tokens are counted for the person, also if the request comes with an API key. */
const modelFor =
  (deps: Needs, { userId }: Caller): CurrentModel =>
  async () => {
    const llm = await deps.llm?.()
    return llm && meteredModel(deps, llm, userId)
  }

/** Checks access one last time and stores the turn. */
async function storeAnswer(
  deps: Needs,
  caller: Caller,
  { thread, question }: { thread: Thread; question: string },
  answer: Verified,
): Promise<void> {
  await requireWorkspace(deps, caller, thread.workspaceId, 'read')
  await storeTurn(deps, thread, question, answer)
}

function asUnavailable(error: unknown): never {
  if (isTimeout(error)) {
    throw unavailable(
      'Finding an answer took too long. Ask again in a moment, or ask for less at once.',
      5,
      error,
    )
  }
  throw error
}

/** Whether a failure is Kenning's. It does not count towards the hourly limit; disconnecting or losing access does. */
const isOurFault = (error: unknown, callerSignal: AbortSignal): boolean =>
  !callerSignal.aborted && !(error instanceof ApiError && error.status < 500)

async function uncount(deps: Needs, countedQuestion: CountedQuestion): Promise<void> {
  try {
    await uncountQuestion(deps, countedQuestion)
  } catch (error) {
    deps.log.warn({ error: String(error) }, 'a failed question could not be removed from the hourly count')
  }
}
