// Checks whether the process that wrote a lock is still running. The pid is not enough, because another process may have it by now.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process, identified by its pid and its start time (null if the system does not report start times). */
export interface ProcessIdentity {
  pid: number
  started: string | null
}

export const ownIdentity = (): ProcessIdentity => ({
  pid: process.pid,
  started: startTimeOf(process.pid) ?? null,
})

/** True while the process runs. False for a zombie, which is dead but not yet collected by its parent. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  if (!exists(pid)) return false
  const currentStart = startTimeOf(pid)
  if (currentStart === undefined) return exists(pid) // the system does not report start times, so the pid decides
  return currentStart !== 'gone' && (started === null || currentStart === started)
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // it lives, under another user
  }
}

/** The start time of a process, as text for comparison. 'gone' for a zombie, undefined if the system does not report it. */
function startTimeOf(pid: number): string | undefined {
  return process.platform === 'linux' ? startOnLinux(pid) : startFromPs(pid)
}

function startOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // the program's name before ')' may contain any character
    if (fields[0] === 'Z' || fields[0] === 'X') return 'gone'
    // Field 22 counts clock ticks since boot, so the id of the boot is needed too.
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`
  } catch {
    return undefined
  }
}

function startFromPs(pid: number): string | undefined {
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 1000 })
    return text.trim() || undefined
  } catch {
    return undefined
  }
}
