// `mentioned_with`: what passages name together more often than by chance, whatever was indexed before.

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/support/database.ts'
import { indexGraph } from '../../test/support/graph.ts'
import { putDocument } from '../../test/support/put.sql.ts'
import type { Caller } from '../auth/caller.ts'
import type { Graph, Relation } from '../contract/resources.ts'
import type { Db } from '../ports/db/db.ts'
import { openDb } from '../ports/db/postgres.ts'
import { getEntity, getGraph } from './entities.ts'
import type { Extraction } from './extraction.ts'
import { dropGraph } from './index-graph.ts'
import { mergeEntities } from './merges.ts'
import { entityId, nameKey } from './names.ts'

const userId = randomUUID()
const caller: Caller = { auth: 'session', id: userId, userId, scopes: ['knowledge:read'] }
const free = new AbortController().signal

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
  await db.rows(sql`
    INSERT INTO account (id, email, email_key, password_hash) VALUES (${userId}, 'a@b.example', 'a@b.example', '')`)
})
afterAll(async () => {
  await db?.close()
  await database?.close()
})

async function workspaceOf(passages: number): Promise<string> {
  const id = randomUUID()
  await db.rows(
    sql`INSERT INTO workspace (id, name, description, created_by) VALUES (${id}, 'W', '', ${userId})`,
  )
  await db.rows(sql`INSERT INTO member (workspace_id, account_id, role) VALUES (${id}, ${userId}, 'viewer')`)
  await db.rows(sql`
    INSERT INTO workspace_language (workspace_id, language, documents, chunks) VALUES (${id}, 'en', 1, ${passages})`)
  return id
}

/** Passages as names from left to right, 20 characters each; 'Acme @500' stands at that place. */
const said = (passages: readonly string[], relations: [string, string, string][] = []): Extraction => ({
  mentions: passages.flatMap((passage, chunk_no) =>
    passage.split(', ').map((named, i) => {
      const [name = '', at] = named.split(' @')
      const start = at === undefined ? i * 20 : Number(at)
      const key = nameKey(name)
      return {
        chunk_no,
        key,
        surface: name,
        own: true,
        type: 'other' as const,
        start,
        end: start + name.length,
      }
    }),
  ),
  relations: relations.map(([head, type, tail]) => ({
    chunk_no: 0,
    head: nameKey(head),
    type,
    tail: nameKey(tail),
    start: 0,
    end: 9,
  })),
})

const documents = new Map<string, string>()
const documentOf = (workspaceId: string, name: string): string => {
  const key = `${workspaceId} ${name}`
  const id = documents.get(key) ?? randomUUID()
  documents.set(key, id)
  return id
}
const put = (workspaceId: string, name: string, extraction: Extraction): Promise<void> =>
  indexGraph(
    { db },
    { workspaceId, documentId: documentOf(workspaceId, name), versionId: randomUUID() },
    extraction,
    { signal: free, fence: async () => {} },
  )
const drop = (workspaceId: string, name: string): Promise<void> =>
  dropGraph({ db }, { workspaceId, documentId: documentOf(workspaceId, name) })

const shown = (relations: readonly Relation[]): string[] =>
  relations.map((r) => `${r.type} ${r.entity.name} ${r.evidence_count}`)
const around = async (workspaceId: string, name: string, depth = 1): Promise<string[]> =>
  shown(
    (await getEntity({ db }, caller, { workspaceId, entityId: entityId(workspaceId, nameKey(name)) }, depth))
      .outgoing,
  )
const drawn = ({ nodes, edges }: Graph): string[] =>
  edges
    .map(({ source, target, types, evidence_count }) => {
      const ends = [nodes[source]?.name, nodes[target]?.name].sort()
      return `${ends.join(' ')} ${types.join()} ${evidence_count}`
    })
    .sort()

/** A document with its text, in which the mentions stand: names of `passages`, with a space or the end of a line after each. */
async function putText(workspaceId: string, passages: readonly string[][]): Promise<void> {
  const [documentId, versionId] = [randomUUID(), randomUUID()]
  const texts = passages.map((passage) => passage.join(''))
  const blocks = texts.map((text, i) => ({ kind: 'paragraph' as const, text, page: i + 1 }))
  await putDocument(db, workspaceId, documentId, blocks, { versionId })
  const names = passages.map((passage, i) => {
    const text = texts[i] ?? ''
    let from = 0
    return passage
      .map((one) => {
        const at = text.indexOf(one, from)
        from = at + one.length
        return `${one.trim()} @${at}`
      })
      .join(', ')
  })
  await indexGraph({ db }, { workspaceId, documentId, versionId }, said(names), {
    signal: free,
    fence: async () => {},
  })
}

/** Of each entity what it is mentioned with, and how often: "ID ID COUNT" for both directions. */
async function allPairs(workspaceId: string): Promise<Set<string>> {
  const entities = await db.rows<{ id: string }>(
    sql`SELECT id FROM entity WHERE workspace_id = ${workspaceId}`,
  )
  const pairs = new Set<string>()
  for (const { id } of entities) {
    const { outgoing } = await getEntity({ db }, caller, { workspaceId, entityId: id }, 1)
    for (const { type, entity, evidence_count } of outgoing)
      if (type === 'mentioned_with') pairs.add(`${id} ${entity.id} ${evidence_count}`)
  }
  return pairs
}
const reversed = (pair: string): string => pair.replace(/(\S+) (\S+)/, '$2 $1')

// Some names are in every passage, some in few; in a passage they stand in one line or in several.
const NAMES = Array.from({ length: 30 }, (_, i) => `Name${i}`)
const anyName = fc.integer({ min: 0, max: 899 }).map((n) => NAMES[Math.floor(Math.sqrt(n))] ?? '')
const anyPassage = fc.array(
  fc.tuple(anyName, fc.constantFrom(' ', ' ', '\n', ' '.repeat(30))).map(([name, space]) => name + space),
  { minLength: 1, maxLength: 9 },
)

describe('mentioned_with', () => {
  test('holds in both directions, equally often', async () => {
    const library = fc.array(fc.array(anyPassage, { minLength: 1, maxLength: 12 }), {
      minLength: 1,
      maxLength: 4,
    })
    let total = 0
    await fc.assert(
      fc.asyncProperty(library, fc.boolean(), async (texts, isMerged) => {
        const id = await workspaceOf(300)
        for (const text of texts) await putText(id, text)
        const [one, other] = texts.flat(2).map((name) => entityId(id, nameKey(name.trim())))
        if (isMerged && one && other && one !== other)
          await mergeEntities({ db }, id, { entityId: one, otherId: other })
        const pairs = await allPairs(id)
        total += pairs.size
        expect([...pairs].map(reversed).sort()).toEqual([...pairs].sort())
      }),
      { numRuns: 6, seed: 3, endOnFailure: true },
    )
    expect(total).toBeGreaterThan(100)
  })

  test('holds in both directions for hubs, of which not all mentions are read', async () => {
    const id = await workspaceOf(3000)
    const passages = Array.from({ length: 180 }, (_, i) => {
      const partner = `Partner${i % 60} `
      return ['Acme ', partner, 'Acme ', 'Rome ', 'Acme ', i % 3 ? 'Leeds ' : partner, 'Rome ', 'Acme ']
    })
    for (const start of [0, 60, 120]) await putText(id, passages.slice(start, start + 60))
    for (const start of [0, 60, 120]) await putText(id, passages.slice(start, start + 60))
    const [hub] = await db.rows<{ n: number }>(sql`
      SELECT mention_count AS n FROM entity WHERE workspace_id = ${id} AND id = ${entityId(id, 'acme')}`)
    expect(hub?.n).toBeGreaterThan(1000)
    const pairs = await allPairs(id)
    const ofHub = [...pairs].filter((pair) => pair.startsWith(entityId(id, 'acme')))
    expect(ofHub.length).toBeGreaterThan(50)
    expect([...pairs].map(reversed).sort()).toEqual([...pairs].sort())
  })

  test('names that stand near each other, in passages enough of the workspace; not those far apart', async () => {
    const id = await workspaceOf(60)
    await put(id, 'one', said(['Acme, Leeds', 'Acme, Leeds', 'Paris @0, Rome @900']))
    expect(await around(id, 'Acme')).toEqual(['mentioned_with Leeds 2'])
    expect(await around(id, 'Leeds')).toEqual(['mentioned_with Acme 2'])
    expect(await around(id, 'Paris')).toEqual([])
    expect(drawn(await getGraph({ db }, caller, id, 10))).toEqual(['Acme Leeds mentioned_with 2'])
  })

  test('not a name that stands beside everything', async () => {
    const id = await workspaceOf(30)
    const names = Array.from({ length: 30 }, (_, i) => `Acme, N${i}`)
    await put(id, 'one', said(names))
    expect(await around(id, 'Acme')).toEqual([])
    expect(drawn(await getGraph({ db }, caller, id, 50))).toEqual([])
  })

  test('what a sentence states comes first, and is not said twice', async () => {
    const id = await workspaceOf(60)
    await put(id, 'one', said(['Acme, Leeds, Rome', 'Acme, Leeds, Rome'], [['Leeds', 'owns', 'Acme']]))
    expect(await around(id, 'Acme')).toEqual(['mentioned_with Rome 2'])
    expect(await around(id, 'Leeds')).toEqual(['owns Acme 1', 'mentioned_with Rome 2'])
    expect(drawn(await getGraph({ db }, caller, id, 10))).toEqual([
      'Acme Leeds owns 1',
      'Acme Rome mentioned_with 2',
      'Leeds Rome mentioned_with 2',
    ])
  })

  test('the second step gives what stands near those', async () => {
    const id = await workspaceOf(60)
    await put(id, 'one', said(['Acme, Leeds', 'Leeds, Rome']))
    expect(await around(id, 'Acme')).toEqual(['mentioned_with Leeds 1'])
    expect(await around(id, 'Acme', 2)).toEqual(['mentioned_with Leeds 1', 'mentioned_with Rome 1'])
  })

  test('after documents were added, replaced and deleted it is as if the rest had been there from the start', async () => {
    const [grown, fresh] = [await workspaceOf(90), await workspaceOf(90)]
    const last = {
      b: said(['Acme, Leeds, Jane Roe', 'Paris, Rome']),
      c: said(['Jane Roe, Acme', 'Rome, Paris, Leeds']),
    }
    await put(grown, 'a', said(['Acme, Paris', 'Acme, Paris, Rome']))
    await put(grown, 'b', said(['Acme, Rome', 'Leeds, Rome']))
    await put(grown, 'c', last.c)
    await drop(grown, 'a')
    await put(grown, 'b', last.b)
    await put(fresh, 'b', last.b)
    await put(fresh, 'c', last.c)
    for (const name of ['Acme', 'Leeds', 'Jane Roe', 'Paris', 'Rome'])
      expect((await around(grown, name)).sort()).toEqual((await around(fresh, name)).sort())
    const whole = drawn(await getGraph({ db }, caller, grown, 10))
    expect(whole).toContain('Acme Jane Roe mentioned_with 2')
    expect(whole).toEqual(drawn(await getGraph({ db }, caller, fresh, 10)))
  })

  test('a merged name counts as the entity that it was merged into', async () => {
    const id = await workspaceOf(60)
    await put(id, 'one', said(['Acme, Leeds', 'Acme Works, Leeds', 'Acme, Acme Works']))
    await mergeEntities({ db }, id, { entityId: entityId(id, 'acme'), otherId: entityId(id, 'acme works') })
    expect(await around(id, 'Acme')).toEqual(['mentioned_with Leeds 2'])
    expect(await around(id, 'Leeds')).toEqual(['mentioned_with Acme 2'])
  })

  test('names of which one is inside the other', async () => {
    const id = await workspaceOf(60)
    await put(id, 'one', said(['Bank of Leeds @0, Leeds @8']))
    expect(await around(id, 'Leeds')).toEqual(['mentioned_with Bank of Leeds 1'])
    expect(drawn(await getGraph({ db }, caller, id, 10))).toEqual(['Bank of Leeds Leeds mentioned_with 1'])
  })

  test('entries of a list that stand beside each other once, only for one that has no other', async () => {
    const id = await workspaceOf(60)
    const documentId = randomUUID()
    const text = 'Acme met Jane Roe.\n\nLeeds Works\n\nParis Club'
    const versionId = randomUUID()
    await putDocument(db, id, documentId, [{ kind: 'paragraph', text }], { versionId })
    const at = (name: string) => `${name} @${text.indexOf(name)}`
    const names = ['Acme', 'Jane Roe', 'Leeds Works', 'Paris Club'].map(at).join(', ')
    await indexGraph({ db }, { workspaceId: id, documentId, versionId }, said([names]), {
      signal: free,
      fence: async () => {},
    })
    expect(await around(id, 'Jane Roe')).toEqual(['mentioned_with Acme 1'])
    expect((await around(id, 'Paris Club')).length).toBe(1)
    const pairs = drawn(await getGraph({ db }, caller, id, 10))
    expect(pairs).toContain('Acme Jane Roe mentioned_with 1')
    expect(pairs.some((pair) => pair.includes('Paris Club'))).toBe(true)
  })

  test('a passage of hundreds of names has a few pairs for each', async () => {
    const id = await workspaceOf(60)
    const names = Array.from({ length: 300 }, (_, i) => `N${i} @${i * 8}`)
    await put(id, 'one', said([names.join(', ')]))
    expect((await around(id, 'N150')).length).toBeLessThanOrEqual(16)
    const { edges } = await getGraph({ db }, caller, id, 300)
    expect(edges.length).toBeLessThanOrEqual(1200)
    const related = new Set(edges.flatMap(({ source, target }) => [source, target]))
    expect(related.size).toBe(300)
  })
})
