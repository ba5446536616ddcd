// Chooses the agent that answers: the language model if one is configured, else the extractive agent. The extractive agent also
// answers if the model fails or its time is up.

import { ApiError } from '../errors.ts'
import { type AnalysedText, analysedText } from '../language/analysed-text.ts'
import type { Deps } from '../ports/deps.ts'
import { OutboundFailed } from '../ports/outbound/outbound.ts'
import { LimitReached, type LimitScope } from '../spending/metered-model.ts'
import { secondsOfMonthLeft } from '../spending/spending.sql.ts'
import { answerLanguage } from './answer-language.ts'
import { answerByExtraction } from './extractive/agent.ts'
import { WORDING } from './extractive/wording.ts'
import { answerByModel, UnusableAnswer } from './model/agent.ts'
import { type AgentRun, newRun } from './model/run.ts'
import { withdrawText } from './model/writing.ts'
import { rewriteFollowUp } from './threads/follow-up.ts'
import type { EarlierTurn } from './threads/threads.ts'
import { isTimeout, type Reply, type StepReport, type Tools } from './tools/tools.ts'

type Needs = Pick<Deps, 'db' | 'log' | 'settings'> & Partial<Pick<Deps, 'llm'>>

/**
 * Yields steps as they happen and returns the reply. `modelSignal` stops the model only.
 * @throws ApiError if KENNING_LLM_FALLBACK is none: 502 if the model fails, 429 if a limit of the month is reached. Else only what the
 *   tools throw.
 */
export async function* answerQuestion(
  deps: Needs,
  tools: Tools,
  conversation: { question: string | AnalysedText; turns: readonly EarlierTurn[] },
  modelSignal: AbortSignal,
): AsyncGenerator<StepReport, Reply> {
  const { turns } = conversation
  const message = analysedText(conversation.question)
  const { text, question, ...context } = rewriteFollowUp(message, turns)
  const extraction = { question: message.part(question), ...context }
  const llm = await deps.llm?.()
  if (!llm) return yield* reportTokens(answerByExtraction(tools, extraction), 0)
  const run = newRun()
  let limit: LimitScope | undefined
  try {
    const agent = { llm, tools, run, signal: modelSignal }
    const reply = yield* answerByModel(agent, {
      question: message.text,
      turns,
      standalone: message.part(text),
    })
    yield { type: 'answer', label: 'Checking the citations', ...tokensOf(run.tokens) }
    const wording = WORDING[answerLanguage(message)]
    const leftOut = reply.verified?.unsupported ?? 0
    const notes = [...run.shortcomings].map((shortcoming) => wording[shortcoming])
    const note = [...(leftOut > 0 ? [wording.leftOut(leftOut)] : []), ...notes].join(' ')
    return note ? { ...reply, note } : reply
  } catch (error) {
    if (error instanceof LimitReached) limit = error.scope
    else if (!isModelFailure(error, modelSignal)) throw error
    const passages = run.context.passages.length
    if (limit) deps.log.info({ limit, passages }, 'a monthly limit keeps the language model from answering')
    else deps.log.warn({ error: String(error), passages }, 'the language model gave no answer')
    if (deps.settings.llmFallback === 'none') throw limit ? await limitError(deps, limit) : modelError(error)
  }
  const label = limit
    ? 'The language model may not be used any more this month: quoting the documents instead'
    : 'The language model gave no answer: quoting the documents instead'
  if (run.writing.shown) yield* withdrawText(run, label)
  else yield { type: 'think', label }
  const available = tools.outOfTime() ? fromContext(tools, run) : tools
  const reply = yield* reportTokens(answerByExtraction(available, extraction), run.tokens)
  // A reader of the answer does not see the steps, and should know that the answer is not the model's.
  const { noModel, limitReached } = WORDING[answerLanguage(message)]
  return { ...reply, markdown: `${limit ? limitReached[limit] : noModel}\n\n${reply.markdown}` }
}

const modelError = (cause: unknown): ApiError =>
  new ApiError(502, 'agent_error', 'The language model gave no usable answer. Ask again in a moment.', {
    cause,
  })

/** The error for a reached limit, with the time until the next month. */
async function limitError({ db }: Pick<Deps, 'db'>, limit: LimitScope): Promise<ApiError> {
  const whose = limit === 'service' ? 'The monthly limit of this service' : 'Your monthly limit'
  const message = `${whose} for the language model is reached. Administrators can raise it; otherwise it begins anew next month.`
  return new ApiError(429, 'rate_limited', message, { retryAfter: await secondsOfMonthLeft(db) })
}

/** The agent's steps. The step that writes the answer gets the number of tokens that the model used. */
async function* reportTokens(
  agent: AsyncGenerator<StepReport, Reply>,
  tokens: number | undefined,
): AsyncGenerator<StepReport, Reply> {
  for (;;) {
    const next = await agent.next()
    if (next.done) return next.value
    yield next.value.type === 'answer' ? { ...next.value, ...tokensOf(tokens) } : next.value
  }
}

const tokensOf = (tokens: number | undefined): Pick<StepReport, 'tokens'> =>
  tokens === undefined ? {} : { tokens }

const isModelFailure = (error: unknown, modelSignal: AbortSignal): boolean =>
  error instanceof OutboundFailed ||
  error instanceof UnusableAnswer ||
  (modelSignal.aborted && error === modelSignal.reason && isTimeout(error))

/** The tools without a real search, if no time is left: search returns the passages that the model was shown, in their order. */
const fromContext = (tools: Tools, { context }: AgentRun): Tools =>
  context.passages.length === 0
    ? tools
    : {
        ...tools,
        search: async () => [...context.passages],
      }
