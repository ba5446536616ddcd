// Upload to searchable, over HTTP on the embedded defaults: pages a second beside the bare parser's on the same files in
// the same run; then a PDF of 600 pages, with searches before and while it is read.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Document, Page, Workspace } from '../src/contract/resources.ts'
import { type Client, makeClient } from '../test/support/client.ts'
import { startService } from '../test/support/service.ts'
import { type Bare, bareParser } from './ingest/bare.ts'
import { benchLong, type Long } from './ingest/long.ts'
import { treeSeconds } from './processor-time.ts'
import { type BenchOptions, median, quantile, table } from './report.ts'
import { residentMemory } from './start.ts'

const MAX_FILES = 20

interface Pdf {
  name: string
  bytes: Uint8Array
}

interface Run {
  seconds: number
  /** Seconds from the upload until the workspace is ready. */
  ready: number
  /** Seconds of processor time, all processes of the service together. */
  cpu: number
  bare: Bare
  /** Without the layout: characters and their places only. */
  plain: Bare
  chunks: number
  failed: number
  /** Megabytes resident, all processes together. */
  peak: number
}

export async function benchIngest({ data, runs }: BenchOptions): Promise<string> {
  const folder = data ?? 'examples'
  const names = (await readdir(folder)).filter((name) => name.endsWith('.pdf')).sort()
  const files: Pdf[] = []
  for (const name of names.slice(0, MAX_FILES))
    files.push({ name, bytes: await readFile(join(folder, name)) })
  const done: Run[] = []
  let long: Long | undefined
  for (let run = 0; run < runs; run++) {
    const paths = files.map(({ name }) => join(folder, name))
    const before = await bareParser(paths)
    const plain = await bareParser(paths, { extractBlocks: false })
    const service = await startService()
    try {
      const client = makeClient(service.base, service.token)
      const measured = await measure(client, service.child.pid ?? 0, files)
      if (run === runs - 1) long = await benchLong(client)
      // Before and after, since other work may come and go on the machine.
      done.push({ ...measured, plain, bare: mean(before, await bareParser(paths)) })
    } finally {
      await service.remove()
    }
  }
  return report(files.length, done, long)
}

async function measure(client: Client, pid: number, files: Pdf[]): Promise<Omit<Run, 'bare' | 'plain'>> {
  const workspace = await client.post<Workspace>('/workspaces', { name: 'bench' })
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, (residentMemory(pid).get('all') ?? 0) / 1024)
  }, 500)
  const cpu = treeSeconds(pid)
  const started = performance.now()
  const job = await client.upload(workspace.id, files)
  const ended = await client.done(job.id)
  const seconds = (performance.now() - started) / 1000
  const used = treeSeconds(pid) - cpu
  clearInterval(watch)
  await client.ready(workspace.id)
  const ready = (performance.now() - started) / 1000
  const documents = await client.get<Page<Document>>(`/workspaces/${workspace.id}/documents?limit=200`)
  return {
    seconds,
    ready,
    cpu: used,
    peak,
    chunks: documents.data.reduce((sum, document) => sum + document.chunk_count, 0),
    failed: ended.files.filter(({ status }) => status !== 'done').length,
  }
}

const mean = (a: Bare, b: Bare): Bare => ({
  pages: a.pages,
  seconds: (a.seconds + b.seconds) / 2,
  cpu: (a.cpu + b.cpu) / 2,
})

function report(files: number, runs: Run[], long: Long | undefined): string {
  const pages = runs[0]?.bare.pages ?? 0
  const of = (pick: (run: Run) => number): number => median(runs.map(pick))
  const share = (bare: (run: Run) => Bare): string =>
    `${Math.round(of((run) => bare(run).seconds / run.seconds) * 100)} %`
  const speed = (bare: (run: Run) => Bare): string =>
    `${of((run) => pages / bare(run).seconds).toFixed(1)} pages/s`
  const rows: (string | number)[][] = [
    [
      'uploaded → searchable',
      `${of((run) => run.seconds).toFixed(1)} s, ${of((run) => pages / run.seconds).toFixed(1)} pages/s`,
      '≥ 25 pages/s',
    ],
    ['uploaded → ready: in the graph, found by meaning', `${of((run) => run.ready).toFixed(1)} s`, ''],
    ['bare parser, our options (liteparse, one process)', speed((run) => run.bare), ''],
    ['share of it', share((run) => run.bare), '≥ 50 %'],
    ['bare parser without layout', speed((run) => run.plain), ''],
    ['share of it', share((run) => run.plain), ''],
    [
      'processor time, all of the service, beside the bare parser’s',
      `${of((run) => run.cpu / run.bare.cpu).toFixed(1)} ×`,
      '',
    ],
    ['chunks', runs[0]?.chunks ?? 0, ''],
    ['files failed', Math.max(...runs.map((run) => run.failed)), '0'],
    ['peak resident memory of all processes', `${Math.round(of((run) => run.peak))} MB`, ''],
  ]
  return `## Ingest: ${files} PDFs, ${pages} pages (embedded, median of ${runs.length})

${table(['what', 'figure', 'mark'], rows)}${long ? `\n\n${reportLong(long)}` : ''}`
}

function reportLong(long: Long): string {
  const ms = (values: number[], share: number): string => `${quantile(values, share).toFixed(0)} ms`
  return `### One PDF of ${long.pages} pages, ${long.chunks} chunks, into a workspace beside those

${table(
  ['what', 'figure', 'mark'],
  [
    ['end of upload → searchable whole', `${long.seconds.toFixed(1)} s`, '≤ 30 s'],
    ['looks at it meanwhile, of them at a part of it', `${long.looks}, ${long.halves}`, '0 in part'],
    ['searches when idle, p50 / p99', `${ms(long.idle, 0.5)} / ${ms(long.idle, 0.99)}`, ''],
    [
      `searches meanwhile (${long.busy.length}), p50 / p99`,
      `${ms(long.busy, 0.5)} / ${ms(long.busy, 0.99)}`,
      '',
    ],
    ['p50 beside idle', `${(median(long.busy) / median(long.idle)).toFixed(1)} ×`, '≤ 2 ×'],
  ],
)}`
}
