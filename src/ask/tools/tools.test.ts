import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { indexGraph } from '../../../test/support/graph.ts'
import { putDocument, settle, someone, workspaceFor } from '../../../test/support/put.sql.ts'
import type { Caller } from '../../auth/caller.ts'
import { selectDocument } from '../../documents/documents.sql.ts'
import { extractGraph } from '../../graph/extract/extract.ts'
import type { Db } from '../../ports/db/db.ts'
import { openDb } from '../../ports/db/postgres.ts'
import type { Block } from '../../reader/reader.ts'
import { compute } from '../compute/compute.ts'
import { bindTools, type Tools } from './tools.ts'

let database: TestDatabase
let db: Db
let caller: Caller & { userId: string }
let stranger: Caller & { userId: string }
let id: string
let tools: Tools
const report = randomUUID()
const chunks: string[] = []
const log = { debug() {}, info() {}, warn() {}, error() {} }
const signal = new AbortController().signal

const toolsOf = (who: Caller, workspace: string): Tools =>
  bindTools({ db, log, embedder: async () => ({ kind: 'none' as const }) }, who, workspace, {
    signal,
    outOfTime: () => false,
  })

beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
  caller = await someone(db)
  stranger = await someone(db)
  id = await workspaceFor(db, caller)
  const line = (n: number): string => `| item ${n} ${'x'.repeat(60)} | ${n}.50 |`
  const texts = await putDocument(
    db,
    id,
    report,
    [
      { kind: 'paragraph', text: 'Ingrid Solheim works for Osterby Cables. She is its chair.', page: 1 },
      {
        kind: 'table',
        text: `| Item | Price |\n| --- | --- |\n${Array.from({ length: 390 }, (_, n) => line(n + 1)).join('\n')}`,
        page: 2,
      },
      { kind: 'table', text: '| Item | Price |\n| --- | --- |\n| other | 9 |', page: 2 },
      { kind: 'paragraph', text: 'The end of the report.', page: 3 },
    ],
    { title: 'yearly report' },
  )
  chunks.push(...texts.keys())
  const rows = [...texts.values()].map((text, chunk_no) => ({
    text,
    chunk_no,
    heading: '',
    type: 'text' as const,
  }))
  const versionId = (await selectDocument(db, id, report))?.version_id ?? ''
  const key = { workspaceId: id, documentId: report, versionId }
  await indexGraph({ db }, key, extractGraph({ title: 'yearly report', language: 'en' }, rows), {
    signal,
    fence: async () => {},
  })
  await settle(db, id)
  tools = toolsOf(caller, id)
})
afterAll(async () => {
  await db?.close()
  await database?.close()
})

describe('tools', () => {
  it('reads a document from a place on and around a passage', async () => {
    expect((await tools.readDocument(report, { from: 0 }, 2)).map(({ chunk_no }) => chunk_no)).toEqual([0, 1])
    const [, , third = ''] = chunks
    expect((await tools.readDocument(report, { around: third }, 3)).map(({ chunk_no }) => chunk_no)).toEqual([
      1, 2, 3,
    ])
    expect(await tools.readDocument(report, { around: randomUUID() }, 3)).toEqual([])
    expect(await tools.readDocument(randomUUID(), { around: third }, 3)).toEqual([])
    expect(await tools.readDocument("' OR 1=1", { from: 0 }, 3)).toEqual([])
  })

  it('joins a table that was split, and not the table next to it', async () => {
    const [, second = ''] = chunks
    const table = await tools.readTable(second)
    expect(new Set(table.map(({ passage }) => passage.chunk_id)).size).toBeGreaterThan(1)
    expect(table).toHaveLength(390)
    const outcome = compute(table, { operation: 'sum', columns: ['Price'] }, 'en')
    expect(outcome).toMatchObject({ value: String((390 * 391) / 2 + 195) })
    const other = chunks.at(-2) ?? ''
    expect((await tools.readTable(other)).map(({ line }) => line)).toEqual(['| other | 9 |'])
    expect(await tools.readTable(chunks[0] ?? '')).toEqual([])
    expect(await tools.readTable('nothing')).toEqual([])
  })

  it('joins tables that a parser split after 200 rows, and returns nothing of a table that is too long', async () => {
    const sheet = (length: number): Block[] =>
      Array.from({ length: Math.ceil(length / 200) }, (_, part) => {
        const rows = Array.from({ length: Math.min(200, length - part * 200) }, (_, n) => part * 200 + n + 1)
        const lines = rows.map((n) => `| ${n} | ${n} |`)
        return { kind: 'table', text: `| Item | Price |\n| --- | --- |\n${lines.join('\n')}` }
      })
    const pricesOf = async (length: number): Promise<number[]> => {
      const texts = await putDocument(db, id, randomUUID(), sheet(length), { title: `sheet of ${length}` })
      const rows = await tools.readTable([...texts.keys()].at(-1) ?? '')
      return rows.map(({ cells }) => Number(cells[1]?.text))
    }
    expect(await pricesOf(450)).toEqual(Array.from({ length: 450 }, (_, n) => n + 1))
    expect(await pricesOf(10_001)).toEqual([])
  })

  it('finds entities, their relations with the passage that states them, themes and documents', async () => {
    const [entity] = await tools.findEntities('solheim', 5)
    expect(entity?.name).toBe('Ingrid Solheim')
    const [neighbour] = await tools.neighbours(entity?.id ?? '', 10)
    expect(neighbour).toMatchObject({
      type: 'works_for',
      direction: 'out',
      entity: { name: 'Osterby Cables' },
    })
    expect(neighbour?.passage).toMatchObject({
      chunk_id: chunks[0],
      document_title: 'yearly report',
      chunk_no: 0,
    })
    expect(await tools.neighbours('not an id', 10)).toEqual([])
    const steps = await tools.connection(entity?.id ?? '', neighbour?.entity.id ?? '')
    expect(steps).toMatchObject([
      { head: 'Ingrid Solheim', type: 'works_for', tail: 'Osterby Cables', passage: { chunk_id: chunks[0] } },
    ])
    expect(await tools.connection(entity?.id ?? '', entity?.id ?? '')).toEqual([])
    expect(await tools.connection(entity?.id ?? '', randomUUID())).toEqual([])
    expect(await tools.connection('not an id', entity?.id ?? '')).toEqual([])
    expect((await tools.themes(5)).total_entities).toBeGreaterThan(0)
    expect((await tools.listDocuments('year', 5)).map((document) => document.id)).toEqual([report])
    expect(await tools.listDocuments('%', 5)).toEqual([])
  })

  it('shows nothing of another workspace, and nothing at all without a role', async () => {
    const own = await workspaceFor(db, stranger)
    const theirs = toolsOf(stranger, own)
    const [entity] = await tools.findEntities('solheim', 5)
    expect(await theirs.readDocument(report, { from: 0 }, 5)).toEqual([])
    expect(await theirs.readTable(chunks[1] ?? '')).toEqual([])
    expect(await theirs.neighbours(entity?.id ?? '', 5)).toEqual([])
    const [other] = await tools.findEntities('Osterby Cables', 1)
    expect(await theirs.connection(entity?.id ?? '', other?.id ?? '')).toEqual([])
    expect(await theirs.listDocuments('', 5)).toEqual([])
    const refused = toolsOf(stranger, id)
    const outcomes = await Promise.allSettled([
      refused.readDocument(report, { from: 0 }, 5),
      refused.readTable(chunks[1] ?? ''),
      refused.findEntities('solheim', 5),
      refused.neighbours(entity?.id ?? '', 5),
      refused.connection(entity?.id ?? '', other?.id ?? ''),
      refused.themes(5),
      refused.listDocuments('', 5),
      refused.search('report', 5),
    ])
    expect(outcomes).toEqual(
      outcomes.map(() => ({ status: 'rejected', reason: expect.objectContaining({ status: 404 }) })),
    )
  })
})
