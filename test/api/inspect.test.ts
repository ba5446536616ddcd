// The inspector: what it says of a search is what the search did.

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InspectedHit, Inspection } from '../../src/contract/inspection.ts'
import type { SearchResults } from '../../src/contract/resources.ts'
import { withDocument } from '../../src/search/fusion.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { indexGraph } from '../support/graph.ts'
import { pages, putDocument, settle } from '../support/put.sql.ts'

let app: TestApp
let owner: Person
let token: string
let id: string
const [yard, boats, notes] = [randomUUID(), randomUUID(), randomUUID()]

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  token = await app.token(owner)
  id = await app.workspace(owner)
  const put = (document: string, texts: string[], title: string) =>
    putDocument(app.deps.db, id, document, pages(texts), { title })
  await put(
    yard,
    [
      'Ada Holm runs the repair yard. The repair yard keeps the keel, the mast and the rudder of the cutter Gannet.',
      'The yard closes in winter. Nobody repairs anything then.',
    ],
    'Yard',
  )
  await put(
    boats,
    ['Ada Holm was born in Aldermouth.', 'The measured length of the Gannet is nine metres.'],
    'People',
  )
  await put(
    notes,
    Array.from({ length: 6 }, (_, i) => `Note ${i} is about ropes and sails number ${i}.`),
    'Notes',
  )
  await settle(app.deps.db, id)
})
afterAll(() => app.close())

const at = (path: string): string => `/v1/workspaces/${id}${path}`
const inspect = async (body: object): Promise<Inspection> =>
  bodyOf<Inspection>(await app.send('POST', at('/search/inspect'), token, { body }))

test('its hits are those of the search, in that order and with that text', async () => {
  for (const query of ['repair yard', 'measurd length of the Gannet', 'the', 'zebra', '"repair yard" keel']) {
    const found = bodyOf<SearchResults>(await app.send('POST', at('/search'), token, { body: { query } }))
    const { data } = await inspect({ query })
    expect(data.map(({ chunk }) => chunk)).toEqual(found.data)
  }
})

test('scores are those of the statements: a passage’s words add up to it, and with its document to the next step', async () => {
  const { data, candidates, steps } = await inspect({ query: 'repair yard keel mast' })
  expect(candidates).toEqual({ from: 'all', ranked: 2 })
  expect(steps).toEqual(['words', 'document', 'spread', 'rows'])
  expect(data).toHaveLength(2)
  for (const [i, { legs, matched, steps: places }] of data.entries()) {
    const words = legs.words?.score ?? 0
    expect(words).toBeGreaterThan(0)
    const sum = matched.reduce((total, { score }) => total + score, 0)
    expect(Math.abs(sum - words)).toBeLessThan(1e-4 * words)
    const joined = places.find(({ step }) => step === 'document')?.score
    expect(joined).toBeCloseTo(withDocument(words, legs.document?.score ?? null), 9)
    expect(places.at(-1)).toMatchObject({ step: 'rows', rank: i + 1 })
    expect([legs.meaning, legs.second_hop]).toEqual([null, null])
  }
  const [first] = data
  expect(first?.matched.map(({ term }) => term)).toEqual(
    expect.arrayContaining(['repair', 'yard', 'repair yard', 'keel', 'mast']),
  )
  expect(first?.indexed).toMatchObject({ title: 'Yard', language: 'en', text: first?.chunk.text })
  const heaviest = first?.indexed.terms.map(({ weight }) => weight) ?? []
  expect(heaviest.toSorted((a, b) => b - a)).toEqual(heaviest)
})

test('the share of the words ends at one, however often a passage has them', async () => {
  const songs = await app.workspace(owner)
  await putDocument(app.deps.db, songs, randomUUID(), pages([`${'Halyard capstan. '.repeat(40)}`]), {
    title: 'Shanty',
  })
  await putDocument(app.deps.db, songs, randomUUID(), pages(['The halyard is made of hemp.']), {
    title: 'Ropes',
  })
  await settle(app.deps.db, songs)
  const body = { query: 'halyard capstan' }
  const answer = await app.send('POST', `/v1/workspaces/${songs}/search/inspect`, token, { body })
  const shares = bodyOf<Inspection>(answer).data.map((hit) => hit.shares.words)
  expect(shares).toHaveLength(2)
  expect(shares[0]).toBeGreaterThan(0.9)
  expect(shares[0]).toBeLessThan(1)
  expect(shares[1]).toBeLessThan(0.5)
})

test('it says how the query was read: what was corrected, quoted, filtered', async () => {
  const typo = await inspect({ query: 'measurd lenght' })
  expect(typo.understood.corrections).toEqual([
    { typed: 'measurd', terms: ['measur'] },
    { typed: 'lenght', terms: ['length'] },
  ])
  expect(typo.understood.terms).toContainEqual(
    expect.objectContaining({ term: 'length', origin: 'correction', chunks: 1, weight: 1 }),
  )
  const words = typo.understood.terms.map(({ term, word, stands_for }) => ({ term, word, stands_for }))
  expect(words).toContainEqual({ term: 'measur', word: 'measured', stands_for: 'measurd' })
  expect(words).toContainEqual({ term: 'measurd', word: 'measurd', stands_for: null })
  expect(typo.data[0]?.matched).toContainEqual(
    expect.objectContaining({ term: 'length', word: 'length', stands_for: 'lenght' }),
  )
  expect(typo.data[0]?.indexed.terms).toContainEqual(expect.objectContaining({ term: 'nine', word: 'nine' }))
  expect(typo.understood).toMatchObject({ languages: ['en'], chunks: 10, documents: 3, meaning: 'none' })
  expect(typo.data[0]?.chunk.text).toContain('measured length')
  const quoted = await inspect({ query: '"Repair Yard"', scope: 'kind:text' })
  expect(quoted.understood).toMatchObject({ phrases: ['repair yard'], scope: 'kind:text' })
  expect(await inspect({ query: 'the' })).toMatchObject({ candidates: { from: 'literal' } })
  expect(await inspect({ query: 'zebra' })).toMatchObject({
    candidates: { from: 'none', ranked: 0 },
    data: [],
  })
  const unknown = await app.send('POST', at('/search/inspect'), token, {
    body: { query: 'x', scope: 'kind:no' },
  })
  expect(unknown.status).toBe(404)
})

test('a passage that a name led to says where from', async () => {
  for (const documentId of [yard, boats]) await name(documentId, 'Ada Holm')
  const query = 'Where was the person born who runs the repair yard with the keel and the mast?'
  const { data, understood, steps } = await inspect({ query })
  expect([understood.second_hop, steps.includes('second_hop')]).toEqual([true, true])
  const led = data.find(({ legs }) => legs.second_hop)
  expect(led?.chunk.text).toContain('born in Aldermouth')
  const from = data[(led?.legs.second_hop?.from_rank ?? 0) - 1]
  expect(from?.chunk.id).toBe(led?.legs.second_hop?.from_chunk_id)
  expect(from?.chunk.text).toContain('repair yard')
  const scoreAt = (hit: InspectedHit | undefined, step: string): number =>
    hit?.steps.find((place) => place.step === step)?.score ?? 0
  expect(scoreAt(led, 'second_hop')).toBeGreaterThan(scoreAt(led, 'spread'))
})

/** The person that the first chunk of a document begins with, as the graph's task writes it. */
async function name(documentId: string, surface: string): Promise<void> {
  const [version] = await app.deps.db.rows<{ version_id: string }>(sql`
    SELECT version_id FROM document WHERE workspace_id = ${id} AND id = ${documentId}`)
  const place = { chunk_no: 0, start: 0, end: surface.length }
  const mention = { ...place, key: surface.toLowerCase(), surface, own: true, type: 'person' as const }
  const key = { workspaceId: id, documentId, versionId: version?.version_id ?? '' }
  const never = new AbortController().signal
  await indexGraph(
    app.deps,
    key,
    { mentions: [mention], relations: [] },
    { signal: never, fence: async () => {} },
  )
}
