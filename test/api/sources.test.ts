// Sources kept in the service: what goes up, what is deleted, what is left alone, who may run them and where they may read.

import { execFileSync, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Source, SourceDetails, SourcePlaces } from '../../src/contract/sources.ts'
import { queueDueSources, removeSourceFolders } from '../../src/sources/run.ts'
import { claimNetworkBound } from '../../src/work/queue.sql.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { FULL } from '../support/full.ts'
import { expireLeases } from '../support/holdings.sql.ts'
import { disturbedBefore, drain, upload, type WorkDeps } from '../support/ingest.ts'
import { closeNow, listenOnLoopback } from '../support/loopback.ts'
import { makeDue, sealedOf } from '../support/sources.sql.ts'
import {
  hashOf,
  inProcess,
  runDue,
  runKilled,
  type SourceClient,
  sourceClient,
  textOf,
} from '../support/sources.ts'

const root = mkdtempSync(join(tmpdir(), 'kenning-sources-'))
const allowed = join(root, 'allowed')
let app: TestApp
let owner: Person
let deps: WorkDeps
let here: SourceClient

beforeAll(async () => {
  mkdirSync(allowed)
  app = await testApp({
    sources: {
      folders: [{ workspaceId: undefined, location: allowed }],
      remotes: [],
      environment: { PATH: process.env.PATH ?? '' },
    },
  })
  owner = await app.person()
  deps = { ...app.deps, embedder: async () => ({ kind: 'none' as const }), parser: inProcess }
})
beforeEach(async () => {
  here = await sourceClient(app, deps, owner)
})
afterAll(async () => {
  await app.close()
  rmSync(root, { recursive: true, force: true })
})

let folders = 0
/** A folder of its own that the operator allows. */
function folder() {
  const path = join(allowed, String(++folders))
  mkdirSync(path)
  return {
    path,
    write: (name: string, text: string) => {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), text)
    },
    body: { kind: 'folder', addresses: [path] },
  }
}

describe('a folder', () => {
  test('new, changed, moved and deleted files; state and counts; nothing is sent twice', async () => {
    const { path, write, body } = folder()
    write('a.md', textOf('anchors'))
    write('deep/b.md', textOf('buoys'))
    write('c.md', textOf('cranes'))
    write('broken.pdf', '%PDF-1.7\nnothing\n')
    const source = await here.create({ ...body, into: '/From disk/', exclude: ['*.tmp'] })
    expect(source).toMatchObject({ name: String(folders), state: 'queued', into: 'From disk', documents: 0 })
    await runDue(deps)
    const first = await here.get(source)
    expect(first).toMatchObject({ state: 'waiting', error: null, documents: 3 })
    expect(first.counts).toEqual({
      files: 4,
      unchanged: 0,
      created: 3,
      replaced: 0,
      moved: 0,
      deleted: 0,
      refused: 1,
    })
    expect(first.refused).toEqual([{ path: 'From disk/broken.pdf', reason: expect.stringMatching(/\S/) }])
    expect(first.next_run_at).not.toBeNull()
    expect((await here.run(source)).counts).toMatchObject({ unchanged: 3, created: 0, refused: 1 })

    write('a.md', textOf('anchors and chains'))
    renameSync(join(path, 'c.md'), join(path, 'deep/c.md'))
    rmSync(join(path, 'deep/b.md'))
    rmSync(join(path, 'broken.pdf'))
    expect((await here.run(source)).counts).toMatchObject({ replaced: 1, moved: 1, deleted: 1, refused: 0 })
    expect(await here.documents()).toEqual([
      ['From disk/a.md', hashOf(textOf('anchors and chains'))],
      ['From disk/deep/c.md', hashOf(textOf('cranes'))],
    ])
  })

  test('what others put there, or changed, is left alone; an empty folder deletes nothing by itself', async () => {
    const { path, write, body } = folder()
    await upload(app.deps, owner, here.workspaceId, {
      'same.md': textOf('same'),
      'notes.md': textOf('theirs'),
    })
    write('same.md', textOf('same'))
    write('notes.md', textOf('of the source'))
    write('mine.md', textOf('mine'))
    const source = await here.create(body)
    await runDue(deps)
    const paths = async () => (await here.documents()).map(([at]) => at)
    expect(await paths()).toEqual(['mine.md', 'notes (2).md', 'notes.md', 'same.md'])
    await upload(
      app.deps,
      owner,
      here.workspaceId,
      { 'mine.md': textOf('better') },
      { onConflict: 'replace' },
    )
    for (const name of ['mine.md', 'notes.md', 'same.md']) rmSync(join(path, name))
    const empty = await here.run(source)
    expect(empty).toMatchObject({ state: 'failed', error: expect.stringContaining('is empty') })
    expect(await paths()).toEqual(['mine.md', 'notes (2).md', 'notes.md', 'same.md'])
    expect(await here.run(source, { allow_empty: true })).toMatchObject({ error: null, documents: 0 })
    expect(await here.documents()).toEqual([
      ['mine.md', hashOf(textOf('better'))],
      ['notes.md', hashOf(textOf('theirs'))],
      ['same.md', hashOf(textOf('same'))],
    ])
  })

  test('a source is removed: its documents stay, or go unless somebody changed them', async () => {
    const token = await app.token(owner)
    for (const documents of ['keep', 'delete']) {
      here = await sourceClient(app, deps, owner)
      const { write, body } = folder()
      write('a.md', textOf('anchors'))
      write('b.md', textOf('buoys'))
      const source = await here.create(body)
      await runDue(deps)
      await upload(
        app.deps,
        owner,
        here.workspaceId,
        { 'b.md': textOf('changed') },
        { onConflict: 'replace' },
      )
      const url = `/v1/workspaces/${here.workspaceId}/sources/${source.id}`
      expect((await app.send('DELETE', `${url}?documents=${documents}`, token)).status).toBe(204)
      if (documents === 'delete') {
        expect(await here.get(source)).toMatchObject({ state: 'removing' })
        expect((await app.send('DELETE', `${url}?documents=delete`, token)).status).toBe(404)
        expect((await app.send('POST', `${url}/run`, token, { body: {} })).status).toBe(404)
      }
      await runDue(deps)
      expect((await app.send('GET', url, token)).status).toBe(404)
      const left = documents === 'keep' ? ['a.md', 'b.md'] : ['b.md']
      expect((await here.documents()).map(([at]) => at)).toEqual(left)
      await removeSourceFolders(app.deps)
      expect(readdirSync(join(app.deps.settings.dataDir, 'sources'))).not.toContain(source.id)
    }
  })

  test('only what the operator allows, also where a link leads out of it', async () => {
    const token = await app.token(owner)
    const url = `/v1/workspaces/${here.workspaceId}`
    const places = bodyOf<SourcePlaces>(await app.send('GET', `${url}/source-places`, token))
    expect(places).toEqual({ folders: [allowed], remotes: [] })
    const bodies = [
      { kind: 'folder', addresses: [root] },
      { kind: 'folder', addresses: [`${allowed}/..`] },
      { kind: 'folder', addresses: [`${allowed}-too`] },
      { kind: 'folder', addresses: ['.'] },
      { kind: 'remote', addresses: ['drive:'] },
      { kind: 'web', addresses: ['file:///etc/passwd'] },
      { kind: 'git', addresses: ['ssh://git@example.org/x.git'] },
      { kind: 'web', addresses: ['https://me:secret@example.org/'] },
      { kind: 'git', addresses: ['https://example.org/a', 'https://example.org/b'] },
      { kind: 'folder', addresses: [allowed], credentials: { secret: 'x' } },
      { kind: 'web', addresses: ['https://example.org/'], branch: 'main' },
      { kind: 'web', addresses: ['https://example.org/'], every_minutes: 1 },
    ]
    for (const body of bodies)
      expect((await app.send('POST', `${url}/sources`, token, { body })).status, JSON.stringify(body)).toBe(
        422,
      )
    const outside = join(root, 'outside')
    mkdirSync(outside, { recursive: true })
    writeFileSync(join(outside, 'secret.md'), textOf('secrets'))
    const { path, write, body } = folder()
    write('a.md', textOf('anchors'))
    symlinkSync(outside, join(path, 'linked'))
    symlinkSync(join(outside, 'secret.md'), join(path, 'linked.md'))
    symlinkSync(outside, join(allowed, 'out'))
    await here.create(body)
    const out = await here.create({ kind: 'folder', addresses: [join(allowed, 'out')] })
    await runDue(deps)
    expect((await here.documents()).map(([at]) => at)).toEqual(['a.md'])
    expect(await here.get(out)).toMatchObject({ state: 'failed', error: expect.stringContaining('allows') })
  })

  test('it runs when it is due, unless it is paused; once at a time; in the name of an owner', async () => {
    const { write, body } = folder()
    write('a.md', textOf('anchors'))
    const source = await here.create({ ...body, every_minutes: 5 })
    await runDue(deps)
    const url = `/v1/workspaces/${here.workspaceId}/sources/${source.id}`
    const token = await app.token(owner)
    const change = async (change: object): Promise<Source> =>
      bodyOf(await app.send('PATCH', url, token, { body: change }))
    expect(await change({ paused: true, name: 'Handbook' })).toMatchObject({
      state: 'paused',
      name: 'Handbook',
      next_run_at: null,
    })
    await makeDue(app.deps.db, source.id)
    await queueDueSources(app.deps)
    expect(await claimNetworkBound(app.deps.db, 'a')).toBeUndefined()
    expect(await change({ paused: false })).toMatchObject({ state: 'waiting' })
    await queueDueSources(app.deps)
    await queueDueSources(app.deps)
    await here.ask(source)
    expect(await claimNetworkBound(app.deps.db, 'a')).toMatchObject({ kind: 'source' })
    expect(await here.get(source)).toMatchObject({ state: 'running' })
    await here.ask(source)
    expect(await claimNetworkBound(app.deps.db, 'b')).toBeUndefined()
    expect(await change({ paused: true })).toMatchObject({ state: 'paused' })

    const other = await app.person()
    await app.member(here.workspaceId, other, 'owner')
    await app.member(here.workspaceId, owner, 'viewer')
    write('b.md', textOf('buoys'))
    const theirs = await app.token(other)
    await app.send('POST', `${url}/run`, theirs, { body: {} })
    await runDue(deps)
    const failed = bodyOf<SourceDetails>(await app.send('GET', url, theirs))
    expect(failed).toMatchObject({ error: expect.stringContaining('may no longer add files'), documents: 1 })
    await app.send('PATCH', url, theirs, { body: { paused: false } })
    await app.send('POST', `${url}/run`, theirs, { body: {} })
    await runDue(deps)
    expect(bodyOf(await app.send('GET', url, theirs))).toMatchObject({ state: 'waiting', documents: 2 })
  })
})

type Edit =
  | { what: 'write'; path: string; content: number }
  | { what: 'move'; from: string; to: string }
  | { what: 'delete'; path: string }
  | { what: 'foreign'; path: string; content: number; elsewhere: boolean }
  | { what: 'run'; diesBefore: number | null }

const path = fc.constantFrom('a.md', 'b.md', 'c.txt', 'd/e.md', 'd/f/g.md', 'h.md')
const content = fc.nat(8)
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ what: fc.constant('write' as const), path, content }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('move' as const), from: path, to: path }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('delete' as const), path }) },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('foreign' as const), path, content, elsewhere: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('run' as const),
      diesBefore: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 3 }),
    }),
  },
)

test('random edits, moves, deletions and deaths: afterwards folder and workspace agree, and nothing of others was touched', async () => {
  const run = async (edits: readonly Edit[]): Promise<void> => {
    here = await sourceClient(app, deps, owner)
    const { path: place, write, body } = folder()
    const contentOf = (no: number): string => textOf(`subject number ${no}`)
    const source = await here.create({ ...body, every_minutes: null })
    const foreign = new Set<string>()
    const theirs = new Map<string, string>()
    for (const one of edits) {
      const at = (name: string): string => join(place, name)
      if (one.what === 'write') write(one.path, contentOf(one.content))
      else if (one.what === 'delete') rmSync(at(one.path), { force: true })
      else if (one.what === 'move') {
        mkdirSync(dirname(at(one.to)), { recursive: true })
        if (one.from !== one.to && filesOf(place).includes(one.from)) renameSync(at(one.from), at(one.to))
      } else if (one.what === 'foreign') {
        // Beside the source's documents, or in the place of one of them.
        const name = one.elsewhere ? `theirs/${one.path}` : one.path
        // Another content at each of them: those of the same bytes would be one document.
        const text = `${contentOf(one.content)}\nSaid by somebody else in ${name}.\n`
        await upload(app.deps, owner, here.workspaceId, { [name]: text }, { onConflict: 'replace' })
        await drain(deps)
        theirs.set(name, hashOf(text))
        foreign.add(hashOf(text))
      } else {
        await here.ask(source, { allow_empty: true })
        if (one.diesBefore === null) await runDue(deps)
        else await runKilled(deps, one.diesBefore)
      }
    }
    await runDue(deps)
    for (let no = 0; no < 2; no++)
      expect(await here.run(source, { allow_empty: true })).toMatchObject({ state: 'waiting', error: null })
    const now = await here.documents()
    const byHash = new Map(now.map(([at, hash]) => [hash, at]))
    // The same bytes are kept once, under one of their names.
    expect(byHash.size).toBe(now.length)
    const wanted = new Map<string, string[]>()
    for (const file of filesOf(place)) {
      const hash = hashOf(readFileSync(join(place, file)))
      wanted.set(hash, [...(wanted.get(hash) ?? []), file])
    }
    const ours = now.filter(([, hash]) => !foreign.has(hash))
    expect(ours.map(([, hash]) => hash).sort()).toEqual([...wanted.keys()].sort())
    // One whose name is taken lies beside it.
    for (const [at, hash] of ours) expect(wanted.get(hash)).toContain(at.replace(/ \(\d+\)(?=\.\w+$)/, ''))
    expect(now.filter(([, hash]) => foreign.has(hash))).toEqual(
      [...theirs].sort(([one], [other]) => (one < other ? -1 : 1)),
    )
  }
  const edits = fc.array(edit, { minLength: 6, maxLength: 20 })
  await fc.assert(fc.asyncProperty(edits, run), { numRuns: FULL ? 60 : 3, endOnFailure: true })
})

test('a worker that was believed dead and comes back changes nothing: the run that took over is all that counts', async () => {
  // Before each call of the first worker in turn the second takes the run over and ends it.
  for (let no = 2; ; no += FULL ? 1 : 9) {
    here = await sourceClient(app, deps, owner)
    const { path: place, write, body } = folder()
    write('a.md', textOf('anchors'))
    write('b.md', textOf('buoys'))
    write('c.md', textOf('cranes'))
    const source = await here.create({ ...body, every_minutes: null })
    await runDue(deps)
    write('a.md', textOf('anchors and chains'))
    renameSync(join(place, 'b.md'), join(place, 'd.md'))
    rmSync(join(place, 'c.md'))
    write('e.md', textOf('engines'))
    await here.ask(source)
    let isTaken = false
    const db = disturbedBefore(deps.db, no, async () => {
      isTaken = true
      await expireLeases(deps.db, 'outside')
      await runDue(deps)
      // What the first one would do now to what it saw then.
      write('c.md', textOf('cranes, again'))
      await here.run(source)
    })
    await runDue(deps, db)
    await runDue(deps)
    const expected = ['a.md', 'd.md', 'e.md', ...(isTaken ? ['c.md'] : [])].sort()
    expect(
      (await here.documents()).map(([at]) => at),
      String(no),
    ).toEqual(expected)
    expect(await here.run(source)).toMatchObject({ error: null, counts: { unchanged: expected.length } })
    if (!isTaken) break
  }
})

const filesOf = (place: string): string[] =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(place.length + 1))

describe('addresses', () => {
  let server: Server
  let origin = ''
  let pages: Record<string, { body: string; type?: string; location?: string }> = {}
  let asked: { path: string; authorization: string | undefined }[] = []
  const repositories = join(root, 'repositories')
  beforeAll(async () => {
    server = createServer((request, response) => {
      const at = request.url ?? ''
      asked.push({ path: at, authorization: request.headers.authorization })
      if (at.startsWith('/git/')) return gitBackend(repositories, request, response)
      const page = pages[at]
      const headers = {
        'content-type': page?.type ?? 'text/html',
        ...(page?.location ? { location: page.location } : {}),
      }
      return void response
        .writeHead(page ? (page.location ? 302 : 200) : 404, headers)
        .end(page?.body ?? 'no')
    })
    origin = await listenOnLoopback(server)
  })
  beforeEach(() => {
    asked = []
  })
  afterAll(() => closeNow(server))

  test('pages of a sitemap: robots.txt is obeyed, a page that is gone is deleted, one that fails is kept', async () => {
    const url = (at: string): string => `<url><loc>${origin}${at}</loc></url>`
    pages = {
      '/robots.txt': { body: 'User-agent: *\nDisallow: /private', type: 'text/plain' },
      '/sitemap.xml': {
        body: `<urlset>${url('/a')}${url('/b')}${url('/private/c')}</urlset>`,
        type: 'application/xml',
      },
      '/a': { body: '<h1>Anchors</h1><p>They hold a ship.</p>' },
      '/b': { body: '<h1>Buoys</h1><p>They show the way.</p>' },
      '/private/c': { body: 'secret' },
    }
    const credentials = { secret: 'of-the-handbook' }
    const source = await here.create({ kind: 'web', addresses: [`${origin}/sitemap.xml`], credentials })
    expect(source).toMatchObject({ has_credentials: true })
    expect(JSON.stringify(source)).not.toContain(credentials.secret)
    const stored = await sealedOf(app.deps.db, source.id)
    expect(stored.length).toBeGreaterThan(0)
    expect(stored.includes(credentials.secret)).toBe(false)
    await runDue(deps)
    expect(await here.get(source)).toMatchObject({ error: null, documents: 2 })
    const host = new URL(origin).host
    expect((await here.documents()).map(([at]) => at)).toEqual([`${host}/a.html`, `${host}/b.html`])
    expect(asked.map(({ path: at }) => at)).not.toContain('/private/c')
    expect(asked.find(({ path: at }) => at === '/a')?.authorization).toBe('Bearer of-the-handbook')
    delete pages['/b']
    expect((await here.run(source)).counts).toMatchObject({ unchanged: 1, deleted: 1 })
    // A redirect elsewhere takes no password with it; another port is another site.
    const elsewhere: (string | undefined)[] = []
    const other = createServer((request, response) => {
      elsewhere.push(request.headers.authorization)
      response.end('<p>Elsewhere there are anchors too.</p>')
    })
    pages['/a'] = { body: '', location: `${await listenOnLoopback(other)}/` }
    expect((await here.run(source)).error).toBeNull()
    await closeNow(other)
    expect(elsewhere).toEqual([undefined])
  })

  test('what is not allowed on the network is not asked, whoever names it', async () => {
    // By name or number, and behind a redirect: the tests allow 127.0.0.1 alone.
    pages = { '/away': { body: '', location: 'http://127.0.0.2:9/' } }
    const { port } = new URL(origin)
    for (const address of [`http://127.0.0.2:${port}/`, `http://169.254.169.254/`, `${origin}/away`]) {
      const source = await here.create({ kind: 'web', addresses: [address] })
      await runDue(deps)
      expect(await here.get(source)).toMatchObject({
        state: 'failed',
        error: expect.stringContaining('not on the public internet'),
      })
    }
    const repository = await here.create({ kind: 'git', addresses: [`http://127.0.0.2:${port}/git/x.git`] })
    await runDue(deps)
    expect(await here.get(repository)).toMatchObject({
      error: expect.stringContaining('not on the public internet'),
    })
    expect(asked.map(({ path: at }) => at).filter((at) => at.startsWith('/git'))).toEqual([])
  })

  test('a repository: its password reaches the server and nobody else; what is new of it comes with the next run', async () => {
    const work = join(root, 'work')
    const git = (...args: string[]): void => {
      const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org']
      execFileSync('git', ['-C', work, ...who, ...args], { stdio: 'pipe' })
    }
    const commit = (): void => {
      git('add', '--all')
      git('commit', '--quiet', '--message', 'x')
      git('push', '--quiet', '--force', join(repositories, 'handbook.git'), 'HEAD:main')
    }
    mkdirSync(join(work, 'docs'), { recursive: true })
    mkdirSync(repositories)
    execFileSync('git', ['init', '--quiet', '--initial-branch', 'main', work])
    execFileSync('git', [
      'init',
      '--quiet',
      '--bare',
      '--initial-branch',
      'main',
      join(repositories, 'handbook.git'),
    ])
    writeFileSync(join(work, 'docs/a.md'), textOf('anchors'))
    writeFileSync(join(work, 'docs/b.md'), textOf('buoys'))
    symlinkSync('/etc/hostname', join(work, 'docs/link.md'))
    commit()
    const credentials = { username: 'robot', secret: 'pass word' }
    const source = await here.create({ kind: 'git', addresses: [`${origin}/git/handbook.git`], credentials })
    await runDue(deps)
    expect(await here.get(source)).toMatchObject({
      error: null,
      documents: 2,
      name: expect.stringContaining('handbook'),
    })
    const authorization = `Basic ${Buffer.from('robot:pass word').toString('base64')}`
    expect(new Set(asked.map((one) => one.authorization))).toEqual(new Set([authorization]))
    renameSync(join(work, 'docs/b.md'), join(work, 'b.md'))
    commit()
    expect((await here.run(source)).counts).toMatchObject({ unchanged: 1, moved: 1, created: 0 })
    expect((await here.documents()).map(([at]) => at)).toEqual(['b.md', 'docs/a.md'])
    rmSync(join(repositories, 'handbook.git'), { recursive: true })
    const gone = await here.run(source)
    expect(gone).toMatchObject({
      state: 'failed',
      documents: 2,
      error: expect.stringContaining('git failed'),
    })
    expect(gone.error).not.toContain('pass word')
  })
})

/** Git's own server of repositories, as web servers run it (CGI). */
function gitBackend(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const [at = '', query = ''] = (request.url ?? '').slice('/git'.length).split('?')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: at,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  })
  request.pipe(child.stdin)
  const pieces: Buffer[] = []
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
  child.on('close', () => {
    const answer = Buffer.concat(pieces)
    const end = answer.indexOf('\r\n\r\n')
    const headers = answer.subarray(0, end).toString().split('\r\n')
    const pairs = headers.map((line): [string, string] => {
      const [name = '', value = ''] = line.split(': ')
      return [name.toLowerCase(), value]
    })
    const { status = '200', ...rest } = Object.fromEntries(pairs)
    response.writeHead(Number.parseInt(status, 10), rest).end(answer.subarray(end + 4))
  })
}
