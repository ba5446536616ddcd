// Upload to searchable, over HTTP on the embedded defaults: pages a second beside the bare parser's on the same files.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Document, Page, Workspace } from '../src/contract/resources.ts'
import { makeClient } from '../test/support/client.ts'
import { startService } from '../test/support/service.ts'
import { type BenchOptions, table } from './report.ts'
import { residentMemory } from './start.ts'

const MOST_FILES = 20

export async function benchIngest({ data }: BenchOptions): Promise<string> {
  const folder = data ?? 'examples'
  const names = (await readdir(folder)).filter((name) => name.endsWith('.pdf')).slice(0, MOST_FILES)
  const files = await Promise.all(
    names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })),
  )
  const bare = await bareParser(files.map(({ name }) => join(folder, name)))
  const service = await startService()
  try {
    const client = makeClient(service.base, service.token)
    const workspace = await client.post<Workspace>('/workspaces', { name: 'bench' })
    const started = performance.now()
    let peak = 0
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMemory(service.child.pid ?? 0).get('all') ?? 0)
    }, 500)
    const job = await client.upload(workspace.id, files)
    const done = await client.done(job.id)
    const seconds = (performance.now() - started) / 1000
    clearInterval(watch)
    const failed = done.files.filter(({ status }) => status !== 'done')
    const documents = await client.get<Page<Document>>(`/workspaces/${workspace.id}/documents?limit=200`)
    const chunks = documents.data.reduce((sum, document) => sum + document.chunk_count, 0)
    return `## Ingest: ${files.length} PDFs, ${bare.pages} pages (embedded)

${table(
  ['what', 'figure', 'mark'],
  [
    [
      'uploaded → searchable',
      `${seconds.toFixed(1)} s, ${(bare.pages / seconds).toFixed(1)} pages/s`,
      '≥ 25 pages/s',
    ],
    ['bare parser (liteparse, one process)', `${(bare.pages / bare.seconds).toFixed(1)} pages/s`, ''],
    ['share of the bare parser', `${Math.round((bare.seconds / seconds) * 100)} %`, '≥ 50 %'],
    ['chunks', chunks, ''],
    ['files failed', failed.length, '0'],
    ['peak resident memory of all processes', `${Math.round(peak / 1024)} MB`, ''],
  ],
)}`
  } finally {
    await service.remove()
  }
}

/** The same files through the parser library alone, in this process, with the options the service uses. */
async function bareParser(paths: string[]): Promise<{ pages: number; seconds: number }> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const parser = new LiteParse({ extractBlocks: true, ocrEnabled: false, quiet: true, maxPages: 100_000 })
  const started = performance.now()
  let pages = 0
  for (const path of paths) pages += (await parser.parse(path)).pages.length
  return { pages, seconds: (performance.now() - started) / 1000 }
}
