// Asking with a language model whose context is short. Either the model reads all that it was sent, its rules first of all, or the
// answer says that it did not.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../src/ask/ask.ts'
import { SYSTEM_PROMPT } from '../../src/ask/model/prompt.ts'
import type { Caller } from '../../src/auth/caller.ts'
import type { Answer, Step } from '../../src/contract/resources.ts'
import { type ChatModel, openChatModel } from '../../src/ports/llm/llm.ts'
import { WITH_SHORT_CONTEXT } from '../models/kinds.ts'
import { ollama, ollamaBehindGateway } from '../models/ollama.ts'
import { type TestApp, testApp } from '../support/app.ts'
import {
  type ChatRequest,
  type ChatServer,
  chatServer,
  type ServerKind,
  STANDARD,
} from '../support/chat-server.ts'
import { putDocument, settle } from '../support/put.sql.ts'

let app: TestApp
let workspace: string
let caller: Caller
let noteTexts: string[]

// Twelve passages of some 1,400 characters about each of two subjects.
const TOPICS = ['lighthouse', 'observatory']
const sentence = (topic: string, n: number, i: number): string =>
  `The ${topic} number ${n} was painted in the year ${1800 + n * 20 + i} by its keeper and costs £${n}${i}0 a month.`

beforeAll(async () => {
  app = await testApp({ askPerHour: 10_000 })
  const person = await app.person()
  caller = { auth: 'session', id: randomUUID(), userId: person.id, scopes: ['knowledge:read'] }
  workspace = await app.workspace(person)
  for (const topic of TOPICS)
    for (let n = 1; n <= 12; n++) {
      const text = Array.from({ length: 16 }, (_, i) => sentence(topic, n, i)).join(' ')
      const block = { kind: 'paragraph' as const, text, page: 1 }
      await putDocument(app.deps.db, workspace, randomUUID(), [block], { title: `The ${topic} ${n}` })
    }
  const sections = SECTIONS.map((text, i) => ({ kind: 'paragraph' as const, text, page: i + 1 }))
  const note = await putDocument(app.deps.db, workspace, randomUUID(), sections, { title: 'Note' })
  noteTexts = [...note.values()]
  await settle(app.deps.db, workspace)
})
afterAll(() => app?.close())

// A note of six short sections: only the first names what is asked for, and no search for it finds the last.
const SECTIONS = [
  'The harbour crane is inspected once a year by the surveyor.',
  'Lubrication uses the grease named in the manual.',
  'The hook bears a plate with its greatest load.',
  'Operators sign the logbook before each shift.',
  'In strong wind nobody works there.',
  'Faults are reported to Anna Brandt in building 7.',
]

async function conversation(
  kind: ServerKind,
  turns: readonly string[],
): Promise<{ chat: ChatServer; answers: Answer[]; steps: Step[] }> {
  const chat = await chatServer(kind)
  try {
    const llm = openChatModel({ url: chat.url, model: 'm', key: 'k', firstDelayMs: 1 })
    chat.answer = (request) => {
      const results = request.messages.filter(
        ({ role, content }) => role === 'tool' || content?.startsWith('Result of'),
      )
      if (results.length === 0 && request.tool_choice !== 'none')
        return { calls: TOPICS.map((query) => ({ name: 'search', arguments: { query } })) }
      return { text: answerFrom(request) }
    }
    const answers: Answer[] = []
    const steps: Step[] = []
    for (const question of turns) {
      const thread_id = answers.at(-1)?.thread_id ?? null
      const input = { question, thread_id, stream: true }
      const options = { signal: new AbortController().signal }
      for await (const event of ask({ ...app.deps, llm: async () => llm }, caller, workspace, input, options))
        if (event.event === 'answer') answers.push(event.data)
        else steps.push(event.data)
    }
    return { chat, answers, steps }
  } finally {
    await chat.close()
  }
}

const hasRules = ({ messages }: ChatRequest): boolean =>
  messages.some(({ content }) => content?.includes(SYSTEM_PROMPT))

/** A model that does as it is told, if it is. */
function answerFrom(request: ChatRequest): string {
  if (!hasRules(request)) return 'Once upon a time there was a lighthouse.'
  const said = request.messages.map(({ content }) => content).join('\n')
  const statement = /The lighthouse number \d+ was painted in the year \d+ by its keeper/.exec(said)
  const number = [...said.slice(0, statement?.index).matchAll(/^\[(\d+)\] D/gm)].at(-1)?.[1]
  return statement ? `${statement[0]} [${number}].` : 'The documents do not say it.'
}

const QUESTIONS = [
  'When was the lighthouse painted?',
  'By whom was the observatory painted?',
  'What does the lighthouse cost?',
  'And the observatory?',
]
const NOTE = 'The language model’s server read only a part of the passages it was sent.'

describe.each(WITH_SHORT_CONTEXT.filter((kind) => kind !== ollamaBehindGateway))('$name', (kind) => {
  it('reads all of four questions in a row, with what its tools find', async () => {
    const { chat, answers, steps } = await conversation(kind, QUESTIONS)
    expect(answers.map(({ answer }) => answer)).toEqual(
      QUESTIONS.map(() => expect.stringMatching(/^The lighthouse number \d+ was painted .* \[1\]\.$/)),
    )
    expect(chat.requests.every(hasRules)).toBe(true)
    expect(steps.map(({ label }) => label)).not.toContain(
      'The model takes less text: asking again with fewer passages',
    )
  })
})

describe('a server that drops the beginning and tells nothing', () => {
  it('is asked again with less, and never gets too much once two prompts had the same count', async () => {
    const { chat, answers, steps } = await conversation(ollamaBehindGateway, QUESTIONS)
    expect(chat.requests.filter((request) => !hasRules(request))).toHaveLength(2)
    expect(steps.filter(({ label }) => label.startsWith('The model takes less text'))).toHaveLength(2)
    expect(answers[0]?.answer).toMatch(/^The lighthouse number \d+ was painted .* \[1\]\.$/)
    expect(answers[0]?.answer).not.toContain(NOTE)
    const asked = chat.requests.at(-1)?.messages.find(({ content }) => content?.startsWith('A first search'))
    expect(asked?.content).toContain(SYSTEM_PROMPT)
  })

  it('is not limited for other questions by one count that is by chance that of a context', async () => {
    const chat = await chatServer(STANDARD)
    const model = openChatModel({ url: chat.url, model: 'm', key: 'k', firstDelayMs: 1 })
    let calls = 0
    const llm: ChatModel = {
      ...model,
      converse: async (request, signal) => {
        const turn = await model.converse(request, signal)
        calls++
        return calls === 1 ? { ...turn, prompt: { ...turn.prompt, counted: 5120 } } : turn
      },
    }
    chat.answer = (request) => ({ text: answerFrom(request) })
    const options = { signal: new AbortController().signal }
    const input = { question: QUESTIONS[0] ?? '', thread_id: null, stream: true }
    const answers: Answer[] = []
    for await (const event of ask({ ...app.deps, llm: async () => llm }, caller, workspace, input, options))
      if (event.event === 'answer') answers.push(event.data)
    expect(answers[0]?.answer).toMatch(/^The lighthouse number \d+ was painted .* \[1\]\.$/)
    expect(calls).toBe(2)
    expect((await llm.context.window(options.signal)).tokens).toBeUndefined()
    await chat.close()
  })

  it('is told of below the answer where it keeps even less', async () => {
    const shrinking: ServerKind = {
      ...ollama,
      pages: {},
      context: { tokens: 900, exceeded: 'drops the beginning' },
    }
    const { answers } = await conversation(shrinking, QUESTIONS.slice(0, 1))
    expect(answers[0]?.answer).toMatch(new RegExp(`${NOTE}$|only quote the documents`))
  })
})

describe.each([STANDARD, ...WITH_SHORT_CONTEXT])('a short document with $name', (kind) => {
  it('goes to the model whole, its passages numbered in its order, and each can be cited', async () => {
    const chat = await chatServer(kind)
    const llm = openChatModel({ url: chat.url, model: 'm', key: 'k', firstDelayMs: 1 })
    const numbersIn = (said: string): number[] =>
      noteTexts.map((text) => {
        const at = said.indexOf(text)
        return at < 0 ? 0 : Number([...said.slice(0, at).matchAll(/^\[(\d+)\] D/gm)].at(-1)?.[1])
      })
    let numbers: number[] = []
    chat.answer = ({ messages }) => {
      const said = messages.map(({ content }) => content ?? '').join('\n')
      numbers = numbersIn(said)
      return { text: `Faults are reported to Anna Brandt in building 7 [${numbers.at(-1)}].` }
    }
    const input = { question: 'Who inspects the harbour crane?', thread_id: null, stream: true }
    const options = { signal: new AbortController().signal }
    const answers: Answer[] = []
    for await (const event of ask({ ...app.deps, llm: async () => llm }, caller, workspace, input, options))
      if (event.event === 'answer') answers.push(event.data)
    await chat.close()
    const first = numbers[0] ?? 0
    expect(first).toBeGreaterThan(0)
    expect(numbers).toEqual(noteTexts.map((_, i) => first + i))
    expect(answers[0]?.answer).toBe('Faults are reported to Anna Brandt in building 7 [1].')
    expect(answers[0]?.citations[0]?.document_title).toBe('Note')
  })
})
