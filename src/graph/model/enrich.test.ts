// The model extractor against a scripted server that speaks the protocol, on a real database.

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ChatServer, chatServer } from '../../../test/support/chat-server.ts'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { timeUpOnceAsked } from '../../../test/support/time-up.ts'
import type { Db } from '../../ports/db/db.ts'
import { openDb } from '../../ports/db/postgres.ts'
import { openChatModel } from '../../ports/llm/llm.ts'
import { extractGraph } from '../extract/extract.ts'
import type { ExtractChunk } from '../extraction.ts'
import { enrich } from './enrich.ts'
import { selectSpentTokens } from './replies.sql.ts'

let database: TestDatabase
let db: Db
let server: ChatServer
beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
  server = await chatServer()
})
afterAll(async () => {
  await server?.close()
  await db?.close()
  await database?.close()
})
beforeEach(() => {
  server.requests.length = 0
  server.script.length = 0
})

const free = new AbortController().signal
const log = { debug() {}, info() {}, warn() {}, error() {} }
const PUMPS = 'the quokka pump was drawn by Ilse Brandt for the Norrvik mill.'
const chunk = (chunk_no: number, text: string): ExtractChunk => ({
  chunk_no,
  type: 'text',
  text,
  heading: '',
})

/** A document's row; replies are only stored for documents that exist. */
async function documentOf(...texts: string[]) {
  const [workspaceId, documentId] = [randomUUID(), randomUUID()]
  await db.rows(sql`
    INSERT INTO document (workspace_id, id, version_id, path, title, title_key, provider, kind, content_hash, language,
      chunk_count, has_tables, uploaded_at)
    VALUES (${workspaceId}, ${documentId}, ${randomUUID()}, 'a.txt', 'Pumps', 'pumps', 'upload', 'txt', 'x', 'en', 1,
      false, now())`)
  return { workspaceId, documentId, title: 'Pumps', chunks: texts.map((text, i) => chunk(i, text)) }
}
type Read = Awaited<ReturnType<typeof documentOf>>

const read = (document: Read, more: { budget?: number; timeoutMs?: number; signal?: AbortSignal } = {}) => {
  const llm = openChatModel({
    url: server.url,
    model: 'm',
    key: 'a-secret',
    firstDelayMs: 1,
    timeoutMs: more.timeoutMs ?? 30_000,
  })
  const base = extractGraph({ title: document.title, language: 'en' }, document.chunks)
  return enrich({ db, log, llm, budget: more.budget ?? 1_000_000 }, document, base, more.signal ?? free)
}
const keys = ({ mentions }: Awaited<ReturnType<typeof read>>): string[] =>
  [...new Set(mentions.map((m) => m.key))].sort()

const PUMP = {
  entities: [
    { id: 'a', name: 'quokka pump', type: 'product', aliases: [] },
    { id: 'b', name: 'Ilse Brandt', type: 'person', aliases: [] },
    { id: 'c', name: 'Acme Invented', type: 'organization', aliases: [] },
  ],
  relations: [
    { source: 'a', target: 'b', type: 'created_by', quote: 'the quokka pump was drawn by Ilse Brandt' },
    { source: 'a', target: 'c', type: 'produced_by', quote: 'the quokka pump was drawn by Acme' },
  ],
}

test('adds what the text supports, and calls the model once', async () => {
  const document = await documentOf(PUMPS)
  server.script.push({ content: PUMP, tokens: 321 })
  const whole = await read(document)
  expect(keys(whole)).toEqual(expect.arrayContaining(['ilse brandt', 'quokka pump']))
  expect(keys(whole)).not.toContain('acme invented')
  expect(whole.relations.filter(({ type }) => type !== 'related_to')).toEqual([
    { chunk_no: 0, head: 'quokka pump', type: 'created_by', tail: 'ilse brandt', start: 0, end: 40 },
  ])
  expect(await selectSpentTokens(db, document.workspaceId)).toBe(321)
  // After a restart, or for the same text in a new version, replies come from the table.
  expect(await read(document)).toEqual(whole)
  expect(server.requests).toHaveLength(1)
  expect(server.requests[0]?.response_format).toBeDefined()
})

test.each([
  ['malformed JSON', { content: '{"entities": [{"id": ' }],
  ['no JSON', { content: 'I cannot help with that.' }],
  ['another shape', { content: { nodes: [] } }],
])('%s: only the statistical extraction is used, and the model is not called again', async (_, reply) => {
  const document = await documentOf(PUMPS)
  server.script.push({ ...reply, tokens: 10 })
  const base = extractGraph({ title: 'Pumps', language: 'en' }, document.chunks)
  expect(await read(document)).toEqual(base)
  expect(await read(document)).toEqual(base)
  expect(server.requests).toHaveLength(1)
})

test.each([
  ['a refusal', { status: 401, body: '{}' }, 1],
  ['no completion', { body: '{"choices": []}' }, 1],
  ['a body that is not JSON', { body: '<html>' }, 1],
  ['a busy server', { status: 429, headers: { 'retry-after': '0' }, body: '{}' }, 3],
])(
  '%s: only the statistical extraction is used, nothing is spent, and the model is called again the next time',
  async (_, reply, attempts) => {
    const document = await documentOf(PUMPS)
    const base = extractGraph({ title: 'Pumps', language: 'en' }, document.chunks)
    server.script.push(reply)
    expect(await read(document)).toEqual(base)
    expect(server.requests).toHaveLength(attempts)
    expect(await selectSpentTokens(db, document.workspaceId)).toBe(0)
    server.script[0] = { content: PUMP }
    expect(keys(await read(document))).toContain('quokka pump')
  },
)

test('a server that does not answer is given up after the timeout, and after three batches for this document', async () => {
  const long = 'word '.repeat(1100)
  const document = await documentOf(long, `${long}b`, `${long}c`, `${long}d`)
  server.script.push({ silent: true })
  const timeoutMs = 50
  const time = timeUpOnceAsked(timeoutMs, () => server.requests.length)
  try {
    const begun = await read(document, { timeoutMs })
    expect(begun).toEqual(extractGraph({ title: 'Pumps', language: 'en' }, document.chunks))
    expect(server.requests).toHaveLength(9)
  } finally {
    time.restore()
  }
})

test('a server without json_schema is called without it', async () => {
  const document = await documentOf(PUMPS)
  server.script.push({ status: 400, body: '{"error":{"message":"response_format"}}' }, { content: PUMP })
  expect(keys(await read(document))).toContain('quokka pump')
  expect(server.requests.map(({ response_format }) => response_format !== undefined)).toEqual([true, false])
})

test('no calls are made beyond the budget; two workers never spend more', async () => {
  const long = 'word '.repeat(1000)
  const one = await documentOf(...Array.from({ length: 6 }, (_, i) => `${long}${i}`))
  const two = { ...(await documentOf()), workspaceId: one.workspaceId, chunks: one.chunks }
  server.script.push({ content: { entities: [], relations: [] } })
  // A call reserves tokens for its text, the prompt and the longest answer: about 3,800.
  await Promise.all([read(one, { budget: 12_000 }), read(two, { budget: 12_000 })])
  expect(server.requests.length).toBe(3)
  const spent = await selectSpentTokens(db, one.workspaceId)
  expect(spent).toBeGreaterThan(9000)
  expect(spent).toBeLessThanOrEqual(12_000)
})

test('a task that is stopped stops the call', async () => {
  const document = await documentOf(PUMPS)
  const stopping = new AbortController()
  server.script.push({ silent: true })
  const reading = read(document, { signal: stopping.signal })
  while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  stopping.abort(new Error('stopped'))
  await expect(reading).rejects.toThrow('stopped')
})
