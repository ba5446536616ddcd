// The memory and processor time of a process as the system reports them, since a child busy in native code cannot report
// anything itself.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

// The unit of the kernel's counters (USER_HZ), independent of its own timer.
const TICK_MS = 10
// In /proc/PID/stat, the 12th and 13th field after the command's closing bracket: user and system time.
const USER_TIME = 11

/** The resident memory of `pid` in bytes; undefined if it has ended or the system cannot tell (Windows). */
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

/** The processor time of all threads of `pid` in milliseconds; undefined outside of Linux. */
export async function processorMs(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[USER_TIME]) + Number(fields[USER_TIME + 1])
  return Number.isFinite(ticks) ? ticks * TICK_MS : undefined
}
