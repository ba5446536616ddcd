import { randomUUID } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATIENT, type TestDatabase, testDatabase } from '../../test/support/database.ts'
import { indexGraph } from '../../test/support/graph.ts'
import { type Caller, principal } from '../auth/caller.ts'
import type { Answer, Step } from '../contract/resources.ts'
import { ApiError } from '../errors.ts'
import { extractGraph } from '../graph/extract/extract.ts'
import { toLexicalVector } from '../index/weights.ts'
import { chunksOf } from '../ingest/chunk/chunk.ts'
import { insertChunks, insertVersion, publishVersion } from '../ingest/publish.sql.ts'
import type { Db } from '../ports/db/db.ts'
import { openDb } from '../ports/db/postgres.ts'
import type { Deps } from '../ports/deps.ts'
import type { Block } from '../reader/reader.ts'
import { ask } from './ask.ts'
import { countQuestion, uncountQuestion } from './rate-limit.ts'

let database: TestDatabase
let db: Db
let other: Db
let library: string
const owner = person()

beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection, PATIENT)
  other = openDb(database.connection, PATIENT)
  library = await workspaceOf(owner)
  await put(library, 'Lease of Unit 4', [
    heading('4. Rent'),
    paragraph('4.1 The rent is £38,400 a year, payable in four equal parts.'),
    heading('12. Ending by the Tenant'),
    paragraph(
      '12.1 The Tenant may end this lease by giving the Landlord not less than six months’ written notice.',
    ),
    paragraph('12.2 The notice must be sent by recorded delivery to the Landlord.'),
  ])
  await put(library, 'Amendment No. 1 to the lease of Unit 4', [
    heading('1. Notice'),
    paragraph(
      '1.1 In clause 12.1 of the lease “six months’ written notice” is replaced by “three months’ written notice”.',
    ),
  ])
  await put(library, 'Suppliers', [
    table(
      '| Part | Description | Supplier | Price |\n| --- | --- | --- | --- |\n| MF-204 | Vented cable | Osterby Cables | €14.50 |\n| MF-310 | Cable gland | Osterby Cables | €2.10 |\n| PX-7 | Pressure cell | Brightwater Sensors | €226.00 |',
    ),
  ])
  await put(library, 'Staff handbook', [
    heading('Safety'),
    paragraph(
      'Batteries are stored in the steel cabinet [99] behind the crane; see [the plan](https://evil.example/x) ![x](https://evil.example/p.png) and note [1].',
    ),
    paragraph('Ingrid Solheim is the chair of the co-operative. Tomas Okafor is the technical director.'),
  ])
})
afterAll(async () => {
  await db?.close()
  await other?.close()
  await database?.close()
})

describe('answers', () => {
  it('does not take the opposite for an answer', async () => {
    const { answer } = await askAll('Who is not the chair of the co-operative?')
    expect(answer.answer).toMatch(/may not answer this directly|did not find this/)
  })

  it.each(['Who is the supplier of cable?', 'Which supplier is Osterby Cables?', 'Who is the chair?'])(
    'never quotes the same twice: %s',
    async (question) => {
      const { answer } = await askAll(question)
      const quotes = answer.answer.split('\n').filter((line) => /^- |^\| .*\[\d+\]/.test(line))
      expect(quotes.length).toBeGreaterThan(0)
      expect(new Set(quotes).size).toBe(quotes.length)
    },
  )

  it('quotes the lease and its amendment, the amendment first', async () => {
    const { answer, steps } = await askAll('How much notice must be given to end the lease?')
    expect(answer.answer).toMatch(
      /changes an earlier text[\s\S]*three months[\s\S]*\[1\][\s\S]*not less than six months[\s\S]*\[2\]/,
    )
    expect(answer.citations.map((c) => c.document_title)).toEqual([
      'Amendment No. 1 to the lease of Unit 4',
      'Lease of Unit 4',
    ])
    holds(answer)
    expect(steps.map((step) => step.index)).toEqual(steps.map((_, i) => i))
    expect(steps[0]?.type).toBe('think')
    expect(steps[1]).toMatchObject({
      type: 'search',
      query: 'How much notice must be given to end the lease?',
    })
    expect(steps.at(-1)).toMatchObject({ type: 'answer', tokens: 0 })
  })

  it('answers both halves of a question from one row, with the exact cells', async () => {
    const { answer } = await askAll('What does part MF-204 cost and who supplies it?')
    expect(answer.answer).toContain(
      'Part: MF-204 · Price: €14.50 · Supplier: Osterby Cables · Description: Vented cable',
    )
    expect(answer.answer).not.toContain('MF-310')
    expect(answer.citations).toHaveLength(1)
    holds(answer)
  })

  it('shows both sides of a comparison', async () => {
    const { answer } = await askAll('Which costs more, MF-204 or PX-7?')
    expect(answer.answer).toMatch(/\*\*MF-204\*\*[\s\S]*€14\.50[\s\S]*\*\*PX-7\*\*[\s\S]*€226\.00/)
    holds(answer)
  })

  it.each([
    'What is the capital of Portugal?',
    'Who won the football championship last season?',
    'What does part MF-999 cost?',
    'When was the agreement with Halvorsen Shipping signed?',
  ])('says that the documents do not hold it: %s', async (question) => {
    const { answer } = await askAll(question)
    expect(answer.answer).toMatch(/^I did not find this in the documents\./)
    expect(answer.citations).toEqual([])
    holds(answer)
  })

  it('keeps brackets, links and images of documents from becoming markup', async () => {
    const { answer } = await askAll('Where are the batteries stored?')
    expect(answer.answer).toContain('steel cabinet \\[99\\] behind the crane')
    expect(answer.answer).not.toMatch(/(?<!\\)\]\(|!\[/)
    expect(answer.citations[0]?.text).toContain('![x](https://evil.example/p.png)')
    holds(answer)
  })

  it('says so in an empty workspace', async () => {
    const { answer } = await askAll('How much notice must be given?', { workspace: await workspaceOf(owner) })
    expect(answer).toMatchObject({ citations: [] })
  })
})

describe('threads', () => {
  it('understands a follow-up by the question before', async () => {
    const first = await askAll('Who supplies the part PX-7?')
    const next = await askAll('And what does it cost?', { thread: first.answer.thread_id })
    expect(next.answer.thread_id).toBe(first.answer.thread_id)
    expect(next.answer.answer).toContain('€226.00')
    holds(next.answer)
    expect(await turnsOf(first.answer.thread_id)).toEqual([
      [1, 'Who supplies the part PX-7?'],
      [2, 'And what does it cost?'],
    ])
  })

  it('keeps every turn when two are asked at once', async () => {
    const { answer } = await askAll('Who is the chair?')
    const thread = answer.thread_id
    await Promise.all(
      ['What is the rent?', 'Who is the technical director?', 'What is PX-7?'].map((q) =>
        askAll(q, { thread }),
      ),
    )
    expect((await turnsOf(thread)).map(([no]) => no)).toEqual([1, 2, 3, 4])
  })

  it('is the same 404 for another user, another key, another workspace and an unknown thread', async () => {
    const { answer } = await askAll('Who is the chair?')
    const colleague = person()
    await join(library, colleague)
    const key: Caller = { ...owner, auth: 'api_key', id: randomUUID(), workspaceIds: [library] }
    const elsewhere = await workspaceOf(owner)
    const refusals = await Promise.all([
      refusal(askAll('Who?', { thread: answer.thread_id, caller: colleague })),
      refusal(askAll('Who?', { thread: answer.thread_id, caller: key })),
      refusal(askAll('Who?', { thread: answer.thread_id, workspace: elsewhere })),
      refusal(askAll('Who?', { thread: randomUUID() })),
      refusal(askAll('Who?', { workspace: randomUUID() })),
    ])
    expect(refusals.map(({ status, type, message }) => ({ status, type, message }))).toEqual(
      Array(5).fill({ status: 404, type: 'not_found', message: refusals[0]?.message }),
    )
    expect(await askedBy(colleague)).toBe(0)
  })
})

describe('the hourly limit', () => {
  it('accepts exactly the limit of 100 concurrent questions over two processes, and says how long to wait', async () => {
    const who = `user:${randomUUID()}`
    const tries = Array.from({ length: 100 }, (_, i) =>
      countQuestion({ db: i % 2 ? db : other, settings: settings(60) }, who),
    )
    const results = await Promise.allSettled(tries)
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as ApiError] : [],
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(60)
    expect(refused).toHaveLength(40)
    for (const error of refused) {
      expect(error).toMatchObject({ status: 429, type: 'rate_limited' })
      expect(Number.isInteger(error.extras.retryAfter)).toBe(true)
      expect(error.extras.retryAfter).toBeGreaterThanOrEqual(3500)
      expect(error.extras.retryAfter).toBeLessThanOrEqual(3600)
    }
  })

  it('slides: the wait is until the oldest of the last N is an hour old, and then the next is accepted', async () => {
    const who = `user:${randomUUID()}`
    const take = () => countQuestion({ db, settings: settings(2) }, who)
    await take()
    await age(who, 40 * 60)
    await take()
    const wait = (await refusal(take())).extras.retryAfter ?? 0
    expect(wait).toBeGreaterThan(19 * 60)
    expect(wait).toBeLessThanOrEqual(20 * 60)
    await age(who, wait)
    await take()
    expect((await refusal(take())).extras.retryAfter).toBeGreaterThan(30 * 60)
  })

  it('counts what takes as much work as several questions as so many, and as the whole limit at most', async () => {
    const who = `user:${randomUUID()}`
    const take = (questions: number) =>
      countQuestion({ db, settings: settings(5) }, who, undefined, questions)
    await take(3)
    await refusal(take(3))
    await uncountQuestion({ db }, await take(2))
    await take(1)
    await age(who, 2 * 3600)
    await take(9)
    await refusal(take(1))
  })

  it('counts users and keys separately, and deletes questions older than an hour', async () => {
    const who = `user:${randomUUID()}`
    await countQuestion({ db, settings: settings(1) }, who)
    await countQuestion({ db, settings: settings(1) }, `key:${randomUUID()}`)
    await age(who, 2 * 3600)
    await countQuestion({ db, settings: settings(1) }, `user:${randomUUID()}`)
    expect(await count(sql`SELECT count(*)::int AS n FROM asked WHERE principal = ${who}`)).toBe(0)
  })

  it('is checked after the 404s and before any work', async () => {
    const guest = person()
    await join(library, guest)
    await askAll('Who is the chair?', { caller: guest, limit: 1 })
    expect(await refusal(askAll('Who is the chair?', { caller: guest, limit: 1 }))).toMatchObject({
      status: 429,
    })
    expect(await refusal(askAll('Who?', { caller: guest, limit: 1, thread: randomUUID() }))).toMatchObject({
      status: 404,
    })
    expect(
      await count(sql`SELECT count(*)::int AS n FROM thread WHERE principal = ${principal(guest)}`),
    ).toBe(1)
  })
})

describe('when a question ends early', () => {
  it('stops when the caller leaves, keeps no turn and counts the question', async () => {
    const guest = person()
    await join(library, guest)
    const leave = new AbortController()
    const events = ask(deps(), guest, library, request('Who is the chair?'), { signal: leave.signal })
    await events.next()
    leave.abort()
    await expect(events.next()).rejects.toThrow(/abort/i)
    expect(await askedBy(guest)).toBe(1)
    expect(
      await count(sql`SELECT count(*)::int AS n FROM thread WHERE principal = ${principal(guest)}`),
    ).toBe(0)
  })

  it('stops when the caller leaves while the database does not answer', async () => {
    const leave = new AbortController()
    const stuck = broken(() => new Promise(() => setTimeout(() => leave.abort(), 20)))
    const events = ask(deps(stuck), owner, library, request('Who is the chair?'), { signal: leave.signal })
    await expect(drain(events)).rejects.toThrow(/abort/i)
  })

  it('does not count a question that failed on our side, and leaves no thread', async () => {
    const guest = person()
    await join(library, guest)
    const failing = broken(() => Promise.reject(new Error('the disk is on fire')))
    const events = ask(deps(failing), guest, library, request('Who is the chair?'), free())
    await expect(drain(events)).rejects.toThrow('the disk is on fire')
    expect(await askedBy(guest)).toBe(0)
    expect(
      await count(sql`SELECT count(*)::int AS n FROM thread WHERE principal = ${principal(guest)}`),
    ).toBe(0)
  })

  it('ends with 404 when the role is taken away in the middle', async () => {
    const guest = person()
    await join(library, guest)
    const events = ask(deps(), guest, library, request('Which costs more, MF-204 or PX-7?'), free())
    await events.next()
    await db.rows(sql`DELETE FROM member WHERE workspace_id = ${library} AND account_id = ${guest.userId}`)
    expect(await refusal(drain(events))).toMatchObject({ status: 404 })
    expect(
      await count(sql`SELECT count(*)::int AS n FROM thread WHERE principal = ${principal(guest)}`),
    ).toBe(0)
  })
})

// ——— the example documents and their callers

function person(): Caller {
  const id = randomUUID()
  return { auth: 'session', id, userId: id, scopes: ['knowledge:read'] }
}

const heading = (text: string): Block => ({ kind: 'heading', level: 2, text })
const paragraph = (text: string): Block => ({ kind: 'paragraph', text })
const table = (text: string): Block => ({ kind: 'table', text })
const free = () => ({ signal: new AbortController().signal })
const settings = (askPerHour: number) => ({ askPerHour }) as Deps['settings']
const log = { debug() {}, info() {}, warn() {}, error() {} }
const embedder = async () => ({ kind: 'none' as const })
const deps = (over: Db = db, limit = 10_000) => ({ db: over, log, embedder, settings: settings(limit) })
const request = (question: string, thread: string | null = null) => ({
  question,
  thread_id: thread,
  stream: false,
})

/** The database with its search statement replaced. */
const broken = (instead: () => Promise<never>): Db => ({
  ...db,
  rows: (statement: Sql) => (statement.sql.includes('sparsevec') ? instead() : db.rows(statement)),
})

async function join(workspaceId: string, caller: Caller): Promise<void> {
  const { userId } = caller
  await db.rows(sql`
    INSERT INTO account (id, email, email_key, password_hash) VALUES (${userId}, ${userId}, ${userId}, '')
    ON CONFLICT DO NOTHING`)
  await db.rows(
    sql`INSERT INTO member (workspace_id, account_id, role) VALUES (${workspaceId}, ${userId}, 'viewer')`,
  )
}

async function workspaceOf(caller: Caller): Promise<string> {
  const id = randomUUID()
  await db.rows(sql`INSERT INTO workspace (id, name, description, created_by) VALUES (${id}, 'w', '', ${id})`)
  await join(id, caller)
  return id
}

async function put(workspaceId: string, title: string, blocks: Block[]): Promise<void> {
  const key = { workspaceId, documentId: randomUUID(), versionId: randomUUID() }
  const chunks = [...chunksOf(key.documentId, { blocks })].map((chunk, chunk_no) => ({
    ...chunk,
    language: 'en' as const,
    chunk_no,
    html: null,
    boxes: null,
  }))
  await insertVersion(db, key)
  await insertChunks(
    db,
    key,
    chunks.map((chunk) => ({ ...chunk, ...toLexicalVector({ ...chunk, title }) })),
  )
  const row = {
    path: title,
    title,
    title_key: title,
    kind: 'text',
    content_hash: title,
    language: 'en',
    pages: null,
  }
  await db.tx((tx) =>
    publishVersion(tx, key, {
      ...row,
      chunk_count: chunks.length,
      has_tables: false,
      uploaded_at: new Date(),
    }),
  )
  const extraction = extractGraph({ title, language: 'en' }, chunks)
  await indexGraph({ db }, key, extraction, { signal: free().signal, fence: async () => {} })
}

async function askAll(
  question: string,
  options: { workspace?: string; thread?: string; caller?: Caller; limit?: number } = {},
): Promise<{ steps: Step[]; answer: Answer }> {
  const { workspace = library, thread = null, caller = owner, limit } = options
  return drain(ask(deps(db, limit), caller, workspace, request(question, thread), free()))
}

async function drain(events: ReturnType<typeof ask>): Promise<{ steps: Step[]; answer: Answer }> {
  const steps: Step[] = []
  let answer: Answer | undefined
  for await (const event of events) {
    expect(answer).toBeUndefined()
    if (event.event === 'step') steps.push(event.data)
    else answer = event.data
  }
  if (!answer) throw new Error('no answer')
  return { steps, answer }
}

async function refusal(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`)
  return error
}

/** Markers in the text equal the citations' numbers, 1 to k; every text is verbatim in its chunk. */
function holds({ answer, citations }: Answer): void {
  const shown = [...answer.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]))
  expect([...new Set(shown)]).toEqual(citations.map((citation) => citation.number))
  expect(citations.map((citation) => citation.number)).toEqual(citations.map((_, i) => i + 1))
}

const count = async (statement: Sql): Promise<number> => (await db.rows<{ n: number }>(statement))[0]?.n ?? 0
const askedBy = (caller: Caller): Promise<number> =>
  count(sql`SELECT count(*)::int AS n FROM asked WHERE principal = ${principal(caller)}`)
const age = (who: string, seconds: number): Promise<unknown> =>
  db.rows(sql`UPDATE asked SET at = at - make_interval(secs => ${seconds}) WHERE principal = ${who}`)

async function turnsOf(thread: string): Promise<[number, string][]> {
  const rows = await db.rows<{ turn_no: number; question: string }>(
    sql`SELECT turn_no, question FROM turn WHERE thread_id = ${thread} ORDER BY turn_no`,
  )
  return rows.map((row) => [row.turn_no, row.question])
}
