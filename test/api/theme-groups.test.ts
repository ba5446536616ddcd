// Groups of documents by meaning: what they contain, when there are none, and that they follow the documents.

import { randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Entity, Page, ThemeGroup, Themes } from '../../src/contract/resources.ts'
import { findOrCreateSpace } from '../../src/embed/spaces.sql.ts'
import { extractGraph } from '../../src/graph/extract/extract.ts'
import { selectGraphSources } from '../../src/graph/task.sql.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { selectFirstPassages, selectNames, selectState } from '../../src/themes/groups.sql.ts'
import { groupsOf as makeGroupsOf } from '../../src/themes/groups.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { ON_CITUS } from '../support/database.ts'
import { indexGraph } from '../support/graph.ts'
import { callRaw, resultOf } from '../support/mcp.ts'
import { rowsRead } from '../support/plan.ts'
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

const LEASE = [
  'Corrigan Estates lets the premises in Aldermouth to the tenant for a rent of 900 a month.',
  'The tenant pays a deposit to Corrigan Estates before the keys of the premises are handed over.',
  'Corrigan Estates may end the lease with a written notice if the tenant does not pay the rent.',
  'When the lease ends, the tenant returns the keys and the deposit is paid back by Corrigan Estates.',
]
const GAUGE = [
  'The gauge measures the water level in the harbour with a pressure sensor, says Ingrid Solheim.',
  'Ingrid Solheim calibrates every pressure sensor of the gauge in the water of the harbour.',
  'A sensor of the gauge that has lost its calibration shows a water level that is too high in the harbour.',
  'Before the gauge is put into the water, Ingrid Solheim reads the pressure of its sensor in the harbour.',
]

async function write(workspaceId: string, text: string): Promise<string> {
  const { db } = app.deps
  const documentId = randomUUID()
  await putDocument(db, workspaceId, documentId, pages([text]), { title: text.slice(0, 20) })
  const [row] = await db.rows<{ version_id: string }>(
    sql`SELECT version_id FROM document WHERE workspace_id = ${workspaceId} AND id = ${documentId}`,
  )
  const versionId = row?.version_id ?? ''
  const sources = await selectGraphSources(db, {
    workspaceId,
    versionIds: [versionId],
    maxCharacters: 100_000,
  })
  const extraction = extractGraph({ title: 'paper', language: 'en' }, sources.get(versionId)?.chunks ?? [])
  const { signal } = new AbortController()
  await indexGraph(app.deps, { workspaceId, documentId, versionId }, extraction, {
    signal,
    fence: async () => {},
  })
  return documentId
}

async function groupsOf(workspaceId: string): Promise<ThemeGroup[]> {
  const answer = await app.send('GET', `/v1/workspaces/${workspaceId}/themes?groups=12`, token)
  expect(answer.status, answer.text).toBe(200)
  return bodyOf<Themes>(answer).groups ?? []
}

test('two subjects are two groups, each with its terms, names and a sentence of its documents', async () => {
  const id = await app.workspace(owner, 'Two subjects')
  const leases = await Promise.all(LEASE.map((text) => write(id, text)))
  await write(id, GAUGE[0] ?? '')
  expect(await groupsOf(id)).toEqual([])
  for (const text of GAUGE.slice(1)) await write(id, text)

  const groups = await groupsOf(id)
  expect(groups.map(({ document_count }) => document_count)).toEqual([4, 4])
  const ofLeases = groups.find(({ documents }) => documents.some((document) => document.id === leases[0]))
  const ofGauges = groups.find((group) => group !== ofLeases)
  expect(ofLeases?.documents.map((document) => document.id).toSorted()).toEqual(leases.toSorted())
  expect(LEASE).toContain(ofLeases?.quote?.text)
  expect(GAUGE).toContain(ofGauges?.quote?.text)
  expect(leases).toContain(ofLeases?.quote?.document_id)
  expect(ofLeases?.entities.map(({ name }) => name)).toContain('Corrigan Estates')
  expect(ofGauges?.entities.map(({ name }) => name)).toContain('Ingrid Solheim')
  expect(ofLeases?.terms).toContain('tenant')
  expect(ofGauges?.terms).toEqual(expect.arrayContaining(['pressure sensor']))
  expect(await groupsOf(id)).toEqual(groups)

  const { themes } = resultOf<{ themes: { groups: string }[] }>(
    await callRaw(app, token, 'themes', { workspace: id }),
  )
  const lines = themes[0]?.groups.split('\n') ?? []
  expect(lines).toHaveLength(2)
  for (const [i, { document_count, quote }] of groups.entries())
    expect(lines[i]).toMatch(
      new RegExp(`^${document_count} documents: .*“${quote?.text}” \\(${quote?.document_id.slice(0, 8)}\\.`),
    )
  expect(themes[0]?.groups).toContain('Corrigan Estates')
})

test('a deleted document is in no group any more', async () => {
  const id = await app.workspace(owner, 'A deletion')
  for (const text of [...LEASE, ...GAUGE]) await write(id, text)
  const [group] = await groupsOf(id)
  const quoted = group?.quote?.document_id ?? ''
  expect((await app.send('DELETE', `/v1/workspaces/${id}/documents/${quoted}`, token)).status).toBe(204)
  const groups = await groupsOf(id)
  expect(groups.map(({ document_count }) => document_count)).toEqual([4, 3])
  expect(JSON.stringify(groups)).not.toContain(quoted)
})

function signal(): { sent: Promise<void>; send(): void } {
  let send = (): void => {}
  const sent = new Promise<void>((resolve) => {
    send = resolve
  })
  return { sent, send: () => send() }
}

test('after one merge is undone and another is made, the groups have the names of now', async () => {
  const id = await app.workspace(owner, 'Merges')
  for (const text of [...LEASE, ...GAUGE]) await write(id, text)
  const idOf = async (q: string): Promise<string> => {
    const answer = await app.send('GET', `/v1/workspaces/${id}/entities?q=${encodeURIComponent(q)}`, token)
    return bodyOf<Page<Entity>>(answer).data[0]?.id ?? ''
  }
  const [estates, solheim, place] = await Promise.all(
    ['Corrigan Estates', 'Ingrid Solheim', 'Aldermouth'].map(idOf),
  )
  const merge = (method: string, other: string | undefined) =>
    app.send(method, `/v1/workspaces/${id}/entities/${estates}/merges/${other}`, token)
  const namesOf = (groups: readonly ThemeGroup[]) =>
    groups.flatMap(({ entities }) => entities.map(({ name }) => name))
  await merge('PUT', solheim)
  expect(namesOf(await groupsOf(id))).not.toContain('Ingrid Solheim')
  await merge('DELETE', solheim)
  await merge('PUT', place)
  expect(namesOf(await groupsOf(id))).toContain('Ingrid Solheim')
})

test('who asks after a deletion gets groups of after it, although others wait for earlier ones', async () => {
  const id = await app.workspace(owner, 'A deletion meanwhile')
  const ids = await Promise.all([...LEASE, ...GAUGE].map((text) => write(id, text)))
  let statements = 0
  const deletion = signal()
  const reading = signal()
  // The documents are read by then, and the names are not.
  const STATEMENTS_BEFORE = 3
  const { db } = app.deps
  const rows: typeof db.rows = async (query) => {
    if (++statements === STATEMENTS_BEFORE + 1) {
      reading.send()
      await deletion.sent
    }
    return await db.rows(query)
  }
  const earlier = makeGroupsOf({ ...app.deps, db: { ...db, rows } }, id)
  await reading.sent
  const deleted = ids[0] ?? ''
  expect((await app.send('DELETE', `/v1/workspaces/${id}/documents/${deleted}`, token)).status).toBe(204)
  const asking = signal()
  const laterRows: typeof db.rows = (query) => {
    setTimeout(asking.send)
    return db.rows(query)
  }
  const later = makeGroupsOf({ ...app.deps, db: { ...db, rows: laterRows } }, id)
  await asking.sent
  deletion.send()
  expect(JSON.stringify(await earlier)).toContain(deleted)
  expect(JSON.stringify(await later)).not.toContain(deleted)
  expect(JSON.stringify(await groupsOf(id))).not.toContain(deleted)
})

test('documents that are added are grouped after a rest, which is as long as it took ten times', async () => {
  const id = await app.workspace(owner, 'Additions')
  for (const text of [...LEASE, ...GAUGE]) await write(id, text)
  const { db } = app.deps
  let clock = 0
  const read = async (): Promise<{ count: number; statements: number; ids: string }> => {
    let statements = 0
    const rows: typeof db.rows = async (query) => {
      // The calculation takes 100 ms.
      if (++statements === 3) clock += 100
      return await db.rows(query)
    }
    const groups = await makeGroupsOf({ ...app.deps, db: { ...db, rows } }, id, () => clock)
    const count = groups.reduce((sum, { document_count }) => sum + document_count, 0)
    return { count, statements, ids: JSON.stringify(groups) }
  }
  expect((await read()).count).toBe(8)
  await write(id, 'The tenant pays the rent of the premises before the lease begins.')
  expect(await read()).toMatchObject({ count: 8, statements: 1 })
  clock += 1000
  expect((await read()).count).toBe(9)
  // What is deleted goes at once.
  const last = await write(id, 'The tenant has lost the keys of the premises and pays for them.')
  expect((await read()).count).toBe(9)
  expect((await app.send('DELETE', `/v1/workspaces/${id}/documents/${last}`, token)).status).toBe(204)
  const afterDeletion = await read()
  expect(afterDeletion.count).toBe(9)
  expect(afterDeletion.statements).toBeGreaterThan(1)
})

test('who asks while a calculation runs and documents are added gets its result', async () => {
  const id = await app.workspace(owner, 'An addition meanwhile')
  for (const text of [...LEASE, ...GAUGE]) await write(id, text)
  let statements = 0
  const addition = signal()
  const reading = signal()
  const { db } = app.deps
  const rows: typeof db.rows = async (query) => {
    if (++statements === 5) {
      reading.send()
      await addition.sent
    }
    return await db.rows(query)
  }
  const earlier = makeGroupsOf({ ...app.deps, db: { ...db, rows } }, id)
  await reading.sent
  await write(id, 'The tenant pays the rent of the premises before the lease begins.')
  let laterStatements = 0
  const asking = signal()
  const laterRows: typeof db.rows = (query) => {
    laterStatements++
    setTimeout(asking.send)
    return db.rows(query)
  }
  const later = makeGroupsOf({ ...app.deps, db: { ...db, rows: laterRows } }, id)
  await asking.sent
  addition.send()
  expect(await later).toEqual(await earlier)
  expect(laterStatements).toBe(1)
})

test.skipIf(ON_CITUS)(
  'a workspace that the statistics do not know is read once, not each document with each',
  async () => {
    const DOCUMENTS = 300
    const { db } = app.deps
    const space = await findOrCreateSpace(db, 'onnx:test', 4)
    const fill = async (): Promise<string> => {
      const id = await app.workspace(owner, 'Many')
      await db.rows(sql`
      INSERT INTO workspace_space (workspace_id, space_id, state) VALUES (${id}, ${space.id}, 'serving')
      ON CONFLICT DO NOTHING`)
      await db.rows(sql`
      WITH made AS (
        INSERT INTO document (workspace_id, id, version_id, path, title, title_key, provider, kind, content_hash, language,
          chunk_count, has_tables, uploaded_at)
        SELECT ${id}::uuid, md5('d' || n)::uuid, md5('v' || n)::uuid, 'many/' || n, 'Many', 'many', 'upload', 'text',
          md5('h' || n), 'en', 1, false, now()
        FROM generate_series(1, ${DOCUMENTS}::int) AS n RETURNING id, version_id
      ), graphs AS (
        INSERT INTO document_graph (workspace_id, version_id, document_id, state, settled)
        SELECT ${id}, version_id, id, 'live', true FROM made
      ), mentions AS (
        INSERT INTO mention (workspace_id, version_id, chunk_no, mention_no, entity_id, key, surface, own, type, start_at, end_at)
        SELECT ${id}, version_id, 0, 0, id, 'k', 's', true, 'person', 0, 1 FROM made
      ), entities AS (
        INSERT INTO entity (workspace_id, id, key, name, name_key, type, mention_count, document_count, aliases, keys, words)
        SELECT ${id}, id, 'k', 's', 's', 'person', 1, 1, '{}', '{}', '{}' FROM made
      )
      INSERT INTO version_space (workspace_id, version_id, space_id, state)
      SELECT ${id}, version_id, ${space.id}, 'filled' FROM made`)
      return id
    }
    await fill()
    await db.rows(raw('ANALYZE'))
    const id = await fill()
    const [versions] = await db.rows<{ ids: string[] }>(
      sql`SELECT array_agg(version_id) AS ids FROM document WHERE workspace_id = ${id}`,
    )
    const someIds = versions?.ids.slice(0, 100) ?? []
    const statements = {
      state: (on: Db) => selectState(on, id),
      names: (on: Db) => selectNames(on, id, someIds, { mentionsPerDocument: 5, names: 100 }),
      passages: (on: Db) => selectFirstPassages(on, id, someIds, 3),
    }
    for (const [name, read] of Object.entries(statements))
      for (const table of ['document', 'version_space', 'document_graph', 'mention', 'entity'])
        expect(await rowsRead(db, table, read), `${table} for ${name}`).toBeLessThanOrEqual(2 * DOCUMENTS)
  },
)

test('what is read after access was lost is not kept for others', async () => {
  const id = await app.workspace(owner, 'A leaver')
  for (const text of [...LEASE, ...GAUGE]) await write(id, text)
  let statements = 0
  const { db } = app.deps
  // As after the end of a membership: row-level security shows no rows any more.
  const rows: typeof db.rows = async (query) => (++statements > 2 ? [] : await db.rows(query))
  await makeGroupsOf({ ...app.deps, db: { ...db, rows } }, id)
  const groups = await groupsOf(id)
  expect(groups.map(({ quote }) => quote?.text)).not.toContain(undefined)
  expect(groups).toHaveLength(2)
})

test('without the parameter there are no groups, and a workspace of others has none to show', async () => {
  const id = await app.workspace(owner, 'Closed')
  for (const text of [...LEASE, ...GAUGE]) await write(id, text)
  expect(bodyOf<Themes>(await app.send('GET', `/v1/workspaces/${id}/themes`, token))).not.toHaveProperty(
    'groups',
  )
  expect(await groupsOf(id)).toHaveLength(2)
  const stranger = await app.token(await app.person())
  expect((await app.send('GET', `/v1/workspaces/${id}/themes?groups=12`, stranger)).status).toBe(404)
})
