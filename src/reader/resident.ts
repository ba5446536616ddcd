// How much memory and processor time a process has taken, as the system sees it: a child busy in native code cannot tell
// by itself.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

// The kernel counts in these whatever its own timer does (USER_HZ).
const TICK_MS = 10
// Fields of /proc/PID/stat after the command's closing bracket: 12th and 13th, user and system time.
const USER_TIME = 11

/** Resident bytes of `pid`, or undefined when it is gone or nothing here can tell (Windows). */
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

/** Milliseconds of processor time all threads of `pid` have taken; undefined where only the clock can be asked. */
export async function processorMs(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[USER_TIME]) + Number(fields[USER_TIME + 1])
  return Number.isFinite(ticks) ? ticks * TICK_MS : undefined
}
