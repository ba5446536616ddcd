// The result of parsing is stored and found again, however long the text is.

import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDiskCache } from '../../ports/cache/disk-cache.ts'
import type { ParsedDocument } from '../../reader/reader.ts'
import { type ParsedDeps, recallParsed, rememberParsed } from './parsed.ts'
import { parserCode } from './parser-version.ts'

const folder = mkdtempSync(join(tmpdir(), 'kenning-parsed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const key = { workspaceId: 'w', jobId: 'j', contentHash: 'h', kind: 'pdf' }
const cache = openDiskCache(folder, { maxBytes: 1e9, maxUnusedMs: 1e9 })
// Nobody else has the file.
const deps: ParsedDeps = { cache, parser: {}, db: { rows: async () => [] } as unknown as ParsedDeps['db'] }
const page = (no: number, length: number): ParsedDocument['blocks'][number] => ({
  kind: 'paragraph',
  text: String(no).repeat(length),
  page: no,
})

test('a short document is one entry; a long one is read back from its parts, and missing when one of them is', async () => {
  const short: ParsedDocument = { title: 'Short', pages: 1, blocks: [page(1, 10)] }
  await rememberParsed(deps, key, short)
  expect(await recallParsed(deps, key)).toEqual(short)

  const long: ParsedDocument = {
    title: 'Long',
    pages: 5,
    blocks: [1, 2, 3, 4, 5].map((no) => page(no, 1_500_000)),
    pictures: 'unplaced',
    warnings: ['One page was not read.'],
  }
  const other = { ...key, contentHash: 'long' }
  await rememberParsed(deps, other, long)
  expect(await recallParsed(deps, other)).toEqual(long)
  const place = join(folder, 'pages', 'w', 'long')
  const names = await readdir(place)
  expect(names).toHaveLength(4)
  await rm(join(place, names.find((name) => name.endsWith('.1')) ?? ''))
  expect(await recallParsed(deps, other)).toBeUndefined()
})

test('a result of another workspace is copied, and stays when that workspace is deleted', async () => {
  const parsed: ParsedDocument = { title: 'Shared', blocks: [page(1, 10)] }
  const shared = { ...key, contentHash: 'shared' }
  await rememberParsed(deps, shared, parsed)
  const held = { ...deps, db: { rows: async () => [{ workspace_id: 'w' }] } as unknown as ParsedDeps['db'] }
  const second = { ...shared, workspaceId: 'second' }
  expect(await recallParsed(held, second)).toEqual(parsed)
  await cache.drop('pages/w')
  expect(await recallParsed(deps, second)).toEqual(parsed)
})

test('a document with a line of a hundred megabytes is not cached', async () => {
  const put: string[] = []
  const noted = { ...deps, cache: { ...cache, put: async (name: string) => void put.push(name) } }
  const long: ParsedDocument = { blocks: [page(1, 10), { kind: 'paragraph', text: 'x'.repeat(17_000_000) }] }
  await rememberParsed(noted, key, long)
  expect(put).toEqual([])
})

test('code that the parsers import from other rooms is part of their version', () => {
  const names = [...parserCode().keys()].map((name) => name.replaceAll('\\', '/'))
  expect(names).toContain('formats/pdf/pdf.ts')
  expect(names).toContain('../language/dictionary.ts')
  expect(names.filter((name) => name.includes('.test.'))).toEqual([])
})
