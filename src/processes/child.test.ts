import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { program } from '../../test/support/program.ts'
import type { ChildLog } from './child.ts'
import { ChildFailed, type ChildSpec, superviseChild } from './child.ts'
import { forkModule } from './module.ts'
import { supervise } from './supervisor.ts'

const folder = mkdtempSync(join(tmpdir(), 'kenning-child-'))
afterAll(() => rmSync(folder, { recursive: true }))

let diary = ''
let said: string[] = []
const log: ChildLog = {
  info: (_fields, text) => said.push(text),
  warn: (_fields, text) => said.push(text),
  error: (_fields, text) => said.push(text),
}
beforeEach(() => {
  diary = join(folder, String(Math.random()))
  said = []
})

const spec = (mood: string, more: Partial<ChildSpec> = {}): ChildSpec => ({
  name: mood,
  module: program('moody-child'),
  args: [mood, diary],
  env: { COLOUR: 'blue' },
  ...more,
})

const entries = () => (existsSync(diary) ? readFileSync(diary, 'utf8').trim().split('\n') : [])
const alive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function until(done: () => boolean) {
  while (!done()) await delay(20)
}

function pidOf(child: { pid(): number | undefined }): number {
  const pid = child.pid()
  if (pid === undefined) throw new Error('between two lives')
  return pid
}

describe('a supervised child', () => {
  test.each(['good', 'busy', 'endless'])('whose parent was killed ends, be it %s', async (mood) => {
    const owner = forkModule(program('child-owner'), { args: [mood, diary] })
    const [{ pid }] = (await once(owner, 'message')) as [{ pid: number }]
    if (mood === 'busy') await until(() => entries().includes('busy computes'))
    owner.kill('SIGKILL')
    await until(() => !alive(pid))
  })

  test('that dies is restarted with the same environment, as often as it dies, and stops when asked to', async () => {
    const child = await superviseChild(spec('good'), log)
    for (const lives of [2, 3]) {
      process.kill(pidOf(child), 'SIGKILL')
      await until(() => entries().length === lives)
    }
    expect(child.restarts()).toBe(2)
    await child.stop()
    expect(entries()).toEqual([...Array(3).fill('good started with "blue"'), 'good stopped'])
    expect(child.pid()).toBeUndefined()
    expect(said.filter((text) => text.includes('SIGKILL')).length).toBe(2)
  })

  test('that dies is restarted where nothing else keeps the process of its supervisor alive', async () => {
    const owner = forkModule(program('child-owner'), { args: ['good', diary] })
    const [{ pid }] = (await once(owner, 'message')) as [{ pid: number }]
    process.kill(pid, 'SIGKILL')
    await until(() => entries().length === 2 || owner.exitCode !== null)
    expect(owner.exitCode).toBeNull()
    owner.kill('SIGKILL')
  })

  test('that cannot start is reported with its own reason and not restarted', async () => {
    const start = superviseChild(spec('broken'), log)
    await expect(start).rejects.toThrow(ChildFailed)
    await expect(start).rejects.toThrow('the port 8484 is in use')
    expect(entries()).toEqual(['failed'])
  })

  test('whose start neither works nor reports anything is given up', async () => {
    await expect(superviseChild(spec('mute', { idleLimitMs: 700 }), log)).rejects.toThrow(
      'its start did nothing for 0.7 s',
    )
  })

  test('that migrates tells so, and what it does', async () => {
    let reports = 0
    const onMigrating = () => {
      reports += 1
    }
    const progress: string[] = []
    const onProgress = (doing: string) => void progress.push(doing)
    const child = await superviseChild(spec('migrating', { onMigrating, onProgress }), log)
    expect(reports).toBe(3)
    expect(progress).toEqual(['preparing …'])
    expect(child.restarts()).toBe(0)
    await child.stop()
  })

  test.each([
    ['computes', 'working'],
    ['waits for a process of its own that computes', 'delegating'],
  ])('that %s while it starts may take as long as it does', async (_, mood) => {
    // The start takes twice the limit in processor time, or longer on a busy machine, but is never given up.
    const child = await superviseChild(spec(mood, { idleLimitMs: 1000 }), log)
    expect(child.restarts()).toBe(0)
    await child.stop()
  })

  test('that waits while it starts ends when its supervisor is told to stop, and is not started again', async () => {
    const starting = new AbortController()
    const start = superviseChild(spec('waiting', { graceMs: 60_000 }), log, starting.signal)
    const ended = expect(start).rejects.toThrow('exit code 0')
    await until(() => entries().includes('waiting'))
    starting.abort()
    await ended
    expect(entries()).toEqual(['waiting', 'waited'])
  })

  test('that is told to stop a second time stops in its own time', async () => {
    const child = await superviseChild(spec('slow', { graceMs: 60_000 }), log)
    const pid = pidOf(child)
    const stopped = child.stop()
    await until(() => entries().includes('slow stops'))
    process.kill(pid, 'SIGTERM')
    appendFileSync(diary, 'go on\n')
    await stopped
    expect(entries().at(-1)).toBe('slow stopped')
  })

  test('that ignores SIGTERM is killed after the grace period', async () => {
    const child = await superviseChild(spec('stubborn', { graceMs: 300 }), log)
    const pid = pidOf(child)
    await child.stop()
    expect(alive(pid)).toBe(false)
  })

  test('that falls silent is killed and restarted; one that answers is left alone', async () => {
    let answering = true
    const ask = async (signal: AbortSignal) => {
      if (!answering) await new Promise((_, reject) => signal.addEventListener('abort', reject))
    }
    let limitMs = 500
    const watch = { ask, everyMs: 20, silentLimitMs: () => limitMs }
    const child = await superviseChild(spec('good', { watch }), log)
    await delay(1500)
    expect(child.restarts()).toBe(0)
    // While a migration runs, silence is not an error.
    limitMs = 4000
    answering = false
    await delay(800)
    expect(child.restarts()).toBe(0)
    await until(() => child.restarts() === 1)
    answering = true
    expect(said.some((text) => text.includes('no answer for 4 s'))).toBe(true)
    await child.stop()
  })
})

describe('the children of a service', () => {
  test('start and stop at the same time', async () => {
    const { children, stop } = await supervise([spec('first'), spec('second'), spec('third')], log)
    expect(children.map((child) => child.name)).toEqual(['first', 'second', 'third'])
    await stop()
    const seen = entries().map((entry) => entry.split(' ').slice(0, 2).join(' '))
    expect(seen.slice(0, 3).sort()).toEqual(['first started', 'second started', 'third started'])
    expect(seen.slice(3).sort()).toEqual(['first stopped', 'second stopped', 'third stopped'])
  })

  test('are all stopped when one cannot start', async () => {
    await expect(supervise([spec('first'), spec('broken')], log)).rejects.toMatchObject({ child: 'broken' })
    expect(entries().at(-1)).toBe('first stopped')
  })
})
