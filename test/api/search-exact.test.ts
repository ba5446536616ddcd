// The ranking equals a reference BM25 in this file, on random documents, also after replacing and deleting, and before and after
// frequencies are folded.

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../src/auth/caller.ts'
import { retireDocuments } from '../../src/documents/documents.sql.ts'
import { drawIndex, seededRandom } from '../../src/eval/measure/random.ts'
import { nextStep } from '../../src/index/fold.sql.ts'
import { termHash } from '../../src/index/weights.ts'
import { analyse } from '../../src/language/analyse.ts'
import { analysedText } from '../../src/language/analysed-text.ts'
import { openMemoryCache } from '../../src/ports/cache/memory-cache.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import {
  selectCandidates,
  selectRanked,
  type TermFilter,
} from '../../src/search/candidates/candidates.sql.ts'
import type { Filter } from '../../src/search/candidates/filter.sql.ts'
import { bestInMemory } from '../../src/search/candidates/in-memory.ts'
import { selectCombinations } from '../../src/search/candidates/narrow.ts'
import { withDocument } from '../../src/search/fusion.ts'
import { readRanking } from '../../src/search/memory/memory.ts'
import type { Ranking } from '../../src/search/memory/ranking.ts'
import { type Hit, selectPassages } from '../../src/search/passage.sql.ts'
import type { Passage } from '../../src/search/passage.ts'
import { selectFrequencies } from '../../src/search/query/query.sql.ts'
import { float32Query, queryVectorOf, type WeightedTerm, weighQuery } from '../../src/search/query/query.ts'
import { findPassages, searchWithMissing } from '../../src/search/search.ts'
import { deleteWorkspaceRow, purgeBatch } from '../../src/workspaces/purge.sql.ts'
import { insertWorkspace, markDeleted } from '../../src/workspaces/workspaces.sql.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { pages, putDocument, settle, someone, workspaceFor } from '../support/put.sql.ts'

let database: TestDatabase
let db: Db
let caller: Caller & { userId: string }

beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
  caller = await someone(db)
})
afterAll(async () => {
  await db.close()
  await database.close()
})

const workspace = (): Promise<string> => workspaceFor(db, caller)

const vocabulary = 'pump valve motor harbour lease notice rudder cleat mooring winch'.split(' ')
const title = 'paper'

const put = (workspaceId: string, documentId: string, texts: string[]): Promise<Map<string, string>> =>
  putDocument(db, workspaceId, documentId, pages(texts), { title })

interface Bag {
  counts: Map<string, number>
  length: number
}

/**
 * .6 of the chunk's BM25 and .4 of its document's, each further chunk of a document times .95; k1 1.2, b .75, idf
 * to the power of 1.5, a word said n times the root of n times, notice as an everyday word .6, lengths 120 and 1,000, title
 * twice, pairs at .3 and counted in a sample, a single chunk is its document: written apart from the product. By chunk id.
 */
function reference(documents: Map<string, string>[], query: string): Map<string, number> {
  const chunks = documents.flatMap((texts, document) =>
    [...texts].map(([id, text]) => ({ id, text, document, bag: bagOf([text]) })),
  )
  const wholes = documents.map((texts) => bagOf([...texts.values()]))
  const said = analyse(query, 'en')
  const times = (term: string): number => said.filter((other) => other.term === term).length
  const weights = new Map(
    said.map(({ term, kind }) => [
      term,
      (kind === 'pair' ? 0.3 : 1) * (term === 'notic' ? 0.6 : 1) * Math.sqrt(times(term)),
    ]),
  )
  // A pair is counted in the chunks of the sample, for eight each; it is in one chunk at least and in no more than its words.
  const held = (term: string) => chunks.filter(({ bag }) => bag.counts.has(term))
  const frequency = (term: string): number => {
    if (!term.includes(' ')) return held(term).length
    const counted = held(term).filter(({ text }) => termHash(text) % 8 === 0)
    const [first = 0, second = 0] = term.split(' ').map((word) => held(word).length)
    return Math.min(first, second, Math.max(1, 8 * counted.length))
  }
  const asked = [...weights].map(([term, weight]) => {
    const df = frequency(term)
    return { term, weight: weight * Math.log(1 + (chunks.length - df + 0.5) / (df + 0.5)) ** 1.5, df }
  })
  const bm25 = ({ counts, length }: Bag, average: number): number =>
    asked.reduce((sum, { term, weight, df }) => {
      const tf = (df > 0 && counts.get(term)) || 0
      return sum + (weight * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * length) / average))
    }, 0)
  const mixed = chunks
    .map(({ id, document, bag }) => {
      const whole = (documents[document]?.size ?? 0) > 1 ? wholes[document] : undefined
      const own = bm25(bag, 120)
      return { id, document, own, score: 0.6 * own + 0.4 * (whole ? bm25(whole, 1000) : own) }
    })
    .filter(({ own }) => own > 0)
    .sort((x, y) => y.score - x.score || (x.id < y.id ? -1 : 1))
  return new Map(
    mixed.map(({ id, document, score }, place) => {
      const before = mixed.slice(0, place).filter((other) => other.document === document).length
      return [id, score * 0.95 ** before]
    }),
  )
}

/** The terms of texts under one title, which counts twice. */
function bagOf(texts: string[]): Bag {
  const counts = new Map<string, number>()
  let length = 0
  for (const [part, times] of [[title, 2] as const, ...texts.map((text) => [text, 1] as const)]) {
    for (const { term, kind } of analyse(part, 'en')) {
      counts.set(term, (counts.get(term) ?? 0) + times)
      if (kind === 'word') length += times
    }
  }
  return { counts, length }
}

const text = fc
  .array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 30 })
  .map((words) => words.join(' '))
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ put: fc.nat(3), texts: fc.array(text, { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ settle: fc.integer({ min: 1, max: 6 }) }) },
)

test('search equals the reference after every change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), text, async (changes, query) => {
      const id = await workspace()
      const documents = Array.from({ length: 4 }, () => randomUUID())
      const live = new Map<string, Map<string, string>>()
      for (const step of changes) {
        if ('put' in step) {
          const documentId = documents[step.put] ?? ''
          live.set(documentId, await put(id, documentId, step.texts))
        } else if ('remove' in step) {
          const documentId = documents[step.remove] ?? ''
          await db.tx((tx) => retireDocuments(tx, id, [documentId]))
          live.delete(documentId)
        } else await settle(db, id, step.settle)
        await expectSame(id, [...live.values()], query)
      }
    }),
    { numRuns: 20, endOnFailure: true },
  )
})

test('what is kept in memory is ranked as the database ranks all chunks, to the last bit, after every change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), text, async (changes, query) => {
      const id = await workspace()
      const documents = Array.from({ length: 4 }, () => randomUUID())
      const [rare, common] = [randomUUID(), randomUUID()]
      let kept: Ranking | undefined
      for (const step of changes) {
        if ('put' in step) await put(id, documents[step.put] ?? '', step.texts)
        else if ('remove' in step)
          await db.tx((tx) => retireDocuments(tx, id, [documents[step.remove] ?? '']))
        else await settle(db, id, step.settle)
        kept = (await readRanking(db, id, kept))?.value
        const known = await weighQuery(db, id, analysedText(query), { isCorrecting: false })
        if (!known || !kept) throw new Error('the workspace is gone')
        const queryVector = queryVectorOf(known.terms)
        const least = { meaning: undefined, chunks: known.chunks, resultCount: 4 }
        await mentionEverySecond(id, [rare, common])
        const some = { documents: documents.slice(0, 2) }
        const filters: Filter[] = [
          {},
          some,
          { scope: 'kind:text' },
          { ...some, properties: { kind: 'text' } },
        ]
        const named = [[rare], [common], [rare, common]].flatMap((entityIds) =>
          filters.map((filter) => ({ ...filter, entityIds })),
        )
        for (const filter of [...filters, ...named])
          for (const limit of [2, 6]) {
            const wanted = { ...least, filter, limit, phrases: [], queryVector, termFilter: undefined }
            const asked = { query: float32Query(known.terms), limit, filter, chunks: known.chunks }
            const best = (await bestInMemory(db, id, kept, asked)) ?? []
            expect(await selectRanked(db, id, best, least)).toEqual(await selectCandidates(db, id, wanted))
          }
      }
    }),
    { numRuns: 8, endOnFailure: true },
  )
})

/** As graphs would name them: the first in a few passages by its own count, the others in very many. */
async function mentionEverySecond(workspaceId: string, entityIds: string[]): Promise<void> {
  await db.rows(sql`DELETE FROM document_graph WHERE workspace_id = ${workspaceId}`)
  await db.rows(sql`
    INSERT INTO document_graph (workspace_id, version_id, document_id, state, settled)
    SELECT workspace_id, version_id, id, 'live', true FROM document WHERE workspace_id = ${workspaceId}`)
  for (const [n, entityId] of entityIds.entries()) {
    await db.rows(sql`
      INSERT INTO mention (workspace_id, version_id, chunk_no, mention_no, entity_id, key, surface, own, type, start_at,
        end_at)
      SELECT workspace_id, version_id, chunk_no, 4 * chunk_no + 2 * ${n}::int + again, ${entityId}, 'k', 's', true, 'work', 0, 1
      FROM chunk, generate_series(0, 1) AS again
      WHERE workspace_id = ${workspaceId} AND chunk_no % 2 = ${n % 2}::int ON CONFLICT DO NOTHING`)
    await db.rows(sql`
      INSERT INTO entity (workspace_id, id, key, name, name_key, type, mention_count, document_count, aliases, keys,
        words)
      VALUES (${workspaceId}, ${entityId}, 'k', 's', 's', 'work', ${n === 0 ? 1 : 1000}::int, 1, '{}', '{}', '{}')
      ON CONFLICT DO NOTHING`)
  }
}

test('a workspace that is searched again and again is kept in memory, as it is at the moment', async () => {
  const id = await workspace()
  const first = randomUUID()
  await put(id, first, ['pump and valve', 'motor and rudder'])
  const options = { maxBytes: 2 ** 20, minSize: 1, minRequests: 2, restMs: 0, waitMs: 60_000 }
  const memory = openMemoryCache({ ...options, onError: (error) => expect(error).toBeUndefined() })
  const asked: string[] = []
  const rows: Db['rows'] = (statement) => {
    asked.push(statement.text)
    return db.rows(statement)
  }
  const search = async (
    query: string,
    filter: Filter = {},
  ): Promise<{ texts: string[]; isKept: boolean }> => {
    asked.length = 0
    const deps = {
      db: { ...db, rows },
      log: silent,
      embedder: async () => ({ kind: 'none' as const }),
      memory,
    }
    const found = await findPassages(deps, caller, id, {
      query,
      limit: 5,
      without: ['correction'],
      ...filter,
    })
    return { texts: found.map(({ text }) => text), isKept: asked.some((text) => text.includes('titled')) }
  }
  expect(await search('pump')).toEqual({ texts: ['pump and valve'], isKept: false })
  while (!(await search('pump')).isKept);
  expect(await search('pump')).toEqual({ texts: ['pump and valve'], isKept: true })
  await put(id, randomUUID(), ['a pump of today'])
  // What has changed is read before the answer.
  const now = await search('pump')
  expect([now.texts.toSorted(), now.isKept]).toEqual([['a pump of today', 'pump and valve'], true])
  const kept = await search('pump', { scope: 'kind:text' })
  expect([kept.texts.toSorted(), kept.isKept]).toEqual([['a pump of today', 'pump and valve'], true])
  expect(await search('pump', { scope: 'kind:text', documents: [first] })).toEqual({
    texts: ['pump and valve'],
    isKept: true,
  })
  const named = randomUUID()
  await mentionEverySecond(id, [named])
  expect(await search('pump rudder', { entityIds: [named], documents: [first] })).toEqual({
    texts: ['pump and valve'],
    isKept: true,
  })
  expect(await search('pump', { entityIds: [randomUUID()] })).toEqual({ texts: [], isKept: true })
})

test('of a workspace that was deleted and imported again under its id nothing of before is in memory', async () => {
  const id = await workspace()
  const memory = openMemoryCache({
    maxBytes: 2 ** 20,
    minSize: 1,
    minRequests: 1,
    restMs: 0,
    waitMs: 60_000,
    onError: (error) => expect(error).toBeUndefined(),
  })
  const search = async (): Promise<string[]> => {
    const deps = { db, log: silent, embedder: async () => ({ kind: 'none' as const }), memory }
    const passages = await findPassages(deps, caller, id, {
      query: 'pump',
      limit: 5,
      without: ['correction'],
    })
    return passages.map(({ text }) => text)
  }
  await put(id, randomUUID(), ['pump and valve', 'motor and rudder'])
  for (let no = 0; no < 3; no++) expect(await search()).toEqual(['pump and valve'])
  await db.tx((tx) => markDeleted(tx, id))
  while (!(await purgeBatch(db, id)));
  await db.tx((tx) => deleteWorkspaceRow(tx, id, []))
  await db.tx((tx) => insertWorkspace(tx, { id, name: 'again', description: '', createdBy: caller.userId }))
  // As many changes as before, of as many passages.
  await put(id, randomUUID(), ['a pump of today', 'motor and rudder'])
  for (let no = 0; no < 3; no++) expect(await search()).toEqual(['a pump of today'])
})

async function expectSame(
  workspaceId: string,
  documents: Map<string, string>[],
  query: string,
): Promise<void> {
  const found = await find(workspaceId, query, 20)
  const wanted = reference(documents, query)
  for (const { chunk_id, score } of found) expectScore(score, wanted.get(chunk_id))
  // Near-duplicates are left out: what is found stands in the reference's order, and nothing else is missing.
  const order = [...wanted].sort(([, x], [, y]) => y - x)
  const texts = new Map(documents.flatMap((chunks) => [...chunks]))
  const kept: string[] = []
  for (const [id] of order) {
    const own = termsOf(texts.get(id))
    if (!kept.some((other) => overlap(termsOf(texts.get(other)), own) >= 0.9)) kept.push(id)
  }
  expect(found.length).toBe(Math.min(20, kept.length))
  // Equal scores stand in the order of their ids, up to what float32 keeps.
  for (const [place, id] of kept.slice(0, 20).entries()) {
    expectScore(found[place]?.score, wanted.get(id))
  }
}

/** The same up to the precision of the stored weights: what lies nearer together than this is a tie. */
function expectScore(score = Number.NaN, wanted = 0): void {
  expect(Math.abs(score - wanted)).toBeLessThanOrEqual(1e-5 * Math.max(1, wanted))
}

const find = (workspaceId: string, query: string, limit: number): Promise<Passage[]> =>
  findPassages({ db, log: silent, embedder: async () => ({ kind: 'none' as const }) }, caller, workspaceId, {
    query,
    limit,
    without: ['correction'],
  })
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const termsOf = (text = ''): Set<string> =>
  new Set([...analyse(text, 'en'), ...analyse(title, 'en')].map(({ term }) => term))
const overlap = (a: Set<string>, b: Set<string>): number => {
  const shared = [...a].filter((term) => b.has(term)).length
  return shared / (a.size + b.size - shared)
}

test('frequencies are the same before, while and after they are folded', async () => {
  const id = await workspace()
  const many = Array.from({ length: 12_000 }, (_, i) => `term${i}x`)
  const documentId = randomUUID()
  // Two documents share every tenth term; 12,000 terms take three batches to fold.
  for (const document of [documentId, randomUUID()]) {
    const own = document === documentId ? many : many.filter((_, i) => i % 10 === 0)
    await put(id, document, [
      own.slice(0, 390).join(' '),
      ...chunked(own.slice(390), 390).map((part) => part.join(' ')),
    ])
  }
  const probes = [0, 10, 11, 5000, 11_990, 11_999].map((i) => termHash(`term${i}x`))
  const expected = [2, 2, 1, 2, 2, 1]
  const frequencies = async (): Promise<number[]> => {
    const wanted = { terms: probes, pairs: probes.map(() => false), chunks: 0 }
    const rows = await selectFrequencies(db, id, wanted)
    return probes.map((term) => rows.find((row) => row.term === term)?.df ?? -1)
  }
  for (let step = 0; step < 8; step++) {
    expect(await frequencies()).toEqual(expected)
    await settle(db, id, 1)
  }
  await db.tx((tx) => retireDocuments(tx, id, [documentId]))
  for (let step = 0; step < 60; step++) {
    expect(await frequencies()).toEqual([1, 1, 0, 1, 1, 0])
    await settle(db, id, 1)
  }
  expect(await nextStep(db, id)).toBeUndefined()
  const [left] = await db.rows(
    sql`SELECT count(*)::int AS n FROM chunk WHERE workspace_id = ${id} AND document_id = ${documentId}`,
  )
  expect(left).toEqual({ n: 0 })
})

const chunked = <Item>(items: Item[], size: number): Item[][] =>
  items.length ? [items.slice(0, size), ...chunked(items.slice(size), size)] : []

test('what holds several common words has the ten best of all, where the bound says so', async () => {
  const id = await workspace()
  const random = seededRandom(4)
  const word = (): string => `common${'abcdefghijkl'[drawIndex(random, 1 + drawIndex(random, 12))]}x`
  for (let document = 0; document < 8; document++)
    await put(
      id,
      randomUUID(),
      Array.from({ length: 50 }, () => Array.from({ length: 3 + drawIndex(random, 12) }, word).join(' ')),
    )
  const best = async (terms: WeightedTerm[], termFilter: TermFilter | undefined): Promise<number[]> => {
    const wanted = {
      filter: {},
      phrases: [],
      queryVector: queryVectorOf(terms),
      meaning: undefined,
      chunks: 0,
      limit: 10,
      resultCount: 0,
      termFilter,
    }
    return (await selectCandidates(db, id, wanted)).candidates.map(({ score }) => score)
  }
  let sure = 0
  for (let round = 0; round < 80; round++) {
    const query = Array.from({ length: 2 + drawIndex(random, 4) }, word).join(' ')
    const known = await weighQuery(db, id, analysedText(query), { isCorrecting: false })
    const terms = known?.terms ?? []
    const limits = { scanBelow: 1, maxChunks: 200, minChunks: 400, cost: 0 }
    const narrowed = selectCombinations(terms, { chunks: 400, share: 1 }, limits)
    if (!narrowed?.termFilter.allOf.length || !narrowed.maxOtherScore) continue
    const found = await best(terms, narrowed.termFilter)
    if ((found[9] ?? 0) < narrowed.maxOtherScore) continue
    sure++
    for (const [place, score] of (await best(terms, undefined)).entries())
      expect(Math.abs((found[place] ?? 0) - score)).toBeLessThan(1e-5 * score)
  }
  expect(sure).toBeGreaterThan(5)
})

test('chunks written before pairs were sampled count each of theirs, beside others and until they are gone', async () => {
  const id = await workspace()
  const old = randomUUID()
  await put(id, old, ['pump valve', 'motor pump valve', 'valve pump'])
  // As earlier releases wrote them: all terms are indexed, and each pair counts once.
  for (const { n, terms, words } of await db.rows<{ n: number; terms: number[]; words: string[] }>(sql`
    SELECT chunk_no AS n, terms, words FROM chunk WHERE workspace_id = ${id}`)) {
    const pairs = n < 2 && !words.includes('pump valv') ? ['pump valv'] : []
    const all = new Map([
      ...terms.map((term, i) => [term, words[i]] as const),
      ...pairs.map((pair) => [termHash(pair), pair] as const),
    ])
    const kept = [...all].sort(([a], [b]) => a - b)
    await db.rows(sql`
      UPDATE chunk SET pairs = 1, terms = ${kept.map(([term]) => term)}, words = ${kept.map(([, word]) => word)}
      WHERE workspace_id = ${id} AND chunk_no = ${n}`)
  }
  const texts = Array.from({ length: 40 }, (_, i) => `pump valve topic${i}`)
  await put(id, randomUUID(), texts)
  const sampled = 8 * texts.filter((text) => termHash(text) % 8 === 0).length
  expect(sampled).toBeGreaterThan(0)
  const frequency = async (): Promise<number | undefined> => {
    const wanted = { terms: [termHash('pump valv')], pairs: [true], chunks: 0 }
    return (await selectFrequencies(db, id, wanted))[0]?.df
  }
  expect(await frequency()).toBe(2 + sampled)
  await settle(db, id)
  expect(await frequency()).toBe(2 + sampled)
  await db.tx((tx) => retireDocuments(tx, id, [old]))
  expect(await frequency()).toBe(sampled)
  await settle(db, id)
  expect(await frequency()).toBe(sampled)
})

test('sixty are asked for as ten are: of candidates that stand, not of every chunk', async () => {
  const id = await workspace()
  const texts = Array.from({ length: 320 }, (_, i) => `pump and valve alpha${i} beta${i} gamma${i}`)
  await put(id, randomUUID(), texts)
  await settle(db, id)
  // As in a workspace of 50,000 chunks, of which 20,000 speak of valves.
  await db.rows(sql`UPDATE workspace_language SET chunks = 50000 WHERE workspace_id = ${id}`)
  await db.rows(
    sql`UPDATE term_stat SET df = 20000 WHERE workspace_id = ${id} AND term = ${termHash('valv')}`,
  )
  const asked: string[] = []
  const watched: Db = {
    ...db,
    rows: (statement) => {
      if (statement.text.includes('AS distance')) asked.push(statement.text)
      return db.rows(statement)
    },
  }
  const query = { query: 'pump valve', limit: 60, without: ['second hop', 'meaning'] as const }
  const found = await findPassages(
    { db: watched, log: silent, embedder: async () => ({ kind: 'none' as const }) },
    caller,
    id,
    query,
  )
  expect(found).toHaveLength(60)
  expect(asked.map((text) => text.includes('chunks_scored'))).toEqual([true])
})

test('a quoted phrase is required, whatever ranks above it', async () => {
  const id = await workspace()
  const many = Array.from({ length: 60 }, (_, i) => `notice lease notice lease motor${i} notice`)
  await put(id, randomUUID(), [
    ...many,
    'a long tale of winches in which the lease notice stands once among other words',
  ])
  const found = await find(id, '"the  Lease notice"', 5)
  expect(found.map(({ text }) => text)).toEqual([expect.stringContaining('the lease notice stands')])
})

test('a quoted phrase that nothing has becomes words like others, and the answer says so', async () => {
  const id = await workspace()
  await put(id, randomUUID(), ['the notice of the lease is given in writing', 'a winch'])
  const deps = {
    db,
    log: silent,
    embedder: async () => ({ kind: 'none' as const }),
    settings: { siteUrl: 'http://test', consoleDir: undefined },
  }
  const asked = (query: string) => searchWithMissing(deps, caller, id, { query, limit: 5 })
  expect((await asked('"notice of the lease"')).missing).toEqual([])
  const { results, missing } = await asked('"lease notice"')
  expect(missing).toEqual(['lease notice'])
  expect(results.data.map(({ text }) => text)).toEqual(['the notice of the lease is given in writing'])
})

test('near-duplicates do not crowd out the rest', async () => {
  const id = await workspace()
  // More of them than are ranked at first.
  const copies = Array<string>(50).fill('pump valve motor rudder cleat winch mooring')
  for (let i = 0; i < 3; i++) await put(id, randomUUID(), copies)
  await put(id, randomUUID(), ['pump repairs are paid by the harbour'])
  const found = await find(id, 'pump valve motor', 2)
  expect(found.map(({ text }) => text)).toEqual([
    'pump valve motor rudder cleat winch mooring',
    'pump repairs are paid by the harbour',
  ])
})

test('passages that come along with the candidates are those that are read by their ids, the foremost ones', async () => {
  const id = await workspace()
  for (const many of [1, 3, 4])
    await put(
      id,
      randomUUID(),
      Array.from({ length: many }, (_, i) => `pump valve ${vocabulary.slice(i, 3 * i + many).join(' ')}`),
    )
  const known = await weighQuery(db, id, analysedText('pump valve motor'), { isCorrecting: false })
  const queryVector = queryVectorOf(known?.terms ?? [])
  const wanted = { filter: {}, phrases: [], queryVector, meaning: undefined, chunks: 8, limit: 10 }
  const oneOf = ['pump'].map(termHash)
  for (const termFilter of [undefined, { oneOf, allOf: [] }]) {
    const { candidates, hits } = await selectCandidates(db, id, { ...wanted, termFilter, resultCount: 5 })
    expect([candidates.length, hits.length]).toEqual([8, 5])
    const best = candidates
      .map(({ chunk_id, score, document_score }) => ({
        chunk_id,
        total: withDocument(score, document_score),
      }))
      .sort((a, b) => b.total - a.total || (a.chunk_id < b.chunk_id ? -1 : 1))
      .slice(0, 5)
    const byId = (some: Hit[]): Hit[] => some.toSorted((a, b) => (a.chunk_id < b.chunk_id ? -1 : 1))
    expect(new Set(hits.map(({ chunk_id }) => chunk_id))).toEqual(new Set(best.map((hit) => hit.chunk_id)))
    const ids = hits.map(({ chunk_id }) => chunk_id)
    expect(byId(hits)).toEqual(byId(await selectPassages(db, id, ids, 8)))
    for (const { text, terms } of hits)
      expect(new Set(vocabulary.filter((word) => text.split(' ').includes(word)).map(hashOf))).toEqual(
        new Set(vocabulary.map(hashOf).filter((hash) => terms.includes(hash))),
      )
  }
})

const hashOf = (word: string): number => termHash([...analyse(word, 'en')][0]?.term ?? word)
