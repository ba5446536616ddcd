// The time left is estimated from measured files in the order in which they are read, or left out.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FileRow } from './jobs.sql.ts'
import { jobProgress, type Pace, paceOf } from './progress.ts'

const file = (row: Partial<FileRow>): FileRow => ({
  file_no: 0,
  path: 'a.pdf',
  kind: 'pdf',
  size: 1000,
  status: 'queued',
  document_id: 'd',
  error: null,
  warnings: [],
  outcome: null,
  stage: 'queued',
  progress: 0,
  attempt: 0,
  running_seconds: null,
  ...row,
})
const none: ReadonlySet<number> = new Set()
const pace = (secondsPerByte: number) => ({ secondsPerFile: 0, secondsPerByte, largest: 1e9 })
const line = (bytes: number) => ({ files: 1, bytes, largest: bytes })
const known: Pace = { kinds: { pdf: pace(0.01), text: pace(0.001) }, filesBefore: {}, running: 1 }
const unknown: Pace = { kinds: {}, filesBefore: {}, running: 1 }
const left = (rows: FileRow[], pace: Pace): (number | undefined)[] =>
  jobProgress('running', rows, pace, none).files.map((one) => one.remaining_seconds)

test('the time of a running file is estimated by its own pace, before that by its kind, and not at all without either', () => {
  const running = { status: 'running', progress: 0.25, running_seconds: 20 } as const
  expect(left([file(running)], unknown)).toEqual([60])
  expect(left([file({ ...running, progress: 0.01 })], known)).toEqual([10])
  expect(left([file({ ...running, running_seconds: 0.5 })], known)).toEqual([8])
  expect(left([file({ ...running, progress: 0.01 })], unknown)).toEqual([undefined])
})

test('waiting files come after those before them, divided by how many are read at the same time', () => {
  const running = file({ status: 'running', progress: 0.5, running_seconds: 30 })
  const rows = [running, file({}), file({ kind: 'text', size: 20_000 })]
  expect(left(rows, known)).toEqual([30, 40, 60])
  expect(left(rows, { ...known, running: 2 })).toEqual([30, 25, 40])
  expect(left(rows, { ...known, filesBefore: { pdf: line(6000) } })).toEqual([30, 100, 120])
  expect(jobProgress('running', rows, known, none).remaining_seconds).toBe(60)
})

test('no estimate for a kind never read, for files behind it, or while no file of the workspace is being read', () => {
  const rows = [file({ kind: 'xlsx' }), file({})]
  expect(left(rows, known)).toEqual([undefined, undefined])
  expect(jobProgress('queued', rows, known, none)).not.toHaveProperty('remaining_seconds')
  expect(left([file({})], { ...known, running: 0 })).toEqual([undefined])
  expect(left([file({})], { ...known, filesBefore: { xlsx: line(1) } })).toEqual([undefined])
})

test("files that have ended have no time left; the job's progress is weighted by bytes", () => {
  const rows = [
    file({ status: 'done', size: 3000, progress: 1 }),
    file({ status: 'failed', size: 1000, progress: 0.2, error: 'The file is empty.' }),
    file({ status: 'running', size: 4000, progress: 0.5, running_seconds: 10 }),
  ]
  const { progress, remaining_seconds, files } = jobProgress('running', rows, known, none)
  expect([progress, remaining_seconds]).toEqual([0.75, 10])
  expect(files.map((one) => one.remaining_seconds)).toEqual([undefined, undefined, 10])
  expect(jobProgress('done', [], known, none)).toEqual({
    status: 'done',
    state: 'complete',
    progress: 1,
    files: [],
  })
  expect(jobProgress('running', [file({ size: 0 })], known, none).progress).toBe(0)
})

test('time per file and time per byte are told apart, and tiny files give no estimate for large ones', () => {
  // Files of 1 kB and of 1 MB show 2 s a file and 1 µs a byte.
  const apart = paceOf({ mean: 3e-6, slope: 1e-6, intercept: 2, largest: 1e6 })
  const pdf = (size: number) => left([file({ size })], { kinds: { pdf: apart }, filesBefore: {}, running: 1 })
  expect(pdf(3e6)).toEqual([5])
  expect(pdf(1000)).toEqual([2])
  expect(pdf(11e6)).toEqual([undefined])
  const many = { pdf: { files: 20, bytes: 1e6, largest: 1e6 } }
  expect(left([file({ size: 1e6 })], { kinds: { pdf: apart }, filesBefore: many, running: 1 })).toEqual([44])
  const alike = paceOf({ mean: 0.002, slope: null, intercept: null, largest: 1000 })
  expect(alike).toEqual({ secondsPerFile: 0, secondsPerByte: 0.002, largest: 1000 })
  expect(paceOf({ mean: 0.002, slope: -1, intercept: 3, largest: 9 }).secondsPerFile).toBe(0)
})

test('for any files progress is between 0 and 1, and time left at least one second', () => {
  const row = fc.record({
    size: fc.nat(1e9),
    progress: fc.double({ min: 0, max: 1, noNaN: true }),
    status: fc.constantFrom('queued' as const, 'running' as const, 'done' as const, 'failed' as const),
    running_seconds: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
    kind: fc.constantFrom('pdf', 'text', 'xlsx'),
  })
  fc.assert(
    fc.property(fc.array(row), fc.nat(3), (rows, running) => {
      const shown = jobProgress('running', rows.map(file), { ...known, running }, none)
      expect(shown.progress >= 0 && shown.progress <= 1).toBe(true)
      for (const one of [shown, ...shown.files]) {
        const seconds = one.remaining_seconds
        expect(seconds === undefined || (Number.isInteger(seconds) && seconds >= 1)).toBe(true)
      }
    }),
  )
})

test('a job is complete when none of its done files is merely searchable; failed files do not delay that', () => {
  const rows = [
    file({ file_no: 0, status: 'done' }),
    file({ file_no: 1, status: 'done' }),
    file({ file_no: 2, status: 'failed' }),
  ]
  const states = (...incomplete: number[]) => {
    const { state, files } = jobProgress('done', rows, known, new Set(incomplete))
    return [state, ...files.map((one) => one.state)]
  }
  expect(states(0, 1)).toEqual(['searchable', 'searchable', 'searchable', 'failed'])
  expect(states(1)).toEqual(['searchable', 'complete', 'searchable', 'failed'])
  expect(states()).toEqual(['complete', 'complete', 'complete', 'failed'])
  const open = [file({ file_no: 0, status: 'done' }), file({ file_no: 1, status: 'running' })]
  expect(jobProgress('running', open, known, new Set([0])).state).toBe('running')
})
