// Tries what Kenning needs of a language model: a question that needs a tool, in two turns, since some servers fail at the second;
// a long prompt with a word at its beginning; a structured reply. The findings tell the administrator what works, and what to do
// about the rest. No text of the documents is sent.

import type { SessionUser } from '../accounts/sessions.sql.ts'
import { requireAdmin } from '../accounts/sessions.ts'
import {
  MODEL_CHECKS,
  type ModelCheck,
  type ModelFinding,
  type ModelSet,
  type ModelTrial,
  type ModelTry,
  type TrialUse,
} from '../contract/models.ts'
import { invalid } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import type { Conversation, Message, ModelTurn } from '../ports/llm/conversation.ts'
import { openDialects, type TryDialects } from '../ports/llm/dialect.ts'
import { type ChatModel, openChatModel } from '../ports/llm/llm.ts'
import { refusalOf } from '../ports/llm/refusal.ts'
import { OutboundFailed } from '../ports/outbound/outbound.ts'
import type { Amount } from '../spending/amounts.ts'
import { countedModel } from '../spending/counted-model.ts'
import { selectCost } from '../spending/spending.sql.ts'
import { openKey } from './current.ts'
import { finding, formatSeconds } from './finding.ts'
import { selectModelFor } from './models.sql.ts'
import { problemWith, RAISE_CONTEXT } from './problem.ts'
import { fetchFor } from './reach.ts'
import { completeServer, modelsOf, type NamedServer } from './servers.ts'

type TrialDeps = Pick<Deps, 'db' | 'seal' | 'settings' | 'mayConnect' | 'llm'>

// Most proxies end a request after one or two minutes. Half a minute of it may be needed to load the model.
const CHECK_MS = 110_000
const MAX_ANSWER_TOKENS = 2000
/** Most questions send no more than this (docs/bring-a-model.md). */
const LONG_PROMPT_TOKENS = 9000
/** A shorter context has no room for the first passages of a question, the tools and the result of one tool. */
const MIN_CONTEXT_TOKENS = 12_000
// A question sends two or three prompts, and the server has already read half of the second and of the third. With slower prompts
// an answer may take more than 110 s, after which Kenning quotes instead.
const SLOW_PROMPT_MS = 30_000

interface ModelToTry {
  model: ChatModel
  /** Whether the server accepted the tools of the last request as JSON fields. Undefined if unknown. */
  acceptedTools(): boolean | undefined
  /** The models that the server has. They show whether the name or the address is wrong. */
  names(): Promise<readonly string[]>
}

/**
 * The findings of one check, or of all. If the model cannot be reached, the checks end.
 * @throws ApiError 403; 422 without any model
 */
export async function tryLanguageModel(
  deps: TrialDeps,
  admin: SessionUser,
  { model: enteredModel, check }: ModelTry,
  closedSignal: AbortSignal,
): Promise<ModelTrial> {
  requireAdmin(admin)
  const modelToTry = enteredModel
    ? await openEnteredModel(deps, admin, enteredModel)
    : await openModelInUse(deps, admin)
  const meteredModel = countedModel(modelToTry.model)
  const target = { ...modelToTry, model: meteredModel.model }
  const findings: ModelFinding[] = []
  for (const name of check ? [check] : MODEL_CHECKS) {
    const signal = AbortSignal.any([closedSignal, AbortSignal.timeout(CHECK_MS)])
    findings.push(...(await runCheck(name, target, signal)))
    closedSignal.throwIfAborted()
    if (findings.some((finding) => finding.check === 'answer' && finding.outcome === 'problem')) break
  }
  return { data: findings, used: await useOf(deps, target.model.model, meteredModel.used()) }
}

async function useOf(deps: TrialDeps, model: string, amount: Amount): Promise<TrialUse> {
  const price = await selectCost(deps.db, model, amount)
  return {
    prompt_tokens: amount.prompt,
    answer_tokens: amount.answer,
    cost: price?.cost ?? null,
    currency: price?.currency ?? null,
  }
}

async function openEnteredModel(
  deps: TrialDeps,
  admin: SessionUser,
  server: NonNullable<ModelTry['model']>,
): Promise<ModelToTry> {
  return openModelToTry(deps, await completeServer(deps, admin, 'language', server), server)
}

async function openModelInUse(deps: TrialDeps, admin: SessionUser): Promise<ModelToTry> {
  const model = await deps.llm()
  // The operator chose the server of the environment, so its list of models is not needed.
  if (deps.settings.models.language && model)
    return { model, acceptedTools: () => undefined, names: async () => [] }
  const row = await selectModelFor(deps.db, admin.id, 'language')
  if (!row) throw invalid(['body', 'model'], 'There is no model yet: enter one')
  const key = openKey(deps.seal, row)
  if ('problem' in key) throw invalid(['body', 'model'], key.problem)
  return openModelToTry(deps, { part: 'language', url: row.url, key: key.key }, row)
}

function openModelToTry(
  deps: TrialDeps,
  { part, url, key }: NamedServer,
  { model: name, context_tokens }: Pick<ModelSet, 'model' | 'context_tokens'>,
): ModelToTry {
  const model = name ?? ''
  let acceptedTools: boolean | undefined
  const dialects = openDialects()
  const observedDialects: TryDialects = (forms, send) =>
    dialects(forms, async (dialect) => {
      const result = await send(dialect)
      acceptedTools = dialect.tools
      return result
    })
  const server = {
    url,
    model,
    key,
    contextTokens: context_tokens ?? undefined,
    fetch: fetchFor(deps, part, url),
  }
  return {
    model: openChatModel({ ...server, timeoutMs: CHECK_MS, silenceMs: CHECK_MS }, observedDialects),
    acceptedTools: () => acceptedTools,
    names: async () => (await modelsOf(deps, { part, url, key })).data.map(({ id }) => id),
  }
}

const CHECKS: Readonly<
  Record<ModelCheck, (target: ModelToTry, signal: AbortSignal) => Promise<ModelFinding[]>>
> = {
  tools: checkTools,
  context: checkContext,
  structure: checkStructure,
}

async function runCheck(check: ModelCheck, target: ModelToTry, signal: AbortSignal): Promise<ModelFinding[]> {
  try {
    return await CHECKS[check](target, signal)
  } catch (error) {
    if (error instanceof OutboundFailed) return [await failedCheck(target, error)]
    if (!signal.aborted || (signal.reason as Error).name !== 'TimeoutError') throw error
    return [
      finding(
        'answer',
        'problem',
        `${target.model.model} took more than ${CHECK_MS / 1000} seconds. ${SLOW_ADVICE}`,
      ),
    ]
  }
}

const SLOW_ADVICE =
  'Kenning gives a model 110 seconds for an answer, then it quotes. Use a smaller model, or a machine with a graphics card.'

async function failedCheck({ model, names }: ModelToTry, error: OutboundFailed): Promise<ModelFinding> {
  const { field, message } = await problemWith(error, { part: 'language', model: model.model, names })
  return finding('answer', 'problem', message, field)
}

const ENTRY = '4711'
const REGISTER: Conversation['tools'][number] = {
  name: 'look_up',
  description: 'Looks up a word in the register and returns its entry.',
  parameters: {
    type: 'object',
    additionalProperties: false,
    required: ['word'],
    properties: { word: { type: 'string', description: 'The word.' } },
  },
}
const TOOL_QUESTION: Conversation = {
  messages: [
    {
      role: 'system',
      content: 'You answer from the register only. Look words up in it with the tool look_up.',
    },
    { role: 'user', content: 'Which number has the entry of the word “harbour” in the register?' },
  ],
  tools: [REGISTER],
  mayCall: true,
  maxTokens: MAX_ANSWER_TOKENS,
}

async function checkTools(
  { model, acceptedTools }: ModelToTry,
  signal: AbortSignal,
): Promise<ModelFinding[]> {
  const startedAt = performance.now()
  const turn = await model.converse(TOOL_QUESTION, signal)
  const answer = finding(
    'answer',
    'ok',
    `${model.model} answers, after ${formatSeconds(performance.now() - startedAt)}.`,
  )
  const [call] = turn.calls
  if (!call || !/harbour/i.test(call.arguments))
    return [
      answer,
      finding('tools', 'warning', `It did not use the tool that it was given. ${NO_TOOLS_ADVICE}`),
    ]
  const isNative = acceptedTools()
  const secondTurn = await model.converse(withResult(turn), signal)
  if (!secondTurn.text.includes(ENTRY))
    return [
      answer,
      finding('tools', 'warning', `It used a tool, but not what the tool found. ${NO_TOOLS_ADVICE}`),
    ]
  if (isNative === false)
    return [answer, finding('tools', 'warning', `The server refuses tools. ${TOOLS_AS_TEXT_ADVICE}`)]
  return [answer, finding('tools', 'ok', 'It uses tools, and what they find.')]
}

const NO_TOOLS_ADVICE =
  'Kenning will search once for each question instead of as often as needed. Choose a model that is made for tools, such as qwen3 or gpt-4.1-mini.'
const TOOLS_AS_TEXT_ADVICE =
  'Kenning writes them as text instead, which works less often. Choose a model with tools, or turn them on where the server is started (vLLM: --enable-auto-tool-choice --tool-call-parser …; llama.cpp: --jinja).'

function withResult(turn: ModelTurn): Conversation {
  const results = turn.calls.map(
    ({ id, name }): Message => ({ role: 'tool', callId: id, name, content: `harbour: entry ${ENTRY}` }),
  )
  const reply: Message = { role: 'assistant', content: turn.text, calls: turn.calls, opaque: turn.opaque }
  return { ...TOOL_QUESTION, messages: [...TOOL_QUESTION.messages, reply, ...results] }
}

const CODE_WORDS = ['heron', 'lantern', 'marble', 'saffron', 'willow', 'copper', 'thistle', 'granite']

async function checkContext({ model }: ModelToTry, signal: AbortSignal): Promise<ModelFinding[]> {
  const { tokens: window } = await model.context.window(signal)
  const length = window === undefined ? '' : `Its context has ${window.toLocaleString('en')} tokens.`
  if (window !== undefined && window < MIN_CONTEXT_TOKENS)
    return [finding('context', 'warning', `${length} ${SHORT_CONTEXT_ADVICE}`)]
  const word = CODE_WORDS[Math.floor(Math.random() * CODE_WORDS.length)] ?? 'heron'
  const startedAt = performance.now()
  try {
    const { text } = await model.converse(longQuestion(word), signal)
    const ms = performance.now() - startedAt
    const hasWord = text.toLowerCase().includes(word)
    const context = hasWord
      ? finding('context', 'ok', `It reads a long prompt to its beginning. ${length}`.trim())
      : finding(
          'context',
          'warning',
          `It did not see the beginning of a long prompt. ${SHORT_CONTEXT_ADVICE}`,
        )
    return [context, speedOf(ms)]
  } catch (error) {
    if (refusalOf(error)?.kind !== 'context') throw error
    return [finding('context', 'warning', `${(error as Error).message}. ${SHORT_CONTEXT_ADVICE}`)]
  }
}

const SHORT_CONTEXT_ADVICE = `A question sends 4,000 to 14,000, so Kenning would send fewer passages. ${RAISE_CONTEXT}`

function speedOf(ms: number): ModelFinding {
  const prompt = `A prompt of ${LONG_PROMPT_TOKENS.toLocaleString('en')} tokens took ${formatSeconds(ms)}`
  if (ms < SLOW_PROMPT_MS) return finding('speed', 'ok', `${prompt}.`)
  return finding('speed', 'warning', `${prompt}, and a question sends two or three. ${SLOW_ADVICE}`)
}

const CHARACTERS_PER_TOKEN = 4

function longQuestion(word: string): Conversation {
  const lines: string[] = []
  for (let length = 0, line = 1; length < LONG_PROMPT_TOKENS * CHARACTERS_PER_TOKEN; line++) {
    const text = `${line}. The tide table of quay ${(line * 7) % 97} lists ${(line * 31) % 400} arrivals before noon and none at night.`
    lines.push(text)
    length += text.length + 1
  }
  return {
    messages: [
      {
        role: 'system',
        content: `The code word is “${word}”. When somebody asks for the code word, say it.`,
      },
      { role: 'user', content: `${lines.join('\n')}\n\nWhat is the code word? Answer with that one word.` },
    ],
    tools: [],
    mayCall: false,
    maxTokens: MAX_ANSWER_TOKENS,
  }
}

const WEEK = {
  name: 'week',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['first_day', 'days'],
    properties: { first_day: { type: 'string' }, days: { type: 'integer' } },
  },
}

async function checkStructure({ model }: ModelToTry, signal: AbortSignal): Promise<ModelFinding[]> {
  const { text } = await model.complete(
    {
      system: 'You answer in JSON.',
      user: 'Which day does a week begin with, and how many days has it? Answer with {"first_day": "…", "days": 0}.',
      schema: WEEK,
      maxTokens: MAX_ANSWER_TOKENS,
    },
    signal,
  )
  return [
    isWeek(text)
      ? finding('structure', 'ok', 'It answers in the structure that it is asked for.')
      : finding(
          'structure',
          'warning',
          'It did not answer in the structure that it was asked for. Answers are not affected; a graph by the model would find little.',
        ),
  ]
}

function isWeek(text: string): boolean {
  try {
    const value = JSON.parse(/\{[\s\S]*\}/.exec(text)?.[0] ?? '') as { first_day?: unknown; days?: unknown }
    return typeof value.first_day === 'string' && Number.isInteger(value.days)
  } catch {
    return false
  }
}
