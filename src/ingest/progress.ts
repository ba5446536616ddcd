// A job's progress and its remaining time (extension), estimated from measured files or left out. Pure functions.

import type { FileProgress, JobProgress } from '../contract/resources.ts'
import type { FileRow } from './jobs.sql.ts'

export interface KindPace {
  secondsPerFile: number
  secondsPerByte: number
  /** Bytes of the largest measured file. */
  largest: number
}

/** Files of one kind: how many, the bytes of all and of the largest. */
export interface Line {
  files: number
  bytes: number
  largest: number
}

/** Measured on the last files: seconds per byte, and the least squares fit of seconds over bytes if there is one. */
export interface Measured {
  mean: number
  slope: number | null
  intercept: number | null
  largest: number
}

/** How fast this installation reads files, and what is queued before a job. */
export interface Pace {
  /** By kind, from the last files. Kinds that were never read are absent. */
  kinds: Record<string, KindPace>
  /** By kind, files of the workspace that are queued before this job. */
  ahead: Record<string, Line>
  /** How many files of the workspace are being read now. */
  running: number
}

// Beyond this share and time, a file's own speed is a better estimate than that of other files.
const OWN_SHARE = 0.05
const OWN_SECONDS = 1
// Tiny files show how long a file takes but not a byte, so they say nothing about files that are many times larger.
const MAX_BEYOND = 10
// Even the smallest file needs a parser, a transaction and its turn.
const MIN_SECONDS = 0.2

/** `incomplete` has the numbers of files that are searchable but not yet complete. */
export function jobProgress(
  status: JobProgress['status'],
  rows: FileRow[],
  pace: Pace,
  incomplete: ReadonlySet<number>,
): JobProgress {
  const remainingSeconds = remaining(rows, pace)
  const ends = rows.flatMap((row, no) => (isOpen(row) ? [remainingSeconds[no]] : []))
  const estimates = ends.filter((seconds) => seconds !== undefined)
  const last = ends.length > 0 && estimates.length === ends.length ? Math.max(...estimates) : undefined
  const files = rows.map((row, no) => fileProgress(row, remainingSeconds[no], incomplete))
  return { status, state: stateOf(status, files), progress: share(rows), ...asRemaining(last), files }
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
    progress: thousandths(row.progress),
    attempt: row.attempt,
    ...(isOpen(row) ? asRemaining(seconds) : {}),
  }
}

const asRemaining = (seconds: number | undefined): { remaining_seconds?: number } =>
  seconds === undefined ? {} : { remaining_seconds: Math.max(1, Math.round(seconds)) }

const isOpen = ({ status }: FileRow): boolean => status === 'queued' || status === 'running'

const thousandths = (value: number): number => Math.round(value * 1000) / 1000

/** Progress over all files, weighted by their bytes, so that one of 100 MB counts more than one of 10 KB. */
function share(rows: FileRow[]): number {
  const weight = ({ size }: FileRow): number => Math.max(1, size)
  const all = rows.reduce((sum, row) => sum + weight(row), 0)
  const done = rows.reduce((sum, row) => sum + weight(row) * (isOpen(row) ? row.progress : 1), 0)
  return all === 0 ? 1 : thousandths(done / all)
}

/**
 * Seconds until each file is searchable. A running file uses its own speed once it has one, and before that the speed of its
 * kind. A waiting file takes the time of all before it in its workspace, divided by the number of files read at the same time.
 * Undefined if no similar file was measured, for all files behind such a file, and while no file of the workspace is being
 * read.
 */
function remaining(rows: FileRow[], pace: Pace): (number | undefined)[] {
  let before = sum(Object.entries(pace.ahead).map(([kind, line]) => ofKind(kind, line, pace)))
  before = sum([before, ...rows.map((row) => (row.status === 'running' ? running(row, pace) : 0))])
  const atOnce = pace.running
  return rows.map((row) => {
    if (row.status === 'running') return running(row, pace)
    if (row.status !== 'queued') return undefined
    const own = ofRow(row, pace)
    const start = before === undefined || atOnce === 0 ? undefined : before / atOnce
    before = sum([before, own])
    return sum([start, own])
  })
}

function running(row: FileRow, pace: Pace): number | undefined {
  const { progress, running_seconds: seconds } = row
  const remainingShare = 1 - progress
  if (seconds !== null && seconds >= OWN_SECONDS && progress >= OWN_SHARE)
    return (seconds * remainingShare) / progress
  const whole = ofRow(row, pace)
  return whole === undefined ? undefined : whole * remainingShare
}

function ofKind(kind: string, { files, bytes, largest }: Line, pace: Pace): number | undefined {
  const kindPace = pace.kinds[kind]
  if (kindPace === undefined || largest > kindPace.largest * MAX_BEYOND) return undefined
  return Math.max(MIN_SECONDS, kindPace.secondsPerFile * files + kindPace.secondsPerByte * bytes)
}

const ofRow = ({ kind, size }: FileRow, pace: Pace): number | undefined =>
  ofKind(kind, { files: 1, bytes: size, largest: size }, pace)

/** Seconds per file and per byte, separated if files of several sizes were measured. */
export function paceOf({ mean, slope, intercept, largest }: Measured): KindPace {
  const hasTrend = slope !== null && intercept !== null && slope > 0 && intercept > 0
  return hasTrend
    ? { secondsPerFile: intercept, secondsPerByte: slope, largest }
    : { secondsPerFile: 0, secondsPerByte: mean, largest }
}

/** Undefined when any of the values is. */
const sum = (values: (number | undefined)[]): number | undefined =>
  values.reduce((total, value) => (total === undefined || value === undefined ? undefined : total + value), 0)
