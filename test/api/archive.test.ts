// A workspace exported and imported again: on its own service, as a copy, and on another one. What is no whole archive, or says
// what it may not, is refused, and leaves nothing.

import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WorkDeps } from '../../src/app.ts'
import { exportWorkspace } from '../../src/archive/export.ts'
import { importWorkspace } from '../../src/archive/import.ts'
import type { WorkspaceImport } from '../../src/contract/archives.ts'
import { getJob } from '../../src/ingest/jobs.ts'
import type { Db, Queryable } from '../../src/ports/db/db.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { AT, archiveOf, type Contents, documentOf, filesOf, hashOf } from '../support/archives.ts'
import { runs } from '../support/full.ts'
import { blobsOf, callerOf, drain, rememberingParser, upload, uploaded } from '../support/ingest.ts'
import { importedRows } from '../support/rows.sql.ts'
import { addSource, keyOf } from '../support/world.ts'

const FILES = {
  'Port/rules.md':
    '# Rules\n\nHalden Harbour AS (HHA) has twelve berths. Maria Lind keeps them. HHA was founded in 1921.\n\nThe same words twice.\n\nThe same words twice.\n',
  'Port/staff.md': '# Staff\n\nMaria Lind leads Halden Harbour AS. Lind Maria has worked there since 1999.\n',
  'prices.csv': 'item,price\nberth,12\npump,7\n',
}

let app: TestApp
let other: TestApp
let owner: Person
let token: string
let pool: ParserPool
let deps: WorkDeps
let workspaceId: string
let whole: Buffer

beforeAll(async () => {
  ;[app, other] = await Promise.all([testApp(), testApp()])
  owner = await app.person()
  token = await app.token(owner)
  workspaceId = await app.workspace(owner, 'The harbour')
  pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  deps = { ...app.deps, parser: rememberingParser(pool) as ParserPool }
  await furnish()
  whole = await exported(app, token, workspaceId)
})
afterAll(async () => {
  await pool.close()
  await other.close()
  await app.close()
})

const api = (path: string): string => `/v1/workspaces/${workspaceId}${path}`

/** Everything that an archive has: versions, names side by side, corrections, conversations, questions, scopes, sources. */
async function furnish(): Promise<void> {
  const ids = await uploaded(deps, owner, workspaceId, FILES)
  await upload(
    deps,
    owner,
    workspaceId,
    { 'prices.csv': 'item,price\nberth,13\npump,7\n' },
    undefined,
    'replace',
  )
  await upload(
    deps,
    owner,
    workspaceId,
    { 'Port/rules.md': '# Quite another\n\nWhales sing.\n' },
    undefined,
    'keep_both',
  )
  await drain(deps)
  const entities = await app.send('GET', api('/entities?limit=200'), token)
  const idOf = (name: string): string =>
    (entities.body as { data: { id: string; name: string }[] }).data.find((one) => one.name === name)?.id ??
    ''
  const [into, from] = [idOf('Halden Harbour AS'), idOf('Maria Lind')]
  const merge = `/entities/${into}/merges/${from}`
  expect((await app.send('PUT', api(merge), token)).status).toBe(200)
  const ask = (question: string, thread_id: string | null = null) =>
    app.send('POST', api('/ask'), token, { body: { question, thread_id } })
  const asked = (await ask('How many berths does the harbour have?')).body as { thread_id: string }
  await ask('Who keeps them?', asked.thread_id)
  await ask('What is the price of a berth?')
  const { thread_id: thread } = asked
  await app.send('PUT', api(`/threads/${thread}/turns/1/feedback`), token, {
    body: { verdict: 'wrong', note: 'Thirteen.' },
  })
  await app.send('PATCH', api(`/threads/${thread}`), token, { body: { title: 'Berths' } })
  const rules = ids.get('Port/rules.md') ?? ''
  const found = await app.send('POST', api('/search'), token, { body: { query: 'twelve berths' } })
  const [hit] = (found.body as { data: { id: string }[] }).data
  await app.send('POST', api('/evaluation-questions'), token, {
    body: { query: 'berths?', document_id: rules, chunk_id: hit?.id },
  })
  await app.send('PUT', api('/scopes/mine'), token, { body: { document_ids: [rules], folders: ['Port'] } })
  const source = await addSource(app, workspaceId, owner)
  await app.send('PATCH', api(`/sources/${source}`), token, { body: { paused: true } })
}

async function exported(from: TestApp, bearer: string, id: string): Promise<Buffer> {
  const answer = await from.server.inject({
    url: `/v1/workspaces/${id}/export`,
    headers: { authorization: `Bearer ${bearer}` },
  })
  expect(answer.statusCode, answer.body.slice(0, 500)).toBe(200)
  expect(answer.rawPayload.length).toBe(Number(answer.headers['content-length']))
  return answer.rawPayload
}

const ZIP = { 'content-type': 'application/zip' }
const importInto = (into: TestApp, bearer: string, payload: Buffer, query = '', headers = {}) =>
  into.send('POST', `/v1/workspaces/import${query}`, bearer, { payload, headers: { ...ZIP, ...headers } })

/** What readers see of a workspace, without ids that are said to be its own. */
async function seen(at: TestApp, bearer: string, id: string) {
  const get = async (path: string) => (await at.send('GET', `/v1/workspaces/${id}${path}`, bearer)).body
  const threads = (await get('/threads')) as { data: { id: string }[] }
  const entities = (await get('/entities?limit=200')) as { data: { id: string; name: string }[] }
  const merged = entities.data.find((one) => one.name === 'Halden Harbour AS')?.id
  // Its id follows from who saved it.
  const questions = await get('/evaluation-questions')
  const found = await at.send('POST', `/v1/workspaces/${id}/search`, bearer, {
    body: { query: 'twelve berths Lind' },
  })
  return {
    workspace: { ...((await get('')) as object), updated_at: '' },
    documents: await get('/documents?limit=200'),
    scopes: await get('/scopes'),
    entities,
    merges: await get(`/entities/${merged}/merges`),
    questions: (questions as { data: object[] }).data.map((one) => ({ ...one, id: '' })),
    threads: await Promise.all(threads.data.map((one) => get(`/threads/${one.id}`))),
    found: found.body,
  }
}

/** The database of a process that is killed at its n-th statement. */
function killedAt(db: Db, most: number): Db {
  let statements = 0
  const counted = (on: Queryable): Queryable => ({
    rows: (statement) => {
      if (++statements >= most) throw new Error('killed')
      return on.rows(statement)
    },
  })
  return { ...db, ...counted(db), tx: (work) => db.tx((tx) => work(counted(tx))) }
}

/** Every id replaced by how often it was seen first. */
function withoutIds(value: unknown): unknown {
  const known = new Map<string, number>()
  const text = JSON.stringify(value).replace(
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
    (id) => {
      if (!known.has(id)) known.set(id, known.size)
      return `id ${known.get(id)}`
    },
  )
  return JSON.parse(text)
}

describe('a round', () => {
  test('an unchanged workspace gives the same bytes, also in parts', async () => {
    expect((await exported(app, token, workspaceId)).equals(whole)).toBe(true)
    const middle = await app.server.inject({
      url: api('/export'),
      headers: { authorization: `Bearer ${token}`, range: 'bytes=100-1099' },
    })
    expect(middle.statusCode).toBe(206)
    expect(middle.rawPayload.equals(whole.subarray(100, 1100))).toBe(true)
  })

  test('one whose rows nobody could import is refused, and leaves no files behind', async () => {
    await expect(exportWorkspace(app.deps, callerOf(owner), workspaceId, 1000)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('kenning backup'),
    })
    await expect.poll(() => readdirSync(join(app.deps.settings.dataDir, 'staging'))).toEqual([])
  })

  test('to a copy beside it: the same to readers, under other ids', async () => {
    const before = await seen(app, token, workspaceId)
    const answer = await importInto(app, token, whole, '?ids=new')
    expect(answer.body).toMatchObject({
      documents: 4,
      originals: 5,
      conversations: 2,
      graph_corrections: 1,
      sources: 1,
    })
    const { workspace } = answer.body as WorkspaceImport
    expect(workspace.ready).toBe(false)
    await drain(deps)
    const after = await seen(app, token, workspace.id)
    expect(withoutIds(after)).toEqual(withoutIds(before))
    expect(after.documents).not.toEqual(before.documents)
    // A file that is sent again is known by its id.
    const prices = { 'prices.csv': 'item,price\nberth,14\npump,7\n' }
    const { id } = await upload(deps, owner, workspace.id, prices, undefined, 'replace')
    await drain(deps)
    const again = (await getJob(deps, callerOf(owner), id)).files[0]?.document_id
    const documents = (after.documents as { data: { id: string; title: string }[] }).data
    expect(documents.map((one) => one.id)).toContain(again)
  })

  test('to another service: the same ids, and the same archive again', async () => {
    const guest = await other.person()
    const bearer = await other.token(guest)
    const before = await seen(app, token, workspaceId)
    const answer = await importInto(other, bearer, whole)
    expect(answer.status, answer.text).toBe(201)
    await drain({ ...other.deps, parser: deps.parser })
    expect(await seen(other, bearer, workspaceId)).toEqual(before)
    // Nobody there is known to have uploaded anything: all else is equal, byte for byte.
    const versions = await exportedLines(other, bearer, 'versions')
    expect(versions).toEqual(
      (await exportedLines(app, token, 'versions')).map((line) => ({
        ...(line as object),
        uploaded_by: null,
      })),
    )
    for (const part of [
      'documents',
      'scopes',
      'graph-corrections',
      'threads',
      'turns',
      'passages',
      'sources',
    ])
      expect(await exportedLines(other, bearer, part), part).toEqual(await exportedLines(app, token, part))
    // Its id is taken now.
    expect((await importInto(other, bearer, whole)).body).toMatchObject({ detail: [{ type: 'id_taken' }] })
    const stranger = await other.token(await other.person())
    expect((await importInto(other, stranger, whole)).body).toMatchObject({ detail: [{ type: 'id_taken' }] })
  })

  test('back to its own place once that is free: the same bytes; keys of before do not open it', async () => {
    const key = await keyOf(app, owner, [workspaceId])
    const before = await seen(app, token, workspaceId)
    expect((await app.send('GET', api(''), key)).status).toBe(200)
    await app.send('DELETE', api(''), token)
    expect((await importInto(app, token, whole)).body).toMatchObject({ detail: [{ type: 'id_taken' }] })
    await drain(deps)
    const headers = { 'idempotency-key': 'once' }
    const answer = await importInto(app, token, whole, '', headers)
    expect(answer.status, answer.text).toBe(201)
    const again = (await importInto(app, token, whole, '', headers)).body as WorkspaceImport
    expect(again.job_id).toBe((answer.body as WorkspaceImport).job_id)
    await drain(deps)
    expect(await seen(app, token, workspaceId)).toEqual(before)
    expect((await exported(app, token, workspaceId)).equals(whole)).toBe(true)
    expect((await app.send('GET', api(''), key)).status).toBe(404)
  })

  async function exportedLines(from: TestApp, bearer: string, part: string): Promise<unknown[]> {
    const files = filesOf(await exported(from, bearer, workspaceId))
    return (files.get(`${part}.jsonl`) ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
})

describe('what an archive may not say', () => {
  const { id, document, version, originals } = documentOf('a.md', '# A\n\nThe berth is free.\n')
  const rows = { documents: [document], versions: [version] }
  const [hash = ''] = Object.keys(originals)
  const turn = { number: 1, question: 'q', answer: 'a', citations: [], created_at: AT, feedback: null }
  const merge = (from: string, into: string) => ({ from, into, decision: 'same', reason: '' })

  const refused: [what: string, archive: Contents | Buffer, why: RegExp][] = [
    ['no zip', Buffer.from('PK but not really'), /no zip archive/],
    [
      'a zip of something else',
      { files: { 'evil.sh': Buffer.from('x') } },
      /evil\.sh is no file of such an archive/,
    ],
    [
      'an original under another name',
      { rows, originals, files: { 'originals/x.md': Buffer.from('x') } },
      /no file of such/,
    ],
    ['a missing original', { rows }, /originals\/[0-9a-f]+ is missing/],
    ['an original that nothing names', { originals }, /no document names/],
    [
      'other bytes than a name promises',
      { rows, originals: { [hash]: Buffer.from('somebody else') } },
      /other bytes/,
    ],
    ['a missing part', { files: { 'turns.jsonl': undefined } }, /turns\.jsonl is missing/],
    [
      'a changed part',
      { rows, originals, files: { 'documents.jsonl': Buffer.from('{}\n') } },
      /not the size of the manifest/,
    ],
    ['no manifest', { files: { 'manifest.json': undefined } }, /no manifest\.json/],
    ['a later version', { manifest: { version: 2 } }, /later version of Kenning/],
    ['another format', { manifest: { format: 'zip' } }, /format/],
    ['no JSON', { manifest: { workspace: undefined } }, /workspace/],
    [
      'a path that climbs',
      { rows: { ...rows, documents: [{ ...document, path: '../a.md' }] }, originals },
      /relative path/,
    ],
    [
      'an unknown kind',
      { rows: { ...rows, documents: [{ ...document, kind: 'exe' }] }, originals },
      /line 1: kind/,
    ],
    ['one document twice', { rows: { ...rows, documents: [document, document] }, originals }, /twice/],
    [
      'one path twice',
      { rows: { ...rows, documents: [document, { ...document, id: randomUUID() }] }, originals },
      /twice/,
    ],
    [
      'a version of another workspace',
      { rows: { ...rows, versions: [{ ...version, document_id: randomUUID() }] }, originals },
      /not in the archive/,
    ],
    [
      'two current versions',
      { rows: { ...rows, versions: [version, { ...version, sha256: hashOf('b') }] }, originals },
      /current/,
    ],
    [
      'a time to come',
      {
        rows: { ...rows, versions: [{ ...version, uploaded_at: '2099-01-01T00:00:00.000000Z' }] },
        originals,
      },
      /has passed/,
    ],
    [
      'a document of another workspace in a scope',
      {
        rows: {
          ...rows,
          scopes: [
            {
              name: 's',
              description: '',
              folders: [],
              document_ids: [randomUUID()],
              created_at: AT,
              updated_at: AT,
            },
          ],
        },
        originals,
      },
      /not in the archive/,
    ],
    [
      'a turn of another thread',
      { rows: { turns: [{ ...turn, thread_id: randomUUID() }] } },
      /not in the archive/,
    ],
    [
      'turns without order',
      {
        rows: {
          threads: [{ id, title: null, created_at: AT, updated_at: AT }],
          turns: [{ ...turn, thread_id: id, number: 2 }],
        },
      },
      /not in order/,
    ],
    [
      'merges in a circle',
      { rows: { 'graph-corrections': [merge('a', 'b'), merge('b', 'c'), merge('c', 'a')] } },
      /in a circle/,
    ],
    [
      'one name merged into two',
      { rows: { 'graph-corrections': [merge('a', 'b'), merge('a', 'c')] } },
      /twice/,
    ],
  ]

  test.each(refused)('%s', async (_, archive, why) => {
    const bytes = Buffer.isBuffer(archive) ? archive : await archiveOf(archive)
    const answer = await importInto(app, token, bytes)
    expect(answer.status, answer.text).toBe(422)
    expect((answer.body as { error: { message: string } }).error.message).toMatch(why)
  })

  test('compressed, encrypted or overlapping files: what is read is never more than what came', async () => {
    const whole = await archiveOf({ rows, originals })
    // The method of the first entry, in its own header and in the directory.
    const packed = Buffer.from(whole)
    packed.writeUInt16LE(8, packed.indexOf('PK\x01\x02') + 10)
    expect((await importInto(app, token, packed)).text).toContain('pack the files without compression')
    const locked = Buffer.from(whole)
    const at = locked.indexOf('PK\x01\x02') + 8
    locked.writeUInt16LE(locked.readUInt16LE(at) | 1, at)
    expect((await importInto(app, token, locked)).text).toContain('archive_invalid')
    const large = Buffer.from(whole)
    const directory = large.indexOf('PK\x01\x02')
    for (const offset of [20, 24]) large.writeUInt32LE(2 ** 31, directory + offset)
    expect((await importInto(app, token, large)).text).toContain('its files overlap')
  })

  test('whatever byte of an archive is another one: it is imported, or refused with a sentence', async () => {
    const thread = { id, title: null, created_at: AT, updated_at: AT }
    const more = {
      threads: [thread],
      turns: [{ ...turn, thread_id: id }],
      'graph-corrections': [merge('a', 'b')],
    }
    const bytes = await archiveOf({ rows: { ...rows, ...more }, originals })
    const bearer = await app.token(await app.person())
    const mutation = fc.record({
      at: fc.nat(bytes.length - 1),
      to: fc.nat(255),
      cut: fc.option(fc.nat(bytes.length), { freq: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
        let copy = Buffer.from(bytes)
        for (const { at, to, cut } of mutations) {
          copy[at % copy.length] = to
          if (cut !== null) copy = copy.subarray(0, Math.max(1, cut))
        }
        const answer = await importInto(app, bearer, copy, '?ids=new')
        expect([201, 413, 422]).toContain(answer.status)
      }),
      { numRuns: runs(2000, 60), seed: 20261124 },
    )
  })

  test('who uploaded and asked is whoever imports; what it refers to elsewhere is not reached', async () => {
    const [victim, bearer] = [await app.person(), await app.token(await app.person())]
    const theirs = await app.workspace(victim)
    const source = await addSource(app, theirs, victim)
    const named = { ...version, uploaded_by: victim.id }
    const thread = { id, title: null, created_at: AT, updated_at: AT }
    const sources = [
      {
        number: 1,
        name: 'x',
        kind: 'web',
        addresses: ['https://example.org/'],
        branch: null,
        into: '',
        include: [],
        exclude: [],
        every_minutes: 60,
        paused: false,
        created_at: AT,
      },
    ]
    const files = [{ source: 1, path: 'a.md', kept: { hash: 'x', state: 'ours', document_id: id } }]
    const bytes = await archiveOf({
      rows: {
        ...rows,
        versions: [named],
        threads: [thread],
        turns: [{ ...turn, thread_id: id }],
        sources,
        'source-files': files,
      },
      originals,
    })
    const { workspace } = (await importInto(app, bearer, bytes)).body as WorkspaceImport
    const at = (path: string) => app.send('GET', `/v1/workspaces/${workspace.id}${path}`, bearer)
    expect((await at(`/documents/${id}/versions`)).body).toMatchObject({ data: [{ uploaded_by: null }] })
    expect((await at('/sources')).body).toMatchObject({
      data: [{ paused: true, documents: 1, has_credentials: false }],
    })
    expect((await at('/sources')).text).not.toContain(source)
    expect((await at('/threads')).body).toMatchObject({ data: [{ id }] })
    expect((await app.send('GET', '/v1/workspaces', await app.token(victim))).text).not.toContain(
      workspace.id,
    )
  })

  test('an import that is killed leaves nothing; a body that is cut off neither', async () => {
    const person = await app.person()
    const bytes = await archiveOf({ rows, originals })
    const body = { bytes: bytes.length, endsInMs: () => 0 }
    const left = () => importedRows(app.deps.db)
    const before = await left()
    for (let statement = 1; ; statement++) {
      const stream = Readable.from([bytes], { objectMode: false })
      const killed = await importWorkspace(
        { ...app.deps, db: killedAt(app.deps.db, statement) },
        callerOf(person),
        () => ({ body, stream }),
        { ids: 'new' },
      ).then(
        () => false,
        (error: Error) => error.message === 'killed' || Promise.reject(error),
      )
      const after = await left()
      // All of it: only the answer was not sent.
      const isWhole = after.every((count, no) => count === (before[no] ?? 0) + 1)
      if (!killed) expect(isWhole).toBe(true)
      if (!killed || isWhole) break
      expect(after).toEqual(before)
      expect(statement).toBeLessThan(60)
    }
    // One of many originals cannot be kept, while others are.
    const many = Array.from({ length: 30 }, (_, no) => documentOf(`${no}.md`, `# ${no}\n\nText.\n`))
    const archive = await archiveOf({
      rows: { documents: many.map((one) => one.document), versions: many.map((one) => one.version) },
      originals: Object.assign({}, ...many.map((one) => one.originals)),
    })
    const all = await left()
    for (const lost of [0, 13, 29]) {
      let no = 0
      const { blobs } = app.deps
      const keep: typeof blobs.keep = (staged) =>
        no++ === lost ? Promise.reject(new Error('killed')) : blobs.keep(staged)
      const stream = Readable.from([archive], { objectMode: false })
      const failing = { ...app.deps, blobs: { ...blobs, keep } }
      await expect(
        importWorkspace(failing, callerOf(person), () => ({ body, stream }), { ids: 'new' }),
      ).rejects.toThrow('killed')
    }
    expect(await left()).toEqual(all)
    const half = await importInto(app, token, bytes.subarray(0, bytes.length - 40))
    expect(half.status).toBe(422)
    expect(blobsOf(app.deps.settings.dataDir)).toContain(hash)
  })
})
