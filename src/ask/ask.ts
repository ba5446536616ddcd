// POST /ask (spec, "AskRequest body"): checks in their order, then steps as they happen, then one answer.

import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import type { Answer, AskRequest, Step } from '../contract/resources.ts'
import { ApiError, unavailable } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { answerQuestion } from './agent.ts'
import { type Verified, verifyCitations } from './citations/verify.ts'
import { giveBack, type Seat, takeSeat } from './rate-limit.ts'
import { openThread, storeTurn, type Thread } from './threads/threads.ts'
import { bindTools, type Reply, unlessAborted } from './tools/tools.ts'

type Needs = Pick<Deps, 'db' | 'log' | 'settings' | 'embedder'> & Partial<Pick<Deps, 'llm'>>

export type AskEvent = { event: 'step'; data: Step } | { event: 'answer'; data: Answer }

/** Milliseconds from the start. */
export interface Limits {
  /** Looking ends, answering begins. */
  lateMs: number
  /** A model is no longer waited for: the passages found are quoted. */
  modelMs: number
  endMs: number
}

// An answer takes at most 120 s (spec, "Limits").
const LIMITS: Limits = { lateMs: 75_000, modelMs: 110_000, endMs: 118_000 }

/**
 * Answers a question. All refusals come before the first event: 404 for the workspace, 404 for the thread, 429.
 * @throws ApiError as above; later 404 when access is lost meanwhile, 502 when the model fails
 *   and nothing may answer in its place; 503 when nothing was found in time;
 *   the signal's reason when the caller leaves.
 */
export async function* ask(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  request: AskRequest,
  options: { signal: AbortSignal; limits?: Limits },
): AsyncGenerator<AskEvent> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const asker = principal(caller)
  const thread = await openThread(deps, workspaceId, asker, request.thread_id)
  const seat = await takeSeat(deps, asker, async (tx) => {
    // It may have been deleted while others of the asker's questions were counted.
    await requireWorkspace({ db: tx }, caller, workspaceId, 'read')
    await record(tx, { action: 'question_asked', actor: actorOf(caller), workspaceIds: [workspaceId] })
  })
  try {
    yield* work(deps, caller, thread, request.question, options)
  } catch (error) {
    if (isOurFault(error, options.signal)) await refund(deps, seat)
    throw error
  }
}

async function* work(
  deps: Needs,
  caller: Caller,
  thread: Thread,
  question: string,
  { signal: left, limits = LIMITS }: { signal: AbortSignal; limits?: Limits },
): AsyncGenerator<AskEvent> {
  const started = performance.now()
  const elapsed = (): number => Math.round(performance.now() - started)
  const signal = AbortSignal.any([left, AbortSignal.timeout(limits.endMs)])
  const modelSignal = AbortSignal.any([left, AbortSignal.timeout(limits.modelMs)])
  // Before anything is looked for: a reader sees within milliseconds that somebody is at it.
  yield {
    event: 'step',
    data: { type: 'think', label: 'Reading the question', index: 0, elapsed_ms: elapsed() },
  }
  const tools = bindTools(deps, caller, thread.workspaceId, { signal, late: () => elapsed() > limits.lateMs })
  const mind = answerQuestion(deps, tools, { question, turns: thread.turns }, modelSignal)
  let reply: Reply | undefined
  for (let index = 1; !reply; index++) {
    const next = await mind.next().catch(asUnavailable)
    left.throwIfAborted()
    if (next.done) reply = next.value
    else yield { event: 'step', data: { ...next.value, index, elapsed_ms: elapsed() } }
  }
  const verified = verifyCitations(reply.markdown, reply.seen, reply)
  await unlessAborted(left, () => finish(deps, caller, thread, question, verified))
  const { answer, citations, unsupported } = verified
  deps.log.info(
    { elapsed_ms: elapsed(), citations: citations.length, unsupported, ...reply.judgement },
    'question answered',
  )
  yield { event: 'answer', data: { thread_id: thread.id, answer, citations } }
}

/** Looks at access one last time and keeps the turn. */
async function finish(
  deps: Needs,
  caller: Caller,
  thread: Thread,
  question: string,
  answer: Verified,
): Promise<void> {
  await requireWorkspace(deps, caller, thread.workspaceId, 'read')
  await storeTurn(deps, thread, question, answer)
}

function asUnavailable(error: unknown): never {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    throw unavailable(
      'Finding an answer took too long. Ask again in a moment, or ask for less at once.',
      5,
      error,
    )
  }
  throw error
}

/** A failure on our side is not counted; a caller who leaves, or lost access, is. */
const isOurFault = (error: unknown, left: AbortSignal): boolean =>
  !left.aborted && !(error instanceof ApiError && error.status < 500)

async function refund(deps: Needs, seat: Seat): Promise<void> {
  try {
    await giveBack(deps, seat)
  } catch (error) {
    deps.log.warn({ error: String(error) }, 'a failed question could not be taken off the hourly count')
  }
}
