// How far a job is and how long it will take (extension): from what was measured, or not at all. Pure.

import type { FileProgress, JobProgress } from '../../contract/resources.ts'
import type { FileRow } from '../jobs.sql.ts'

/** What is known of this installation's pace and of the line that a job stands in. */
export interface Pace {
  /** Seconds a byte by kind, of the files done last; kinds never done are absent. */
  secondsPerByte: Record<string, number>
  /** Bytes by kind of files of the workspace that stand before this job. */
  ahead: Record<string, number>
  /** How many files of the workspace are being read now. */
  atWork: number
}

// A file's own pace says more than others' from here on.
const OWN_SHARE = 0.05
const OWN_SECONDS = 1
// Whatever its size, a file takes its parser, a transaction and its turn.
const LEAST_SECONDS = 0.2

export function jobProgress(status: JobProgress['status'], rows: FileRow[], pace: Pace): JobProgress {
  const left = remaining(rows, pace)
  const ends = rows.flatMap((row, no) => (isOpen(row) ? [left[no]] : []))
  const known = ends.filter((seconds) => seconds !== undefined)
  const last = ends.length > 0 && known.length === ends.length ? Math.max(...known) : undefined
  return {
    status,
    progress: share(rows),
    ...asRemaining(last),
    files: rows.map((row, no) => fileProgress(row, left[no])),
  }
}

function fileProgress(row: FileRow, seconds: number | undefined): FileProgress {
  return {
    filename: row.path,
    status: row.status,
    ...(row.status === 'done' ? { document_id: row.document_id } : {}),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.warnings.length === 0 ? {} : { warnings: row.warnings }),
    stage: row.stage,
    progress: thousandths(row.progress),
    attempt: row.attempt,
    ...(isOpen(row) ? asRemaining(seconds) : {}),
  }
}

const asRemaining = (seconds: number | undefined): { remaining_seconds?: number } =>
  seconds === undefined ? {} : { remaining_seconds: Math.max(1, Math.round(seconds)) }

const isOpen = ({ status }: FileRow): boolean => status === 'queued' || status === 'running'

const thousandths = (value: number): number => Math.round(value * 1000) / 1000

/** The share of all files by their bytes: one of 100 MB counts more than one of 10 KB. */
function share(rows: FileRow[]): number {
  const weight = ({ size }: FileRow): number => Math.max(1, size)
  const all = rows.reduce((sum, row) => sum + weight(row), 0)
  const done = rows.reduce((sum, row) => sum + weight(row) * (isOpen(row) ? row.progress : 1), 0)
  return all === 0 ? 1 : thousandths(done / all)
}

/**
 * Seconds until each file is searchable: a running one by its own pace once it has one, else by that of its kind; a
 * waiting one after all that stand before it in its workspace, shared by the files that are read at the same time.
 * Undefined where nothing was measured, and for all that wait behind such a file, or while nobody is at the workspace.
 */
function remaining(rows: FileRow[], pace: Pace): (number | undefined)[] {
  let before = sum(Object.entries(pace.ahead).map(([kind, bytes]) => ofKind(kind, bytes, pace)))
  before = sum([before, ...rows.map((row) => (row.status === 'running' ? running(row, pace) : 0))])
  const atOnce = pace.atWork
  return rows.map((row) => {
    if (row.status === 'running') return running(row, pace)
    if (row.status !== 'queued') return undefined
    const own = ofKind(row.kind, row.size, pace)
    const start = before === undefined || atOnce === 0 ? undefined : before / atOnce
    before = sum([before, own])
    return sum([start, own])
  })
}

function running(row: FileRow, pace: Pace): number | undefined {
  const { progress, running_seconds: seconds } = row
  const left = 1 - progress
  if (seconds !== null && seconds >= OWN_SECONDS && progress >= OWN_SHARE) return (seconds * left) / progress
  const whole = ofKind(row.kind, row.size, pace)
  return whole === undefined ? undefined : whole * left
}

function ofKind(kind: string, bytes: number, pace: Pace): number | undefined {
  const rate = pace.secondsPerByte[kind]
  return rate === undefined ? undefined : Math.max(LEAST_SECONDS, rate * bytes)
}

/** Undefined when any of them is. */
const sum = (values: (number | undefined)[]): number | undefined =>
  values.reduce((total, value) => (total === undefined || value === undefined ? undefined : total + value), 0)
