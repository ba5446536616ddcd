import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { program } from '../../../../test/support/program.ts'
import { forkModule } from '../../../processes/module.ts'
import { type LockContent, LockHeld, lockHolder, readLock, takeLock } from './lock.ts'
import { ownIdentity } from './process-identity.ts'

const folder = mkdtempSync(join(tmpdir(), 'kenning-lock-'))
afterAll(() => rmSync(folder, { recursive: true }))

let path = ''
let count = 0
beforeEach(() => {
  count += 1
  path = join(folder, `lock-${count}`)
})

function leaveLock(identity: { pid: number; started: string | null }, nonce = 'dead00') {
  const content: LockContent = {
    ...identity,
    nonce,
    started_at: '2026-01-01T00:00:00Z',
    socket_dir: '/tmp/x',
  }
  writeFileSync(`${path}.whole`, JSON.stringify(content))
  renameSync(`${path}.whole`, path)
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}

async function starter(): Promise<ChildProcess> {
  const child = forkModule(program('lock-starter'))
  await once(child, 'message')
  return child
}

interface Answer {
  won: boolean
  holder?: number | string
  previous?: string
}

async function take(child: ChildProcess): Promise<Answer> {
  const answer = once(child, 'message')
  child.send({ take: path })
  return (await answer)[0] as Answer
}

describe('the lock of a data directory', () => {
  test('is held by one process, names it, and is free after release', () => {
    const lock = takeLock(path, '/tmp/socket')
    expect(lockHolder(path)).toMatchObject({ pid: process.pid, socket_dir: '/tmp/socket' })
    expect(() => takeLock(path)).toThrow(LockHeld)
    lock.release()
    lock.release()
    expect(readLock(path)).toBeUndefined()
    takeLock(path).release()
  })

  test('is taken over from a dead process at any age, from a living one never', async () => {
    leaveLock({ pid: await deadPid(), started: null })
    const lock = takeLock(path)
    expect(lock.previous?.nonce).toBe('dead00')
    lock.release()
    leaveLock(ownIdentity())
    expect(() => takeLock(path)).toThrow(LockHeld)
  })

  test('is taken over if the pid belongs to another process by now', () => {
    leaveLock({ pid: process.pid, started: 'another boot/12345' })
    takeLock(path).release()
  })

  test('is taken over from a process that died while taking it over', async () => {
    const pid = await deadPid()
    leaveLock({ pid, started: null }, 'first0')
    const claim: LockContent = { pid, started: null, nonce: 'second', started_at: '', socket_dir: null }
    writeFileSync(`${path}.after-first0`, JSON.stringify(claim))
    const lock = takeLock(path)
    expect(readLock(path)?.nonce).toBe(lock.content.nonce)
    lock.release()
    expect(readdirSync(folder).filter((name) => name.startsWith(`lock-${count}`))).toEqual([])
  })

  test('a damaged lock file is an error that says what to do', () => {
    writeFileSync(path, '{"pid": 1')
    expect(() => takeLock(path)).toThrow(/delete that file/)
  })

  test('another process gets it only after its release', async () => {
    const other = await starter()
    const lock = takeLock(path)
    expect(await take(other)).toMatchObject({ won: false, holder: process.pid })
    lock.release()
    expect(await take(other)).toMatchObject({ won: true })
    expect(() => takeLock(path)).toThrow(LockHeld)
    other.kill('SIGKILL')
    await once(other, 'exit')
    takeLock(path).release()
  })

  test('F-08: of five processes that find a dead lock at once exactly one gets it, 200 times', async () => {
    const starters = await Promise.all(Array.from({ length: 5 }, starter))
    const pid = await deadPid()
    for (let round = 0; round < 200; round += 1) {
      leaveLock({ pid, started: null }, `round${round}`)
      const answers = await Promise.all(starters.map(take))
      const winners = answers.filter((answer) => answer.won)
      expect(winners).toEqual([{ won: true, previous: `round${round}` }])
      const winner = starters[answers.findIndex((answer) => answer.won)]
      for (const answer of answers) if (!answer.won) expect(answer.holder).toBeTypeOf('number')
      expect(lockHolder(path)?.pid).toBe(winner?.pid)
      for (const child of starters) child.send({ release: true })
      while (readLock(path)) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    for (const child of starters) child.disconnect()
    expect(readdirSync(folder).filter((name) => name.startsWith(`lock-${count}`))).toEqual([])
  })
})
