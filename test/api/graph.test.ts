// The graph over documents: merged names and decisions about them, the passages behind an entity, and listing every entity once.

import { randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Activity } from '../../src/contract/people.ts'
import type {
  Duplicate,
  Entity,
  EntityNeighborhood,
  EntityPaths,
  Evidence,
  Merge,
  MergeCandidate,
  Page,
  Themes,
} from '../../src/contract/resources.ts'
import { extractGraph } from '../../src/graph/extract/extract.ts'
import { dropGraph } from '../../src/graph/index-graph.ts'
import { entityId, nameKey } from '../../src/graph/names.ts'
import { selectGraphSources } from '../../src/graph/task.sql.ts'
import { graphDocument, graphTask } from '../../src/graph/task.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { claimTask, insertTask } from '../../src/work/queue.sql.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { indexGraph } from '../support/graph.ts'
import { callRaw, resultOf } from '../support/mcp.ts'
import { pages, putDocument } from '../support/put.sql.ts'

let app: TestApp
let owner: Person
let token: string

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  token = await app.token(owner)
})
afterAll(() => app.close())

/** A document with its graph, as the worker makes it; returns its id. */
async function write(
  workspaceId: string,
  texts: string[],
  documentId: string = randomUUID(),
): Promise<string> {
  const { db } = app.deps
  await putDocument(db, workspaceId, documentId, pages(texts), { title: texts[0]?.slice(0, 12) ?? '' })
  const [row] = await db.rows<{ version_id: string }>(
    sql`SELECT version_id FROM document WHERE id = ${documentId}`,
  )
  const versionId = row?.version_id ?? ''
  const sources = await selectGraphSources(db, {
    workspaceId,
    versionIds: [versionId],
    maxCharacters: 100_000,
  })
  const chunks = sources.get(versionId)?.chunks ?? []
  const extraction = extractGraph({ title: 'paper', language: 'en' }, chunks)
  const { signal } = new AbortController()
  await indexGraph(app.deps, { workspaceId, documentId, versionId }, extraction, {
    signal,
    fence: async () => {},
  })
  return documentId
}

async function get<T>(workspaceId: string, path: string): Promise<T> {
  const answer = await app.send('GET', `/v1/workspaces/${workspaceId}/${path}`, token)
  expect(answer.status, answer.text).toBe(200)
  return bodyOf<T>(answer)
}

const EXPLAINED = [
  'The World Health Organization (WHO) was founded in 1948. WHO experts work in Geneva.',
  'Ingrid Solheim works for the World Health Organization in Geneva.',
]
const PLAIN = ['Many WHO reports were read aloud by Peter Marsh.', 'Peter Marsh wrote to WHO about Kenya.']

test('a task takes waiting ones along, and neither one that failed before nor those of other workspaces', async () => {
  const { db } = app.deps
  const [id, other] = [await app.workspace(owner), await app.workspace(owner)]
  const texts = Array.from(
    { length: 4 },
    (_, i) => `Peter Marsh wrote letter ${i} to Ingrid Solheim in Geneva.`,
  )
  const queued: string[] = []
  for (const [i, text] of texts.entries()) {
    const documentId = randomUUID()
    await putDocument(db, i === 3 ? other : id, documentId, pages([text]), { title: `Letter ${i}` })
    await insertTask(db, graphTask(i === 3 ? other : id, { document_id: documentId }))
    queued.push(documentId)
  }
  await db.rows(sql`
    UPDATE task SET failures = 1, run_after = now() + interval '1 hour'
    WHERE kind = 'graph' AND subject ->> 'document_id' = ${queued[2]}`)
  const task = await claimTask(db, 'one')
  if (task?.workspace_id !== id) throw new Error('the first of them is claimed first')
  await graphDocument(app.deps, task, new AbortController().signal)
  const left = await db.rows(sql`
    SELECT subject ->> 'document_id' AS id, attempt FROM task WHERE kind = 'graph' AND workspace_id IN (${id}, ${other})`)
  expect(left).toEqual(
    expect.arrayContaining([
      { id: queued[2], attempt: 0 },
      { id: queued[3], attempt: 0 },
    ]),
  )
  expect(left).toHaveLength(2)
  const found = await get<Page<Entity>>(id, 'entities?q=Peter%20Marsh')
  expect(found.data[0]).toMatchObject({ name: 'Peter Marsh', mention_count: 2 })
  await db.rows(sql`DELETE FROM task WHERE workspace_id IN (${id}, ${other})`)
})

test('of those taken along one that was cancelled does not hold up the first, and the others are given back', async () => {
  const { db } = app.deps
  const id = await app.workspace(owner)
  const queued: string[] = []
  for (let i = 0; i < 3; i++) {
    const documentId = randomUUID()
    await putDocument(db, id, documentId, pages([`Peter Marsh wrote letter ${i}.`]), { title: `Letter ${i}` })
    await insertTask(db, graphTask(id, { document_id: documentId }))
    queued.push(documentId)
  }
  const task = await claimTask(db, 'one')
  if (task?.workspace_id !== id) throw new Error('the first of them is claimed first')
  // Gone between the claim and the first transaction that writes.
  let isGone = false
  const cancelling: Db = {
    ...db,
    tx: async (run) => {
      if (!isGone)
        await db.rows(
          sql`DELETE FROM task WHERE workspace_id = ${id} AND subject ->> 'document_id' = ${queued[1]}`,
        )
      isGone = true
      return db.tx(run)
    },
  }
  await graphDocument({ ...app.deps, db: cancelling }, task, new AbortController().signal)
  const left = await db.rows(sql`
    SELECT subject ->> 'document_id' AS id, lease_until, failures FROM task WHERE workspace_id = ${id}`)
  expect(left).toEqual([{ id: queued[2], lease_until: null, failures: 0 }])
  expect((await get<Page<Entity>>(id, 'entities?q=Peter%20Marsh')).data[0]).toMatchObject({
    mention_count: 1,
  })
  await db.rows(sql`DELETE FROM task WHERE workspace_id = ${id}`)
})

test('a document of more than a thousand names has its graph, though two of them far apart are one entity', async () => {
  const { db } = app.deps
  const id = await app.workspace(owner)
  await write(id, EXPLAINED)
  await write(id, PLAIN)
  const merged = async () => (await get<Page<Entity>>(id, 'entities?q=World%20Health')).data[0]
  const before = (await merged())?.mention_count ?? 0
  const ends = [entityId(id, 'who'), entityId(id, nameKey('World Health Organization'))]
  const [low = '', high = ''] = ends.toSorted()
  // Names are looked up a thousand at a time, in the order of their ids: so many lie between the two.
  const between: string[] = []
  for (let i = 0; between.length < 1000; i++) {
    const of = entityId(id, `name ${i}`)
    if (of > low && of < high) between.push(`name ${i}`)
  }
  const documentId = randomUUID()
  await putDocument(db, id, documentId, pages(['WHO']), { title: 'Names' })
  const [row] = await db.rows<{ version_id: string }>(
    sql`SELECT version_id FROM document WHERE id = ${documentId}`,
  )
  const mentions = ['WHO', 'World Health Organization', ...between].map((surface) => ({
    chunk_no: 0,
    key: nameKey(surface),
    surface,
    own: true,
    type: 'organization' as const,
    start: 0,
    end: 3,
  }))
  const target = { workspaceId: id, documentId, versionId: row?.version_id ?? '' }
  const { signal } = new AbortController()
  await indexGraph(app.deps, target, { mentions, relations: [] }, { signal, fence: async () => {} })
  expect((await get<Page<Entity>>(id, 'entities?q=name%20')).data.length).toBeGreaterThan(0)
  expect(await merged()).toMatchObject({ aliases: ['WHO'], mention_count: before + 2 })
})

describe('names that are one entity', () => {
  let id: string
  let who: string
  let long: string
  beforeAll(async () => {
    id = await app.workspace(owner)
    who = entityId(id, 'who')
    long = entityId(id, nameKey('World Health Organization'))
    await write(id, PLAIN)
  })
  const merge = (method: string, into: string, name: string) =>
    app.send(method, `/v1/workspaces/${id}/entities/${into}/merges/${name}`, token)
  const merges = async (): Promise<Merge[]> => (await get<Page<Merge>>(id, `entities/${long}/merges`)).data
  const first = async (q: string): Promise<Entity | undefined> =>
    (await get<Page<Entity>>(id, `entities?q=${encodeURIComponent(q)}`)).data[0]

  test('a query that is no name finds what the passages about it speak of, and a name finds itself alone', async () => {
    const named = async (q: string): Promise<string[]> =>
      (await get<Page<Entity>>(id, `entities?q=${encodeURIComponent(q)}`)).data.map(({ name }) => name)
    expect((await named('read aloud')).sort()).toEqual(['Peter Marsh', 'WHO'])
    expect(await named('Peter Marsh')).toEqual(['Peter Marsh'])
    expect(await named('quokka')).toEqual([])
    const typed = await get<Page<Entity>>(id, 'entities?q=read%20aloud&type=person')
    expect(typed.data.map(({ name }) => name)).toEqual(['Peter Marsh'])
  })

  test('an acronym stands alone until a document explains it; then it counts for the long name', async () => {
    expect(await first('WHO')).toMatchObject({ id: who, mention_count: 2 })
    const explained = await write(id, EXPLAINED)
    const found = await first('WHO')
    expect(found).toMatchObject({ id: long, name: 'World Health Organization', aliases: ['WHO'] })
    expect(found?.mention_count).toBe(6)
    expect(await merges()).toEqual([
      {
        entity_id: who,
        name: 'WHO',
        into_id: long,
        state: 'automatic',
        reason: 'a document says that WHO is short for it',
      },
    ])
    await dropDocument(explained)
    expect(await first('WHO')).toMatchObject({ id: who, mention_count: 2 })
    await write(id, EXPLAINED, explained)
    expect(await first('WHO')).toMatchObject({ id: long, mention_count: 6 })
  })

  async function dropDocument(documentId: string): Promise<void> {
    const path = `/v1/workspaces/${id}/documents/${documentId}`
    expect((await app.send('DELETE', path, token)).status).toBe(204)
    await dropGraph(app.deps, { workspaceId: id, documentId })
  }

  test('readers follow the merge: by either id, in passages, in search', async () => {
    const { entity } = await get<EntityNeighborhood>(id, `entities/${who}`)
    expect(entity.id).toBe(long)
    const evidence = await get<Page<Evidence>>(id, `entities/${long}/evidence`)
    expect(evidence.data.map(({ text }) => text).sort()).toEqual([...EXPLAINED, ...PLAIN].sort())
    expect(await get(id, `entities/${who}/evidence`)).toEqual(evidence)
    for (const asked of [who, long]) {
      const body = { query: 'Peter Marsh in Geneva', entity_ids: [asked] }
      const answer = await app.send('POST', `/v1/workspaces/${id}/search`, token, { body })
      expect(bodyOf<{ data: object[] }>(answer).data).toHaveLength(4)
    }
  })

  test('undone, each stands for itself, also after more documents; merged by hand, they are one again', async () => {
    expect((await merge('DELETE', long, who)).status).toBe(204)
    expect((await merge('DELETE', long, who)).status).toBe(204)
    expect(await first('World Health Organization')).toMatchObject({ id: long, mention_count: 4 })
    await write(id, ['The World Health Organization (WHO) met.', 'It was in Oslo.'])
    expect(await get<Entity>(id, `entities/${who}`)).toMatchObject({ entity: { id: who, name: 'WHO' } })
    expect(await merges()).toMatchObject([{ entity_id: who, state: 'undone' }])
    const put = await merge('PUT', long, who)
    expect([put.status, put.body]).toMatchObject([200, { entity_id: who, state: 'manual', name: 'WHO' }])
    expect((await merge('PUT', long, who)).body).toEqual(put.body)
    expect((await merge('PUT', long, long)).status).toBe(422)
    expect(await first('WHO')).toMatchObject({ id: long, mention_count: 8 })
  })

  test('relations of merged ends are one, and between them none', async () => {
    const marsh = entityId(id, 'peter marsh')
    const ingrid = entityId(id, 'ingrid solheim')
    const relations = async (of: string) => {
      const { outgoing, incoming } = await get<EntityNeighborhood>(id, `entities/${of}`)
      return [...outgoing, ...incoming]
    }
    const before = await relations(long)
    expect(before.map(({ entity }) => entity.id)).toContain(ingrid)
    const shown = (await relations(ingrid)).length + (await relations(marsh)).length
    expect((await merge('PUT', marsh, ingrid)).status).toBe(200)
    expect((await relations(long)).map(({ entity }) => entity.id)).toContain(marsh)
    expect((await relations(marsh)).length).toBeLessThanOrEqual(shown)
    expect((await merge('DELETE', marsh, ingrid)).status).toBe(204)
    expect(await relations(long)).toEqual(before)
  })

  test('a chain of merges comes apart link by link', async () => {
    const chain = await app.workspace(owner)
    await write(chain, ['Peter Marsh met Anna Whitlock.', 'Anna Whitlock and Jonas Ferrow met Peter Marsh.'])
    const [a, b, c] = ['peter marsh', 'anna whitlock', 'jonas ferrow'].map((key) => entityId(chain, key))
    const at = (into = '', name = '') => `/v1/workspaces/${chain}/entities/${into}/merges/${name}`
    const counts = async (): Promise<number[]> =>
      (await get<Page<Entity>>(chain, 'entities?type=person')).data.map((e) => e.mention_count).sort()
    const alone = await counts()
    const total = alone.reduce((sum, n) => sum + n, 0)
    expect((await app.send('PUT', at(b, a), token)).status).toBe(200)
    expect((await app.send('PUT', at(c, b), token)).status).toBe(200)
    expect(await counts()).toEqual([total])
    expect((await app.send('DELETE', at(c, b), token)).status).toBe(204)
    expect((await get<EntityNeighborhood>(chain, `entities/${a}`)).entity.id).toBe(b)
    expect((await app.send('DELETE', at(b, a), token)).status).toBe(204)
    expect(await counts()).toEqual(alone)
  })
})

test('what an entity is mentioned with is mentioned with it: over HTTP, and for an assistant page by page', async () => {
  const id = await app.workspace(owner)
  const people = [
    'Peter Marsh',
    'Anna Whitlock',
    'Jonas Ferrow',
    'Ingrid Solheim',
    'Mary Tilbury',
    'Edgar Vance',
  ]
  for (let i = 0; i < 8; i++) {
    const guest = people[i % 5] ?? ''
    await write(id, [
      `Edgar Vance, ${guest} and ${people[(i + 1) % 5]} were in Geneva.`,
      `A letter.\n\n${guest}\n\nEdgar Vance`,
    ])
  }
  const entities = (await get<Page<Entity>>(id, 'entities')).data
  const overHttp: string[] = []
  const forAssistants: string[] = []
  for (const { id: from } of entities) {
    const { outgoing } = await get<EntityNeighborhood>(id, `entities/${from}`)
    for (const { type, entity, evidence_count } of outgoing)
      if (type === 'mentioned_with') overHttp.push(`${from} ${entity.id} ${evidence_count}`)
    let cursor: string | undefined
    do {
      const result = resultOf<{
        relations: { relation: string; entity: string; evidence: number }[]
        next_cursor?: string
      }>(await callRaw(app, token, 'neighbours', { entity: from, ...(cursor ? { cursor } : {}) }))
      for (const { relation, entity, evidence } of result.relations)
        if (relation === 'mentioned_with') forAssistants.push(`${from} ${entity} ${evidence}`)
      cursor = result.next_cursor
    } while (cursor)
  }
  const reversed = overHttp.map((pair) => pair.replace(/(\S+) (\S+)/, '$2 $1'))
  expect(overHttp.length).toBeGreaterThan(4)
  expect(reversed.sort()).toEqual(overHttp.sort())
  // Assistants get the first digits of ids.
  const withShortIds = overHttp.map((pair) => pair.replace(/ (\S{8})\S+ /, ' $1 '))
  expect(forAssistants.sort()).toEqual(withShortIds.sort())
})

describe('how two entities are connected', () => {
  let id: string
  const at = (from: string, to: string) => `entities/${entityId(id, from)}/paths/${entityId(id, to)}`
  beforeAll(async () => {
    id = await app.workspace(owner)
    await write(id, [
      'Ingrid Solheim works for Tidewick Instruments. Tidewick Instruments is based in Aldermouth.',
    ])
    await write(id, ['Peter Marsh works for Corrigan Estates. Corrigan Estates is based in Aldermouth.'])
    await write(id, ['Edgar Vance wrote a book.'])
  })

  test('the shortest chain of relations, with a passage for each step', async () => {
    const { paths, from, to } = await get<EntityPaths>(id, at('ingrid solheim', 'corrigan estates'))
    expect([from.name, to.name]).toEqual(['Ingrid Solheim', 'Corrigan Estates'])
    const steps = paths[0]?.steps ?? []
    expect(steps.map((step) => [step.from.name, step.to.name])).toEqual([
      ['Ingrid Solheim', 'Tidewick Instruments'],
      ['Tidewick Instruments', 'Aldermouth'],
      ['Aldermouth', 'Corrigan Estates'],
    ])
    expect(steps.map(({ reversed }) => reversed)).toEqual([false, false, true])
    for (const { from, to, passage } of steps) {
      expect(passage?.text).toContain(from.name)
      expect(passage?.text).toContain(to.name)
    }
  })

  test('the passage of a step states its relation, in its direction', async () => {
    const there = await app.workspace(owner)
    const ids = ['Ingrid Solheim', 'Tidewick Instruments'].map((name) => entityId(there, nameKey(name)))
    const [head = '', tail = ''] = ids
    // In the order of passages the first two state something else.
    await write(there, [
      'Tidewick Instruments sued Ingrid Solheim.',
      'Ingrid Solheim left Tidewick Instruments.',
      'Ingrid Solheim works for Tidewick Instruments.',
    ])
    const { db } = app.deps
    for (const table of ['edge', 'relation_evidence'])
      await db.rows(sql`DELETE FROM ${raw(table)} WHERE workspace_id = ${there}`)
    const relations = [
      { head: tail, type: 'sued', tail: head },
      { head, type: 'left', tail },
      { head, type: 'works_for', tail },
    ]
    for (const [i, relation] of relations.entries()) {
      await db.rows(sql`
        INSERT INTO relation_evidence (workspace_id, version_id, chunk_no, relation_no, head, type, tail, start_at, end_at)
        SELECT workspace_id, version_id, chunk_no, ${i}, ${relation.head}, ${relation.type}, ${relation.tail}, 0, 20
        FROM chunk WHERE workspace_id = ${there} ORDER BY chunk_no OFFSET ${i} LIMIT 1`)
      await db.rows(sql`
        INSERT INTO edge (workspace_id, head, type, tail, evidence_count)
        VALUES (${there}, ${relation.head}, ${relation.type}, ${relation.tail}, ${1 + i})`)
    }
    const { paths } = await get<EntityPaths>(there, `entities/${tail}/paths/${head}`)
    const [step] = paths[0]?.steps ?? []
    expect(step).toMatchObject({ type: 'works_for', reversed: true })
    expect(step?.passage?.text).toContain('works for')
  })

  test('a direct relation is the path, even if both ends have a hundred with more evidence', async () => {
    const there = await app.workspace(owner)
    await write(there, ['Ingrid Solheim works for Tidewick Instruments.'])
    const [head, tail] = ['ingrid solheim', 'tidewick instruments'].map((key) => entityId(there, key))
    const { db } = app.deps
    await db.rows(sql`
      WITH other AS (SELECT gen_random_uuid() AS id, i FROM generate_series(1, 101) AS i),
      added AS (
        INSERT INTO entity (workspace_id, id, key, name, name_key, type, mention_count, document_count, aliases, keys, words)
        SELECT ${there}, id, 'harbour ' || i, 'Harbour ' || i, 'harbour ' || i, 'location', 9, 9, '{}', '{}', '{}' FROM other)
      INSERT INTO edge (workspace_id, head, type, tail, evidence_count)
      SELECT ${there}::uuid, head, 'located_in', tail, 9
      FROM other CROSS JOIN LATERAL (VALUES (${head}::uuid, id), (id, ${tail}::uuid)) AS edge (head, tail)`)
    const { paths } = await get<EntityPaths>(there, `entities/${head}/paths/${tail}`)
    expect(paths.map(({ steps }) => steps.map(({ from, to }) => [from.name, to.name]))).toEqual([
      [['Ingrid Solheim', 'Tidewick Instruments']],
    ])
  })

  test('no chain is no path, four steps are too many, and a workspace hides its entities', async () => {
    expect((await get<EntityPaths>(id, at('edgar vance', 'aldermouth'))).paths).toEqual([])
    expect((await get<EntityPaths>(id, at('ingrid solheim', 'peter marsh'))).paths).toEqual([])
    const same = await app.send('GET', `/v1/workspaces/${id}/${at('aldermouth', 'aldermouth')}`, token)
    expect(same.status).toBe(422)
    const other = await app.workspace(owner)
    const foreign = await app.send('GET', `/v1/workspaces/${other}/${at('aldermouth', 'edgar vance')}`, token)
    expect(foreign.status).toBe(404)
  })

  test('an assistant asks by name', async () => {
    const result = resultOf<{
      name: string
      relations: { name: string; direction: string; quote: string }[]
    }>(
      await callRaw(app, token, 'neighbours', {
        entity: 'Ingrid Solheim',
        other: 'Aldermouth',
        workspace: id,
      }),
    )
    expect(result.relations.map(({ name, direction }) => `${name} ${direction}`)).toEqual([
      'Tidewick Instruments out',
      'Aldermouth out',
    ])
    expect(result.relations[0]?.quote).toContain('works for')
  })
})

test('candidates are shown with their reasons and never merged; what was undone is not shown again', async () => {
  const id = await app.workspace(owner)
  await write(id, [
    'Ingrid Solheim met Peter Marsh in Oslo.',
    'Ingrid Solheim left.',
    'Ingrid Solheim wrote.',
  ])
  await write(id, ['Ingrid Solhiem met Peter Marsh in Oslo.', 'Ingrid Solhiem wrote.'])
  const [right, wrong] = ['ingrid solheim', 'ingrid solhiem'].map((key) => entityId(id, key))
  const candidates = async () =>
    (await get<Page<MergeCandidate>>(id, `entities/${right}/candidates`)).data.map((each) => [
      each.entity.id,
      each.reason,
    ])
  const pairs = async () =>
    (await get<Page<Duplicate>>(id, 'duplicates')).data.map(({ entity, other, reason }) => [
      entity.id,
      other.id,
      reason,
    ])
  expect(await candidates()).toEqual([[wrong, 'spelling']])
  expect(await pairs()).toEqual([[right, wrong, 'spelling']])
  const at = `/v1/workspaces/${id}/entities/${right}/merges/${wrong}`
  expect((await app.send('PUT', at, token)).status).toBe(200)
  expect(await candidates()).toEqual([])
  expect((await app.send('DELETE', at, token)).status).toBe(204)
  expect(await candidates()).toEqual([])
  expect(await pairs()).toEqual([])
  expect((await get<EntityNeighborhood>(id, `entities/${wrong}`)).entity.id).toBe(wrong)
})

test('a pair that a person calls two things is neither proposed nor merged again', async () => {
  const id = await app.workspace(owner)
  await write(id, [
    'Martin Kestrel met Ingrid Solheim in Oslo. Martin Kestrel left.',
    'Marten Kestrel is another. Marten Kestrel lives in Bergen.',
  ])
  const pairs = async () => (await get<Page<Duplicate>>(id, 'duplicates')).data
  const [proposed] = await pairs()
  const [one, other] = [proposed?.entity.id, proposed?.other.id]
  const at = `/v1/workspaces/${id}/entities/${one}/merges/${other}`
  expect((await app.send('DELETE', at, token)).status).toBe(204)
  expect(await pairs()).toEqual([])
  const reverse = `entities/${other}/candidates`
  expect((await get<Page<MergeCandidate>>(id, reverse)).data.map(({ entity }) => entity.id)).not.toContain(
    one,
  )
  expect((await get<Page<Merge>>(id, `entities/${one}/merges`)).data).toMatchObject([
    { entity_id: other, into_id: one, state: 'undone', reason: 'kept apart by hand' },
  ])
  const activity = bodyOf<Page<Activity>>(await app.send('GET', `/v1/workspaces/${id}/activity`, token))
  expect(activity.data[0]).toMatchObject({
    action: 'merge_rejected',
    subject: one,
    detail: { merged: other },
  })
  // It may be merged after all.
  expect((await app.send('PUT', at, token)).status).toBe(200)
  expect((await get<EntityNeighborhood>(id, `entities/${other}`)).entity.id).toBe(one)
  // Nothing is said about an entity and itself.
  expect((await app.send('DELETE', `/v1/workspaces/${id}/entities/${one}/merges/${one}`, token)).status).toBe(
    404,
  )
})

describe('passages', () => {
  const texts = [
    'Ingrid Solheim works for Tidewick Instruments.',
    'Nobody is named here, only the weather.',
    'In spring Ingrid Solheim travelled, and Ingrid Solheim came back.',
    'Tidewick Instruments is located in Aldermouth.',
  ]
  let id: string
  let ingrid: string
  beforeAll(async () => {
    id = await app.workspace(owner)
    ingrid = entityId(id, 'ingrid solheim')
    await write(id, texts)
    await write(id, ['Long after that, Ingrid Solheim wrote her memoirs.'])
  })

  test('in pages that meet; spans stand on names', async () => {
    const whole = await get<Page<Evidence>>(id, `entities/${ingrid}/evidence`)
    expect(whole.data).toHaveLength(3)
    const paged: Evidence[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
      const page: Page<Evidence> = await get(id, `entities/${ingrid}/evidence?limit=1${query}`)
      paged.push(...page.data)
      cursor = page.next_cursor
    } while (cursor)
    expect(paged).toEqual(whole.data)
    for (const { text, spans } of whole.data) {
      expect(spans.length).toBeGreaterThan(0)
      for (const { start, end } of spans) expect(text.slice(start, end)).toBe('Ingrid Solheim')
    }
  })

  test('with another entity: the sentences that say how they are related', async () => {
    const other = entityId(id, nameKey('Tidewick Instruments'))
    const { data } = await get<Page<Evidence>>(id, `entities/${ingrid}/evidence?with=${other}`)
    expect(data.map(({ text, spans }) => spans.map((span) => text.slice(span.start, span.end)))).toEqual([
      [texts[0]],
    ])
    expect((await get<Page<Evidence>>(id, `entities/${ingrid}/evidence?with=${randomUUID()}`)).data).toEqual(
      [],
    )
  })

  test('a cursor belongs to its entity, an entity to its workspace', async () => {
    const { next_cursor } = await get<Page<Evidence>>(id, `entities/${ingrid}/evidence?limit=1`)
    const other = entityId(id, nameKey('Tidewick Instruments'))
    const path = `/v1/workspaces/${id}/entities/${other}/evidence?cursor=${encodeURIComponent(next_cursor ?? '')}`
    expect((await app.send('GET', path, token)).status).toBe(422)
    const foreign = await app.workspace(owner)
    const there = `/v1/workspaces/${foreign}/entities/${ingrid}/evidence`
    expect((await app.send('GET', there, token)).status).toBe(404)
  })
})

describe('the list', () => {
  const people = Array.from({ length: 26 }, (_, i) => {
    const letter = String.fromCharCode(97 + i)
    return `Peter ${letter.toUpperCase()}${letter === 'a' ? 'b' : 'a'}rsh`
  })

  test('every entity exactly once while another workspace grows', async () => {
    const [id, other] = [await app.workspace(owner), await app.workspace(owner)]
    await write(
      id,
      people.map((name) => `Yesterday ${name} met Ingrid Solheim in Oslo.`),
    )
    const all = (await get<Page<Entity>>(id, 'entities?limit=200')).data
    expect(all.length).toBeGreaterThan(people.length)
    const seen: Entity[] = []
    let cursor: string | null = null
    for (let n = 0; ; n++) {
      const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
      const page: Page<Entity> = await get(id, `entities?limit=5${query}`)
      seen.push(...page.data)
      cursor = page.next_cursor
      if (!cursor) break
      await write(other, [`Today ${people[n]} met Ingrid Solheim in Oslo, as ${people[n + 1]} knows.`])
    }
    expect(seen).toEqual(all)
  })

  test('a name with a typo finds its entity; themes are those of the documents that are left', async () => {
    const [id, alone] = [await app.workspace(owner), await app.workspace(owner)]
    const kept = ['Ingrid Solheim founded Tidewick Instruments.', 'Ingrid Solheim lives in Aldermouth.']
    await write(id, kept)
    const gone = await write(id, ['Peter Marsh founded Tidewick Instruments.', ...EXPLAINED])
    await write(id, PLAIN, gone)
    await app.send('DELETE', `/v1/workspaces/${id}/documents/${gone}`, token)
    await dropGraph(app.deps, { workspaceId: id, documentId: gone })
    await write(alone, kept)
    const { data } = await get<Page<Entity>>(id, 'entities?q=Tidewik%20Instrments')
    expect(data[0]?.name).toBe('Tidewick Instruments')
    const nameless = async (workspaceId: string) => {
      const themes = await get<Themes>(workspaceId, 'themes')
      const top = themes.top_entities.map(({ id: _id, ...entity }) => entity)
      return { ...themes, top_entities: top.sort((a, b) => (a.name < b.name ? -1 : 1)) }
    }
    expect(await nameless(id)).toEqual(await nameless(alone))
  })
})
