// The protocol of language models with a real server: llama.cpp's, as it is started without options and as it is without its
// templates, where it refuses tools. The model is the test's, and always says the same.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../src/ask/ask.ts'
import { SYSTEM_PROMPT } from '../../src/ask/model/prompt.ts'
import { toolSpecs } from '../../src/ask/model/tool-calls.ts'
import type { Caller } from '../../src/auth/caller.ts'
import type { Answer, Step } from '../../src/contract/resources.ts'
import { modelsOf } from '../../src/models/servers.ts'
import type { Conversation } from '../../src/ports/llm/conversation.ts'
import { type ChatModel, openChatModel } from '../../src/ports/llm/llm.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { putDocument, settle } from '../support/put.sql.ts'
import { freePort } from '../support/service.ts'
import { tinyModel } from './tiny-model.ts'

const named = process.env.KENNING_LLAMA_SERVER
if (!named) throw new Error('KENNING_LLAMA_SERVER names no server: run `npm run test:llama`.')
const program: string = named
/** The folder that the server sees as the root of all; the usual one where it is a program of this machine. */
const root = process.env.KENNING_LLAMA_ROOT ?? '/'

const CONTEXT = 4096
const ANSWER = 'The rent of Unit 4 is £41,200 a year [1]. It was agreed on in 2023 by both parties.'
const FIRST_SENTENCE_TOKENS = 10
const FILLER = 'The gate of the yard is locked at night by the last one to leave, who writes it down.'

const folder = mkdtempSync(join(root, tmpdir(), 'kenning-llama-'))
let app: TestApp
let workspace: string
let caller: Caller

beforeAll(async () => {
  const reads = `${SYSTEM_PROMPT}\n${JSON.stringify(toolSpecs)}\n${FILLER}`
  writeFileSync(join(folder, 'tiny.gguf'), tinyModel({ says: ANSWER.split(' '), reads }))
  app = await testApp({ askPerHour: 10_000 })
  const person = await app.person()
  caller = { auth: 'session', id: randomUUID(), userId: person.id, scopes: ['knowledge:read'] }
  workspace = await app.workspace(person)
  const texts = [
    'The rent of Unit 4 is £41,200 a year. It was agreed on in 2023 by both parties.',
    ...Array.from({ length: 12 }, (_, n) => `Rent of Unit 4, note ${n}. ${FILLER.repeat(16)}`),
  ]
  for (const [n, text] of texts.entries()) {
    const block = { kind: 'paragraph' as const, text, page: 1 }
    await putDocument(app.deps.db, workspace, randomUUID(), [block], { title: `Lease ${n}` })
  }
  await settle(app.deps.db, workspace)
})
afterAll(async () => {
  await app?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the server and waits until it has loaded its model. */
async function startServer(options: readonly string[]): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort()
  const model = join('/', tmpdir(), basename(folder), 'tiny.gguf')
  const args = [
    '-m',
    model,
    '-c',
    `${CONTEXT}`,
    '-np',
    '1',
    '-t',
    '1',
    '--host',
    '127.0.0.1',
    '--port',
    `${port}`,
    ...options,
  ]
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      output = `${output}${piece}`.slice(-20_000)
    })
  const exited = once(child, 'exit')
  const origin = `http://127.0.0.1:${port}`
  while ((await fetch(`${origin}/health`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`llama-server ended with ${child.exitCode}: ${output}`)
    await sleep(50)
  }
  return {
    url: `${origin}/v1`,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

const never = new AbortController().signal
const saying = (content: string, over: Partial<Conversation> = {}): Conversation => ({
  messages: [{ role: 'user', content }],
  tools: [],
  mayCall: false,
  maxTokens: 100,
  ...over,
})

async function answerTo(
  llm: ChatModel,
  question = 'What is the rent of Unit 4?',
): Promise<{ answer: Answer; steps: Step[] }> {
  const input = { question, thread_id: null, stream: true }
  const deps = { ...app.deps, llm: async () => llm }
  const steps: Step[] = []
  for await (const event of ask(deps, caller, workspace, input, { signal: never })) {
    if (event.event === 'answer') return { answer: event.data, steps }
    steps.push(event.data)
  }
  throw new Error('There was no answer.')
}

describe.each([{ options: [] }, { options: ['--no-jinja'] }])(
  'llama.cpp with the options $options',
  ({ options }) => {
    let url: string
    let stop: () => Promise<void>
    beforeAll(async () => {
      ;({ url, stop } = await startServer(options))
    })
    afterAll(() => stop?.())
    const open = (contextTokens?: number): ChatModel =>
      openChatModel({ url, model: 'tiny', key: undefined, contextTokens })

    it('tells its model and the length of its context', async () => {
      expect(
        (await modelsOf(app.deps, { part: 'language', url, key: undefined })).data.map(({ id }) => id),
      ).toEqual([expect.stringContaining('tiny')])
      expect((await open().context.window(never)).tokens).toBe(CONTEXT)
    })

    it('streams what the model says, and counts the prompt', async () => {
      const texts: string[] = []
      const turn = await open().converse(saying('Who?'), never, (text) => texts.push(text))
      expect(turn).toMatchObject({ text: ANSWER, ending: 'complete', calls: [] })
      expect(turn.prompt.counted).toBeGreaterThan(0)
      expect(texts.every((text) => ANSWER.startsWith(text))).toBe(true)
      expect(texts.at(-1)).toBe(ANSWER)
    })

    it('says that its limit cut an answer', async () => {
      const turn = await open().converse(saying('Who?', { maxTokens: 5 }), never)
      expect(turn).toMatchObject({ text: 'The rent of Unit 4', ending: 'cut' })
    })

    it('holds the model to a schema', async () => {
      const schema = { type: 'object', properties: { is_so: { type: 'boolean' } }, required: ['is_so'] }
      const request = { system: 'Answer in JSON.', user: 'Is it so?', maxTokens: 30 }
      const reply = await open().complete({ ...request, schema: { name: 'truth', schema } })
      expect(reply.text).toMatch(/^\{\s*"is_so/)
    })

    it('answers a question with the passage that supports it, shown while it is written', async () => {
      const { answer, steps } = await answerTo(open())
      expect(answer.answer).toContain('The rent of Unit 4 is £41,200 a year [1].')
      expect(answer.citations).toHaveLength(1)
      expect(steps.map(({ text }) => text ?? '').join('')).toContain('£41,200')
    })

    it('cuts an answer, which is never given as if it were whole', async () => {
      const model = open()
      const limited: ChatModel = {
        ...model,
        converse: (request, signal, onText) =>
          model.converse({ ...request, maxTokens: FIRST_SENTENCE_TOKENS + 2 }, signal, onText),
      }
      const { answer } = await answerTo(limited)
      expect(answer.answer).toContain('The rent of Unit 4 is £41,200 a year [1].')
      expect(answer.answer).not.toContain('by both')
      expect(answer.answer).toContain('The language model reached its limit before its answer was finished.')
    })
  },
)
