// Computes the progress of a job and its remaining time, which is estimated from files that were read earlier.

import type { FileProgress, JobProgress } from '../contract/resources.ts'
import type { FileRow } from './jobs.sql.ts'

interface KindPace {
  secondsPerFile: number
  secondsPerByte: number
  /** The bytes of the largest measured file. */
  largest: number
}

/** The queued files of one kind. */
export interface QueueTotals {
  files: number
  bytes: number
  /** The bytes of the largest file. */
  largest: number
}

/** Measurements of the last files of a kind: seconds per byte (`mean`), and a linear fit of seconds over bytes if it exists. */
export interface Measured {
  mean: number
  slope: number | null
  intercept: number | null
  largest: number
}

/** How fast this installation reads files, and the files that are queued before a job. */
export interface Pace {
  /** The speed by kind. Kinds that were never read are missing. */
  kinds: Record<string, KindPace>
  /** The files of the workspace that are queued before this job, by kind. */
  filesBefore: Record<string, QueueTotals>
  /** How many files of the workspace are being read now. */
  running: number
}

// After this share of the file and this time, the remaining time of a running file is computed from its own speed.
const MIN_OWN_SHARE = 0.05
const MIN_OWN_SECONDS = 1
// A file that is more than this many times larger than the largest measured file has no estimate: small files do not show how long
// a byte takes.
const MAX_SIZE_FACTOR = 10
// Even the smallest file takes this long.
const MIN_FILE_SECONDS = 0.2

/** The progress of a job. @param incomplete the numbers of the files that are searchable but not complete */
export function jobProgress(
  status: JobProgress['status'],
  rows: FileRow[],
  pace: Pace,
  incomplete: ReadonlySet<number>,
): JobProgress {
  const remainingSeconds = remainingSecondsOf(rows, pace)
  const secondsOfOpenFiles = rows.flatMap((row, no) => (isOpen(row) ? [remainingSeconds[no]] : []))
  const estimates = secondsOfOpenFiles.filter((seconds) => seconds !== undefined)
  const haveAllEstimates = secondsOfOpenFiles.length > 0 && estimates.length === secondsOfOpenFiles.length
  const secondsUntilLastFile = haveAllEstimates ? Math.max(...estimates) : undefined
  const files = rows.map((row, no) => fileProgress(row, remainingSeconds[no], incomplete))
  return {
    status,
    state: stateOf(status, files),
    progress: totalProgress(rows),
    ...remainingField(secondsUntilLastFile),
    files,
  }
}

const stateOf = (status: JobProgress['status'], files: FileProgress[]): JobProgress['state'] => {
  if (status !== 'done') return status
  return files.some(({ state }) => state === 'searchable') ? 'searchable' : 'complete'
}

function fileProgress(
  row: FileRow,
  seconds: number | undefined,
  incomplete: ReadonlySet<number>,
): FileProgress {
  return {
    filename: row.path,
    status: row.status,
    ...(row.status === 'done' ? { document_id: row.document_id } : {}),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.warnings.length === 0 ? {} : { warnings: row.warnings }),
    ...(row.outcome === null ? {} : { outcome: row.outcome }),
    state: row.status === 'done' ? (incomplete.has(row.file_no) ? 'searchable' : 'complete') : row.status,
    stage: row.stage,
    progress: roundedToThousandths(row.progress),
    attempt: row.attempt,
    ...(isOpen(row) ? remainingField(seconds) : {}),
  }
}

const remainingField = (seconds: number | undefined): { remaining_seconds?: number } =>
  seconds === undefined ? {} : { remaining_seconds: Math.max(1, Math.round(seconds)) }

const isOpen = ({ status }: FileRow): boolean => status === 'queued' || status === 'running'

const roundedToThousandths = (value: number): number => Math.round(value * 1000) / 1000

/** The progress over all files, weighted by their bytes, so that a file of 100 MB counts more than one of 10 KB. */
function totalProgress(rows: FileRow[]): number {
  const weight = ({ size }: FileRow): number => Math.max(1, size)
  const totalWeight = rows.reduce((sum, row) => sum + weight(row), 0)
  const doneWeight = rows.reduce((sum, row) => sum + weight(row) * (isOpen(row) ? row.progress : 1), 0)
  return totalWeight === 0 ? 1 : roundedToThousandths(doneWeight / totalWeight)
}

/**
 * The seconds until each file is searchable. For a running file they are computed from its own speed or, at its beginning, from
 * the speed of its kind. A waiting file waits for all earlier files of its workspace, of which several are read at the same time.
 * A file has no estimate if its kind was not measured, or if an earlier file has none. Waiting files have none while no file of
 * the workspace is being read.
 */
function remainingSecondsOf(rows: FileRow[], pace: Pace): (number | undefined)[] {
  let remainingBefore = sum(
    Object.entries(pace.filesBefore).map(([kind, totals]) => secondsOfKind(kind, totals, pace)),
  )
  remainingBefore = sum([
    remainingBefore,
    ...rows.map((row) => (row.status === 'running' ? runningFileSeconds(row, pace) : 0)),
  ])
  const runningCount = pace.running
  return rows.map((row) => {
    if (row.status === 'running') return runningFileSeconds(row, pace)
    if (row.status !== 'queued') return undefined
    const ownSeconds = secondsOfFile(row, pace)
    const start =
      remainingBefore === undefined || runningCount === 0 ? undefined : remainingBefore / runningCount
    remainingBefore = sum([remainingBefore, ownSeconds])
    return sum([start, ownSeconds])
  })
}

function runningFileSeconds(row: FileRow, pace: Pace): number | undefined {
  const { progress, running_seconds: seconds } = row
  const remainingShare = 1 - progress
  if (seconds !== null && seconds >= MIN_OWN_SECONDS && progress >= MIN_OWN_SHARE)
    return (seconds * remainingShare) / progress
  const total = secondsOfFile(row, pace)
  return total === undefined ? undefined : total * remainingShare
}

function secondsOfKind(kind: string, { files, bytes, largest }: QueueTotals, pace: Pace): number | undefined {
  const kindPace = pace.kinds[kind]
  if (kindPace === undefined || largest > kindPace.largest * MAX_SIZE_FACTOR) return undefined
  return Math.max(MIN_FILE_SECONDS, kindPace.secondsPerFile * files + kindPace.secondsPerByte * bytes)
}

const secondsOfFile = ({ kind, size }: FileRow, pace: Pace): number | undefined =>
  secondsOfKind(kind, { files: 1, bytes: size, largest: size }, pace)

/** The seconds per file and per byte. They can be separated only if files of several sizes were measured. */
export function paceOf({ mean, slope, intercept, largest }: Measured): KindPace {
  const hasTrend = slope !== null && intercept !== null && slope > 0 && intercept > 0
  return hasTrend
    ? { secondsPerFile: intercept, secondsPerByte: slope, largest }
    : { secondsPerFile: 0, secondsPerByte: mean, largest }
}

/** The sum of the values. Undefined if any value is undefined. */
const sum = (values: (number | undefined)[]): number | undefined =>
  values.reduce((total, value) => (total === undefined || value === undefined ? undefined : total + value), 0)
