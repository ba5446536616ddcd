// Watches whether a starting process makes progress. A start is ended if for some time it has reported nothing and neither it nor
// its descendants have worked. Time alone does not end a start, because on an overloaded machine a healthy one takes minutes.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** What a process and its descendants have done so far. */
export interface Activity {
  /** Processor time in milliseconds. */
  cpuMs: number
  /** Whether a thread runs, or waits for a processor or a disk. */
  isReady: boolean
}

interface ProcessState extends Activity {
  pid: number
  parent: number
}

interface ProgressWatch {
  /** Call this when the process has reported progress. */
  renew(): void
  end(): void
}

const CHECK_INTERVAL_MS = 2000
// Processor time that counts as work. An idle Node process takes less than 1 ms a second.
const MIN_CPU_MS = 500
// The unit of processor time in proc(5): USER_HZ is 100 on every Linux on which Node runs.
const TICK_MS = 10

/**
 * Calls `onIdle` once when the process has neither reported progress nor worked for `limitMs`. Only time in which this process
 * could check counts, because it may have been suspended, too. While `readActivity` returns nothing, it is not known whether the
 * process works, so it counts as working.
 */
export function watchProgress(
  limitMs: number,
  readActivity: () => Activity | undefined,
  onIdle: () => void,
): ProgressWatch {
  const everyMs = Math.min(CHECK_INTERVAL_MS, limitMs / 5)
  let lastCpuMs = readActivity()?.cpuMs ?? 0
  let lastCheckAt = performance.now()
  let idleMs = 0
  const timer = setInterval(() => {
    const now = performance.now()
    idleMs += Math.min(now - lastCheckAt, 2 * everyMs)
    lastCheckAt = now
    const activity = readActivity()
    const mayHaveWorked =
      activity === undefined || activity.isReady || Math.abs(activity.cpuMs - lastCpuMs) >= MIN_CPU_MS
    if (mayHaveWorked) {
      lastCpuMs = activity?.cpuMs ?? 0
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

/**
 * The activity of the process `root` and its descendants. Undefined if the system does not report it, or if the process has ended.
 */
export function activityOf(root: number | undefined): Activity | undefined {
  const states = process.platform === 'linux' ? statesFromProc() : statesFromPs()
  const tree = states.filter(({ pid }) => pid === root)
  if (tree.length === 0) return undefined
  // The loop also visits the processes that it adds.
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
