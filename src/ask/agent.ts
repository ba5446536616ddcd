// Which mind answers: the model where one is configured, the extractive one without it, after it fails, and when its time
// is over.

import { ApiError } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { OutboundFailed } from '../ports/outbound/outbound.ts'
import { answerByExtract } from './extractive/agent.ts'
import { answerByModel, newRun, type Run, UnusableAnswer } from './model/agent.ts'
import { standalone } from './threads/follow-up.ts'
import type { EarlierTurn } from './threads/threads.ts'
import type { Reply, StepReport, Tools } from './tools/tools.ts'

type Needs = Pick<Deps, 'log' | 'settings'> & Partial<Pick<Deps, 'llm'>>

/**
 * Steps as they happen, then the reply. `modelSignal` ends the model alone.
 * @throws ApiError 502 when the model fails and KENNING_LLM_FALLBACK is none; what tools throw
 */
export async function* answerQuestion(
  deps: Needs,
  tools: Tools,
  asked: { question: string; turns: readonly EarlierTurn[] },
  modelSignal: AbortSignal,
): AsyncGenerator<StepReport, Reply> {
  const { text, topic } = standalone(asked.question, asked.turns)
  const extract = { question: asked.question, topic }
  if (!deps.llm) return yield* withTokens(answerByExtract(tools, extract), 0)
  const run = newRun()
  try {
    const bound = { llm: deps.llm, tools, run, signal: modelSignal }
    const reply = yield* answerByModel(bound, { ...asked, standalone: text })
    yield { type: 'answer', label: 'Checking the citations', ...tokensOf(run.tokens) }
    return reply
  } catch (error) {
    if (!isModelsFault(error, modelSignal)) throw error
    deps.log.warn({ error: String(error), passages: run.shelf.passages.length }, 'the model gave no answer')
    if (deps.settings.llmFallback === 'none')
      throw new ApiError(
        502,
        'agent_error',
        'The language model gave no usable answer. Ask again in a moment.',
        {
          cause: error,
        },
      )
  }
  yield { type: 'think', label: 'The language model gave no answer: quoting the documents instead' }
  return yield* withTokens(answerByExtract(tools.late() ? fromShelf(tools, run) : tools, extract), run.tokens)
}

/** The steps of a mind, the one that writes the answer with what the model used until then. */
async function* withTokens(
  mind: AsyncGenerator<StepReport, Reply>,
  tokens: number | undefined,
): AsyncGenerator<StepReport, Reply> {
  for (;;) {
    const next = await mind.next()
    if (next.done) return next.value
    yield next.value.type === 'answer' ? { ...next.value, ...tokensOf(tokens) } : next.value
  }
}

const tokensOf = (tokens: number | undefined): Pick<StepReport, 'tokens'> =>
  tokens === undefined ? {} : { tokens }

const isModelsFault = (error: unknown, modelSignal: AbortSignal): boolean =>
  error instanceof OutboundFailed ||
  error instanceof UnusableAnswer ||
  (modelSignal.aborted && error === modelSignal.reason && isTimeout(error))

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError'

/** Too late to search: the passages that the model was shown are what there is, the first found first. */
const fromShelf = (tools: Tools, { shelf }: Run): Tools =>
  shelf.passages.length === 0
    ? tools
    : {
        ...tools,
        search: async () => [...shelf.passages],
        bridge: async () => [],
      }
