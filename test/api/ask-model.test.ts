// Asking with a language model: the real app over a socket, a scripted model server of each kind, an event stream reader.

import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { createParser } from 'eventsource-parser'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, type Limits } from '../../src/ask/ask.ts'
import type { Caller } from '../../src/auth/caller.ts'
import type { Answer, Step } from '../../src/contract/resources.ts'
import { buildServer } from '../../src/http/server.ts'
import { openChatModel } from '../../src/ports/llm/llm.ts'
import { PAGES } from '../models/gateway.ts'
import { OFTEN } from '../models/kinds.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { type ChatServer, chatServer, type ScriptedReply, type ServerKind } from '../support/chat-server.ts'
import { putDocument, settle } from '../support/put.sql.ts'
import { timeUpOnceAsked } from '../support/time-up.ts'

let app: TestApp
let server: TestApp['server']
let strict: TestApp['server']
let chat: ChatServer
let base: string
let strictBase: string
let workspace: string
let person: Person
let token: string

beforeAll(async () => {
  app = await testApp({ askPerHour: 10_000 })
  person = await app.person()
  token = await app.token(person)
  workspace = await app.workspace(person)
  const { db } = app.deps
  await putDocument(
    db,
    workspace,
    randomUUID(),
    [
      { kind: 'paragraph', text: '4.1 The rent of Unit 4 is £38,400 a year, see note [7].', page: 1 },
      {
        kind: 'paragraph',
        text: '12.1 The Tenant may end the lease of Unit 4 by six months’ written notice.',
        page: 2,
      },
    ],
    { title: 'Lease of Unit 4' },
  )
  await putDocument(
    db,
    workspace,
    randomUUID(),
    [
      {
        kind: 'table',
        text: '| Part | Supplier | Price |\n| --- | --- | --- |\n| MF-204 | Osterby Cables | €14.50 |\n| MF-310 | Osterby Cables | €2.10 |\n| PX-7 | Brightwater Sensors | €226.00 |',
        page: 1,
      },
    ],
    { title: 'Suppliers' },
  )
  for (let n = 1; n <= 10; n++)
    await putDocument(
      db,
      workspace,
      randomUUID(),
      [{ kind: 'paragraph', text: `Chapter about topic${n}.`, page: 1 }],
      { title: `topic${n}` },
    )
  await settle(db, workspace)
})
afterAll(() => app?.close())

async function open(kind: ServerKind): Promise<void> {
  chat = await chatServer(kind)
  // Each remembers what its server takes.
  const openModel = () => {
    const model = openChatModel({ url: chat.url, model: 'm', key: 'k', firstDelayMs: 1 })
    return async () => model
  }
  server = await buildServer({ ...app.deps, llm: openModel() })
  base = await server.listen({ host: '127.0.0.1', port: 0 })
  strict = await buildServer({
    ...app.deps,
    llm: openModel(),
    settings: { ...app.deps.settings, llmFallback: 'none' },
  })
  strictBase = await strict.listen({ host: '127.0.0.1', port: 0 })
}
async function close(): Promise<void> {
  await server?.close()
  await strict?.close()
  await chat?.close()
}
beforeEach(() => {
  if (!chat) return
  chat.requests.length = 0
  chat.script.length = 0
  chat.answer = undefined
})

async function modelAsked(): Promise<void> {
  while (chat.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

type Event = { event: string | undefined; data: unknown }

async function* stream(
  question: string,
  more: { signal?: AbortSignal; thread?: string; at?: string } = {},
): AsyncGenerator<Event> {
  const answer = await fetch(`${more.at ?? base}/v1/workspaces/${workspace}/ask`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question, stream: true, ...(more.thread && { thread_id: more.thread }) }),
    ...(more.signal && { signal: more.signal }),
  })
  expect(answer.status).toBe(200)
  const came: Event[] = []
  const parser = createParser({ onEvent: ({ event, data }) => came.push({ event, data: JSON.parse(data) }) })
  for await (const piece of Readable.fromWeb(answer.body as never)) {
    parser.feed(Buffer.from(piece).toString())
    yield* came.splice(0)
  }
}

async function asked(
  question: string,
  more: { thread?: string; at?: string; onText?: () => void } = {},
): Promise<{ steps: Step[]; answer: Answer }> {
  const events: Event[] = []
  for await (const event of stream(question, more)) {
    events.push(event)
    if ((event.data as Step).text !== undefined) more.onText?.()
  }
  const steps = events.filter(({ event }) => event === 'step').map(({ data }) => data as Step)
  expect(events.slice(0, -1).every(({ event }) => event === 'step')).toBe(true)
  expect(events.at(-1)).toMatchObject({ event: 'answer' })
  expect(steps.map(({ index }) => index)).toEqual(steps.map((_, i) => i))
  const answer = events.at(-1)?.data as Answer
  const shown = [...answer.answer.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number))
  expect([...new Set(shown)]).toEqual(answer.citations.map(({ number }) => number))
  expect(answer.answer.startsWith(textOf(steps))).toBe(true)
  return { steps: steps.filter(({ text }) => text === undefined), answer }
}

/** What a reader of the steps has of the answer. */
const textOf = (steps: readonly Step[]): string =>
  steps.reduce((before, { text = '', restart }) => (restart ? '' : before) + text, '')

/** The number under which the model was shown the passage that holds a text. */
function numberOf(text: string, said = chat.requests.at(-1)?.messages ?? []): number {
  const all = said.map(({ content }) => content ?? '').join('\n')
  const before = all.slice(0, all.indexOf(text))
  return Number([...before.matchAll(/^\[(\d+)\] D/gm)].at(-1)?.[1])
}
const callTo = (name: string, given: unknown): NonNullable<ScriptedReply['calls']>[number] => ({
  name,
  arguments: given,
})
const toolResults = (at: number): string[] =>
  (chat.requests[at]?.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content ?? '')

describe.each(OFTEN)('$name', (kind) => {
  beforeAll(() => open(kind))
  afterAll(close)

  describe('the loop', () => {
    it('searches before the model speaks, runs what it asks for at once, and cites', async () => {
      chat.answer = () => {
        if (chat.requests.length > 1)
          return {
            text: `All three parts cost €242.60 together [${numberOf('MF-204')}]. The rent is £38,400 a year [${numberOf('38,400')}].`,
            tokens: 10,
          }
        const table = numberOf('MF-204')
        return {
          tokens: 10,
          calls: [
            callTo('search', { query: 'rent of Unit 4' }),
            callTo('compute', { passage: table, operation: 'sum', columns: ['Price'] }),
          ],
        }
      }
      const { steps, answer } = await asked('What do the parts of the suppliers cost together, and the rent?')
      expect(steps.map(({ type }) => type)).toEqual([
        'think',
        'search',
        'think',
        'search',
        'think',
        'think',
        'answer',
      ])
      expect(steps.at(-1)?.tokens).toBe(20)
      expect(steps[3]).toMatchObject({ query: 'rent of Unit 4' })
      expect(answer.answer).toBe('All three parts cost €242.60 together [1]. The rent is £38,400 a year [2].')
      expect(answer.citations.map(({ document_title }) => document_title)).toEqual([
        'Suppliers',
        'Lease of Unit 4',
      ])
      expect(chat.requests[0]?.messages.at(-1)?.content).toContain('MF-204')
      expect(toolResults(1)[1]).toContain('Result: 242.6 €, from 3 rows.')
      // Brackets of documents are no markers, and no id of anything is shown.
      expect(JSON.stringify(chat.requests)).toContain('see note (7)')
      expect(JSON.stringify(chat.requests)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
    })

    it('ends an endless loop: two calls without anything new, then no tools', async () => {
      chat.answer = ({ tool_choice }) =>
        tool_choice === 'none'
          ? { text: `The rent is £38,400 a year [${numberOf('38,400')}].` }
          : { calls: [callTo('search', { query: 'rent of Unit 4' })] }
      const { answer } = await asked('What is the rent of Unit 4?')
      expect(answer.citations).toHaveLength(1)
      expect(chat.requests.map(({ tool_choice }) => tool_choice)).toEqual(['auto', 'auto', 'none'])
    })

    it('ends after eight steps though each brings something new', async () => {
      let n = 0
      chat.answer = ({ tool_choice }) =>
        tool_choice === 'none'
          ? { text: 'The documents do not say it.' }
          : { calls: [callTo('list_documents', { title: `topic${++n}` })] }
      const { answer } = await asked('What are the topics?')
      expect(chat.requests).toHaveLength(9)
      expect(answer.answer).toBe('The documents do not say it.')
    })

    it('tells the model what it got wrong', async () => {
      chat.script.push(
        {
          calls: [
            callTo('search', '{"query": '),
            callTo('drop_table', {}),
            callTo('compute', { passage: 999, operation: 'sum', columns: ['x'] }),
            callTo('search', { query: '' }),
          ],
        },
        { text: 'The documents do not say it.' },
      )
      await asked('What is the rent?')
      const [broken, unknown, absent, empty] = toolResults(1)
      expect(broken).toContain('The arguments are wrong: query')
      expect(unknown).toContain('There is no such tool. The tools are: search,')
      expect(absent).toBe('Passage 999 holds no table that can be read whole.')
      expect(empty).toContain('The arguments are wrong: query')
      const replayed = JSON.stringify(chat.requests[1]?.messages)
      expect(replayed).toContain('"arguments":"{}"')
    })

    it('runs six calls at once and no more', async () => {
      const calls = Array.from({ length: 10 }, (_, n) => callTo('search', { query: `topic${n + 1}` }))
      chat.script.push({ calls }, { text: 'The documents do not say it.' })
      await asked('What are the topics?')
      expect(toolResults(1)).toHaveLength(10)
      expect(toolResults(1).filter((text) => text.startsWith('Not run'))).toHaveLength(4)
    })

    it('reads, follows names and lists: every tool answers', async () => {
      chat.script.push(
        {
          calls: [
            callTo('read_document', { passage: 1 }),
            callTo('themes', {}),
            callTo('find_entities', { name: 'Osterby' }),
            callTo('neighbours', { entity: 'Osterby' }),
            callTo('list_documents', {}),
            callTo('neighbours', { entity: 'Osterby', other: 'nobody at all' }),
          ],
        },
        {
          calls: [
            callTo('read_document', { document: 'D1', from: 0 }),
            callTo('read_document', { document: 'D999' }),
          ],
        },
        { text: 'The documents do not say it.' },
      )
      const { steps } = await asked('What is the rent of Unit 4?')
      expect(steps.map(({ type }) => type)).toEqual([
        'think',
        'search',
        'think',
        'read',
        'graph',
        'graph',
        'graph',
        'read',
        'graph',
        'think',
        'read',
        'read',
        'think',
        'answer',
      ])
      // A server that does not say what a turn cost is not guessed at.
      if (!kind.usage) expect(steps.at(-1)).not.toHaveProperty('tokens')
      expect(toolResults(2)[4]).toMatch(/D\d+ Lease of Unit 4 \(2 passages\)/)
      expect(toolResults(2)[5]).toBe('No connection known.')
      expect(toolResults(2)[7]).toMatch(/^There is no such passage or document\./)
    })

    it('states the parts of a question, looks for each, and tells which have nothing', async () => {
      chat.answer = () =>
        chat.requests.length === 1
          ? { calls: [callTo('plan', { parts: ['rent of Unit 4', 'price of MF-204', 'qqqqq xxxxx'] })] }
          : {
              text: `The rent is £38,400 a year [${numberOf('38,400')}]. The documents do not say more.`,
            }
      const { steps, answer } = await asked('Compare the rent, the price and the rest.')
      const parts = steps.filter(({ label }) => label.startsWith('Part '))
      expect(parts.map(({ label, query }) => [label, query])).toEqual([
        ['Part 1 of 3', 'rent of Unit 4'],
        ['Part 2 of 3', 'price of MF-204'],
        ['Part 3 of 3', 'qqqqq xxxxx'],
      ])
      const [result = ''] = toolResults(1)
      expect(result).toContain('Part 1, rent of Unit 4:\n')
      expect(result).toContain('Part 3, qqqqq xxxxx: nothing was found. Say so.')
      expect(answer.citations).toHaveLength(1)
    })

    it('speaks with a model without tools in plain text', async () => {
      chat.answer = (request) => {
        if (request.tools) return { status: 400, body: '{"error":"m does not support tools"}' }
        const said = request.messages.map(({ content }) => content).join('\n')
        return said.includes('Result of search')
          ? { text: `It is £38,400 a year [${numberOf('38,400', request.messages)}].` }
          : { text: '{"tool": "search", "arguments": {"query": "rent"}}' }
      }
      const { answer, steps } = await asked('What is the rent of Unit 4?', { at: strictBase })
      expect(answer.answer).toBe('It is £38,400 a year [1].')
      expect(steps.filter(({ type }) => type === 'search')).toHaveLength(2)
    })

    it('knows the turns before, without their markers', async () => {
      chat.answer = () => ({ text: `The rent is £38,400 a year [${numberOf('38,400')}].` })
      const first = await asked('What is the rent of Unit 4?')
      await asked('And per month?', { thread: first.answer.thread_id })
      const said = chat.requests.at(-1)?.messages ?? []
      expect(said.slice(1, 3).map(({ role, content }) => [role, content])).toEqual([
        ['user', 'What is the rent of Unit 4?'],
        ['assistant', 'The rent is £38,400 a year.'],
      ])
    })
  })

  describe('an answer that cannot be shown', () => {
    it('is asked for once more, and taken when it is better', async () => {
      chat.script.push(
        { text: 'The tower of Pisa was built in 1173 by Bonanno Pisano.' },
        { text: 'The documents do not say it.' },
      )
      const { answer } = await asked('Who built the tower of Pisa?')
      expect(answer.answer).toBe('The documents do not say it.')
      expect(chat.requests[1]?.messages.at(-1)?.content).toContain('no passage supports any of it')
      expect(chat.requests[1]?.tool_choice).toBe('none')
    })

    it.each([
      'The tower of Pisa was built in 1173 by Bonanno Pisano.',
      '{"tool": "search", "arguments": {"query": "x"}}',
    ])('is replaced when it is no better: %s', async (text) => {
      chat.answer = ({ tool_choice }) => ({
        text: tool_choice === 'none' ? text : 'The tower of Pisa was built in 1173.',
      })
      expect((await asked('What is the rent of Unit 4?')).answer.answer).toContain('£38,400')
    })
  })

  describe('an answer that ends at its limit', () => {
    it('is gone on with once', async () => {
      const reply = (text: string, finishReason: string): ScriptedReply => ({ text, finishReason })
      chat.answer = () => {
        const number = numberOf('38,400', chat.requests[0]?.messages)
        return chat.requests.length === 1
          ? reply(`The rent of Unit 4 is £38,400 a year [${number}]. The notice is six mo`, 'length')
          : reply(`The notice is six months [${numberOf('six months', chat.requests[0]?.messages)}].`, 'stop')
      }
      const { answer } = await asked('What is the rent of Unit 4, and the notice?')
      expect(answer.answer).toBe('The rent of Unit 4 is £38,400 a year [1]. The notice is six months [2].')
      const said = chat.requests[1]?.messages.slice(-2)
      expect(said?.[0]?.content).toMatch(/ a year \[\d+\]\. $/)
      expect(said?.[1]?.content).toContain('Go on with the next sentence')
      expect(chat.requests[1]?.tool_choice).toBe('none')
    })

    it('says so when it ends there again', async () => {
      chat.answer = () => ({
        text: `The rent of Unit 4 is £38,400 a year [${numberOf('38,400', chat.requests[0]?.messages)}]. The notice is six mo`,
        finishReason: 'length',
      })
      const { answer } = await asked('What is the rent of Unit 4, and the notice?')
      expect(answer.answer).not.toContain('six mo')
      expect(answer.answer).toMatch(
        /\n\nThe language model reached its limit before its answer was finished\.$/,
      )
      expect(chat.requests).toHaveLength(2)
    })
  })

  describe('an answer that is written', () => {
    /** A promise that the test keeps. */
    function newGate(): { after: Promise<void>; go: () => void } {
      let go = (): void => {}
      const after = new Promise<void>((resolve) => {
        go = resolve
      })
      return { after, go }
    }
    const rent = () =>
      `The rent of Unit 4 is £38,400 a year [${numberOf('38,400', chat.requests[0]?.messages)}].`

    it('is shown sentence by sentence, each before the next one is written', async () => {
      const { after, go } = newGate()
      chat.answer = () => ({
        text: rent(),
        further: { text: ` The notice is six months [${numberOf('six months')}].`, after },
      })
      const texts: string[] = []
      let answer: Answer | undefined
      for await (const { event, data } of stream('What is the rent of Unit 4, and the notice?')) {
        if (event === 'answer') answer = data as Answer
        else if ((data as Step).text !== undefined) {
          texts.push((data as Step).text ?? '')
          go()
        }
      }
      const [first, ...others] = [
        'The rent of Unit 4 is £38,400 a year [1].',
        ' The notice is six months [2].',
      ]
      expect(texts[0]).toBe(first)
      expect(answer?.answer).toBe([first, ...others].join(''))
      expect(answer?.answer.startsWith(texts.join(''))).toBe(true)
    })

    it('is shown without what no passage supports, and says so at its end', async () => {
      chat.answer = () => ({
        text: `${rent()} The tower of Pisa was built in 1173 by Bonanno. The notice is six months [${numberOf('six months')}]. Fine.`,
      })
      const steps: Step[] = []
      let answer: Answer | undefined
      for await (const { event, data } of stream('What is the rent of Unit 4, and the notice?'))
        if (event === 'answer') answer = data as Answer
        else steps.push(data as Step)
      expect(JSON.stringify(steps)).not.toContain('Pisa')
      expect(textOf(steps)).toBe('The rent of Unit 4 is £38,400 a year [1]. The notice is six months [2].')
      expect(answer?.answer).toBe(
        `${textOf(steps)} Fine.\n\nOne statement was left out, because no passage supports it.`,
      )
    })

    it('is withdrawn when the model looks further', async () => {
      const { after, go } = newGate()
      chat.answer = () =>
        chat.requests.length === 1
          ? {
              text: rent(),
              further: { text: ' Let me look.', after },
              calls: [callTo('search', { query: 'notice' })],
            }
          : { text: `The notice is six months [${numberOf('six months', chat.requests[0]?.messages)}].` }
      const { steps, answer } = await asked('What is the rent of Unit 4, and the notice?', { onText: go })
      expect(steps.filter(({ restart }) => restart).map(({ label }) => label)).toEqual([
        'The model looks further before it answers',
      ])
      expect(answer.answer).toBe('The notice is six months [1].')
    })

    it('is withdrawn when the server gives up in the middle', async () => {
      const { after, go } = newGate()
      const further = { text: ' The notice is six months and', after }
      chat.answer = () => ({ text: rent(), further, finishReason: 'error' })
      const { steps, answer } = await asked('What is the rent of Unit 4?', { onText: go })
      expect(steps.filter(({ restart }) => restart).map(({ label }) => label)).toEqual([
        'The language model gave no answer: quoting the documents instead',
      ])
      expect(answer.answer).toMatch(/^The language model did not answer/)
    })

    it('goes on where it was cut off', async () => {
      chat.answer = () =>
        chat.requests.length === 1
          ? { text: `${rent()} The notice is six mo`, finishReason: 'length' }
          : { text: `The notice is six months [${numberOf('six months', chat.requests[0]?.messages)}].` }
      const { steps, answer } = await asked('What is the rent of Unit 4, and the notice?')
      expect(steps.some(({ restart }) => restart)).toBe(false)
      expect(answer.answer).toBe('The rent of Unit 4 is £38,400 a year [1]. The notice is six months [2].')
    })
  })

  describe('a model that fails', () => {
    it.each<[string, ScriptedReply]>([
      ['is always busy', { status: 429, headers: { 'retry-after': '0' }, body: '' }],
      ['is broken', { status: 500, body: '' }],
      ['refuses everything', { status: 400, body: '' }],
      ['is no model', { body: '<html>Sign in</html>' }],
      ['ends in the middle', { text: 'The rent is £38,400 a', ends: 'cut' }],
      ['says nothing', { text: '' }],
      ['never stops', { text: 'x', ends: 'endless' }],
      ['refuses to answer', { text: 'The rent is £38,400 a year.', finishReason: 'content_filter' }],
      ['gives up', { text: 'The rent is £38,400 a year.', finishReason: 'error' }],
      ['thinks until its limit', { text: '<think>The rent is £38,400', finishReason: 'length' }],
      ...PAGES,
    ])('is replaced by quotations when it %s', async (_, reply) => {
      chat.script.push(reply)
      const { steps, answer } = await asked('What is the rent of Unit 4?')
      expect(answer.answer).toMatch(
        /^The language model did not answer, so I only quote the documents\.\n\n.*£38,400/s,
      )
      expect(answer.citations[0]?.document_title).toBe('Lease of Unit 4')
      expect(steps.map(({ label }) => label)).toContain(
        'The language model gave no answer: quoting the documents instead',
      )
      expect(steps.at(-1)?.type).toBe('answer')
    })

    it('is replaced when it calls and calls, asked or not', async () => {
      chat.script.push({ calls: [callTo('search', { query: 'rent' })] })
      expect((await asked('What is the rent of Unit 4?')).answer.answer).toContain('£38,400')
    })

    it('is an agent_error where nothing may replace it, and is not counted', async () => {
      chat.script.push({ status: 500, body: '' })
      const events: Event[] = []
      for await (const event of stream('What is the rent?', { at: strictBase })) events.push(event)
      expect(events.at(-1)).toMatchObject({ event: 'error', data: { error: { type: 'agent_error' } } })
      const plain = await fetch(`${strictBase}/v1/workspaces/${workspace}/ask`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ question: 'What is the rent?' }),
      })
      expect(app.errors.splice(0).map(({ message }) => message)).toEqual(['request failed', 'request failed'])
      expect([plain.status, ((await plain.json()) as { error: { type: string } }).error.type]).toEqual([
        502,
        'agent_error',
      ])
    })

    it('is let go when the reader leaves', async () => {
      chat.script.push({ text: 'Half an answer and then', ends: 'stuck' })
      const leave = new AbortController()
      const gone = chat.left()
      const events = stream('What is the rent of Unit 4?', { signal: leave.signal })
      // Who leaves earlier keeps the model from being asked at all.
      for await (const _event of events) {
        await modelAsked()
        break
      }
      leave.abort()
      await gone
    })

    it('is let go when one leaves who waits for the answer as a whole', async () => {
      chat.script.push({ text: 'Half an answer and then', ends: 'stuck' })
      const leave = new AbortController()
      const gone = chat.left()
      const waiting = fetch(`${base}/v1/workspaces/${workspace}/ask`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ question: 'What is the rent of Unit 4?' }),
        signal: leave.signal,
      })
      const left = expect(waiting).rejects.toThrow()
      await modelAsked()
      leave.abort()
      await left
      await gone
    })
  })

  describe('time', () => {
    const limited = (limits: Partial<Limits>) => {
      const llm = openChatModel({ url: chat.url, model: 'm', key: 'k' })
      const caller: Caller = {
        auth: 'session',
        id: randomUUID(),
        userId: person.id,
        scopes: ['knowledge:read'],
      }
      const request = { question: 'What is the rent of Unit 4?', thread_id: null, stream: true }
      const whole = { searchMs: 60_000, modelMs: 60_000, endMs: 60_000, ...limits }
      return ask({ ...app.deps, llm: async () => llm }, caller, workspace, request, {
        signal: new AbortController().signal,
        limits: whole,
      })
    }

    it('quotes the passages found when a silent model has had its time', async () => {
      chat.script.push({ silent: true })
      const gone = chat.left()
      const modelMs = 2_000
      // However long the search before that took.
      const time = timeUpOnceAsked(modelMs, () => chat.requests.length)
      try {
        const events = []
        for await (const event of limited({ searchMs: 1, modelMs })) events.push(event)
        const last = events.at(-1)
        expect(last?.event === 'answer' && last.data.answer).toContain('£38,400')
        await gone
      } finally {
        time.restore()
      }
    })

    it('lets the model look no further when it is late', async () => {
      chat.answer = ({ tool_choice }) => ({
        text: `${tool_choice}: The rent is £38,400 a year [${numberOf('38,400')}].`,
      })
      const events = []
      for await (const event of limited({ searchMs: 0 })) events.push(event)
      const last = events.at(-1)
      expect(last?.event === 'answer' && last.data.answer).toContain('none: The rent')
    })
  })
})
