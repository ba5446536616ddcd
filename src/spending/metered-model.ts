// A language model whose calls are counted for a person, and are refused when a monthly limit is reached. Before a call is sent, the
// most tokens that it may use are reserved. So calls that run at the same time count, too, and only the last call before a limit
// can exceed it.

import { randomUUID } from 'node:crypto'
import type { SpendingLimits } from '../contract/spending.ts'
import type { Deps } from '../ports/deps.ts'
import type { ChatModel } from '../ports/llm/llm.ts'
import { estimateTokens } from '../ports/llm/tokens.ts'
import {
  addSpending,
  type Call,
  deleteCall,
  insertCall,
  lockLimits,
  NOBODY,
  type Spending,
  type Sums,
  selectLimits,
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

type Needs = Pick<Deps, 'db'>

/** The model for calls that no person asks for, such as those for the graph. */
export const modelOfNobody = (deps: Needs, llm: ChatModel): ChatModel => meteredModel(deps, llm, NOBODY)

// This is longer than any call: a completion has three attempts of a minute with pauses between them, and an answer ends after two
// minutes.
const MAX_CALL_SECONDS = 900

/** The tokens that one call used, as far as they are known. */
interface Use {
  /** Tokens of prompt and answer as the server reports them. */
  total: number | undefined
  prompt: number | undefined
  /** The text of the answer. Its tokens are estimated if the server reports none. */
  text: string
}

interface Request {
  /** The prompt, from which its tokens are estimated. */
  content: unknown
  maxTokens: number
}

/**
 * @param accountId the person who asks; NOBODY for the graph, whose calls do not count as questions
 * @returns a model whose calls throw LimitReached when a limit is reached
 */
export function meteredModel(deps: Needs, llm: ChatModel, accountId: string): ChatModel {
  // All calls of one metered model belong to the same question, so the first of them counts as a question.
  let questionsToCount = accountId === NOBODY ? 0 : 1
  const run = async <Result>(
    request: Request,
    send: () => Promise<Result>,
    read: { useOf: (result: Result) => Use; textSoFar: () => string; signal: AbortSignal | undefined },
  ): Promise<Result> => {
    let estimate: number | undefined
    const estimatedPrompt = (): number => (estimate ??= estimateTokens(JSON.stringify(request.content)))
    const call = { accountId, model: llm.model }
    const id = await beginCall(deps, accountId, () => ({
      ...call,
      prompt: estimatedPrompt(),
      answer: request.maxTokens,
    }))
    const settle = async (use: Use): Promise<void> => {
      const questionCount = questionsToCount
      questionsToCount = 0
      await endCall(deps, id, { ...call, ...tokensOf(use, estimatedPrompt), questions: questionCount })
    }
    try {
      const result = await send()
      await settle(read.useOf(result))
      return result
    } catch (error) {
      // A call that was stopped, or whose answer has begun, is assumed to cost money. Any other call without an answer is not.
      const text = read.textSoFar()
      if (text || read.signal?.aborted) await settle({ total: undefined, prompt: undefined, text })
      else if (id !== undefined) await deleteCall(deps.db, id)
      throw error
    }
  }
  return {
    model: llm.model,
    context: {
      window: async (signal) => {
        // The request for the length of the context can make the server load the model.
        await requireWithinLimits(deps, accountId)
        return llm.context.window(signal)
      },
      limit: (tokens, drops) => llm.context.limit(tokens, drops),
      suspect: (size) => llm.context.suspect(size),
      learn: (size) => llm.context.learn(size),
    },
    complete: (request, signal) => {
      const { system, user, schema, maxTokens } = request
      return run({ content: [system, user, schema], maxTokens }, () => llm.complete(request, signal), {
        useOf: ({ tokens, promptTokens, text }) => ({ total: tokens, prompt: promptTokens, text }),
        textSoFar: () => '',
        signal,
      })
    },
    converse: (conversation, signal, onText) => {
      const { messages, tools, maxTokens } = conversation
      let textSoFar = ''
      const noteText = (text: string): void => {
        textSoFar = text
        onText?.(text)
      }
      return run(
        { content: [messages, tools], maxTokens },
        () => llm.converse(conversation, signal, noteText),
        {
          useOf: ({ tokens, prompt, text, calls }) => ({
            total: tokens,
            prompt: prompt.counted,
            text: calls.length > 0 ? `${text}${JSON.stringify(calls)}` : text,
          }),
          textSoFar: () => textSoFar,
          signal,
        },
      )
    },
  }
}

/** The tokens of prompt and answer, and how many of them are estimates. */
function tokensOf(
  { total, prompt, text }: Use,
  estimatedPrompt: () => number,
): { prompt: number; answer: number; estimated: number } {
  if (total !== undefined) {
    const promptTokens = Math.min(total, prompt ?? estimatedPrompt())
    return { prompt: promptTokens, answer: total - promptTokens, estimated: 0 }
  }
  const answer = estimateTokens(text)
  return prompt === undefined
    ? { prompt: estimatedPrompt(), answer, estimated: estimatedPrompt() + answer }
    : { prompt, answer, estimated: answer }
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

async function requireWithinLimits({ db }: Needs, accountId: string): Promise<void> {
  const limits = await selectLimits(db)
  if (hasLimit(limits)) requireBelow(limits, await selectSums(db, accountId), accountId)
}

/**
 * Reserves the most tokens that the call may use. Calls that begin at the same time reserve one after the other, so that each counts
 * the reservations before it.
 * @returns the id of the reservation; undefined if there is no limit
 * @throws LimitReached
 */
async function beginCall({ db }: Needs, accountId: string, callOf: () => Call): Promise<string | undefined> {
  if (!hasLimit(await selectLimits(db))) return undefined
  const call = callOf()
  return db.tx(async (tx) => {
    const limits = await lockLimits(tx)
    if (!hasLimit(limits)) return undefined
    requireBelow(limits, await selectSums(tx, accountId), accountId)
    const id = randomUUID()
    await insertCall(tx, id, call, MAX_CALL_SECONDS)
    return id
  })
}

/** Replaces the reservation by the tokens that the call used. */
const endCall = ({ db }: Needs, id: string | undefined, spending: Spending): Promise<void> =>
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
