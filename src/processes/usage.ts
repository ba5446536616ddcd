// The memory and processor time of a process and its descendants, as the system reports them. A process that is busy in native code
// could not report them itself.

import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

// The unit of the kernel's counters (USER_HZ), independent of its own timer.
const TICK_MS = 10
// The index of the first of four fields of /proc/PID/stat (proc(5)), counted from the field after the command: the process's time
// in user mode and in the kernel, then the same two of its children that have ended.
const USER_TIME = 11
const MAX_PROCESSES = 1000

/** The resident memory of `pid` in bytes. Undefined if it has ended, or on a system without this figure (Windows). */
export async function residentBytes(pid: number): Promise<number | undefined> {
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  }
  if (process.platform === 'win32') return undefined
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, out) => {
      const kilobytes = Number(out.trim())
      resolve(error !== null || !(kilobytes > 0) ? undefined : kilobytes * 1024)
    })
  })
}

/** The resident memory of `pid` and all its descendants, in bytes. */
export async function residentBytesOfTree(pid: number): Promise<number> {
  const bytesOfEach = await Promise.all((await withDescendants(pid)).map(residentBytes))
  return bytesOfEach.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)
}

/** The processor time of `pid` and all that it started, in milliseconds. Undefined outside of Linux, or when it has ended. */
export async function processorMs(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  const msOfEach = await Promise.all((await withDescendants(pid)).map(ownProcessorMs))
  return msOfEach[0] === undefined ? undefined : msOfEach.reduce<number>((sum, ms) => sum + (ms ?? 0), 0)
}

async function ownProcessorMs(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(USER_TIME, USER_TIME + 4).reduce((sum, field) => sum + Number(field), 0)
  return fields.length > USER_TIME + 4 && Number.isFinite(ticks) ? ticks * TICK_MS : undefined
}

/**
 * Whether `pid` and all that it started only wait for a message or a timer. False for a process that waits for a processor or a
 * disk, as on a busy machine, and for one that a signal has stopped. False outside of Linux.
 */
export async function isIdle(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const states = await Promise.all((await withDescendants(pid)).map(statesOf))
  const allStates = states.flat()
  return allStates.length > 0 && allStates.every((state) => /[SIZX]/.test(state))
}

/** The state of each thread, as a letter (proc(5)). */
async function statesOf(pid: number): Promise<string[]> {
  const ids = await readdir(`/proc/${pid}/task`).catch(() => [])
  const stats = await Promise.all(
    ids.map((id) => readFile(`/proc/${pid}/task/${id}/stat`, 'utf8').catch(() => '')),
  )
  // The state follows the name, which may contain brackets and spaces.
  return stats.flatMap((stat) => stat.slice(stat.lastIndexOf(')') + 2).charAt(0) || [])
}

/** `pid` and all its descendants, if the kernel lists them (Linux). */
async function withDescendants(pid: number): Promise<number[]> {
  const pids = [pid]
  if (process.platform !== 'linux') return pids
  for (let index = 0; index < pids.length && pids.length < MAX_PROCESSES; index++) {
    const children = await readFile(`/proc/${pids[index]}/task/${pids[index]}/children`, 'utf8').catch(
      () => '',
    )
    pids.push(...children.split(' ').filter(Boolean).map(Number))
  }
  return pids
}
