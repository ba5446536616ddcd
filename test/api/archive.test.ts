// A workspace exported and imported again: on its own service, as a copy, and on another one. What is no whole archive, or says
// what it may not, is refused, and leaves nothing.

import { randomUUID } from 'node:crypto'
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type WorkDeps, work } from '../../src/app.ts'
import { prepareInChild } from '../../src/archive/child.ts'
import { exportWorkspace } from '../../src/archive/export.ts'
import { PART_NAMES, type Part, partFile } from '../../src/archive/format.ts'
import { importWorkspace } from '../../src/archive/import.ts'
import type { ImportSubject } from '../../src/archive/imports.sql.ts'
import { importHandler } from '../../src/archive/run.ts'
import type { WorkspaceImport } from '../../src/contract/archives.ts'
import { getJob } from '../../src/ingest/jobs.ts'
import { removeUnreferencedBlobs } from '../../src/ingest/sweep.ts'
import type { Db, Queryable } from '../../src/ports/db/db.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import type { Slot } from '../../src/work/handler.ts'
import { claimNetworkBound } from '../../src/work/queue.sql.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { AT, archiveOf, type Contents, documentOf, filesOf, hashOf } from '../support/archives.ts'
import { FULL, runs } from '../support/full.ts'
import { importArchive, prepareHere, runImports, sendArchive, stateOf } from '../support/imports.ts'
import {
  ageBlobs,
  blobsOf,
  callerOf,
  drain,
  rememberingParser,
  runTask,
  upload,
  uploaded,
} from '../support/ingest.ts'
import {
  ageReceiving,
  claimImport,
  freeImports,
  importedRows,
  makeAdmin,
  setAccountStatus,
} from '../support/rows.sql.ts'
import { addSource, keyOf } from '../support/world.ts'

const FILES = {
  'Port/rules.md':
    '# Rules\n\nHalden Harbour AS (HHA) has twelve berths. Maria Lind keeps them. HHA was founded in 1921.\n\nThe same words twice.\n\nThe same words twice.\n',
  'Port/staff.md': '# Staff\n\nMaria Lind leads Halden Harbour AS. Lind Maria has worked there since 1999.\n',
  'prices.csv': 'item,price\nberth,12\npump,7\n',
}

let app: TestApp
let other: TestApp
let otherDeps: WorkDeps
let owner: Person
let token: string
let pool: ParserPool
let deps: WorkDeps
let workspaceId: string
let whole: Buffer

beforeAll(async () => {
  ;[app, other] = await Promise.all([testApp(), testApp()])
  owner = await app.person()
  // Who may keep ids.
  await makeAdmin(app.deps.db, owner.id)
  token = await app.token(owner)
  workspaceId = await app.workspace(owner, 'The harbour')
  pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  deps = { ...app.deps, parser: rememberingParser(pool) as ParserPool }
  otherDeps = { ...other.deps, parser: deps.parser }
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
    { onConflict: 'replace' },
  )
  await upload(
    deps,
    owner,
    workspaceId,
    { 'Port/rules.md': '# Quite another\n\nWhales sing.\n' },
    { onConflict: 'keep_both' },
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

/** As an import ends in this process: what differs from a worker is that no child is started. */
const importHere = (bearer: string, payload: Buffer, query = ''): Promise<WorkspaceImport> =>
  importArchive(app, { ...deps, prepareArchive: prepareHere }, bearer, payload, { query })

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

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** The database of a process that is killed at its n-th statement; `count`: how many there were. */
function killedAt(db: Db, most: number): { db: Db; count: () => number } {
  let statements = 0
  const counted = (on: Queryable): Queryable => ({
    rows: (statement) => {
      if (++statements >= most) throw new Error('killed')
      return on.rows(statement)
    },
  })
  return {
    db: { ...db, ...counted(db), tx: (work) => db.tx((tx) => work(counted(tx))) },
    count: () => statements,
  }
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
    const ended = await importArchive(app, deps, token, whole, { query: '?ids=new' })
    expect(ended).toMatchObject({
      status: 'done',
      progress: 1,
      error: null,
      documents: 4,
      originals: 5,
      conversations: 2,
      graph_corrections: 1,
      sources: 1,
    })
    const { workspace } = ended
    if (!workspace) throw new Error('no workspace')
    expect(workspace.ready).toBe(false)
    await drain(deps)
    const after = await seen(app, token, workspace.id)
    expect(withoutIds(after)).toEqual(withoutIds(before))
    expect(after.documents).not.toEqual(before.documents)
    // A file that is sent again is known by its id.
    const prices = { 'prices.csv': 'item,price\nberth,14\npump,7\n' }
    const { id } = await upload(deps, owner, workspace.id, prices, { onConflict: 'replace' })
    await drain(deps)
    const again = (await getJob(deps, callerOf(owner), id)).files[0]?.document_id
    const documents = (after.documents as { data: { id: string; title: string }[] }).data
    expect(documents.map((one) => one.id)).toContain(again)
  })

  test('to another service: the same ids, and the same archive again', async () => {
    const guest = await other.person()
    await makeAdmin(other.deps.db, guest.id)
    const bearer = await other.token(guest)
    const before = await seen(app, token, workspaceId)
    expect(await importArchive(other, otherDeps, bearer, whole)).toMatchObject({
      status: 'done',
      error: null,
    })
    await drain(otherDeps)
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
    const taken = { status: 'failed', error: { type: 'id_taken' }, workspace: null }
    expect(await importArchive(other, otherDeps, bearer, whole)).toMatchObject(taken)
    expect(await seen(other, bearer, workspaceId)).toEqual(before)
  })

  test('back to its own place once that is free: the same bytes; keys of before do not open it', async () => {
    const key = await keyOf(app, owner, [workspaceId])
    const before = await seen(app, token, workspaceId)
    expect((await app.send('GET', api(''), key)).status).toBe(200)
    await app.send('DELETE', api(''), token)
    const taken = { status: 'failed', error: { type: 'id_taken' } }
    expect(await importArchive(app, deps, token, whole)).toMatchObject(taken)
    await drain(deps)
    const headers = { 'idempotency-key': 'once' }
    const ended = await importArchive(app, deps, token, whole, { headers })
    expect(ended).toMatchObject({ status: 'done', error: null })
    const again = await sendArchive(app, token, whole, { headers })
    expect(again.body).toEqual(ended)
    await drain(deps)
    expect(await seen(app, token, workspaceId)).toEqual(before)
    expect((await exported(app, token, workspaceId)).equals(whole)).toBe(true)
    expect((await app.send('GET', api(''), key)).status).toBe(404)
  })

  test('ids are kept for administrators and those who come back: to others every id is refused alike', async () => {
    const [person, stranger] = [await app.person(), await app.person()]
    const [bearer, theirs] = [await app.token(person), await app.token(stranger)]
    const [present, former, formerOfStranger] = await Promise.all([
      app.workspace(owner),
      app.workspace(person),
      app.workspace(stranger),
    ])
    const archive = await exported(app, bearer, former)
    const keep = async (token: string, workspaceId: string, bytes?: Buffer) =>
      sendArchive(app, token, bytes ?? (await archiveOf({ workspaceId })))
    // Who never owned anything that was deleted is told before a byte is kept.
    const [first, ...rest] = await Promise.all([present, former, randomUUID()].map((id) => keep(theirs, id)))
    expect(first).toMatchObject({ status: 403, body: { error: { type: 'forbidden' } } })
    for (const answer of rest) expect(answer.text).toBe(first?.text)
    for (const [id, token] of [
      [former, bearer],
      [formerOfStranger, theirs],
    ] as const)
      expect((await app.send('DELETE', `/v1/workspaces/${id}`, token)).status).toBe(204)
    await drain(deps)
    const outcomes = []
    for (const id of [present, former, randomUUID()]) {
      const { error, workspace, counts } = await outcomeOf(theirs, await archiveOf({ workspaceId: id }))
      expect(workspace).toBeNull()
      outcomes.push({ error, counts })
    }
    expect(outcomes[0]?.error).toMatchObject({ type: 'forbidden' })
    expect(outcomes).toEqual([outcomes[0], outcomes[0], outcomes[0]])
    expect(await outcomeOf(bearer, archive)).toMatchObject({ status: 'done', workspace: { id: former } })
    // Somebody's again: who owned it before is told no more than others.
    expect((await keep(bearer, former, archive)).text).toBe(first?.text)
  })

  async function outcomeOf(bearer: string, bytes: Buffer) {
    const ended = await importArchive(app, { ...deps, prepareArchive: prepareHere }, bearer, bytes)
    return { ...ended, counts: [ended.documents, ended.originals, ended.progress] }
  }

  async function exportedLines(from: TestApp, bearer: string, part: string): Promise<unknown[]> {
    const files = filesOf(await exported(from, bearer, workspaceId))
    return (files.get(`${part}.jsonl`) ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
})

const NAMED = { id: randomUUID(), name: 'Imported', description: '' }
const NESTED = Buffer.from(`{"id":${'['.repeat(2 ** 21)}\n`)
const fileOf = (part: Part, bytes: Buffer) => ({
  name: partFile(part),
  rows: bytes.length > 0 ? 1 : 0,
  bytes: bytes.length,
  sha256: hashOf(bytes),
})
const SOURCE = {
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
}

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
      /line 1: a is merged in a circle/,
    ],
    [
      'a chain of merges that nobody made',
      {
        rows: {
          'graph-corrections': Array.from({ length: 1002 }, (_, no) => merge(`${no}`, `${no + 1}`)),
        },
      },
      /a chain of more than 1000 merges/,
    ],
    [
      'a day that is not on the calendar',
      {
        rows: {
          ...rows,
          documents: [document],
          versions: [{ ...version, uploaded_at: '2026-02-30T00:00:00.000000Z' }],
        },
        originals,
      },
      /versions\.jsonl, line 1: uploaded_at: There is no such day/,
    ],
    [
      'a founding that was not',
      { manifest: { workspace: { ...NAMED, created_at: '2025-02-29T10:00:00.000000Z' } } },
      /no such day/,
    ],
    [
      'an hour that is not',
      { manifest: { workspace: { ...NAMED, created_at: '2025-02-28T24:00:00.000000Z' } } },
      /no such day or time/,
    ],
    [
      'a year that no database has',
      { manifest: { workspace: { ...NAMED, created_at: '0000-02-28T10:00:00.000000Z' } } },
      /such as/,
    ],
    [
      'JSON nested as nobody nests it',
      {
        files: { 'threads.jsonl': NESTED },
        manifest: {
          files: PART_NAMES.map((part) => fileOf(part, part === 'threads' ? NESTED : Buffer.alloc(0))),
        },
      },
      /threads\.jsonl, line 1: its arrays and objects are nested more than 16 deep/,
    ],
    [
      'a source with a password in its address',
      { rows: { sources: [{ ...SOURCE, addresses: ['https://me:secret@example.org/'] }] } },
      /sources\.jsonl, line 1: An address is shown to others/,
    ],
    [
      'a source of no web address',
      { rows: { sources: [SOURCE, { ...SOURCE, number: 2, addresses: ['file:///etc/passwd'] }] } },
      /sources\.jsonl, line 2: It must be a web address/,
    ],
    [
      'more sources than a workspace may have',
      { rows: { sources: Array.from({ length: 51 }, (_, no) => ({ ...SOURCE, number: no + 1 })) } },
      /sources\.jsonl, line 51: A workspace has at most 50 sources/,
    ],
    [
      'a branch of web pages',
      { rows: { sources: [{ ...SOURCE, branch: 'main' }] } },
      /line 1: Only a git repository has branches/,
    ],
    [
      'one name merged into two',
      { rows: { 'graph-corrections': [merge('a', 'b'), merge('a', 'c')] } },
      /twice/,
    ],
  ]

  test.each(refused)('%s', async (_, archive, why) => {
    const bytes = Buffer.isBuffer(archive) ? archive : await archiveOf(archive)
    const before = await importedRows(app.deps.db)
    const ended = await importHere(token, bytes)
    expect(ended).toMatchObject({ status: 'failed', workspace: null, job_id: null })
    expect(ended.error).toMatchObject({ type: 'archive_invalid' })
    expect(ended.error?.message).toMatch(why)
    expect(await importedRows(app.deps.db)).toEqual(before)
  })

  test('compressed, encrypted or overlapping files: what is read is never more than what came', async () => {
    const whole = await archiveOf({ rows, originals })
    // The method of the first entry, in its own header and in the directory.
    const packed = Buffer.from(whole)
    packed.writeUInt16LE(8, packed.indexOf('PK\x01\x02') + 10)
    const reasonOf = async (bytes: Buffer): Promise<string> =>
      (await importHere(token, bytes)).error?.message ?? ''
    expect(await reasonOf(packed)).toContain('pack the files without compression')
    const locked = Buffer.from(whole)
    const at = locked.indexOf('PK\x01\x02') + 8
    locked.writeUInt16LE(locked.readUInt16LE(at) | 1, at)
    expect(await reasonOf(locked)).toContain('cannot be imported')
    const large = Buffer.from(whole)
    const directory = large.indexOf('PK\x01\x02')
    for (const offset of [20, 24]) large.writeUInt32LE(2 ** 31, directory + offset)
    expect(await reasonOf(large)).toContain('its files overlap')
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
        const { status, error } = await importHere(bearer, copy, '?ids=new')
        expect(status === 'done' ? 'done' : error?.type).toMatch(/^(?:done|archive_invalid)$/)
      }),
      { numRuns: runs(2000, 60), seed: 20261124 },
    )
  })

  test('who uploaded and asked is whoever imports; what it refers to elsewhere is not reached', async () => {
    const [victim, importer] = [await app.person(), await app.person()]
    await makeAdmin(app.deps.db, importer.id)
    const bearer = await app.token(importer)
    const theirs = await app.workspace(victim)
    const source = await addSource(app, theirs, victim)
    const named = { ...version, uploaded_by: victim.id }
    const thread = { id, title: null, created_at: AT, updated_at: AT }
    const folder = { ...SOURCE, number: 2, name: 'Their folder', kind: 'folder', addresses: ['/home'] }
    const sources = [SOURCE, folder]
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
    const { workspace, notes } = await importHere(bearer, bytes)
    // This service allows no folders: what may not be added by hand is not added by an archive, and the rest is.
    expect(notes).toEqual([expect.stringMatching(/“Their folder” was left out.*KENNING_SOURCE_FOLDERS/)])
    const at = (path: string) => app.send('GET', `/v1/workspaces/${workspace?.id}${path}`, bearer)
    expect((await at(`/documents/${id}/versions`)).body).toMatchObject({ data: [{ uploaded_by: null }] })
    expect((await at('/sources')).body).toMatchObject({
      data: [{ paused: true, documents: 1, has_credentials: false }],
    })
    expect((await at('/sources')).text).not.toContain(source)
    expect((await at('/threads')).body).toMatchObject({ data: [{ id }] })
    expect((await app.send('GET', '/v1/workspaces', await app.token(victim))).text).not.toContain(
      workspace?.id,
    )
  })

  test('a body that is cut off leaves nothing', async () => {
    const bytes = await archiveOf({ rows, originals })
    const before = await importedRows(app.deps.db)
    expect(await importHere(token, bytes.subarray(0, bytes.length - 40))).toMatchObject({
      error: { type: 'archive_invalid' },
    })
    expect(await importedRows(app.deps.db)).toEqual(before)
  })
})

const COPY = { query: '?ids=new' }

describe('a worker that is killed, and an import that is cancelled', () => {
  const many = Array.from({ length: 3 }, (_, no) => documentOf(`${no}.md`, `# ${no}\n\nText.\n`))
  const archive = (more: Contents = {}) =>
    archiveOf({
      rows: {
        documents: many.map((one) => one.document),
        versions: many.map((one) => one.version),
        'graph-corrections': [
          { from: 'a', into: 'b', decision: 'same', reason: '' },
          { from: 'b', into: 'c', decision: 'same', reason: '' },
        ],
      },
      originals: Object.assign({}, ...many.map((one) => one.originals)),
      ...more,
    })

  const listed = async (bearer: string): Promise<string[]> =>
    ((await app.send('GET', '/v1/workspaces', bearer)).body as { data: { id: string }[] }).data.map(
      ({ id }) => id,
    )

  test('at whatever statement: nobody sees anything of it, and the next worker goes on to the whole', async () => {
    const bearer = await app.token(await app.person())
    const here = { ...deps, prepareArchive: prepareHere }
    /** Lets a worker die at the statement; the number of statements if it got to the end. */
    const killed = async (statement: number): Promise<number> => {
      const accepted = await sendArchive(app, bearer, await archive(), COPY)
      const { id } = accepted.body as WorkspaceImport
      const before = await listed(bearer)
      const { db, count } = killedAt(app.deps.db, statement)
      await runImports({ ...here, log: quiet, db }, app.deps.db)
      const state = await stateOf(app, bearer, id)
      if (state.status !== 'done') expect(await listed(bearer)).toEqual(before)
      await freeImports(app.deps.db)
      await runImports(here)
      const { workspace, status, error } = await stateOf(app, bearer, id)
      expect([status, error, workspace?.document_count]).toEqual(['done', null, 3])
      expect(await listed(bearer)).toEqual([...before, workspace?.id])
      await drain(deps)
      expect((await app.send('GET', `/v1/workspaces/${workspace?.id}`, bearer)).body).toMatchObject({
        ready: true,
        document_count: 3,
      })
      await app.send('DELETE', `/v1/workspaces/${workspace?.id}`, bearer)
      await drain(deps)
      return count()
    }
    const statements = await killed(Number.POSITIVE_INFINITY)
    expect(statements).toBeGreaterThan(20)
    // The gate takes a few of them, of all parts of an import.
    const step = FULL ? 1 : Math.ceil(statements / 8)
    for (let statement = 1; statement <= statements; statement += step) await killed(statement)
  })

  test('cancelled before it begins and in its midst: nothing of it stays, nor can others see or cancel it', async () => {
    const bearer = await app.token(await app.person())
    const stranger = await app.token(await app.person())
    await drain(deps)
    const before = await importedRows(app.deps.db)
    for (const batch of [0, 1, 2, 3]) {
      const { id } = (await sendArchive(app, bearer, await archive(), COPY)).body as WorkspaceImport
      expect((await app.send('GET', `/v1/imports/${id}`, stranger)).status).toBe(404)
      expect((await app.send('DELETE', `/v1/imports/${id}`, stranger)).status).toBe(404)
      expect((await app.send('GET', '/v1/imports', stranger)).body).toMatchObject({ data: [] })
      const cancel = async (): Promise<void> => {
        expect((await app.send('DELETE', `/v1/imports/${id}`, bearer)).status).toBe(204)
      }
      let transactions = 0
      const { db } = app.deps
      const tx: Db['tx'] = async (work, options) => {
        if (transactions++ === batch) await cancel()
        return db.tx(work, options)
      }
      if (batch === 0) await cancel()
      await runImports({ ...deps, prepareArchive: prepareHere, db: { ...db, tx } })
      const state = await stateOf(app, bearer, id)
      expect(state).toMatchObject({ status: 'cancelled', workspace: null, job_id: null })
      await cancel()
      await drain(deps)
      expect(await importedRows(app.deps.db)).toEqual(before)
      expect(readdirSync(join(app.deps.settings.dataDir, 'imports'))).toEqual([])
      const list = (await app.send('GET', '/v1/imports', bearer)).body as { data: WorkspaceImport[] }
      expect(list.data[0]).toEqual(state)
    }
  })

  test('whoever is suspended meanwhile gets no workspace', async () => {
    const person = await app.person()
    const bearer = await app.token(person)
    const { id } = (await sendArchive(app, bearer, await archive(), COPY)).body as WorkspaceImport
    await setAccountStatus(app.deps.db, person.id, 'suspended')
    await runImports(deps)
    await setAccountStatus(app.deps.db, person.id, 'active')
    expect(await stateOf(app, await app.token(person), id)).toMatchObject({
      status: 'failed',
      error: { type: 'forbidden' },
    })
  })

  test('one that takes more memory or time than it may ends with a sentence; so does one of too many at once', async () => {
    const bearer = await app.token(await app.person())
    // Limits that any process exceeds from its beginning: a quick machine ends the check before it is looked at again.
    for (const limits of [{ residentBytes: 0 }, { baseMs: -1, gigabyteMs: 0 }]) {
      const prepareArchive: typeof prepareInChild = (what, bytes, how) =>
        prepareInChild(what, bytes, { ...how, limits })
      const { error } = await importArchive(app, { ...deps, prepareArchive }, bearer, await archive(), COPY)
      expect(error?.message).toMatch(/takes more (?:memory|time) than an import may take/)
    }
    const bytes = await archive()
    const send = (key: string) =>
      sendArchive(app, bearer, bytes, { ...COPY, headers: { 'idempotency-key': key } })
    const answers = []
    for (const key of ['1', '2', '3']) answers.push(await send(key))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    expect((await send('4')).status).toBe(429)
    // One that is sent again is no further one.
    const again = await send('2')
    expect([again.status, again.body]).toEqual([202, answers[1]?.body])
    await runImports({ ...deps, prepareArchive: prepareHere })
    expect((await send('4')).status).toBe(202)
    await runImports({ ...deps, prepareArchive: prepareHere })
  })

  test('the archive of an import is kept until it has ended, however old its file', async () => {
    const bearer = await app.token(await app.person())
    const { id } = (await sendArchive(app, bearer, await archive(), COPY)).body as WorkspaceImport
    ageBlobs(app.deps.settings.dataDir)
    await removeUnreferencedBlobs(app.deps)
    await runImports(deps)
    expect(await stateOf(app, bearer, id)).toMatchObject({ status: 'done' })
    ageBlobs(app.deps.settings.dataDir)
    const before = blobsOf(app.deps.settings.dataDir).length
    await removeUnreferencedBlobs(app.deps)
    expect(blobsOf(app.deps.settings.dataDir).length).toBeLessThan(before)
  })

  /** An archive that comes in two parts; `rest` sends the second. */
  async function receiving(person: Person, options = { ids: 'new' as const }) {
    const bytes = await archive()
    const half = Math.floor(bytes.length / 2)
    let rest: () => void = () => undefined
    const isAllowed = new Promise<void>((resolve) => {
      rest = resolve
    })
    async function* parts() {
      yield bytes.subarray(0, half)
      await isAllowed
      yield bytes.subarray(half)
    }
    const body = { bytes: bytes.length, endsInMs: () => 1000 }
    const answer = importWorkspace(
      { ...app.deps, pieceBytes: 100 },
      callerOf(person),
      () => ({ body, stream: Readable.from(parts()) }),
      options,
    )
    const bearer = await app.token(person)
    const list = async (): Promise<WorkspaceImport[]> =>
      ((await app.send('GET', '/v1/imports', bearer)).body as { data: WorkspaceImport[] }).data
    const pieces = (): string[] => blobsOf(app.deps.settings.dataDir)
    const hashes = Array.from({ length: Math.floor(half / 100) }, (_, no) =>
      hashOf(bytes.subarray(no * 100, (no + 1) * 100)),
    )
    await expect.poll(() => hashes.every((hash) => pieces().includes(hash))).toBe(true)
    return { answer, rest, list, bearer, hashes, pieces }
  }

  test('what has come of a long upload is not swept, and is when its process has ended', async () => {
    const { answer, rest, list, bearer, hashes, pieces } = await receiving(await app.person())
    expect(await list()).toMatchObject([{ status: 'receiving', workspace: null, finished_at: null }])
    await expect
      .poll(async () => {
        ageBlobs(app.deps.settings.dataDir)
        await removeUnreferencedBlobs(app.deps)
        return hashes.filter((hash) => pieces().includes(hash)).length
      })
      .toBe(hashes.length)
    rest()
    const { id } = await answer
    await runImports({ ...deps, prepareArchive: prepareHere })
    expect(await stateOf(app, bearer, id)).toMatchObject({ status: 'done', documents: 3 })

    const lost = await receiving(await app.person())
    await expect
      .poll(async () => {
        await ageReceiving(app.deps.db, 3700)
        for (const { run } of work.sweeps) await run(deps)
        return lost.list()
      })
      .toEqual([])
    ageBlobs(app.deps.settings.dataDir)
    await removeUnreferencedBlobs(app.deps)
    expect(lost.hashes.filter((hash) => lost.pieces().includes(hash))).toEqual([])
    lost.rest()
    await expect(lost.answer).rejects.toMatchObject({ status: 503 })
  })

  test('one that is cancelled while it is received ends; one whose receiver has ended takes no place', async () => {
    const person = await app.person()
    const { answer, rest, list, bearer } = await receiving(person)
    const [{ id } = { id: '' }] = await list()
    expect((await app.send('DELETE', `/v1/imports/${id}`, bearer)).status).toBe(204)
    rest()
    expect(await answer).toMatchObject({ id, status: 'cancelled' })
    expect(await claimImport(app.deps.db)).toBeUndefined()
    const others = [await receiving(person), await receiving(person), await receiving(person)]
    const send = async () => sendArchive(app, bearer, await archive(), COPY)
    expect((await send()).status).toBe(429)
    await expect
      .poll(async () => {
        await ageReceiving(app.deps.db, 130)
        return (await send()).status
      })
      .toBe(202)
    for (const other of others) {
      other.rest()
      await other.answer
    }
    await runImports({ ...deps, prepareArchive: prepareHere })
  })

  test('imports of one account share its part of the slots, and a slot that gives way ends the check', async () => {
    const [one, two] = [await app.token(await app.person()), await app.token(await app.person())]
    const begin = async (bearer: string): Promise<string> =>
      ((await sendArchive(app, bearer, await archive(), COPY)).body as WorkspaceImport).id
    const ids = [await begin(one), await begin(one), await begin(two)]
    const claim = () => claimNetworkBound(app.deps.db, 'fair', { kinds: ['import'], perWorkspace: 1 })
    const tasks = [await claim(), await claim(), await claim()]
    const claimed = tasks.map((task) => (task?.subject as ImportSubject | undefined)?.import_id)
    expect([claimed[0] === ids[0] || claimed[0] === ids[1] || claimed[0] === ids[2], claimed[2]]).toEqual([
      true,
      undefined,
    ])
    expect(claimed.filter((id) => id === ids[2])).toHaveLength(1)
    expect(importHandler.mayTakeHours).toBe(true)
    const [task] = tasks
    if (!task) throw new Error('no task')
    const endless: typeof prepareInChild = (_what, _bytes, { signal }) =>
      new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason)
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const slot = { mustBeShort: true } as Slot
    const never = new AbortController().signal
    const over = await importHandler
      .run({ ...deps, prepareArchive: endless, timeSliceMs: 20 }, task, never, slot)
      .catch((error: unknown) => error)
    expect(importHandler.verdict?.(over)).toBe('long')
    await freeImports(app.deps.db)
    await runImports({ ...deps, prepareArchive: prepareHere })
  })

  test('a round ends behind a batch or an original, and the next goes on there', async () => {
    const bearer = await app.token(await app.person())
    const { id } = (await sendArchive(app, bearer, await archive(), COPY)).body as WorkspaceImport
    let checks = 0
    const prepareArchive: typeof prepareInChild = (...input) => {
      checks++
      return prepareHere(...input)
    }
    let staged = 0
    const blobs = {
      ...deps.blobs,
      stage: (...input: Parameters<typeof deps.blobs.stage>) => {
        staged++
        return deps.blobs.stage(...input)
      },
    }
    const progress: number[] = []
    let rounds = 0
    for (;;) {
      const task = await claimImport(app.deps.db)
      if (!task) break
      rounds++
      await runTask({ ...deps, blobs, prepareArchive, roundMs: 0 }, task)
      progress.push((await stateOf(app, bearer, id)).progress)
    }
    expect(await stateOf(app, bearer, id)).toMatchObject({ status: 'done', documents: 3 })
    // Documents, versions, merges, and three originals.
    expect([checks, staged, rounds]).toEqual([1, 3, 6])
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
  })

  test('a child that was taken over reaches nothing but the workspace that is made', async () => {
    const victim = await app.person()
    const theirs = await app.workspace(victim)
    const before = await app.send('GET', `/v1/workspaces/${theirs}/documents`, await app.token(victim))
    const bearer = await app.token(await app.person())
    const accepted = await sendArchive(app, bearer, await archive(), COPY)
    const { id } = accepted.body as WorkspaceImport
    // It leaves an answer of its own where one might be looked for, and a link to one.
    const taken: typeof prepareInChild = async (what, bytes, how) => {
      const prepared = await prepareHere(what, bytes, how)
      const forged = JSON.stringify({ ...prepared, workspaceId: theirs })
      writeFileSync(join(what.folder, 'forged.json'), forged)
      symlinkSync(join(what.folder, 'forged.json'), join(what.folder, 'prepared.json'))
      return prepared
    }
    await runImports({ ...deps, prepareArchive: taken, roundMs: 0 })
    const { status, workspace } = await stateOf(app, bearer, id)
    expect([status, workspace?.document_count]).toEqual(['done', 3])
    // It answers with another workspace.
    const next = (await sendArchive(app, bearer, await archive(), COPY)).body as WorkspaceImport
    const lying: typeof prepareInChild = async (...input) => ({
      ...(await prepareHere(...input)),
      workspaceId: theirs,
    })
    await runImports({ ...deps, log: quiet, prepareArchive: lying })
    expect(await stateOf(app, bearer, next.id)).toMatchObject({ status: 'checking', workspace: null })
    expect(
      (await app.send('GET', `/v1/workspaces/${theirs}/documents`, await app.token(victim))).body,
    ).toEqual(before.body)
    await app.send('DELETE', `/v1/imports/${next.id}`, bearer)
    await freeImports(app.deps.db)
    await runImports(deps)
  })
})
