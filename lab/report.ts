// Figures as Markdown: medians, tables, and the section of lab/RESULTS.md that a bench rewrites.

import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { fittedLine } from './fitted.ts'

export interface BenchOptions {
  data: string | undefined
  runs: number
  /** Chunks, one measurement each. */
  sizes: number[]
  /** Measure the engines of lab/anchors beside. */
  anchors: boolean
  /** Everything, however long it takes (memory, ocr). */
  all: boolean
  /** A PostgreSQL server on which databases may be made; undefined: the embedded engine. */
  databaseUrl: string | undefined
  /** Questions of each set, the same on every run; undefined: all. */
  sample: number | undefined
  /** Answers are asked for in a workspace of so many chunks, for their time alone. */
  chunks?: number | undefined
  /** Of the large files those of these extensions, and `uploads` (memory); these languages (unseen); undefined: all. */
  only?: string[] | undefined
  /** How long each load is kept up (load). */
  seconds?: number | undefined
  /** The folder of another state of the project, built: its starts are measured in turns (start). */
  against?: string | undefined
  /** So many busy loops beside (start). */
  load?: number | undefined
  /** How many starts beside them (default 20). */
  times?: number | undefined
  /** How many of them begin at the same moment (start). */
  together?: number | undefined
  /** Where results are kept as they come, and read when a run goes on. */
  resume: string | undefined
}

const RESULTS = 'lab/RESULTS.md'

/** Replaces the part of RESULTS.md between this bench's marks, or adds it. */
export async function writeSection(name: string, section: string): Promise<void> {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const before = await readFile(RESULTS, 'utf8').catch(() => '# Results\n')
  const body = `${open}\n${section}\n\n${fittedLine(name)}${machine()}\n${close}`
  const start = before.indexOf(open)
  const end = before.indexOf(close)
  const after =
    start >= 0 && end > start
      ? before.slice(0, start) + body + before.slice(end + close.length)
      : `${before.trimEnd()}\n\n${body}\n`
  await writeFile(RESULTS, after)
}

const machine = (): string =>
  `Machine: ${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} cores, ` +
  `${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}; ` +
  'shared and noisy: read ratios rather than milliseconds.'

export const quantile = (values: number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export const median = (values: number[]): number => quantile(values, 0.5)

export const table = (header: string[], rows: (string | number)[][]): string =>
  [header, header.map(() => '-'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
