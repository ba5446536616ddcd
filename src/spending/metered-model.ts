// A language model whose calls are counted for a person. If a limit of the month is reached, the model is not called. The most
// tokens that a call may use are reserved before it is sent, so that calls which run at the same time count too. Only the last call
// that begins below a limit can exceed it.

import { randomUUID } from 'node:crypto'
import type { SpendingLimits } from '../contract/spending.ts'
import type { Deps } from '../ports/deps.ts'
import type { BegunAnswer } from '../ports/llm/conversation.ts'
import type { ChatModel } from '../ports/llm/llm.ts'
import { estimateTokens } from '../ports/llm/tokens.ts'
import { type Amount, amountOf, type ReportedUsage, sumOf, usageOfReply, usageOfTurn } from './amounts.ts'
import {
  addSpending,
  type Call,
  deleteCall,
  insertCall,
  lockLimitsFor,
  NOBODY,
  type Spending,
  type Sums,
  selectLimitsFor,
  selectSums,
} from './spending.sql.ts'

export type LimitScope = 'service' | 'person'

/** The monthly limit is reached, so the model was not called. */
export class LimitReached extends Error {
  readonly scope: LimitScope
  constructor(scope: LimitScope) {
    super(`the monthly limit of the ${scope} for the language model is reached`)
    this.name = 'LimitReached'
    this.scope = scope
  }
}

type MeterDeps = Pick<Deps, 'db'>

/** The model for calls that no person asks for, such as those for the graph. */
export const modelOfNobody = (deps: MeterDeps, llm: ChatModel): ChatModel => meteredModel(deps, llm, NOBODY)

// Longer than any call: a completion has three attempts of a minute with pauses between them, and an answer ends after two minutes.
const MAX_CALL_SECONDS = 900

interface Request {
  /** The prompt, from which its tokens are estimated. */
  content: unknown
  maxTokens: number
  signal: AbortSignal | undefined
}

type OnAnswer = (answer: BegunAnswer) => void

/**
 * @param accountId the person who asks; NOBODY for the graph, whose calls do not count as questions
 * @returns a model whose calls throw LimitReached when a limit is reached
 */
export function meteredModel(deps: MeterDeps, llm: ChatModel, accountId: string): ChatModel {
  // All calls of one metered model belong to the same question, so the first of them counts as a question.
  let questionsToCount = accountId === NOBODY ? 0 : 1
  const runCounted = async <Result>(
    { content, maxTokens, signal }: Request,
    send: (onAnswer: OnAnswer) => Promise<Result>,
    usageOf: (result: Result) => ReportedUsage,
  ): Promise<Result> => {
    signal?.throwIfAborted()
    let estimate: number | undefined
    const estimatedPrompt = (): number => (estimate ??= estimateTokens(JSON.stringify(content)))
    const call = { accountId, model: llm.model }
    const maxAmount = (): Amount => ({
      prompt: estimatedPrompt(),
      answer: maxTokens,
      estimated: estimatedPrompt() + maxTokens,
    })
    const id = await beginCall(deps, accountId, () => ({ ...call, ...maxAmount() }))
    const settle = async (amounts: readonly Amount[]): Promise<void> => {
      const questionCount = questionsToCount
      questionsToCount = 0
      await endCall(deps, id, { ...call, ...sumOf(amounts), questions: questionCount })
    }
    const answers: BegunAnswer[] = []
    // The model's reasoning is not visible, so an answer that did not finish counts with the most tokens that it may have used.
    const amountsWithoutResult = (begun: readonly BegunAnswer[]): Amount[] =>
      begun.map(({ usage, hasFinished }) =>
        hasFinished && usage?.total !== undefined
          ? amountOf({ total: usage.total, prompt: usage.prompt, text: '' }, estimatedPrompt)
          : maxAmount(),
      )
    let result: Result
    try {
      result = await send((answer) => answers.push(answer))
    } catch (error) {
      // A call that is aborted before its answer begins may have used tokens for reasoning. One that failed without an answer is
      // free.
      const isAbortedEarly = answers.length === 0 && signal?.aborted
      const amounts = isAbortedEarly ? [maxAmount()] : amountsWithoutResult(answers)
      if (amounts.length > 0) await settle(amounts)
      else if (id !== undefined) await deleteCall(deps.db, id)
      throw error
    }
    await settle([...amountsWithoutResult(answers.slice(0, -1)), amountOf(usageOf(result), estimatedPrompt)])
    return result
  }
  return {
    model: llm.model,
    context: {
      window: async (signal) => {
        // This request can make the server load the model, so the limits are checked before it too.
        await requireWithinLimits(deps, accountId)
        return llm.context.window(signal)
      },
      limit: (tokens, drops) => llm.context.limit(tokens, drops),
      suspect: (size) => llm.context.suspect(size),
      learn: (size) => llm.context.learn(size),
    },
    complete: (request, signal, onAnswer) => {
      const { system, user, schema, maxTokens } = request
      return runCounted(
        { content: [system, user, schema], maxTokens, signal },
        (onOwnAnswer) => llm.complete(request, signal, callBoth(onOwnAnswer, onAnswer)),
        usageOfReply,
      )
    },
    converse: (conversation, signal, onText, onAnswer) => {
      const { messages, tools, maxTokens } = conversation
      return runCounted(
        { content: [messages, tools], maxTokens, signal },
        (onOwnAnswer) => llm.converse(conversation, signal, onText, callBoth(onOwnAnswer, onAnswer)),
        usageOfTurn,
      )
    },
  }
}

const callBoth =
  (first: OnAnswer, second: OnAnswer | undefined): OnAnswer =>
  (answer) => {
    first(answer)
    second?.(answer)
  }

const hasLimit = (limits: SpendingLimits | undefined): limits is SpendingLimits =>
  limits !== undefined &&
  [limits.service_tokens, limits.service_cost, limits.person_tokens, limits.person_cost].some(
    (limit) => limit !== null,
  )

const isReached = (limit: number | null, sum: number): boolean => limit !== null && sum >= limit

/** @throws LimitReached */
function requireBelow(limits: SpendingLimits, sums: Sums, accountId: string): void {
  const scope = reachedLimit(limits, sums, accountId !== NOBODY)
  if (scope) throw new LimitReached(scope)
}

async function requireWithinLimits({ db }: MeterDeps, accountId: string): Promise<void> {
  const limits = await selectLimitsFor(db, accountId)
  if (hasLimit(limits)) requireBelow(limits, await selectSums(db, accountId), accountId)
}

/**
 * Reserves the most tokens that the call may use. Calls that begin at the same time reserve one after the other, so that each counts
 * the reservations before it.
 * @returns the id of the reservation; undefined if there is no limit
 * @throws LimitReached
 */
async function beginCall(
  { db }: MeterDeps,
  accountId: string,
  callOf: () => Call,
): Promise<string | undefined> {
  if (!hasLimit(await selectLimitsFor(db, accountId))) return undefined
  const call = callOf()
  return db.tx(async (tx) => {
    const limits = await lockLimitsFor(tx, accountId)
    if (!hasLimit(limits)) return undefined
    requireBelow(limits, await selectSums(tx, accountId), accountId)
    const id = randomUUID()
    await insertCall(tx, id, call, MAX_CALL_SECONDS)
    return id
  })
}

/** Replaces the reservation by the tokens that the call used. */
const endCall = ({ db }: MeterDeps, id: string | undefined, spending: Spending): Promise<void> =>
  id === undefined
    ? addSpending(db, spending)
    : db.tx(async (tx) => {
        await deleteCall(tx, id)
        await addSpending(tx, spending)
      })

/** Which limit is reached. Undefined if none is. A pure function. */
export function reachedLimit(limits: SpendingLimits, sums: Sums, isPerson: boolean): LimitScope | undefined {
  if (
    isReached(limits.service_tokens, sums.service_tokens) ||
    isReached(limits.service_cost, sums.service_cost)
  )
    return 'service'
  if (!isPerson) return undefined
  return isReached(limits.person_tokens, sums.person_tokens) ||
    isReached(limits.person_cost, sums.person_cost)
    ? 'person'
    : undefined
}
