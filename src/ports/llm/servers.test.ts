// The conversation with every kind of server in test/models: forms, calls and what comes back with them, contexts, endings, load.

import { afterEach, describe, expect, it, vi } from 'vitest'
import { PAGES } from '../../../test/models/gateway.ts'
import { ALL, WITH_SHORT_CONTEXT, WITH_TOOLS } from '../../../test/models/kinds.ts'
import { ollama, ollamaBehindGateway } from '../../../test/models/ollama.ts'
import { openrouter } from '../../../test/models/openrouter.ts'
import { type ChatServer, chatServer, type ServerKind, STANDARD } from '../../../test/support/chat-server.ts'
import { FULL } from '../../../test/support/full.ts'
import { wasReadWhole } from './context-window.ts'
import type { Conversation, Message, PromptSize } from './conversation.ts'
import { type ChatModel, openChatModel } from './llm.ts'
import { refusalOf } from './refusal.ts'

let server: ChatServer
afterEach(() => server.close())

async function open(kind: ServerKind): Promise<ChatModel> {
  server = await chatServer(kind)
  return openChatModel({ url: server.url, model: 'm', key: 'k', firstDelayMs: 1 })
}

const never = new AbortController().signal
const search = {
  name: 'search',
  description: 'Finds passages.',
  parameters: { type: 'object', properties: { query: { type: 'string' } } },
}
const question: Conversation = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Who?' },
  ],
  tools: [search],
  mayCall: true,
  maxTokens: 100,
}
const schema = { name: 'who', schema: { type: 'object' } }

describe.each(ALL)('$name', (kind) => {
  it('calls a tool, reads its result and answers', async () => {
    const llm = await open(kind)
    const calls = [
      { name: 'search', arguments: { query: 'rent' } },
      { name: 'search', arguments: { query: 'lease' } },
    ]
    server.script.push({ calls }, { text: 'The rent is due.' })
    const turn = await llm.converse(question, never)
    expect(turn.calls[0]).toMatchObject({ name: 'search', arguments: '{"query":"rent"}' })
    const results = turn.calls.map(
      ({ id, name }): Message => ({ role: 'tool', callId: id, name, content: 'Nothing.' }),
    )
    const asked: Message = { role: 'assistant', content: turn.text, calls: turn.calls, opaque: turn.opaque }
    const refused = server.refused
    const messages = [...question.messages, asked, ...results]
    expect(await llm.converse({ ...question, messages }, never)).toMatchObject({
      text: 'The rent is due.',
      calls: [],
      ending: 'complete',
    })
    expect(server.refused).toBe(refused)
  })

  it('answers in JSON', async () => {
    const llm = await open(kind)
    server.script.push({ content: { ok: true } })
    const completion = { system: 'You answer in JSON.', user: 'Go.', schema, maxTokens: 200 }
    expect((await llm.complete(completion)).text).toBe('{"ok":true}')
    await llm.complete(completion)
    expect(server.requests).toHaveLength(2)
  })

  it('shows no thoughts', async () => {
    const llm = await open(kind)
    server.script.push(
      { text: '<think>So …</think>An answer.' },
      { text: '<think>So …', finishReason: 'length' },
    )
    expect((await llm.converse(question, never)).text).toBe('An answer.')
    expect(await llm.converse(question, never)).toMatchObject({ text: '', ending: 'cut' })
  })
})

// What depends little on the kind of server, in the gate with one.
describe.each(FULL ? ALL : [openrouter])('$name', (kind) => {
  it.each([
    ['stop', 'complete'],
    ['eos_token', 'complete'],
    ['length', 'cut'],
    ['model_length', 'cut'],
    ['content_filter', 'refused'],
    ['SAFETY', 'refused'],
  ])('ends with %s: %s', async (finishReason, ending) => {
    const llm = await open(kind)
    server.script.push({ text: 'The rent', finishReason })
    expect(await llm.converse(question, never)).toMatchObject({ text: 'The rent', ending })
  })

  it.each(['error', 'abort', 'insufficient_system_resource'])(
    'ends with %s: broken',
    async (finishReason) => {
      const llm = await open(kind)
      server.script.push({ text: 'The rent', finishReason })
      await expect(llm.converse(question, never)).rejects.toThrow('gave up in the middle')
    },
  )

  it.each([[{ 'retry-after': '0' }], [{}]])('answers after it was busy %j', async (headers) => {
    const llm = await open(kind)
    server.script.push({ status: 429, headers, body: '{"error":{"message":"busy"}}' }, { text: 'Now.' })
    expect((await llm.converse(question, never)).text).toBe('Now.')
  })

  it('fails when its stream stops', async () => {
    const llm = await open(kind)
    server.script.push({ text: 'The rent is', ends: 'cut' })
    await expect(llm.converse(question, never)).rejects.toThrow(/in the middle|cannot be reached/)
  })

  it('is left when it sends comments only', async () => {
    const llm = await open(kind)
    server.script.push({ text: 'The rent is', ends: 'alive' })
    const gone = server.left()
    const leave = new AbortController()
    const turn = expect(llm.converse(question, leave.signal)).rejects.toThrow('late')
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    leave.abort(new Error('late'))
    await turn
    await gone
  })
})

describe.each(WITH_TOOLS)('$name', (kind) => {
  it('drops the part of a call that was cut off', async () => {
    const llm = await open(kind)
    server.script.push({
      calls: [
        { name: 'search', arguments: { query: 'x' } },
        { name: 'search', arguments: '{"query": "y' },
      ],
      finishReason: 'length',
    })
    expect((await llm.converse(question, never)).calls).toHaveLength(1)
  })
})

describe('a prompt that is too long', () => {
  const WORD = 'quincunx'
  const long: Conversation = {
    ...question,
    messages: [
      { role: 'system', content: `The word is ${WORD}. ${'Passages follow here. '.repeat(1900)}` },
      { role: 'user', content: 'What is the word?' },
    ],
    maxTokens: 1000,
  }

  it.each(WITH_SHORT_CONTEXT)('is noticed: $name', async (kind) => {
    const llm = await open(kind)
    server.answer = ({ messages }) => ({ text: JSON.stringify(messages).includes(WORD) ? WORD : 'None.' })
    const window = await llm.context.window(never)
    const outcome = await llm.converse(long, never).catch((error: unknown) => error)
    const refusal = refusalOf(outcome)
    if (refusal) expect(refusal).toEqual({ kind: 'context', tokens: kind.context?.tokens })
    else {
      const { text, prompt } = outcome as { text: string; prompt: PromptSize }
      expect([text, wasReadWhole([prompt], window)]).toEqual(['None.', false])
    }
  })

  it.each(WITH_SHORT_CONTEXT.filter((kind) => kind !== ollamaBehindGateway))(
    'is told beforehand: $name',
    async (kind) => {
      const llm = await open(kind)
      expect((await llm.context.window(never)).tokens).toBe(kind.context?.tokens)
    },
  )

  it.each(['openai', 'mistral', 'openrouter'])(
    'comes through where the context is long: %s',
    async (name) => {
      const kind = WITH_TOOLS.find((one) => one.name.toLowerCase().startsWith(name)) ?? STANDARD
      const llm = await open(kind)
      server.answer = ({ messages }) => ({ text: JSON.stringify(messages).includes(WORD) ? WORD : 'None.' })
      expect((await llm.converse(long, never)).text).toBe(WORD)
    },
  )
})

describe('the context', () => {
  it('is as the operator sets it, and not asked for', async () => {
    server = await chatServer(STANDARD)
    const llm = openChatModel({ url: server.url, model: 'm', key: 'k', contextTokens: 9000 })
    expect((await llm.context.window(never)).tokens).toBe(9000)
    expect(server.others).toEqual([])
  })

  it('is what was observed where that is less, for a while', async () => {
    const llm = await open(STANDARD)
    expect(await llm.context.window(never)).toEqual({ tokens: undefined, density: 1, drops: false })
    llm.context.learn({ estimated: 1000, counted: 500 })
    llm.context.limit(3000, true)
    expect(await llm.context.window(never)).toEqual({ tokens: 3000, density: 1, drops: true })
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_001)
    expect((await llm.context.window(never)).tokens).toBeUndefined()
    now.mockRestore()
  })

  it('is asked for with the key, also when the model is loaded for it', async () => {
    const llm = await open(ollama)
    await llm.context.window(never)
    expect(new Set(server?.others.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer k']))
    expect(server?.others.map(({ path }) => path)).toContainEqual(expect.stringMatching(/generate$/))
  })

  it('is asked for again after an error that was not expected', async () => {
    const llm = await open(ollama)
    const asked = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      throw new TypeError('a fault')
    })
    await expect(llm.context.window(never)).rejects.toThrow('a fault')
    asked.mockRestore()
    expect((await llm.context.window(never)).tokens).toBe(ollama.context?.tokens)
  })

  it('forgets how densely one prompt was counted', async () => {
    const llm = await open(STANDARD)
    llm.context.learn({ estimated: 1000, counted: 2000 })
    llm.context.learn({ estimated: 1000, counted: 500 })
    expect((await llm.context.window(never)).density).toBeCloseTo(2.2)
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_001)
    llm.context.learn({ estimated: 1000, counted: 500 })
    expect((await llm.context.window(never)).density).toBeCloseTo(0.55)
    now.mockRestore()
  })

  it('is full when two prompts of different sizes have the same count', async () => {
    const { context } = await open(STANDARD)
    expect(context.suspect({ estimated: 7000, counted: 5120 })).toBe(false)
    expect(context.suspect({ estimated: 7010, counted: 5120 })).toBe(false)
    expect(context.suspect({ estimated: 8000, counted: 4096 })).toBe(false)
    expect(context.suspect({ estimated: 6000, counted: 4096 })).toBe(true)
    expect((await context.window(never)).tokens).toBeUndefined()
  })

  const window = { tokens: undefined, density: 1, drops: false }
  it.each<[string, [number, number | undefined][], boolean]>([
    ['nothing is counted', [[9000, undefined]], true],
    ['the count is near the estimate', [[9000, 6500]], true],
    ['the count is far below it', [[12_000, 4096]], false],
    ['the count is by chance that of a context', [[5000, 4096]], true],
    [
      'both grow',
      [
        [4300, 2900],
        [6200, 4000],
      ],
      true,
    ],
    [
      'the count is of what the cache did not have',
      [
        [4300, 2900],
        [6200, 900],
      ],
      true,
    ],
    [
      'only the estimate grows',
      [
        [4300, 2900],
        [6200, 3000],
      ],
      false,
    ],
  ])('was read whole or not: %s', (_, sizes, isWhole) => {
    const prompts = sizes.map(([estimated, counted]) => ({ estimated, counted }))
    expect(wasReadWhole(prompts, window)).toBe(isWhole)
  })

  it('was not read whole when the prompt fills it', () => {
    expect(wasReadWhole([{ estimated: 5000, counted: 4096 }], { ...window, tokens: 4096 })).toBe(false)
  })
})

it.each(PAGES)('a gateway that answers %s fails at once', async (_, reply) => {
  const llm = await open(STANDARD)
  server.script.push(reply)
  await expect(llm.converse(question, never)).rejects.toThrow(/web page|something other|middle/)
  const most = reply.status === 502 ? 2 : 1
  expect(server.requests).toHaveLength(most)
})
