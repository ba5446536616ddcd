// What of a PDF can be read back over HTTP: pages, words and tables of every document beside unpdf's text of the same
// page. `--data DIR` names the folder (one request: its first 20 PDFs), the examples without it.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { extractText, getDocumentProxy } from 'unpdf'
import type { Chunk, DocumentContent, Job, Workspace } from '../src/contract/resources.ts'
import { type Client, makeClient } from '../test/support/client.ts'
import { startService } from '../test/support/service.ts'
import { type BenchOptions, table } from './report.ts'

const MAX_FILES = 20

interface Pdf {
  name: string
  bytes: Uint8Array
}

/** One file: `pages` have text after unpdf, `missed` of them have no chunk; `found` of its `words` were read back. */
export interface Fidelity {
  pages: number
  missed: number
  words: number
  found: number
  tables: number
}

export async function benchFidelity({ data }: BenchOptions): Promise<string> {
  const folder = data ?? 'examples'
  const names = (await readdir(folder)).filter((name) => /\.pdf$/i.test(name)).sort()
  const files: Pdf[] = []
  for (const name of names.slice(0, MAX_FILES))
    files.push({ name, bytes: await readFile(join(folder, name)) })
  if (files.length === 0) throw new Error(`no PDF in ${folder}`)
  const service = await startService()
  try {
    const client = makeClient(service.base, service.token)
    const workspace = await client.post<Workspace>('/workspaces', { name: 'fidelity' })
    const job = await client.done((await client.upload(workspace.id, files)).id, 3_600_000)
    const rows: [string, Fidelity | string][] = []
    for (const [index, { name, bytes }] of files.entries())
      rows.push([name, await measureFile(client, workspace.id, job.files[index], bytes)])
    return report(rows)
  } finally {
    await service.remove()
  }
}

async function measureFile(
  client: Client,
  workspaceId: string,
  file: Job['files'][number] | undefined,
  bytes: Uint8Array,
): Promise<Fidelity | string> {
  if (!file?.document_id) return file?.error ?? 'no document'
  const chunks: Chunk[] = []
  let cursor: string | null | undefined
  do {
    const next = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
    const path = `/workspaces/${workspaceId}/documents/${file.document_id}?max_chars=60000${next}`
    const page = await client.get<DocumentContent>(path)
    chunks.push(...page.chunks)
    cursor = page.next_cursor
  } while (cursor)
  // A copy: the library takes the buffer over.
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: false })
  return compare(text, chunks)
}

/** Words are counted as a multiset, and looked for on their own page and the next: a chunk has its first page only. */
export function compare(pages: readonly string[], chunks: readonly Chunk[]): Fidelity {
  const result: Fidelity = { pages: 0, missed: 0, words: 0, found: 0, tables: 0 }
  const given = new Map<number, string[]>()
  for (const { page, text, type } of chunks) {
    if (type === 'table') result.tables++
    if (page) given.set(page, [...(given.get(page) ?? []), text])
  }
  let carried = new Map<string, number>()
  pages.forEach((text, index) => {
    const wanted = wordsOf(text)
    const own = given.get(index + 1)
    const left = counts(own?.flatMap(wordsOf) ?? [])
    if (wanted.length) result.pages++
    if (wanted.length && !own) result.missed++
    result.words += wanted.length
    result.found += wanted.filter((word) => take(left, word) || take(carried, word)).length
    carried = left
  })
  return result
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

function counts(words: readonly string[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const word of words) found.set(word, (found.get(word) ?? 0) + 1)
  return found
}

function take(from: Map<string, number>, word: string): boolean {
  const left = from.get(word) ?? 0
  if (left > 0) from.set(word, left - 1)
  return left > 0
}

function report(rows: [string, Fidelity | string][]): string {
  const read = rows.flatMap(([, row]) => (typeof row === 'string' ? [] : [row]))
  const sum = (pick: (row: Fidelity) => number): number => read.reduce((total, row) => total + pick(row), 0)
  const total: Fidelity = {
    pages: sum((row) => row.pages),
    missed: sum((row) => row.missed),
    words: sum((row) => row.words),
    found: sum((row) => row.found),
    tables: sum((row) => row.tables),
  }
  const line = ([name, row]: [string, Fidelity | string]): (string | number)[] =>
    typeof row === 'string' ? [name, row, '', '', ''] : [name, row.pages, row.missed, share(row), row.tables]
  return `## Fidelity: ${rows.length} PDFs, read back over HTTP beside unpdf's text of each page

${table(['file', 'pages with text', 'of them without a chunk', 'words found', 'tables'], [...rows.map(line), line(['all', total])])}`
}

const share = ({ words, found }: Fidelity): string =>
  words ? `${((found / words) * 100).toFixed(1)} % of ${words}` : 'no text to compare'
