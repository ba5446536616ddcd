import { randomBytes, randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/support/database.ts'
import { indexGraph } from '../../test/support/graph.ts'
import { insertDocument } from '../../test/support/rows.sql.ts'
import type { Caller } from '../auth/caller.ts'
import type { Entity } from '../contract/resources.ts'
import type { Db } from '../ports/db/db.ts'
import { openDb } from '../ports/db/postgres.ts'
import { type EntityQuery, getEntity, getGraph, listEntities, mainEntities } from './entities.ts'
import { bridgeEntities, linkEntities } from './entity-search.ts'
import type { Extraction } from './extraction.ts'
import { chunkMentionsEntity, isAmongMentioningChunks } from './graph.sql.ts'
import { type EntityType, entityId, nameKey } from './names.ts'

const cursorKey = randomBytes(32)
const userId = randomUUID()
const caller: Caller = {
  auth: 'session',
  id: userId,
  userId,
  email: 'a@b.example',
  scopes: ['knowledge:read'],
}
const stranger: Caller = { ...caller, id: randomUUID(), userId: randomUUID() }

let database: TestDatabase
let db: Db
let workspace: string

type Spoken = [name: string, type: EntityType, chunk: number, own?: string]
const graphOf = (spoken: Spoken[], relations: [string, string, string][] = []): Extraction => ({
  mentions: spoken.map(([surface, type, chunk_no, own]) => ({
    chunk_no,
    key: nameKey(own ?? surface),
    surface,
    own: own === undefined,
    type,
    start: 0,
    end: surface.length,
  })),
  relations: relations.map(([head, type, tail]) => ({
    chunk_no: 0,
    head: nameKey(head),
    type,
    tail: nameKey(tail),
    start: 0,
    end: 9,
  })),
})

async function newWorkspace(): Promise<string> {
  const id = randomUUID()
  await db.rows(
    sql`INSERT INTO workspace (id, name, description, created_by) VALUES (${id}, 'W', '', ${userId})`,
  )
  await db.rows(sql`INSERT INTO member (workspace_id, account_id, role) VALUES (${id}, ${userId}, 'viewer')`)
  return id
}

async function put(
  workspaceId: string,
  title: string,
  extraction: Extraction,
): Promise<{ id: string; versionId: string }> {
  const document = { workspaceId, id: randomUUID(), versionId: randomUUID(), title }
  await insertDocument(db, document)
  const target = { workspaceId, documentId: document.id, versionId: document.versionId }
  await indexGraph({ db }, target, extraction, {
    signal: new AbortController().signal,
    fence: async () => {},
  })
  return document
}

let lease: { id: string; versionId: string }
beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
  await db.rows(sql`
    INSERT INTO account (id, email, email_key, password_hash) VALUES (${userId}, 'a@b.example', 'a@b.example', '')`)
  workspace = await newWorkspace()
  lease = await put(
    workspace,
    'Lease',
    graphOf(
      [
        ['Corrigan Estates Ltd', 'organization', 0],
        ['Corrigan Estates', 'organization', 0],
        ['Tidewick Instruments', 'organization', 0],
        ['Ingrid Solheim', 'person', 0],
        ['Solheim', 'person', 0, 'Ingrid Solheim'],
        ['Aldermouth', 'location', 0],
        ['Zürich', 'location', 0],
      ],
      [
        ['Ingrid Solheim', 'leads', 'Tidewick Instruments'],
        ['Tidewick Instruments', 'located_in', 'Aldermouth'],
        ['Tidewick Instruments', 'signed_with', 'Corrigan Estates'],
        ['Corrigan Estates', 'located_in', 'Aldermouth'],
      ],
    ),
  )
  await put(
    workspace,
    'Minutes',
    graphOf(
      [
        ['Ingrid Solheim', 'person', 0],
        ['Tidewick Instruments', 'organization', 0],
        ['Tidewick Pumps', 'product', 0],
      ],
      [['Ingrid Solheim', 'leads', 'Tidewick Instruments']],
    ),
  )
})
afterAll(async () => {
  await db?.close()
  await database?.close()
})

const list = (query: Partial<EntityQuery>) =>
  listEntities({ db, cursorKey }, caller, workspace, { limit: 50, ...query })
const namesOf = async (query: Partial<EntityQuery>): Promise<string[]> =>
  (await list(query)).data.map(({ name }) => name)
const idOf = (name: string): string => entityId(workspace, nameKey(name))

describe('listEntities', () => {
  test('every entity by type, name and id, in pages without gaps or repeats', async () => {
    const all = await list({})
    expect(all.data.map(({ type, name }) => `${type} ${name}`)).toEqual([
      'location Aldermouth',
      'location Zürich',
      'organization Corrigan Estates Ltd',
      'organization Tidewick Instruments',
      'person Ingrid Solheim',
      'product Tidewick Pumps',
    ])
    const paged: Entity[] = []
    let cursor: string | null = null
    do {
      const page = await list({ limit: 1, cursor })
      expect(page.has_more).toBe(page.next_cursor !== null)
      paged.push(...page.data)
      cursor = page.next_cursor
    } while (cursor)
    expect(paged).toEqual(all.data)
  })

  test('counts and aliases are those of the evidence', async () => {
    const { data } = await list({ type: 'person' })
    expect(data).toEqual([
      {
        id: idOf('Ingrid Solheim'),
        name: 'Ingrid Solheim',
        type: 'person',
        mention_count: 3,
        aliases: ['Solheim'],
      },
    ])
  })

  test.each([
    ['corrigan estates', 'Corrigan Estates Ltd'],
    ['The Corrigan Estates Limited', 'Corrigan Estates Ltd'],
    ['solheim', 'Ingrid Solheim'],
    ['ingrd solheim', 'Ingrid Solheim'],
    ['Corigan', 'Corrigan Estates Ltd'],
    ['Alder', 'Aldermouth'],
    ['zurich', 'Zürich'],
  ])('q=%s finds %s first', async (q, name) => {
    expect((await namesOf({ q }))[0]).toBe(name)
  })

  test('the prefix finds both, the better known first; a type narrows; nothing similar finds nothing', async () => {
    expect(await namesOf({ q: 'tidewick' })).toEqual(['Tidewick Instruments', 'Tidewick Pumps'])
    expect(await namesOf({ q: 'tidewick', type: 'product' })).toEqual(['Tidewick Pumps'])
    expect(await list({ q: 'xylophone' })).toEqual({ data: [], has_more: false, next_cursor: null })
    expect(await namesOf({ q: '%_\\' })).toEqual([])
  })

  test('a cursor belongs to its filters', async () => {
    const { next_cursor } = await list({ limit: 1 })
    await expect(list({ type: 'person', cursor: next_cursor })).rejects.toMatchObject({ status: 422 })
  })

  test('a workspace is a 404 for non-members', async () => {
    await expect(listEntities({ db, cursorKey }, stranger, workspace, { limit: 5 })).rejects.toMatchObject({
      status: 404,
    })
  })
})

describe('getEntity', () => {
  const shown = (relations: { type: string; evidence_count: number; entity: { name: string } }[]): string[] =>
    relations.map((r) => `${r.type} ${r.entity.name} ${r.evidence_count}`)

  test('direct relations in both directions', async () => {
    const { entity, outgoing, incoming } = await getEntity(
      { db },
      caller,
      { workspaceId: workspace, entityId: idOf('Tidewick Instruments') },
      1,
    )
    expect(entity).toEqual({
      id: idOf('Tidewick Instruments'),
      name: 'Tidewick Instruments',
      type: 'organization',
    })
    expect(shown(outgoing).sort()).toEqual(['located_in Aldermouth 1', 'signed_with Corrigan Estates Ltd 1'])
    expect(shown(incoming)).toEqual(['leads Ingrid Solheim 2'])
  })

  test('two steps add the relations of those, equal ones summed, most evidence first', async () => {
    const { outgoing } = await getEntity(
      { db },
      caller,
      { workspaceId: workspace, entityId: idOf('Ingrid Solheim') },
      2,
    )
    expect(shown(outgoing)[0]).toBe('leads Tidewick Instruments 2')
    const stated = outgoing.filter(({ type }) => type !== 'mentioned_with')
    expect(shown(stated).sort()).toEqual([
      'leads Tidewick Instruments 2',
      'located_in Aldermouth 1',
      'signed_with Corrigan Estates Ltd 1',
    ])
    const far = await getEntity(
      { db },
      caller,
      { workspaceId: workspace, entityId: idOf('Tidewick Instruments') },
      2,
    )
    expect(shown(far.outgoing)[0]).toBe('located_in Aldermouth 2')
    const back = await getEntity({ db }, caller, { workspaceId: workspace, entityId: idOf('Aldermouth') }, 2)
    expect(shown(back.incoming)).toContain('leads Ingrid Solheim 2')
  })

  test('an entity of another workspace is not found', async () => {
    const other = await newWorkspace()
    await expect(
      getEntity({ db }, caller, { workspaceId: other, entityId: idOf('Aldermouth') }, 1),
    ).rejects.toMatchObject({
      status: 404,
    })
  })
})

test('themes: all types counted, the main themes first', async () => {
  const themes = await mainEntities({ db }, workspace, 2)
  expect(themes.total_entities).toBe(6)
  expect(themes.types).toContainEqual({ type: 'location', count: 2 })
  expect(themes.types.reduce((sum, { count }) => sum + count, 0)).toBe(6)
  // 2 mentions × ln(1 + 2 / 1) × 1.1 = 2.42 before 3 × ln(1 + 2 / 2) × 1 = 2.08.
  expect(themes.top_entities.map(({ name }) => name)).toEqual(['Corrigan Estates Ltd', 'Ingrid Solheim'])
  expect(await mainEntities({ db }, await newWorkspace(), 5)).toEqual({
    total_entities: 0,
    types: [],
    top_entities: [],
  })
})

test('the graph: the most important entities, and the relations between those alone', async () => {
  const whole = await getGraph({ db }, caller, workspace, 5000)
  const named = ({ edges, nodes }: typeof whole) =>
    edges.map((edge) => [
      nodes[edge.source]?.name,
      nodes[edge.target]?.name,
      edge.types.join(),
      edge.evidence_count,
    ])
  const [first] = (await mainEntities({ db }, workspace, 1)).top_entities
  expect(whole.nodes[0]).toEqual({
    id: first?.id,
    name: 'Corrigan Estates Ltd',
    type: 'organization',
    mention_count: 2,
  })
  expect(whole.nodes.map(({ name }) => name).toSorted()).toEqual((await namesOf({})).toSorted())
  expect(named(whole)[0]).toEqual(['Ingrid Solheim', 'Tidewick Instruments', 'leads', 2])
  expect(named(whole).filter(([, , type]) => type !== 'mentioned_with')).toHaveLength(4)
  expect(named(whole)).toContainEqual(['Tidewick Instruments', 'Corrigan Estates Ltd', 'signed_with', 1])
  const two = await getGraph({ db }, caller, workspace, 2)
  expect(two.nodes.map(({ name }) => name)).toEqual(['Corrigan Estates Ltd', 'Ingrid Solheim'])
  expect(two.edges).toEqual([])
  const three = await getGraph({ db }, caller, workspace, 3)
  expect(named(three).map(([source, target]) => [source, target])).toEqual([
    ['Ingrid Solheim', 'Tidewick Instruments'],
    ['Tidewick Instruments', 'Corrigan Estates Ltd'],
  ])
  expect(await getGraph({ db }, caller, await newWorkspace(), 5)).toEqual({ nodes: [], edges: [] })
  await expect(getGraph({ db }, stranger, workspace, 5)).rejects.toMatchObject({ status: 404 })
})

test('two relations from one entity to another are one edge with both types', async () => {
  const other = await newWorkspace()
  await put(
    other,
    'Letter',
    graphOf(
      [
        ['Ingrid Solheim', 'person', 0],
        ['Tidewick Instruments', 'organization', 0],
      ],
      [
        ['Ingrid Solheim', 'leads', 'Tidewick Instruments'],
        ['Ingrid Solheim', 'founded', 'Tidewick Instruments'],
      ],
    ),
  )
  const { nodes, edges } = await getGraph({ db }, caller, other, 10)
  expect(edges).toEqual([
    {
      source: nodes.findIndex(({ name }) => name === 'Ingrid Solheim'),
      target: nodes.findIndex(({ name }) => name === 'Tidewick Instruments'),
      types: ['founded', 'leads'],
      evidence_count: 2,
    },
  ])
})

describe('entity linking and bridging', () => {
  test('linkEntities finds names and aliases in a question, the longest match first', async () => {
    const found = await linkEntities(
      { db },
      workspace,
      'Does Ms Solheim lead the Tidewick Instruments office in Aldermouth?',
    )
    expect(found.map(({ name }) => name)).toEqual(['Ingrid Solheim', 'Tidewick Instruments', 'Aldermouth'])
    expect(await linkEntities({ db }, workspace, '?!')).toEqual([])
    const health = await newWorkspace()
    await put(
      health,
      'Health',
      graphOf([
        ['World Health Organization', 'organization', 0],
        ['WHO', 'organization', 0, 'World Health Organization'],
        ['US', 'location', 0],
      ]),
    )
    expect(await linkEntities({ db }, health, 'Who told us?')).toEqual([])
    expect((await linkEntities({ db }, health, 'Did the WHO tell the US?')).map(({ key }) => key)).toEqual([
      'world health organization',
      'united states',
    ])
  })

  test('bridgeEntities returns what a passage mentions, the rarest first', async () => {
    const found = await bridgeEntities({ db }, workspace, [{ document_id: lease.id, chunk_no: 0 }], 10)
    expect(found).toHaveLength(5)
    expect(found.map(({ document_count }) => document_count)).toEqual([1, 1, 1, 2, 2])
    expect(await bridgeEntities({ db }, workspace, [{ document_id: lease.id, chunk_no: 7 }], 10)).toEqual([])
  })

  test.each([
    ['asked chunk by chunk', chunkMentionsEntity],
    ['asked of all', isAmongMentioningChunks],
  ])('the chunks of live graphs that mention an entity, %s', async (_, mentions) => {
    const chunksWith = async (...ids: string[]): Promise<string[]> =>
      (
        await db.rows<{ version_id: string }>(sql`
          SELECT c.version_id FROM chunk c
          WHERE c.workspace_id = ${workspace} AND ${mentions(workspace, ids)}`)
      ).map(({ version_id }) => version_id)
    expect(await chunksWith(idOf('Aldermouth'))).toEqual([lease.versionId])
    expect(await chunksWith(idOf('Ingrid Solheim'))).toHaveLength(2)
    expect(await chunksWith(randomUUID())).toEqual([])
    expect(await chunksWith()).toEqual([])
  })
})
