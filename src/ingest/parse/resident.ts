// How much memory a process holds, as the system sees it: a child busy in native code cannot tell by itself.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

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
