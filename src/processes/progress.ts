// Tells whether a starting process makes progress. The clock alone never ends a start, because at a load of 30 a healthy one
// takes minutes. A start is ended when it has reported nothing for long, and neither it nor a process that it started has
// worked.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** What a process and its descendants have done so far. */
export interface Activity {
  /** Processor time in milliseconds. */
  cpuMs: number
  /** A thread runs, or waits for a processor or a disk. */
  isReady: boolean
}

interface ProcessState extends Activity {
  pid: number
  parent: number
}

interface ProgressWatch {
  /** The process has reported progress. */
  renew(): void
  end(): void
}

const CHECK_INTERVAL_MS = 2000
// Node's own timers and the parent's watch take less than 1 ms a second. A fiftieth of a processor takes 20.
const MIN_CPU_MS = 500
const TICK_MS = 10 // USER_HZ of proc(5) is 100 on every Linux that Node runs on

/**
 * Calls `onIdle` once when the process has neither reported progress nor worked for `limitMs`. Only time in which this process
 * could check counts, since it may have been stopped too. If `readActivity` returns nothing, it is not known whether the process works,
 * and `onIdle` is not called.
 */
export function watchProgress(
  limitMs: number,
  readActivity: () => Activity | undefined,
  onIdle: () => void,
): ProgressWatch {
  const everyMs = Math.min(CHECK_INTERVAL_MS, limitMs / 5)
  let workedMs = readActivity()?.cpuMs ?? 0
  let lookedAt = performance.now()
  let idleMs = 0
  const timer = setInterval(() => {
    const now = performance.now()
    idleMs += Math.min(now - lookedAt, 2 * everyMs)
    lookedAt = now
    const activity = readActivity()
    if (activity === undefined || activity.isReady || Math.abs(activity.cpuMs - workedMs) >= MIN_CPU_MS) {
      workedMs = activity?.cpuMs ?? 0
      idleMs = 0
    }
    if (idleMs < limitMs) return
    clearInterval(timer)
    onIdle()
  }, everyMs)
  return {
    renew: () => {
      idleMs = 0
    },
    end: () => clearInterval(timer),
  }
}

/** The activity of the process `root` with its descendants. Undefined if the system does not say, or when it has ended. */
export function activityOf(root: number | undefined): Activity | undefined {
  const states = process.platform === 'linux' ? statesFromProc() : statesFromPs()
  const tree = states.filter(({ pid }) => pid === root)
  if (tree.length === 0) return undefined
  // The list grows while it is read.
  for (const { pid } of tree) tree.push(...states.filter(({ parent }) => parent === pid))
  return {
    cpuMs: tree.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    isReady: tree.some(({ pid, isReady }) => isReady || hasReadyThread(pid)),
  }
}

function statesFromProc(): ProcessState[] {
  return readdirSync('/proc').flatMap((name) => {
    const fields = /^\d+$/.test(name) ? statOf(`/proc/${name}/stat`) : undefined
    if (!fields) return []
    // proc(5): state, parent, then utime, stime, and those of children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return [{ pid: Number(name), parent: Number(fields[1]), cpuMs: ticks * TICK_MS, isReady: false }]
  })
}

function hasReadyThread(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    return readdirSync(`/proc/${pid}/task`).some((id) => {
      const [state = ''] = statOf(`/proc/${pid}/task/${id}/stat`) ?? []
      return state === 'R' || state === 'D'
    })
  } catch {
    return false // The process has ended meanwhile.
  }
}

/** The fields after the name, which may contain brackets and spaces. */
function statOf(path: string): string[] | undefined {
  try {
    const stat = readFileSync(path, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

function statesFromPs(): ProcessState[] {
  try {
    const text = execFileSync('ps', ['-axo', 'pid=,ppid=,state=,time='], { encoding: 'utf8', timeout: 1000 })
    return text.split('\n').flatMap((line) => {
      const [pid, parent, state = '', time = ''] = line.trim().split(/\s+/)
      const cpuMs = 1000 * time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0)
      return pid && parent
        ? [{ pid: Number(pid), parent: Number(parent), cpuMs, isReady: /^[RDU]/.test(state) }]
        : []
    })
  } catch {
    return []
  }
}
