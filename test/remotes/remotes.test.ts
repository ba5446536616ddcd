// What rclone reaches, by an rclone of Debian: a disk, and WebDAV, SFTP and S3 servers on this machine. What comes into the
// workspace, what a second run asks for, and that only what the operator named is read.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rcloneSource } from '../../src/sync/rclone.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import type { WorkDeps } from '../support/ingest.ts'
import { closeNow, listenOnLoopback } from '../support/loopback.ts'
import { s3Server } from '../support/s3-server.ts'
import { freePort } from '../support/service.ts'
import { hashOf, inProcess, runDue, sourceClient, textOf } from '../support/sources.ts'

const program = process.env.KENNING_RCLONE
if (!program) throw new Error('KENNING_RCLONE names no rclone: run `npm run test:remotes`.')

const PASSWORD = 'low tide'
const KEY = { AWS_ACCESS_KEY_ID: 'HARBOURKEY', AWS_SECRET_ACCESS_KEY: 'harbour secret' }
const root = mkdtempSync(join(tmpdir(), 'kenning-remotes-'))
const served = join(root, 'served')
const environment: Record<string, string> = {
  PATH: `${dirname(program)}:${process.env.PATH}`,
  HOME: root,
  RCLONE_CONFIG: join(root, 'rclone.conf'),
  ...KEY,
}
const servers = new Map<string, ChildProcess>()
let bucket: Server
let app: TestApp
let owner: Person
let deps: WorkDeps

/** A server of rclone's own on a free port, once it answers. */
async function serve(kind: string, ...args: string[]): Promise<number> {
  const port = await freePort()
  const child = spawn(
    program as string,
    ['serve', kind, served, '--addr', `127.0.0.1:${port}`, '--dir-cache-time', '0s', ...args],
    {
      stdio: 'ignore',
      env: environment,
    },
  )
  servers.set(kind, child)
  for (;;) {
    if (child.exitCode !== null) throw new Error(`rclone serve ${kind} ended with ${child.exitCode}`)
    const socket = connect(port, '127.0.0.1')
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isUp) return port
    await sleep(50)
  }
}

async function obscured(password: string): Promise<string> {
  const child = spawn(program as string, ['obscure', '-'], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(password)
  let printed = ''
  for await (const piece of child.stdout) printed += piece
  return printed.trim()
}

beforeAll(async () => {
  mkdirSync(served)
  writeFileSync(environment.RCLONE_CONFIG ?? '', '')
  const who = ['--user', 'harbour', '--pass', PASSWORD]
  const [webdav, sftp, hidden] = await Promise.all([
    serve('webdav', ...who),
    serve('sftp', ...who),
    obscured(PASSWORD),
  ])
  bucket = s3Server(served, 'harbour', KEY.AWS_ACCESS_KEY_ID)
  const s3 = await listenOnLoopback(bucket)
  const config = `[disk]
type = alias
remote = ${served}
[dav]
type = webdav
url = http://127.0.0.1:${webdav}
vendor = other
user = harbour
pass = ${hidden}
[ssh]
type = sftp
host = 127.0.0.1
port = ${sftp}
user = harbour
pass = ${hidden}
[bucket]
type = s3
provider = Other
env_auth = true
endpoint = ${s3}
`
  writeFileSync(environment.RCLONE_CONFIG ?? '', config)
  const remotes = ['disk:', 'dav:', 'ssh:docs', 'bucket:harbour'].map((location) => ({
    workspaceId: undefined,
    location,
  }))
  app = await testApp({ sources: { folders: [], remotes, environment } })
  owner = await app.person()
  deps = { ...app.deps, embedder: async () => ({ kind: 'none' as const }), parser: inProcess }
})
afterAll(async () => {
  for (const child of servers.values()) child.kill('SIGKILL')
  await closeNow(bucket)
  await app.close()
  rmSync(root, { recursive: true, force: true })
})

const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(served, name)), { recursive: true })
  writeFileSync(join(served, name), text)
}

test.each([
  ['a disk', 'disk:docs'],
  ['WebDAV', 'dav:docs'],
  ['SFTP', 'ssh:docs'],
  ['S3', 'bucket:harbour/docs'],
])('%s: new, changed, moved and deleted files', async (_, address) => {
  rmSync(join(served, 'docs'), { recursive: true, force: true })
  write('docs/a.md', textOf('anchors'))
  write('docs/deep er/b & c.md', textOf('buoys'))
  write('docs/c.md', textOf('cranes'))
  write('docs/film.mp4', 'no text')
  write('other.md', textOf('others'))
  const here = await sourceClient(app, deps, owner)
  const source = await here.create({ kind: 'remote', addresses: [address], every_minutes: null })
  await runDue(deps)
  expect(await here.get(source)).toMatchObject({ state: 'waiting', error: null, documents: 3 })
  expect(await here.documents()).toEqual([
    ['a.md', hashOf(textOf('anchors'))],
    ['c.md', hashOf(textOf('cranes'))],
    ['deep er/b & c.md', hashOf(textOf('buoys'))],
  ])
  write('docs/a.md', textOf('anchors and chains'))
  renameSync(join(served, 'docs/c.md'), join(served, 'docs/deep er/c.md'))
  rmSync(join(served, 'docs/deep er/b & c.md'))
  expect((await here.run(source)).counts).toMatchObject({ replaced: 1, moved: 1, deleted: 1, created: 0 })
  expect(await here.documents()).toEqual([
    ['a.md', hashOf(textOf('anchors and chains'))],
    ['deep er/c.md', hashOf(textOf('cranes'))],
  ])
  expect((await here.run(source)).counts).toMatchObject({ unchanged: 2, replaced: 0, created: 0 })
})

test('a server that is gone deletes nothing, nor does a wrong password; only named remotes are read', async () => {
  write('docs/a.md', textOf('anchors'))
  const here = await sourceClient(app, deps, owner)
  const source = await here.create({ kind: 'remote', addresses: ['dav:docs'] })
  await runDue(deps)
  expect((await here.get(source)).documents).toBeGreaterThan(0)
  const before = await here.documents()
  const webdav = servers.get('webdav') as ChildProcess
  webdav.kill('SIGKILL')
  await once(webdav, 'exit')
  expect(await here.run(source)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('rclone failed'),
  })
  expect(await here.documents()).toEqual(before)
  for (const address of [
    'ssh:',
    'ssh:docs/..',
    'ssh:docs-too',
    ':local:/etc',
    'disk,copy_links=true:docs',
    'bucket:',
  ])
    await expect(here.create({ kind: 'remote', addresses: [address] })).rejects.toThrow('operator')
})

test('s3:// of the command line: a bucket by the credentials of the environment', async () => {
  rmSync(join(served, 'docs'), { recursive: true, force: true })
  write('docs/a.md', textOf('anchors'))
  const { port } = bucket.address() as { port: number }
  const env = { ...environment, RCLONE_S3_ENDPOINT: `http://127.0.0.1:${port}`, RCLONE_S3_PROVIDER: 'Other' }
  const list = async (of: Record<string, string>) => {
    const { signal } = new AbortController()
    const listing = await rcloneSource(':s3,env_auth=true:harbour/docs', { env: of }).list(signal)
    const texts = await Promise.all(listing.files.map(async ({ path, read }) => [path, String(await read())]))
    await listing.close?.()
    return texts
  }
  expect(await list(env)).toEqual([['a.md', textOf('anchors')]])
  await expect(list({ ...env, AWS_ACCESS_KEY_ID: 'SOMEBODY' })).rejects.toThrow('rclone failed')
})
