// `kenning sync` against a running service: what goes up, what is deleted, what is left alone, and that a killed run is made up
// for by the next one.

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Page, ScopeDocument, Workspace } from '../../src/contract/resources.ts'
import { type Client, makeClient } from '../support/client.ts'
import { FULL } from '../support/full.ts'
import { type Ended, type Home, makeHome } from '../support/kenning.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'

let service: SharedService
let client: Client
let token: string
beforeAll(async () => {
  service = await sharedService()
  token = await service.token()
  client = makeClient(service.base, async () => {
    token = await service.token()
    return token
  })
})
afterAll(() => service?.leave())

interface Place {
  home: Home
  source: string
  workspace: Workspace
  write(path: string, text: string): void
  sync(...args: string[]): Promise<Ended>
  /** Path and text's hash of each document, by the service. */
  documents(): Promise<ScopeDocument[]>
}

let places = 0
async function place(): Promise<Place> {
  const home = makeHome(() => ({ KENNING_SERVER: service.origin, KENNING_TOKEN: token }))
  onTestFinished(() => home.remove())
  const source = join(home.folder, 'source')
  mkdirSync(source)
  const workspace = await client.post<Workspace>('/workspaces', { name: `Place ${++places}` })
  return {
    home,
    source,
    workspace,
    write: (path, text) => {
      mkdirSync(dirname(join(source, path)), { recursive: true })
      writeFileSync(join(source, path), text)
    },
    sync: (...args) => home.kenning(['sync', source, '-w', workspace.id, ...args]),
    documents: async () => {
      const { data } = await client
        .get<Page<ScopeDocument>>(`/workspaces/${workspace.id}/scopes/provider%3Aupload/documents?limit=200`)
        .catch(() => ({ data: [] as ScopeDocument[] }))
      return data.sort((a, b) => (a.path < b.path ? -1 : 1))
    },
  }
}

const text = (subject: string): string =>
  `# ${subject}\n\nThis page is about ${subject} and about nothing else.\n`
const hashOf = (of: string): string => createHash('sha256').update(of).digest('hex')
const pathsOf = (documents: readonly ScopeDocument[]): string[] => documents.map(({ path }) => path)
const changes = (ended: Ended): string[] => ended.stdout.split('\n').filter(Boolean)

test('new, changed, moved and deleted files; paths are kept; nothing is sent twice', async () => {
  const { write, sync, documents, source } = await place()
  write('a.md', text('anchors'))
  write('deep/er/b.md', text('buoys'))
  write('c.md', text('cranes'))
  const dry = await sync('--dry-run')
  expect(dry.code, dry.stderr).toBe(0)
  expect(changes(dry)).toEqual(['+ a.md', '+ c.md', '+ deep/er/b.md'])
  expect(await documents()).toEqual([])
  expect((await sync()).stderr).toContain('3 files, 3 new.')
  expect(pathsOf(await documents())).toEqual(['a.md', 'c.md', 'deep/er/b.md'])
  const again = await sync()
  expect([again.code, changes(again), again.stderr]).toEqual([
    0,
    [],
    expect.stringContaining('nothing to do'),
  ])

  const before = await documents()
  write('a.md', text('anchors and chains'))
  renameSync(join(source, 'c.md'), join(source, 'deep/c.md'))
  rmSync(join(source, 'deep/er/b.md'))
  write('d.md', text('docks'))
  expect(changes(await sync())).toEqual(['~ a.md', '> c.md → deep/c.md', '+ d.md', '- deep/er/b.md'])
  const after = await documents()
  expect(pathsOf(after)).toEqual(['a.md', 'd.md', 'deep/c.md'])
  expect(after[0]).toMatchObject({ id: before[0]?.id, version_id: hashOf(text('anchors and chains')) })

  write('a.md', text('ankers'))
  const lines = (await sync('--json')).stdout.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { action: 'replace', path: 'a.md', document_id: before[0]?.id },
  ])
})

test('what others put there is never touched, also where names and contents are the same', async () => {
  const { write, sync, documents, workspace, source } = await place()
  const foreign = { 'mine.md': text('mine'), 'same.md': text('same'), 'notes.md': text('their notes') }
  const files = Object.entries(foreign).map(([name, bytes]) => ({ name, bytes }))
  await client.done((await client.upload(workspace.id, files)).id)
  const theirs = await documents()
  write('same.md', text('same'))
  write('copy/of.md', text('same'))
  write('notes.md', text('notes of the source'))
  const first = await sync()
  expect(changes(first)).toEqual(['= copy/of.md', '+ notes.md'])
  expect(first.stderr).toContain('3 files, 1 new.')
  expect(pathsOf(await documents())).toEqual(['mine.md', 'notes (2).md', 'notes.md', 'same.md'])
  write('notes.md', text('later notes of the source'))
  expect(changes(await sync())).toEqual(['~ notes.md'])
  expect(pathsOf(await documents())).toEqual(['mine.md', 'notes (2).md', 'notes.md', 'same.md'])
  rmSync(join(source, 'same.md'))
  rmSync(join(source, 'copy'), { recursive: true })
  rmSync(join(source, 'notes.md'))
  expect(await sync()).toMatchObject({ code: 1, stderr: expect.stringContaining('--allow-empty') })
  expect((await sync('--allow-empty')).code).toBe(0)
  expect(await documents()).toEqual(theirs)
})

test('what somebody uploaded by hand becomes part of a sync when they say so, and nothing else does', async () => {
  const { write, sync, documents, workspace, source } = await place()
  const byHand = { 'a.md': text('anchors'), 'b.md': text('buoys'), 'other.md': text('cranes') }
  const files = Object.entries(byHand).map(([name, bytes]) => ({ name, bytes }))
  await client.done((await client.upload(workspace.id, files)).id)
  write('a.md', text('anchors'))
  write('b.md', text('buoys'))
  // The same content under another name: whoever named it so may want to keep it.
  write('c.md', text('cranes'))
  expect(changes(await sync())).toEqual(['= a.md', '= b.md', '= c.md'])
  expect(changes(await sync('--adopt')).sort()).toEqual(['+ a.md', '+ b.md', '= c.md'])
  rmSync(join(source, 'a.md'))
  rmSync(join(source, 'c.md'))
  expect(changes(await sync())).toEqual(['- a.md'])
  expect(pathsOf(await documents())).toEqual(['b.md', 'other.md'])
})

test('a document that somebody changed is left alone', async () => {
  const { write, sync, documents, workspace, source } = await place()
  write('a.md', text('anchors'))
  write('b.md', text('buoys'))
  await sync()
  const bytes = text('anchors, as somebody knows better')
  const job = await client.upload(workspace.id, [{ name: 'a.md', bytes }])
  await client.done(job.id)
  const [changed] = await documents()
  expect(changed?.version_id).toBe(hashOf(bytes))
  rmSync(join(source, 'a.md'))
  expect((await sync()).stdout).toContain('Somebody has changed it')
  expect(await documents()).toContainEqual(changed)
})

test('a document that somebody moved in the workspace stays there, and goes on with its file', async () => {
  const { write, sync, documents, workspace, source } = await place()
  write('a.md', text('anchors'))
  write('b.md', text('buoys'))
  await sync()
  const [first, second] = await documents()
  const ids = [first?.id, second?.id]
  await client.post(`/workspaces/${workspace.id}/documents/move`, { document_ids: ids, folder: 'archive' })
  const again = await sync()
  expect([again.code, changes(again)]).toEqual([0, []])
  expect((await documents()).map(({ id, path }) => [id, path])).toEqual([
    [ids[0], 'archive/a.md'],
    [ids[1], 'archive/b.md'],
  ])
  write('a.md', text('anchors and chains'))
  rmSync(join(source, 'b.md'))
  expect(changes(await sync())).toEqual(['~ a.md', '- archive/b.md'])
  expect(await documents()).toMatchObject([
    { id: ids[0], path: 'archive/a.md', version_id: hashOf(text('anchors and chains')) },
  ])
  expect(changes(await sync())).toEqual([])
})

test('a moved document whose marker is gone is still found where it is, and stays when its file goes', async () => {
  const { write, sync, documents, workspace, source } = await place()
  write('a.md', text('anchors'))
  write('b.md', text('buoys'))
  await sync()
  const [first, second] = await documents()
  const { data } = await client.get<Page<{ name: string }>>(`/workspaces/${workspace.id}/scopes`)
  const marker = data.find(({ name }) => name.startsWith('sync: source ['))?.name ?? ''
  await client.call('DELETE', `/workspaces/${workspace.id}/scopes/${encodeURIComponent(marker)}`)
  const ids = [first?.id, second?.id]
  await client.post(`/workspaces/${workspace.id}/documents/move`, { document_ids: ids, folder: 'archive' })
  write('a.md', text('anchors and chains'))
  rmSync(join(source, 'b.md'))
  const left = 'archive/b.md  Somebody has moved it in the workspace, so it is left alone.'
  expect(changes(await sync())).toEqual([expect.stringContaining(left), '~ a.md'])
  for (let run = 0; run < 2; run++) {
    expect(changes(await sync())).toEqual([])
    expect((await documents()).map(({ id, path }) => [id, path])).toEqual([
      [ids[0], 'archive/a.md'],
      [ids[1], 'archive/b.md'],
    ])
  }
})

test('a lost memory is rebuilt from the service; without the marker nothing is deleted', async () => {
  const { write, sync, documents, home, source, workspace } = await place()
  const forget = (): void => rmSync(join(home.folder, '.local'), { recursive: true })
  write('a.md', text('anchors'))
  write('b.md', text('buoys'))
  await sync()
  forget()
  rmSync(join(source, 'a.md'))
  write('c.md', text('cranes'))
  expect(changes(await sync())).toEqual(['+ c.md', '- a.md'])
  forget()
  const { data } = await client.get<Page<{ name: string }>>(`/workspaces/${workspace.id}/scopes`)
  const marker = data.find(({ name }) => name.startsWith('sync: source ['))?.name ?? ''
  expect(
    (await client.call('DELETE', `/workspaces/${workspace.id}/scopes/${encodeURIComponent(marker)}`)).status,
  ).toBe(204)
  rmSync(join(source, 'b.md'))
  await sync()
  expect(pathsOf(await documents())).toEqual(['b.md', 'c.md'])
})

test('what cannot be read is said once more each time, and sent again when it changes', async () => {
  const { write, sync, documents } = await place()
  write('a.md', text('anchors'))
  write('broken.pdf', '%PDF-1.7\nnothing\n')
  const first = await sync()
  expect([first.code, changes(first)]).toEqual([0, ['+ a.md', expect.stringMatching(/^! broken\.pdf {2}\S/)]])
  expect((await sync()).stderr).toContain('1 not read')
  write('broken.pdf', text('no longer a PDF'))
  expect(changes(await sync())).toEqual([expect.stringMatching(/^[+!] broken\.pdf/)])
  expect(pathsOf(await documents())).toContain('a.md')
})

test('it goes on while a folder changes', async () => {
  const { write, home, source, workspace, documents } = await place()
  write('a.md', text('anchors'))
  let step = 0
  const args = ['sync', source, '-w', workspace.id, '--watch']
  const ended = await home.kenning(args, {
    onStderr: (said, child) => {
      const waits = said.split('Waiting for changes').length - 1
      if (waits === 1 && step === 0) {
        step = 1
        write('b/b.md', text('buoys'))
      } else if (waits === 2 && step === 1) {
        step = 2
        child.kill('SIGINT')
      }
    },
  })
  expect(ended.code).toBe(130)
  expect(pathsOf(await documents())).toEqual(['a.md', 'b/b.md'])
})

test('what rclone lists and prints is a source; here a stand-in for it serves a folder', async () => {
  const { write, home, source, workspace, documents } = await place()
  const bin = join(home.folder, 'bin')
  mkdirSync(bin)
  const script = `#!${process.execPath}
    const { readdirSync, readFileSync, statSync } = require('node:fs')
    const [what, ...rest] = process.argv.slice(2)
    const at = (name) => name.replace('disk:', ${JSON.stringify(`${source}/`)})
    const folder = at(rest.at(-1))
    if (what === 'cat') process.stdout.write(readFileSync(folder))
    else console.log('[\\n' + readdirSync(folder, { recursive: true }).flatMap((Path) => {
      const one = statSync(folder + '/' + Path)
      return one.isFile() ? [JSON.stringify({ Path, Size: one.size, ModTime: one.mtime, IsDir: false })] : []
    }).join(',\\n') + '\\n]')`
  writeFileSync(join(bin, 'rclone'), script, { mode: 0o755 })
  write('a.md', text('anchors'))
  write('b/c.md', text('cranes'))
  write('film.mp4', 'no text')
  const args = ['sync', 'rclone:disk:', '-w', workspace.id]
  const run = () => home.kenning(args, { env: { PATH: `${bin}:${process.env.PATH}` } })
  expect(changes(await run())).toEqual(['+ a.md', '+ b/c.md'])
  rmSync(join(source, 'a.md'))
  expect(changes(await run())).toEqual(['- a.md'])
  expect(pathsOf(await documents())).toEqual(['b/c.md'])
  const without = await home.kenning(args, { env: { PATH: bin.replace(/bin$/, 'none') } })
  expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('rclone is not installed') })
})

test('wrong use, and one sync at a time', async () => {
  const { sync, write, home, workspace, source } = await place()
  expect(await home.kenning(['sync', join(source, 'nowhere'), '-w', workspace.id])).toMatchObject({ code: 4 })
  expect(await sync('--every', 'often')).toMatchObject({ code: 2 })
  expect(await sync('--every', '10m', '--watch')).toMatchObject({ code: 2 })
  for (let no = 0; no < 30; no++) write(`${no}.md`, text(`number ${no}`))
  const both = await Promise.all([sync(), sync()])
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1])
  expect(both.map(({ stderr }) => stderr).join()).toContain('already running')
})

type Edit =
  | { what: 'write'; path: string; content: number }
  | { what: 'move'; from: string; to: string }
  | { what: 'delete'; path: string }
  | { what: 'sync'; killAfterMs: number | null; forgets: boolean }

const path = fc.constantFrom('a.md', 'b.md', 'c.txt', 'd/e.md', 'd/f/g.md', 'h.md')
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('write' as const), path, content: fc.nat(8) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('move' as const), from: path, to: path }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('delete' as const), path }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('sync' as const),
      // A start takes some 300 ms, a run with files to send some seconds.
      killAfterMs: fc.option(fc.integer({ min: 200, max: 3000 }), { freq: 4 }),
      forgets: fc.boolean().map((forgets) => forgets),
    }),
  },
)

test('random edits, moves, deletions and kills: afterwards source and workspace agree, and nothing of others was touched', async () => {
  const rounds = fc.record({
    foreign: fc.uniqueArray(fc.tuple(path, fc.nat(8)), { maxLength: 2, selector: ([at]) => at }),
    edits: fc.array(edit, { minLength: 4, maxLength: 14 }),
  })
  const run = async ({ foreign, edits }: { foreign: [string, number][]; edits: Edit[] }): Promise<void> => {
    const { write, sync, documents, source, home, workspace } = await place()
    const content = (no: number): string => text(`subject number ${no}`)
    for (const [name, no] of foreign)
      await client.done((await client.upload(workspace.id, [{ name, bytes: content(no) }])).id)
    const theirs = await documents()
    for (const one of edits) {
      if (one.what === 'write') write(one.path, content(one.content))
      else if (one.what === 'delete') rmSync(join(source, one.path), { force: true })
      else if (one.what === 'move') {
        mkdirSync(dirname(join(source, one.to)), { recursive: true })
        if (one.from !== one.to && list(source).includes(one.from))
          renameSync(join(source, one.from), join(source, one.to))
      } else {
        if (one.killAfterMs === null && one.forgets)
          rmSync(join(home.folder, '.local'), { recursive: true, force: true })
        const args = ['sync', source, '-w', workspace.id, '--allow-empty']
        const options = one.killAfterMs === null ? {} : { killAfterMs: one.killAfterMs }
        const ended = await home.kenning(args, options)
        if (one.killAfterMs === null) expect(ended.code, ended.stderr).toBe(0)
      }
    }
    for (let no = 0; no < 2; no++) {
      const last = await sync('--allow-empty')
      expect(last.code, last.stderr).toBe(0)
    }
    const now = await documents()
    const ids = new Set(theirs.map(({ id }) => id))
    expect(now.filter(({ id }) => ids.has(id))).toEqual(theirs)
    const at = new Map<string, string[]>()
    for (const file of list(source)) {
      const hash = hashOf(readFileSync(join(source, file), 'utf8'))
      at.set(hash, [...(at.get(hash) ?? []), file])
    }
    const ours = now.filter(({ id }) => !ids.has(id))
    const foreignHashes = new Set(theirs.map(({ version_id }) => version_id))
    const isNew = (hash: string): boolean => !foreignHashes.has(hash)
    expect(
      ours
        .map(({ version_id }) => version_id)
        .filter(isNew)
        .sort(),
    ).toEqual([...at.keys()].filter(isNew).sort())
    for (const one of ours)
      expect(at.get(one.version_id)).toContain(one.path.replace(/ \(\d+\)(?=\.\w+$)/, ''))
  }
  await fc.assert(fc.asyncProperty(rounds, run), { numRuns: FULL ? 40 : 2, endOnFailure: true })
})

const list = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

test('a dry run with --create says what it would do, and creates nothing', async () => {
  const { write, home, source } = await place()
  write('a.md', text('anchors'))
  const name = 'Not there yet'
  const names = async () =>
    (await client.get<Page<Workspace>>('/workspaces?limit=200')).data.map((workspace) => workspace.name)
  const run = (...more: string[]) => home.kenning(['sync', source, '-w', name, '--create', ...more])
  const dry = await run('--dry-run')
  expect([dry.code, changes(dry)]).toEqual([0, ['+ a.md']])
  expect(dry.stderr).toContain(`There is no workspace “${name}” yet: it would be created.`)
  expect(dry.stderr).toContain('1 files, 1 new (dry run).')
  expect(await names()).not.toContain(name)
  const real = await run()
  expect([real.code, await names()]).toEqual([0, expect.arrayContaining([name])])
  const again = await run('--dry-run')
  expect([again.code, again.stdout]).toEqual([0, ''])
})

test('a folder that is not there: where it was looked for, and what is there', async () => {
  const { home, source, write, workspace } = await place()
  write('Contracts/a.md', text('anchors'))
  write('Invoices/b.md', text('buoys'))
  for (const command of ['sync', 'upload']) {
    const { code, stderr } = await home.kenning([command, join(source, 'Contarcts'), '-w', workspace.id])
    expect(code, command).toBe(4)
    expect(stderr, command).toContain(
      `Contarcts. In ${source} there is: Contracts, Invoices. See it all: ls '${source}'`,
    )
  }
})

test('a scope that is not there: in which workspace, and which there are', async () => {
  const { write, sync, home, workspace } = await place()
  write('Contracts/a.md', text('anchors'))
  await sync()
  const search = await home.kenning(['search', 'anchors', '-w', workspace.id, '--scope', 'folder:Contarcts'])
  expect(search.code).toBe(4)
  expect(search.stderr).toMatch(
    new RegExp(
      `^There is no scope “folder:Contarcts” in “${workspace.name}”\\. Use --scope with one of these:\n  folder:Contracts\n`,
    ),
  )
})
