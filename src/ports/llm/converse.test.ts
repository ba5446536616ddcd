// Conversations with a scripted server of the protocol, with the quirks and faults of real ones.

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ChatServer, chatServer } from '../../../test/support/chat-server.ts'
import type { Conversation, ModelTurn } from './conversation.ts'
import { openChatModel } from './llm.ts'

let server: ChatServer
beforeAll(async () => {
  server = await chatServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.requests.length = 0
  server.script.length = 0
  server.answer = undefined
})

const model = (silenceMs = 30_000) =>
  openChatModel({ url: server.url, model: 'm', key: 'a-key', firstDelayMs: 1, silenceMs })
const search = {
  name: 'search',
  description: 'Finds passages.',
  parameters: { type: 'object', properties: { query: { type: 'string' } } },
}
const conversation: Conversation = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Who?' },
  ],
  tools: [search],
  mayCall: true,
  maxTokens: 100,
}
const say = (
  over: Partial<Conversation> = {},
  llm = model(),
  signal = new AbortController().signal,
): Promise<ModelTurn> => llm.converse({ ...conversation, ...over }, signal)

describe('answers', () => {
  it('joins streamed text, and reports tokens', async () => {
    server.script.push({ text: 'Grüße aus 東京, said the model. 😀', tokens: 42 })
    expect(await say()).toEqual({
      text: 'Grüße aus 東京, said the model. 😀',
      calls: [],
      ending: 'complete',
      opaque: {},
      tokens: 42,
      prompt: { estimated: expect.any(Number), counted: undefined },
    })
    expect(server.requests[0]).toMatchObject({ stream: true, tool_choice: 'auto', max_tokens: 100 })
  })

  it('tells the text so far while it comes, without thoughts', async () => {
    let go = (): void => {}
    const after = new Promise<void>((resolve) => {
      go = resolve
    })
    server.script.push({ text: '<think>Hm.</think>One. ', further: { text: 'Two.', after } })
    const texts: string[] = []
    await model().converse(conversation, new AbortController().signal, (text) => {
      texts.push(text)
      if (text === 'One. ') go()
    })
    expect(texts).toContain('One. ')
    expect(texts.at(-1)).toBe('One. Two.')
    expect(texts.every((text) => 'One. Two.'.startsWith(text))).toBe(true)
  })

  it('tells no thought that began in the prompt of a model that is known to think so', async () => {
    const llm = model()
    const told = async (): Promise<string[]> => {
      const texts: string[] = []
      await llm.converse(conversation, new AbortController().signal, (text) => texts.push(text))
      return texts
    }
    server.script.push({ text: 'Let me think about it.</think>One.' })
    await told()
    expect((await told()).every((text) => 'One.'.startsWith(text))).toBe(true)
  })

  it('joins the fragments of parallel calls', async () => {
    const calls = [
      { id: 'a', name: 'search', arguments: { query: 'rent of the unit' } },
      { id: 'b', name: 'search', arguments: { query: 'notice' } },
    ]
    server.script.push({ calls })
    expect((await say()).calls).toMatchObject(
      calls.map((call) => ({ ...call, arguments: JSON.stringify(call.arguments) })),
    )
  })

  it.each<[string, object[]]>([
    [
      'without numbers',
      [
        { id: 'a', function: { name: 'search', arguments: '{"query":' } },
        { function: { arguments: '"x"}' } },
      ],
    ],
    ['as objects', [{ index: 0, id: 'a', function: { name: 'search', arguments: { query: 'x' } } }]],
    ['without ids', [{ index: 0, function: { name: 'search', arguments: '{"query":"x"}' } }]],
  ])('takes calls %s', async (_, fragments) => {
    const events = fragments.map(
      (call) => `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] })}\n\n`,
    )
    server.script.push({ body: `${events.join('')}data: [DONE]\n\n` })
    const { calls } = await say()
    expect(calls).toMatchObject([{ name: 'search', arguments: '{"query":"x"}' }])
    expect(calls[0]?.id).toBeTruthy()
  })

  it('tells two calls with the same index apart by their ids', async () => {
    const call = (id: string, query: string) => ({
      index: 0,
      id,
      function: { name: 'search', arguments: JSON.stringify({ query }) },
    })
    const event = {
      choices: [{ delta: { tool_calls: [call('a', 'x'), call('b', 'y')] }, finish_reason: 'tool_calls' }],
    }
    server.script.push({ body: `data: ${JSON.stringify(event)}\n\n` })
    expect((await say()).calls.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('joins content in parts, without the thoughts', async () => {
    const parts = (text: string) => [
      { type: 'thinking', thinking: [{ type: 'text', text: 'secret' }] },
      { type: 'text', text },
    ]
    const events = ['Pla', 'in.'].map(
      (text) => `data: ${JSON.stringify({ choices: [{ delta: { content: parts(text) } }] })}\n\n`,
    )
    server.script.push({ body: `${events.join('')}data: [DONE]\n\n` })
    expect((await say()).text).toBe('Plain.')
    server.script.length = 0
    const choices = [{ message: { content: parts('{}') } }]
    server.script.push({ body: JSON.stringify({ choices }) })
    const schema = { name: 'x', schema: {} }
    expect((await model().complete({ system: '', user: '', schema, maxTokens: 5 })).text).toBe('{}')
  })

  it.each<[unknown, number | undefined]>([
    [{ total_tokens: 9, prompt_tokens: 4 }, 9],
    [{ prompt_tokens: 4, completion_tokens: 5 }, 9],
    [{ prompt_tokens: 4 }, undefined],
    [{}, undefined],
    [{ total_tokens: 1.5 }, undefined],
    [{ total_tokens: -1 }, undefined],
    ['many', undefined],
    [null, undefined],
  ])('takes the answer whatever it is said to have cost: %j', async (usage, tokens) => {
    const choices = [{ index: 0, message: { content: 'Plain.' }, finish_reason: 'stop' }]
    server.script.push({ body: JSON.stringify({ choices, usage }) })
    expect(await say()).toMatchObject({ text: 'Plain.', tokens })
    const schema = { name: 'x', schema: {} }
    const asked = await model().complete({ system: '', user: '', schema, maxTokens: 5 })
    expect(asked).toMatchObject({ text: 'Plain.', ending: 'complete', tokens })
  })

  it.each<[string, object]>([
    ['an answer that is not streamed', { content: 'Plain.' }],
    ['a stream with the content type text', { text: 'Plain.', headers: { 'content-type': 'text/plain' } }],
    ['a stream without its last line', { text: 'Plain.', ends: 'unended' as const }],
  ])('takes %s', async (_, reply) => {
    server.script.push(reply)
    expect((await say()).text).toBe('Plain.')
  })

  it.each([
    '{"tool": "search", "arguments": {"query": "x"}}',
    'I will look.\n```json\n{"name": "search", "parameters": {"query": "x"}}\n```',
    '<tool_call>{"name": "search", "arguments": {"query": "x"}}</tool_call>',
    'Thought: I must look.\nAction: search\nAction Input: {"query": "x"}\nObservation: none',
    '<think>The user wants …</think>{"tool": "search", "arguments": {"query": "x"}}',
  ])('reads a call that was written as text: %s', async (text) => {
    server.script.push({ text })
    expect((await say()).calls).toMatchObject([{ name: 'search', arguments: '{"query":"x"}' }])
  })

  it.each(['{"tool": "delete_all", "arguments": {}}', '{"price": 5}', 'Call search with {"query": 1}.'])(
    'leaves an answer alone: %s',
    async (text) => {
      server.script.push({ text })
      expect(await say()).toMatchObject({ text, calls: [] })
    },
  )

  it('ignores calls when the model must answer', async () => {
    server.script.push({ calls: [{ name: 'search', arguments: {} }], text: 'So be it.' })
    expect(await say({ mayCall: false })).toMatchObject({ text: 'So be it.', calls: [] })
    expect(server.requests[0]?.tool_choice).toBe('none')
  })
})

describe('dialects', () => {
  const refusing = (refuses: (request: object) => boolean) => (request: object) =>
    refuses(request) ? { status: 422, body: '{}' } : { text: 'Fine.' }
  const question = {
    system: 'Be brief.',
    user: 'Who?',
    schema: { name: 'who', schema: { type: 'object' } },
    maxTokens: 50,
  }

  it('learns once what a server refuses', async () => {
    server.answer = (request) => (request.tools ? { status: 400, body: '{}' } : { text: 'Without tools.' })
    const llm = model()
    const messages: Conversation['messages'] = [
      ...conversation.messages,
      { role: 'assistant', content: '', calls: [{ id: 'a', name: 'search', arguments: '{"query":"x"}' }] },
      { role: 'tool', callId: 'a', name: 'search', content: 'Nothing.' },
    ]
    expect((await say({ messages }, llm)).text).toBe('Without tools.')
    expect(server.requests).toHaveLength(4)
    expect(server.requests[3]?.messages).toEqual([
      { role: 'system', content: expect.stringContaining('{"tool": "<name>", "arguments": {…}}') },
      { role: 'user', content: 'Who?' },
      { role: 'assistant', content: '{"tool": "search", "arguments": {"query":"x"}}' },
      { role: 'user', content: 'Result of search:\nNothing.' },
    ])
    await say({}, llm)
    expect(server.requests).toHaveLength(5)
  })

  it('sends a reasoning model the fields that it accepts, with token counts', async () => {
    server.answer = refusing((request) => 'max_tokens' in request || 'temperature' in request)
    expect((await say()).text).toBe('Fine.')
    expect(server.requests[1]).toMatchObject({
      max_completion_tokens: 100,
      tools: [{}],
      stream_options: { include_usage: true },
    })
  })

  it('keeps tools for a server that refuses only stream_options, as Mistral does', async () => {
    server.answer = refusing((request) => 'stream_options' in request || 'max_completion_tokens' in request)
    expect((await say()).text).toBe('Fine.')
    expect(server.requests.at(-1)).toMatchObject({ max_tokens: 100, temperature: 0, tools: [{}] })
  })

  it('learns for single requests and conversations apart, and each once', async () => {
    server.answer = refusing((request) => 'max_tokens' in request)
    const llm = model()
    expect((await llm.complete(question)).text).toBe('Fine.')
    expect(server.requests.at(-1)).toMatchObject({
      max_completion_tokens: 50,
      response_format: { type: 'json_schema' },
    })
    await say({}, llm)
    server.requests.length = 0
    await say({}, llm)
    await llm.complete(question)
    expect(server.requests).toHaveLength(2)
  })

  it('takes from a refusal which field is refused', async () => {
    const body = '{"error":{"message":"Extra inputs are not permitted","loc":["body","stream_options"]}}'
    server.answer = (request) => ('stream_options' in request ? { status: 422, body } : { text: 'Fine.' })
    await say()
    expect(server.requests).toHaveLength(2)
    expect(server.requests[1]).toMatchObject({ max_tokens: 100, temperature: 0, tools: [{}] })
  })

  it('keeps the form that was accepted when one request is refused for its content', async () => {
    const llm = model()
    server.script.push({ text: 'Fine.' })
    await say({}, llm)
    server.answer = refusing((request) => 'tools' in request)
    await say({}, llm)
    server.answer = undefined
    server.requests.length = 0
    await say({}, llm)
    expect(server.requests[0]?.tools).toHaveLength(1)
  })

  it('omits the schema where it is refused, and nothing else', async () => {
    server.answer = refusing((request) => 'response_format' in request)
    const llm = model()
    await llm.complete(question)
    expect(server.requests[1]).toMatchObject({ max_tokens: 50, temperature: 0 })
    server.requests.length = 0
    await say({}, llm)
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({ max_tokens: 100, tools: [{}] })
  })

  it('returns to the richer form where the poorer one is refused, and after an hour', async () => {
    server.answer = refusing((request) => 'tools' in request)
    const llm = model()
    await say({}, llm)
    server.answer = refusing((request) => !('tools' in request))
    server.requests.length = 0
    await say({}, llm)
    expect(server.requests.map((request) => 'tools' in request)).toEqual([false, true])
    server.answer = refusing((request) => 'tools' in request)
    await say({}, llm)
    server.answer = undefined
    server.script.push({ text: 'Fine.' })
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_001)
    await say({}, llm)
    now.mockRestore()
    expect('tools' in (server.requests.at(-1) ?? {})).toBe(true)
  })

  it('fails when every form is refused', async () => {
    server.script.push({ status: 400, body: '{}' })
    await expect(say()).rejects.toMatchObject({ status: 400 })
    expect(server.requests).toHaveLength(5)
  })
})

describe('F-17: faults', () => {
  it('repeats a request to a busy server once', async () => {
    server.script.push({ status: 429, headers: { 'retry-after': '0' } }, { text: 'Now.' })
    expect((await say()).text).toBe('Now.')
    server.script.length = 0
    server.script.push({ status: 503, body: '' })
    server.requests.length = 0
    await expect(say()).rejects.toMatchObject({ status: 503 })
    expect(server.requests).toHaveLength(2)
  })

  it('does not wait for a Retry-After of an hour', async () => {
    server.script.push({ status: 429, headers: { 'retry-after': '3600' }, body: '' })
    await expect(say()).rejects.toMatchObject({ status: 429 })
    expect(server.requests).toHaveLength(1)
  })

  it.each<[string, object]>([
    [
      'in the middle of its answer|cannot be reached',
      { text: 'A long answer that is cut.', ends: 'cut' as const },
    ],
    ['an answer that is too long', { text: 'x', ends: 'endless' as const }],
    ['something other', { body: '<html>Sign in</html>' }],
    ['something other', { body: '{"choices":[]}' }],
    ['something other', { body: 'data: {"error":{"message":"overloaded"}}\n\n' }],
    ['something other', { body: 'data: {broken\n\n' }],
    ['an answer that is too long', { body: `data: ${'x'.repeat(2_000_000)}` }],
    ['an answer that is too long', { calls: [{ name: 'search', arguments: 'x'.repeat(30_000) }] }],
    ['answered 302', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }],
  ])('fails with %s', async (reason, reply) => {
    server.script.push(reply)
    await expect(say()).rejects.toThrow(
      new RegExp(reason.replace('something other', 'something other|in the middle')),
    )
  })

  it.each<[string, object]>([
    ['from the start', { silent: true as const }],
    ['in the middle', { text: 'Half an answer and then', ends: 'stuck' as const }],
  ])('does not wait for a model that is silent %s', async (_, reply) => {
    server.script.push(reply)
    const gone = server.left()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const waited = expect(say({}, model(100))).rejects.toThrow(/sent nothing for 100 ms/)
      // A server is silent only after it was asked.
      while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
      await vi.advanceTimersByTimeAsync(100)
      await waited
    } finally {
      vi.useRealTimers()
    }
    await gone
  })

  it('closes the connection when the caller aborts', async () => {
    server.script.push({ text: 'Half an answer and then', ends: 'stuck' })
    const leave = new AbortController()
    const gone = server.left()
    const said = say({}, model(), leave.signal)
    const outcome = expect(said).rejects.toThrow('they left')
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    leave.abort(new Error('they left'))
    await outcome
    await gone
  })
})
