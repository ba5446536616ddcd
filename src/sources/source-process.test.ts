// What a run of a source has started ends with the process that asked for it, however that ends. A child that was taken over by what
// it reads says what it likes; its parent goes on.

import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { program } from '../../test/support/program.ts'
import { forkModule } from '../processes/module.ts'
import type { SourceSpec } from './child/messages.ts'
import { DEFAULT_LIMITS, sourceInChild } from './source-process.ts'

let folder = ''
let worker: ChildProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'source-process-'))
})
afterEach(() => {
  worker?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Neither gone nor ended without anybody who has asked for its exit code. */
function runs(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ''
  return stat !== '' && !stat.slice(stat.lastIndexOf(')')).startsWith(') Z')
}

test.runIf(process.platform === 'linux')(
  'a worker that is killed leaves no program of a source behind',
  async () => {
    const pidFile = join(folder, 'pid')
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'git'), `#!/bin/sh\necho $$ > ${pidFile}\nexec sleep 600\n`, { mode: 0o755 })
    const spec: SourceSpec = {
      kind: 'git',
      addresses: ['https://git.example/notes.git'],
      branch: null,
      include: [],
      exclude: [],
      credentials: undefined,
      folder,
      allowedFolders: [],
      privateNetworks: [],
      environment: { PATH: `${bin}:${process.env.PATH}` },
    }
    worker = forkModule(program('source-owner'), { args: [JSON.stringify(spec)] })
    const pid = (): number => Number(existsSync(pidFile) ? readFileSync(pidFile, 'utf8') : 0)
    await expect.poll(pid, { timeout: 60_000 }).toBeGreaterThan(0)
    expect(runs(pid())).toBe(true)
    worker.kill('SIGKILL')
    await expect.poll(() => runs(pid()), { timeout: 60_000 }).toBe(false)
  },
)

const messages = [5, 'x', null, [], {}, { files: 1 }, { files: [{ path: 5 }] }, { listed: [5] }, { no: 'x' }]

test.each([...messages, { failed: { message: 'x', type: 'y' } }].map((message) => ({ message })))(
  '$message is no answer: it ends the run with a sentence',
  async ({ message }) => {
    const spec: SourceSpec = {
      kind: 'git',
      addresses: [],
      branch: JSON.stringify([{ moved: true }, message, { listed: [] }]),
      include: [],
      exclude: [],
      credentials: undefined,
      folder: '/',
      allowedFolders: [],
      privateNetworks: [],
      environment: {},
    }
    const source = sourceInChild(
      spec,
      'x',
      { limits: DEFAULT_LIMITS, program: program('taken-over') },
      { warn() {} },
    )
    await expect(source.list(new AbortController().signal)).rejects.toMatchObject({
      type: 'stopped',
      message: 'The process that reads the source gave an answer that is none.',
    })
  },
)
