import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDocument } from 'htmlparser2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { progressLine } from '../../progress-bar.ts'
import { compareRuns } from '../measure/compare.ts'
import { summarise } from '../run.ts'
import { htmlReport } from './html.ts'
import { pairRuns } from './pairs.ts'
import { printComparison, printRun } from './print.ts'
import { type RunFile, readRunFile } from './run-file.ts'

const HOSTILE = '<script>alert("x")</script> & “words”'

function runOf(label: string, scores: number[], change: Partial<RunFile> = {}): RunFile {
  const queries = scores.map((score, i) => ({
    id: `q${i}`,
    text: i === 0 ? HOSTILE : `query ${i}`,
    ms: 10 + i,
    ranked: [`d${i}`, HOSTILE],
    relevant: { [`d${i}`]: 1, missed: 1 },
    scores: { 'nDCG@10': score, 'recall@5': score },
  }))
  return {
    format: 'kenning-eval-1',
    set: 'small',
    label,
    target: 'a temporary service',
    version: '0.0.0',
    at: '2026-11-21T00:00:00Z',
    typos: 0,
    documents: 30,
    unjudged: 2,
    unread: [{ id: 'd9', reason: HOSTILE }],
    metrics: summarise(queries),
    queries,
    ...change,
  }
}

const ours = runOf('this', [1, 0.5, 0])
const theirs = runOf('that', [0.5, 0.5, 0.5])

describe('the HTML page', () => {
  const page = htmlReport(ours, theirs)

  test('is one document without scripts or links', () => {
    expect(parseDocument(page).children.length).toBeGreaterThan(0)
    expect(page).not.toMatch(/<script|https?:\/\/|src=|href=/)
    expect(page).toContain("default-src 'none'")
  })

  test('shows markup in documents as text', () => {
    expect(page).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; “words”')
  })

  test('has all plots, and no invalid number', () => {
    expect(page.match(/<svg/g)).toHaveLength(5)
    expect(page).not.toMatch(/NaN|Infinity|undefined/)
  })

  test('of one run has no comparison', () => {
    expect(htmlReport(ours, undefined)).not.toContain('<h2>Against')
  })
})

test('the terminal shows means with intervals, and what was left out', () => {
  const text = printRun(ours)
  expect(text).toMatch(/small: 30 documents, 3 queries; a temporary service/)
  expect(text).toMatch(/nDCG@10 +0\.500 +0\.000 to 1\.000/)
  expect(text).toMatch(/without a relevant document: 2 queries/)
  expect(text).toMatch(/could not be read and are never found: 1 document\n/)
})

test('a comparison counts better, worse and same', () => {
  const pairing = pairRuns(ours, theirs)
  const text = printComparison('this', 'that', compareRuns(pairing.pairs), pairing)
  expect(text).toMatch(/nDCG@10 +0\.500 +0\.500 +\+0\.000 .* 1 \/ 1 \/ 1/)
})

describe('runs that are not the same experiment', () => {
  test('without a shared query are refused', () => {
    const other = { ...theirs, queries: theirs.queries.map((query) => ({ ...query, id: `x${query.id}` })) }
    expect(() => pairRuns(ours, other)).toThrow(/share no query/)
  })

  test('are compared over the queries they share, with notes', () => {
    const other = runOf('that', [1, 1], { set: 'other' })
    const [first, ...rest] = other.queries
    const judged = { ...other, queries: first ? [{ ...first, relevant: { z: 1 }, text: 'x' }, ...rest] : [] }
    const { pairs, notes } = pairRuns(ours, judged)
    expect(pairs).toHaveLength(2)
    expect(notes.join(' ')).toMatch(
      /different names.*1 queries.*judgments of 1.*1 queries have different texts/,
    )
  })
})

describe('the data of a run', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kenning-run-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is read as it was written', async () => {
    writeFileSync(join(folder, 'run.json'), JSON.stringify(ours))
    expect(await readRunFile(join(folder, 'run.json'))).toEqual(ours)
  })

  test.each([
    ['nothing', undefined, /cannot be read: ENOENT/],
    ['no JSON', '<html>', /is not JSON/],
    ['other JSON', '{"format":"else"}', /is not the data of a run/],
  ])('%s is refused', async (_, text, message) => {
    const path = join(folder, `${_}.json`)
    if (text !== undefined) writeFileSync(path, text)
    await expect(readRunFile(path)).rejects.toThrow(message)
  })
})

test('a progress line shows how far, how long, and the time left', () => {
  expect(progressLine('index', 1200, 4800, 60_000)).toBe(
    `${'index'.padEnd(30)}${'█'.repeat(6)}${'░'.repeat(18)}  1,200 of 4,800  1:00, about 3:00 left`,
  )
  expect(progressLine('graph', 1, 1, 400)).toBe(`${'graph'.padEnd(30)}${'█'.repeat(24)}  0:00`)
})
