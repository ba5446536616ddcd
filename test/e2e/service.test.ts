// The built service from the outside: every endpoint of the specification, event streams read by a real parser, bad input, a
// second process on the same data, a clean shutdown.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { Validator } from '@seriousme/openapi-schema-validator'
import { createParser } from 'eventsource-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  Answer,
  Document,
  DocumentContent,
  Entity,
  EntityNeighborhood,
  ErrorBody,
  Job,
  Me,
  Page,
  Scope,
  SearchResults,
  Step,
  Themes,
  Workspace,
} from '../../src/contract/resources.ts'
import { type Client, makeClient } from '../support/client.ts'
import { sendBodies } from '../support/files/bodies.ts'
import { makeCompound } from '../support/files/office.ts'
import { FULL } from '../support/full.ts'
import { installedMain } from '../support/installed.ts'
import { peakDuring } from '../support/peak.ts'
import { quickService } from '../support/quick-service.ts'
import { freePort, processTree, type Service, startService } from '../support/service.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'

const ABSENT = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
let service: SharedService
let client: Client
let workspace: Workspace
let job: Job

const EXAMPLES = ['lease-ropewalk-yard.pdf', 'lease-amendment-1.docx', 'suppliers.csv', 'staff-handbook.md']
const example = (name: string) => ({ name, bytes: readFileSync(`examples/${name}`) })

beforeAll(async () => {
  service = await sharedService()
  client = makeClient(service.base, service.token)
  workspace = await client.post<Workspace>('/workspaces', { name: 'Library', description: 'of the test' })
  job = await client.upload(workspace.id, EXAMPLES.map(example))
  await client.done(job.id)
})
afterAll(() => service?.leave())

const at = (path: string): string => `/workspaces/${workspace.id}${path}`

describe('the endpoint table', () => {
  test('GET /me', async () => {
    const me = await client.get<Me>('/me')
    expect(me).toMatchObject({ auth: 'session', email: service.account.email, workspace_count: 1 })
    expect(me.scopes.sort()).toEqual(['knowledge:read', 'knowledge:write'])
  })

  test('workspaces: create, list, read, rename, delete', async () => {
    const made = await client.call<Workspace>('POST', '/workspaces', { name: '  Temporary ' })
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Temporary', description: '', ready: true, document_count: 0 },
    })
    const path = `/workspaces/${made.body.id}`
    expect((await client.get<Page<Workspace>>('/workspaces')).data.map(({ id }) => id)).toContain(
      made.body.id,
    )
    expect((await client.call<Workspace>('PATCH', path, { name: 'Renamed' })).body.name).toBe('Renamed')
    expect((await client.get<Workspace>(path)).name).toBe('Renamed')
    expect((await client.call('DELETE', path)).status).toBe(204)
    expect((await client.call('GET', path)).status).toBe(404)
    expect((await client.call('DELETE', path)).status).toBe(404)
  })

  test('a new upload is queued, ends done, and its documents can be read in order', async () => {
    expect(job.status).toBe('queued')
    const done = await client.get<Job>(`/jobs/${job.id}`)
    expect(done.status).toBe('done')
    expect(done.files.every(({ status, document_id }) => status === 'done' && document_id)).toBe(true)
    const listed = await client.get<Page<Document>>(at('/documents?limit=200'))
    expect(listed.data.map(({ id }) => id).sort()).toEqual(
      done.files.map(({ document_id }) => document_id).sort(),
    )
    expect(listed.data.find(({ title }) => /supplier/i.test(title))?.has_tables).toBe(true)
    const lease = done.files[0]?.document_id
    const whole = await client.get<DocumentContent>(at(`/documents/${lease}?max_chars=60000`))
    expect(whole).toMatchObject({ has_more: false, next_cursor: null, total_chunks: whole.chunks.length })
    const walked: string[] = []
    let cursor = ''
    do {
      const page = await client.get<DocumentContent>(at(`/documents/${lease}?max_chars=2000${cursor}`))
      walked.push(...page.chunks.map(({ id }) => id))
      cursor = page.next_cursor ? `&cursor=${page.next_cursor}` : ''
    } while (cursor)
    expect(walked).toEqual(whole.chunks.map(({ id }) => id))
  })

  test('the same bytes again are the same document, at once', async () => {
    const handbook = (await client.get<Job>(`/jobs/${job.id}`)).files[3]
    expect(handbook).toMatchObject({ filename: 'staff-handbook.md', document_id: expect.any(String) })
    const again = await client.upload(workspace.id, [
      { ...example('staff-handbook.md'), name: 'copy of it.md' },
    ])
    expect(again).toMatchObject({ status: 'queued', files: [{ status: 'queued' }] })
    expect(await client.get<Job>(`/jobs/${again.id}`)).toMatchObject({
      status: 'done',
      files: [{ status: 'done', document_id: handbook?.document_id }],
    })
    expect((await client.get<Page<Document>>(at('/documents'))).data.length).toBe(4)
  })

  test('search, narrowed by scope and entity', async () => {
    const found = await client.post<SearchResults>(at('/search'), {
      query: 'notice to end the lease',
      limit: 5,
    })
    expect(found.query).toBe('notice to end the lease')
    expect(found.data[0]?.text).toMatch(/notice/i)
    const scopes = await client.get<Page<Scope>>(at('/scopes'))
    expect(scopes.data.map(({ name }) => name)).toContain('kind:pdf')
    const pdf = await client.post<SearchResults>(at('/search'), { query: 'lease', scope: 'kind:pdf' })
    expect(new Set(pdf.data.map(({ document_id }) => document_id)).size).toBe(1)
    expect((await client.call('POST', at('/search'), { query: 'lease', scope: 'kind:none' })).status).toBe(
      404,
    )
    const nothing = await client.post<SearchResults>(at('/search'), {
      query: 'lease',
      entity_ids: [ABSENT, 'nonsense'],
    })
    expect(nothing.data).toEqual([])
  })

  test('entities, neighbourhood and themes', async () => {
    const entities = await untilEntities()
    const keys = entities.data.map(({ type, name }) => `${type} ${name.toLowerCase()}`)
    expect(keys.length).toBeGreaterThan(5)
    const themes = await client.get<Themes>(at('/themes?limit=5'))
    expect(themes.total_entities).toBeGreaterThan(5)
    expect(themes.top_entities.length).toBeLessThanOrEqual(5)
    const top = themes.top_entities[0]
    const around = await client.get<EntityNeighborhood>(at(`/entities/${top?.id}?depth=2`))
    expect(around).toMatchObject({ entity: { id: top?.id, name: top?.name }, depth: 2 })
    const named = await client.get<Page<Entity>>(at(`/entities?q=${encodeURIComponent(top?.name ?? '')}`))
    expect(named.data[0]?.id).toBe(top?.id)
    expect(named).toMatchObject({ has_more: false, next_cursor: null })
    const mentions = await client.post<SearchResults>(at('/search'), {
      query: top?.name,
      entity_ids: [top?.id],
    })
    expect(mentions.data.length).toBeGreaterThan(0)
  })

  test('ask answers with citations that resolve, continues its thread, and says when it does not know', async () => {
    const answer = await client.post<Answer>(at('/ask'), {
      question: 'How much notice must be given to end the lease?',
    })
    const markers = new Set([...answer.answer.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1])))
    expect([...markers].sort()).toEqual(answer.citations.map(({ number }) => number).sort())
    expect(answer.citations.length).toBeGreaterThan(0)
    const next = await client.post<Answer>(at('/ask'), {
      question: 'And who signed it?',
      thread_id: answer.thread_id,
    })
    expect(next.thread_id).toBe(answer.thread_id)
    const unknown = await client.post<Answer>(at('/ask'), {
      question: 'What is the boiling point of tungsten carbide?',
    })
    expect(unknown.citations).toEqual([])
    expect((await client.call('POST', at('/ask'), { question: 'x', thread_id: ABSENT })).status).toBe(404)
  })

  test('ask as an event stream: steps, then one answer', async () => {
    const events = await stream('POST', at('/ask'), { question: 'Who are the suppliers?', stream: true })
    expect(events.map(({ event }) => event).filter((event) => event === 'answer').length).toBe(1)
    expect(events.at(-1)?.event).toBe('answer')
    const steps = events.slice(0, -1)
    expect(steps.length).toBeGreaterThan(0)
    expect(steps.every(({ event }) => event === 'step')).toBe(true)
    expect(steps.map(({ data }) => (data as Step).index)).toEqual(steps.map((_, i) => i))
  })

  test("a job's progress as an event stream says done, goes on, and ends when the job is complete", async () => {
    const events = await stream('GET', `/jobs/${job.id}/events`)
    expect(events.slice(0, -1)).toContainEqual({
      event: 'progress',
      data: expect.objectContaining({ status: 'done' }),
    })
    expect(events.at(-1)).toMatchObject({ event: 'complete', data: { status: 'done', state: 'complete' } })
  })

  test('deleting a document takes it out of lists, search and graph', async () => {
    const made = await client.upload(workspace.id, [
      { name: 'gone.md', bytes: '# Gone\n\nZebrafish Holdings moved to Quarrytown.' },
    ])
    const done = await client.done(made.id)
    const path = at(`/documents/${done.files[0]?.document_id}`)
    const named = await untilNamed('Zebrafish', (found) => found.length > 0)
    expect((await client.post<SearchResults>(at('/search'), { query: 'zebrafish' })).data.length).toBe(1)
    expect((await client.call('DELETE', path)).status).toBe(204)
    expect((await client.call('GET', path)).status).toBe(404)
    const listed = await client.get<Page<Document>>(at('/documents?limit=200'))
    expect(listed.data.map(({ id }) => id)).not.toContain(done.files[0]?.document_id)
    expect((await client.post<SearchResults>(at('/search'), { query: 'zebrafish' })).data).toEqual([])
    await untilNamed('Zebrafish', (found) => found.length === 0)
    expect((await client.call('GET', at(`/entities/${named[0]?.id}`))).status).toBe(404)
  })
})

const untilEntities = (): Promise<Page<Entity>> => untilPage('', ({ length }) => length > 5)

/** The entities found by a name, once they are as wished: the graph follows a document within seconds. */
const untilNamed = async (name: string, wished: (found: Entity[]) => boolean): Promise<Entity[]> =>
  (await untilPage(`&q=${name}`, wished)).data

async function untilPage(query: string, wished: (found: Entity[]) => boolean): Promise<Page<Entity>> {
  let page: Page<Entity> | undefined
  for (let tries = 0; tries < 400; tries++) {
    page = await client.get<Page<Entity>>(at(`/entities?limit=200${query}`))
    if (wished(page.data)) return page
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error(`the graph does not get there: ${JSON.stringify(page)}`)
}

async function stream(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ event: string | undefined; data: unknown }[]> {
  const answer = await fetch(`${service.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${await service.token()}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const events: { event: string | undefined; data: unknown }[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ event, data: JSON.parse(data) }),
  })
  if (!answer.body) throw new Error('no body')
  for await (const piece of Readable.fromWeb(answer.body as never)) parser.feed(Buffer.from(piece).toString())
  return events
}

test('openapi.json is valid OpenAPI 3.1 and needs no token', async () => {
  const answer = await fetch(`${service.base}/openapi.json`)
  const document = (await answer.json()) as { openapi: string; info: { version: string } }
  expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), info: { version: '1.0.0' } })
  const result = await new Validator().validate(document)
  expect(result.errors ?? []).toEqual([])
})

describe('bad input', () => {
  const failing = async (file: { name: string; bytes: Uint8Array | string }) =>
    (await client.done((await client.upload(workspace.id, [file])).id)).files[0]

  test('an empty, a damaged and an encrypted file fail with a message, and the job is done', async () => {
    expect(await failing({ name: 'empty.pdf', bytes: '' })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('empty'),
    })
    expect(await failing({ name: 'broken.docx', bytes: 'this is no zip' })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('damaged'),
    })
    const damaged = Buffer.concat([
      Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n'),
      Buffer.alloc(2000, 0x20),
    ])
    expect(await failing({ name: 'damaged.pdf', bytes: damaged })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('damaged'),
    })
    // What Word writes under a password: the real file is a stream in an OLE container (MS-OFFCRYPTO 2.3.4).
    const sealed = makeCompound({
      EncryptionInfo: Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0]),
      EncryptedPackage: Buffer.alloc(4096, 7),
    })
    expect(await failing({ name: 'sealed.docx', bytes: sealed })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('password'),
    })
  })

  test('an unsupported file is 422 and names it; 21 files are 422; nothing is kept', async () => {
    await expect(
      client.upload(workspace.id, [{ name: 'a.exe', bytes: Buffer.from('MZ\x90\0\x03\0\0\0') }]),
    ).rejects.toThrow(/422.*a\.exe/s)
    const many = Array.from({ length: 21 }, (_, i) => ({ name: `${i}.txt`, bytes: `text ${i}` }))
    await expect(client.upload(workspace.id, many)).rejects.toThrow(/422/)
    await expect(client.upload(workspace.id, [])).rejects.toThrow(/422/)
    await expect(client.upload(workspace.id, [{ name: '../up.txt', bytes: 'x' }])).rejects.toThrow(/422/)
  })

  test('one byte over 100 MB is 413 and nothing of the upload is kept', async () => {
    const before = (await client.get<Workspace>(at(''))).document_count
    const big = Buffer.alloc(104_857_601, 'a ')
    await expect(
      client.upload(workspace.id, [
        { name: 'ok.txt', bytes: 'fine' },
        { name: 'big.txt', bytes: big },
      ]),
    ).rejects.toThrow(/413.*file_too_large/s)
    await client.ready(workspace.id)
    expect((await client.get<Workspace>(at(''))).document_count).toBe(before)
  })

  test.each([
    ['malformed JSON', 'POST', '/search', '{"query":', 'application/json', 422],
    ['wrong content type', 'POST', '/search', 'query=x', 'application/x-www-form-urlencoded', 422],
    ['empty body', 'POST', '/search', undefined, undefined, 422],
    ['bad UUID', 'GET', '/documents/not-a-uuid', undefined, undefined, 422],
    ['unknown document', 'GET', `/documents/${ABSENT}`, undefined, undefined, 404],
    ['unknown entity', 'GET', `/entities/${ABSENT}`, undefined, undefined, 404],
    ['unknown path', 'GET', '/nothing', undefined, undefined, 404],
    ['wrong method', 'PUT', '/search', undefined, undefined, 405],
  ])('%s', async (_name, method, path, body, type, status) => {
    const answer = await fetch(`${service.base}${at(path)}`, {
      method,
      headers: {
        authorization: `Bearer ${await service.token()}`,
        ...(type ? { 'content-type': type } : {}),
      },
      ...(body === undefined ? {} : { body }),
    })
    expect(answer.status).toBe(status)
    const { error } = (await answer.json()) as ErrorBody
    expect(error.type).toMatch(/^(invalid_request|not_found)$/)
    expect(error.message.length).toBeGreaterThan(0)
  })

  test('unknown workspace and job are 404, no token is 401 with the metadata URL', async () => {
    expect((await client.call('GET', `/workspaces/${ABSENT}`)).status).toBe(404)
    expect((await client.call('GET', '/jobs/nothing')).status).toBe(404)
    const answer = await fetch(`${service.base}/me`)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain(
      `resource_metadata="${service.origin}/.well-known/oauth-protected-resource/v1"`,
    )
  })
})

async function run(
  env: Record<string, string>,
  args = ['serve'],
): Promise<{ code: number | null; output: string; ms: number }> {
  const started = performance.now()
  const child = spawn(process.execPath, [installedMain(), ...args], {
    env: { PATH: process.env.PATH, ...env },
  })
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  child.stderr.on('data', (piece) => {
    output += piece
  })
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { code, output, ms: performance.now() - started }
}

describe('the process', () => {
  test('F-08: a second process on the same data directory exits at once and names the first', async () => {
    const second = await run({ KENNING_DATA_DIR: service.dataDir, KENNING_PORT: String(await freePort()) })
    expect(second.code).toBe(1)
    expect(second.output).toContain(String(service.pid))
    expect(second.output).toContain(service.dataDir)
    expect((await client.get<Me>('/me')).workspace_count).toBeGreaterThan(0)
  })

  test('reset-password prints a link that works once, while the service runs', async () => {
    const port = new URL(service.origin).port
    const reset = (email: string) =>
      run({ KENNING_DATA_DIR: service.dataDir, KENNING_PORT: port }, ['reset-password', email])
    const printed = await reset(service.account.email.toUpperCase())
    const link = new URL(/http:\S+/.exec(printed.output)?.[0] ?? 'http://none')
    expect([printed.code, link.origin]).toEqual([0, service.origin])
    expect((await fetch(link)).status).toBe(200)
    const body = JSON.stringify({ token: link.searchParams.get('token'), password: service.account.password })
    const redeem = () =>
      fetch(`${service.origin}/account/reset`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    expect([(await redeem()).status, (await redeem()).status]).toEqual([204, 403])
    const unknown = await reset('nobody@example.org')
    expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining('no active account')])
  })

  test('a port in use is an error message', async () => {
    const port = new URL(service.origin).port
    const second = await run({ KENNING_DATA_DIR: `${service.dataDir}/other`, KENNING_PORT: port })
    expect(second.code).toBe(1)
    expect(second.output).toMatch(new RegExp(`port ${port} .*in use`, 'i'))
  })

  test('invalid settings are all named, exit code 2', async () => {
    const wrong = await run({
      KENNING_PORT: '99999',
      KENNING_BASE_URL: 'http://example.org/v2',
      KENNING_SIGNUP: 'perhaps',
    })
    expect(wrong.code).toBe(2)
    for (const name of ['KENNING_PORT', 'KENNING_BASE_URL', 'KENNING_SIGNUP'])
      expect(wrong.output).toContain(name)
    const untaught = await run({ KENNING_OCR_LANGUAGES: 'eng,xyz' })
    expect([untaught.code, untaught.output]).toEqual([2, expect.stringContaining('no data for xyz')])
  })
})

describe('a service of its own, on all interfaces', () => {
  // A password that nobody knows: for these seconds others can reach it.
  const password = randomBytes(24).toString('base64url')
  let own: Service
  let his: Client
  beforeAll(async () => {
    own = await quickService({ env: { KENNING_HOST: '0.0.0.0' }, password })
    his = makeClient(own.base, own.token)
  })
  afterAll(() => own?.remove())

  // The catalogue's mark is 5 MB more, as the bench measures it (`memory`). What V8 collects when is its own affair, so the
  // bound here is wide; a body held once for each of its parts would go beyond it.
  test('BAD-11: damaged bodies are refused, and take no memory with them', async () => {
    const { id } = await his.post<Workspace>('/workspaces', { name: 'bodies' })
    const token = await own.token()
    const send = () => sendBodies(`${own.base}/workspaces/${id}/files`, token)
    expect(await send()).toEqual({ sent: 42, wrong: [] })
    if (FULL && process.platform === 'linux') {
      const api = processTree(own.child.pid ?? 0).find(({ environment }) =>
        environment.includes('KENNING_CHILD=api'),
      )
      const { before, most, result } = await peakDuring(api?.pid ?? 0, send)
      expect(result).toEqual({ sent: 42, wrong: [] })
      expect((most - before) / 1024).toBeLessThan(40)
    }
    await his.call('DELETE', `/workspaces/${id}`)
  })

  test('without a base URL it warns, once; at SIGTERM a job’s events tell of the restart, the exit is clean, and nothing is lost', async () => {
    expect(own.output().match(/plain http on all interfaces/g)?.length).toBe(1)
    const { id } = await his.post<Workspace>('/workspaces', { name: 'watched' })
    const made = await his.upload(id, EXAMPLES.map(example))
    const headers = { authorization: `Bearer ${await own.token()}` }
    const answer = await fetch(`${own.base}/jobs/${made.id}/events`, { headers })
    expect(answer.status).toBe(200)
    // The worker begins nothing new, so the job and its stream stay open for the 10 s of draining. An API that is killed before
    // that breaks the connection instead.
    const [text, code] = await Promise.all([answer.text(), own.stop()])
    const events = text.split('\n\n').filter((event) => event.startsWith('event: '))
    expect(events.at(-1)).toMatch(/^event: error\n.*restarting/)
    expect(code).toBe(0)
    const again = await startService({ dataDir: own.dataDir, password })
    const after = makeClient(again.base, again.token)
    const { files } = await after.done(made.id)
    expect(files.map(({ status }) => status)).toEqual(EXAMPLES.map(() => 'done'))
    await again.remove()
  })
})
