// What a parser child can reach, whatever runs in it: no server, and no file but its own.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { inFolder } from '../../test/support/files/parse.ts'
import { launchProgram } from './launch.ts'
import { confine, type Sandbox, type SandboxDir, sandboxOf } from './sandbox.ts'
import { giveFile, makeSandboxDir, openChildFile } from './sandbox-dir.ts'

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm')).href

/** What a program answers that runs as a child does. */
function answerOf(
  cell: SandboxDir,
  program: string,
  args: string[],
  allowed?: Sandbox,
): Promise<Record<string, unknown>> {
  const child = launchProgram({ program, args, nodeArgs: ['--import', tsx], sandboxDir: cell, allowed })
  let errors = ''
  child.stderr?.on('data', (piece) => {
    errors += piece
  })
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as Record<string, unknown>))
    child.once('exit', () => reject(new Error(`no answer: ${errors}`)))
  })
}

const asks = `
const { connect } = await import('node:net')
const dns = (await import('node:dns')).default
const tried = async (start) => { try { return await start() } catch (error) { return error.code ?? error.message } }
const reach = () => new Promise((resolve, reject) => {
  connect(Number(process.argv[2]), '127.0.0.1').once('connect', () => resolve('connected')).once('error', reject)
})
process.send({
  socket: await tried(reach),
  web: await tried(async () => (await fetch('http://127.0.0.1:' + process.argv[2])).status),
  name: await tried(() => new Promise((resolve, reject) => dns.lookup('example.org', (e, a) => e ? reject(e) : resolve(a)))),
})
process.disconnect()
`

/** What a program under a child's conditions says of its tries, and how often the server was reached. */
function tries(
  before: string,
  allowed: Sandbox,
): Promise<{ answer: Record<string, unknown>; reached: number }> {
  return inFolder(async (folder) => {
    let reached = 0
    const server = createServer((socket) => {
      reached++
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const program = join(folder, 'asks.mjs')
    await writeFile(program, before + asks)
    const cell = makeSandboxDir(join(folder, 'pool'), 1, undefined, join(folder, 'data'))
    const answer = await answerOf(cell, program, [String(port)], allowed)
    server.close()
    return { answer, reached }
  })
}

test
  .runIf(sandboxOf() !== 'none')
  .each<Sandbox>(sandboxOf() === 'files' ? ['files', 'network'] : ['network'])(
  'the system gives a child no network: %s',
  async (allowed) => {
    const { answer, reached } = await tries('', allowed)
    expect(reached).toBe(0)
    expect(answer.socket).toBe('ENETUNREACH')
  },
)

test('without the system’s help no JavaScript of the child gets out', async () => {
  const guard = pathToFileURL(join(import.meta.dirname, 'child', 'isolation.ts')).href
  const { answer, reached } = await tries(
    `(await import(${JSON.stringify(guard)})).forbidNetwork()\n`,
    'none',
  )
  expect(reached).toBe(0)
  expect(answer).toEqual({
    socket: 'a parser has no network',
    web: 'fetch failed',
    name: 'a parser has no network',
  })
})

const hostile = `
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
const { given, folder, data, app, parent } = JSON.parse(process.argv[2])
const tried = (start) => { try { return start() } catch (error) { return error.code ?? 'failed' } }
const run = (...command) => tried(() => execFileSync(command[0], command.slice(1), { stdio: 'ignore' }) && 'ran')
const out = {
  given: tried(() => fs.readFileSync(given, 'utf8')),
  own: tried(() => { fs.writeFileSync(folder + '/mine', 'x'); return fs.readFileSync(folder + '/mine', 'utf8') }),
  data: tried(() => fs.readdirSync(data)),
  secret: tried(() => fs.readFileSync(data + '/secret.key', 'utf8')),
  other: tried(() => fs.readFileSync(data + '/blobs/aa/other', 'utf8')),
  sibling: tried(() => fs.readdirSync(data + '/parser-1/2')),
  link: tried(() => { fs.symlinkSync(data + '/secret.key', folder + '/to'); return fs.readFileSync(folder + '/to', 'utf8') }),
  passwd: tried(() => fs.readFileSync('/etc/passwd', 'utf8')),
  homes: ['/home', '/root', '/var', '/srv', '/tmp/..data'].map((path) => tried(() => fs.readdirSync(path))),
  throughParent: ['root' + data + '/secret.key', 'environ', 'mem', 'cwd/secret.key', 'fd/0'].map((path) =>
    tried(() => fs.readFileSync('/proc/' + parent + '/' + path, 'utf8'))),
  changesGiven: tried(() => fs.writeFileSync(given, 'changed')),
  removesGiven: tried(() => fs.unlinkSync(given)),
  changesProgram: tried(() => fs.writeFileSync(app + '/planted.js', 'x')),
  rights: /CapEff:\\t(\\w+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1],
  mounts: run('mount', '-t', 'tmpfs', 'none', folder),
  unmounts: run('umount', folder + '/given'),
  namespace: run('unshare', '--user', '--map-root-user', '--mount', 'true'),
  leaves: run('chroot', '/proc/1/root', 'true'),
}
process.send(out)
process.disconnect()
`

test.runIf(sandboxOf() === 'files')(
  'a child that was taken over reads what it was given and its own folder, and nothing else of the machine',
  () =>
    inFolder(async (folder) => {
      const data = join(folder, 'data')
      const pool = join(data, 'parser-1')
      mkdirSync(join(data, 'blobs/aa'), { recursive: true })
      writeFileSync(join(data, 'secret.key'), 'the key')
      writeFileSync(join(data, 'blobs/aa/other'), 'of somebody else')
      writeFileSync(join(data, 'blobs/aa/asked'), 'to be read')
      const cell = makeSandboxDir(pool, 1, undefined, data)
      makeSandboxDir(pool, 2, undefined, data)
      const given = await giveFile(cell, join(data, 'blobs/aa/asked'), 1)
      // Not beside the data: the program's own folder can be seen.
      const program = join(folder, 'program/hostile.mjs')
      mkdirSync(join(folder, 'program'))
      writeFileSync(program, hostile)
      const app = join(import.meta.dirname, '../..', 'node_modules')
      const about = { given, folder: cell.folder, data, app, parent: process.pid }
      const { homes, throughParent, ...answer } = await answerOf(cell, program, [JSON.stringify(about)])
      expect(answer).toMatchObject({
        given: 'to be read',
        own: 'x',
        // On the way to its own folder.
        data: ['parser-1'],
        secret: 'ENOENT',
        other: 'ENOENT',
        sibling: 'ENOENT',
        link: 'ENOENT',
        passwd: 'ENOENT',
        changesGiven: 'EROFS',
        removesGiven: 'EROFS',
        changesProgram: 'EROFS',
        rights: '0000000000000000',
        mounts: 'failed',
        unmounts: 'failed',
        namespace: 'failed',
        leaves: 'failed',
      })
      for (const of of homes as string[]) expect(of).toBe('ENOENT')
      for (const of of throughParent as string[]) expect(of).toMatch(/^(EACCES|EPERM|ENOENT)$/)
      expect(readFileSync(join(data, 'blobs/aa/asked'), 'utf8')).toBe('to be read')
    }),
)

test('what a child wrote is read only if it is a file of its own folder', () =>
  inFolder(async (folder) => {
    const { folder: own } = makeSandboxDir(join(folder, 'pool'), 1, undefined, folder)
    writeFileSync(join(folder, 'secret'), 'the key')
    symlinkSync(join(folder, 'secret'), join(own, 'link'))
    writeFileSync(join(own, 'file'), 'text')
    mkdirSync(join(own, 'folder'))
    await (await openChildFile(own, join(own, 'file'))).close()
    await expect(openChildFile(own, join(own, 'link'))).rejects.toThrow()
    await expect(openChildFile(own, join(own, 'folder'))).rejects.toThrow('wrote no file')
    await expect(openChildFile(own, join(folder, 'secret'))).rejects.toThrow('not in the folder of the child')
    await expect(openChildFile(own, join(own, '../../secret'))).rejects.toThrow(
      'not in the folder of the child',
    )
  }))

/** Runs it where the system's folders are mounted as a service of systemd sees them, and the cell's as a strict /tmp is. */
const AS_A_SERVICE = `
mount -o remount,bind,nosuid,nodev /
mount --bind "$0" "$0" && mount -o remount,bind,nosuid,nodev,noexec "$0" || exit 1
exec "$@"
`
/** Anybody may mount there, where the system allows namespaces at all. */
const inNamespace = (...command: string[]) =>
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', ...command], { encoding: 'utf8' })

test('a child gets its sandbox also where nothing may be set-user-ID, a device or a program', ({ skip }) =>
  inFolder(async (folder) => {
    const { status, stderr: refusal } = inNamespace('mount', '-o', 'remount,bind,nosuid', '/')
    if (status !== 0 || sandboxOf() !== 'files') {
      const why = `THE SANDBOX WAS NOT TRIED AS A SERVICE HAS IT: this system gives none with namespaces ${refusal ?? ''}`
      console.warn(`!!! ${why} !!!`)
      skip(why)
    }
    const cell = makeSandboxDir(join(folder, 'pool'), 1, undefined, join(folder, 'data'))
    const command = [
      ...confine(cell, import.meta.filename),
      'sh',
      '-c',
      'test ! -e /etc/passwd && echo hidden',
    ]
    const { stdout, stderr } = inNamespace('sh', '-c', AS_A_SERVICE, folder, ...command)
    expect([stdout, stderr]).toEqual(['hidden\n', ''])
  }))
