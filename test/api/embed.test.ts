// Vectors on a real database: filling a new space while the old one is in use, switching, crashes, and what a model is called
// for. The model is a scripted server with the real protocol.

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../src/auth/caller.ts'
import { retireDocuments } from '../../src/documents/documents.sql.ts'
import { semanticQuery } from '../../src/embed/embed.ts'
import { selectNearest } from '../../src/embed/nearest.sql.ts'
import { embedRound } from '../../src/embed/round.ts'
import { MAX_TERM_SCORE } from '../../src/index/weights.ts'
import { analysedText } from '../../src/language/analysed-text.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import type { Deps } from '../../src/ports/deps.ts'
import { type Embedder, EmbeddingFailed } from '../../src/ports/embedder/embedder.ts'
import { openEmbedder } from '../../src/ports/embedder/open.ts'
import { inspectSearch } from '../../src/search/inspect.ts'
import { findPassages } from '../../src/search/search.ts'
import { ON_CITUS, type TestDatabase, testDatabase } from '../support/database.ts'
import { type EmbeddingsServer, embeddingsServer } from '../support/embeddings-server.ts'
import { writeOnnxModel } from '../support/files/onnx-model.ts'
import { indexGraph } from '../support/graph.ts'
import { plansOf } from '../support/plan.ts'
import { bareWorkspace, publish } from '../support/publish.ts'
import { vectorCounts } from '../support/vectors.sql.ts'

let database: TestDatabase
let db: Db
let server: EmbeddingsServer
let folder: string
let local: string
const warnings: string[] = []
const log = {
  debug() {},
  info() {},
  warn: (_: object, message: string) => void warnings.push(message),
  error() {},
}

beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
  server = await embeddingsServer(24)
  folder = mkdtempSync(join(tmpdir(), 'kenning-embed-'))
  local = writeOnnxModel(folder, 'local')
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await server.close()
  await db.close()
  await database.close()
})
beforeEach(() => {
  server.dimensions = 24
  server.models = undefined
  server.requests.length = 0
  server.next.length = 0
  warnings.length = 0
})

type Needs = Pick<Deps, 'db' | 'log' | 'embedder'>
const withEmbedder = (embedder: Embedder): Needs => ({ db, log, embedder: async () => embedder })
const none = (): Needs => withEmbedder({ kind: 'none' })
const ofPackage = (): Needs => chosen('sentence')
const model = (name: string): Needs => chosen('openai', name)
/** As the settings have it; a local model lies there whatever is chosen. */
const chosen = (choice: 'openai' | 'onnx' | 'sentence', name = 'm'): Needs =>
  withEmbedder(
    openEmbedder(
      { choice, server: { url: server.url, model: name, key: undefined }, onnxModel: local, dataDir: '' },
      log,
    ),
  )

const never = new AbortController().signal
/** The query side of a query without words. */
const NO_WORDS = '{}/1000000000'
/** A round without a limit, or one that is over after its first batch. */
const round = (deps: Needs, id: string, until = Number.POSITIVE_INFINITY): Promise<string> =>
  embedRound(deps, id, { signal: never, until })

const ask = (deps: Needs, id: string, text: string) =>
  semanticQuery(deps, id, { text: analysedText(text), languages: ['en', 'de'] })

/** Everything the workspace's serving space knows of a query, nearest first. */
async function nearest(deps: Needs, id: string, text: string, limit = 1000): Promise<string[]> {
  const query = await ask(deps, id, text)
  if (!query) return []
  const found = await selectNearest(db, id, query, {
    limit,
    queryVector: NO_WORDS,
    chunks: limit,
    conditions: [],
  })
  return found.map(({ chunk_id }) => chunk_id)
}

const sea = ['harbour', 'mooring', 'rudder', 'vessel', 'anchor', 'quay', 'sail', 'tide', 'crew', 'deck']
const law = ['lease', 'tenant', 'notice', 'landlord', 'rent', 'clause', 'court', 'deposit', 'contract', 'law']
const inLetters = (number: number): string =>
  [...String(number)].map((digit) => 'zyxwvutsrq'[Number(digit)]).join('')
/** Chunks of one subject: each holds four neighbours of its ten words, and a word of its own. */
const texts = (words: string[], count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, i) => {
    const picked = [0, 1, 2, 3].map((j) => words[(i + j) % words.length])
    return `The ${picked.join(' and the ')} of case ${inLetters(from + i)}.`
  })

describe('the embedder of the package', () => {
  const builtin = (): Needs =>
    withEmbedder(openEmbedder({ choice: 'auto', server: undefined, onnxModel: undefined, dataDir: '' }, log))

  test('serves English from the first chunk on, and finds what shares no word', async () => {
    const id = await bareWorkspace(db)
    const [dentist = ''] = await publish(db, id, randomUUID(), [
      'Dental insurance is provided through MetLife for all employees.',
    ])
    await publish(db, id, randomUUID(), ['Bugs are mended between two cycles of work.'])
    expect(await round(builtin(), id)).toBe('done')
    expect(await vectorCounts(db, id)).toMatchObject({ chunks: 2, embedded: 2, refused: 0, vectors: 2 })
    const question = 'Who foots the bill when my teeth need fixing?'
    expect(await ask(builtin(), id, question)).toBeDefined()
    expect((await nearest(builtin(), id, question))[0]).toBe(dentist)
    // It reads no German.
    expect(
      await ask(builtin(), id, 'Wer bezahlt die Behandlung meiner Zähne, wenn ich krank bin?'),
    ).toBeUndefined()
  })

  test('has no vectors of another language, and one of each English chunk beside it', async () => {
    const id = await bareWorkspace(db)
    await publish(db, id, randomUUID(), texts(sea, 60), 'paper', 'de')
    const [english = ''] = await publish(db, id, randomUUID(), texts(law, 1))
    expect(await round(builtin(), id)).toBe('done')
    expect(await vectorCounts(db, id)).toMatchObject({ chunks: 61, embedded: 61, refused: 60 })
    expect(await nearest(builtin(), id, 'Who lets the house?')).toEqual([english])
  })
})

describe('a space', () => {
  test('of an earlier release, which no embedder fills any more, is removed when the next one is full', async () => {
    const id = await bareWorkspace(db)
    await publish(db, id, randomUUID(), texts(sea, 10))
    await round(ofPackage(), id)
    const { serving } = await vectorCounts(db, id)
    const [old] = await db.rows<{ id: number }>(sql`
      INSERT INTO vector_space (workspace_id, embedder, dimensions) VALUES (${id}, 'lexical-2', 128) RETURNING id`)
    await db.rows(sql`
      UPDATE workspace_space SET state = 'retired' WHERE workspace_id = ${id} AND space_id = ${serving}`)
    await db.rows(sql`
      INSERT INTO workspace_space (workspace_id, space_id, state, fitted) VALUES (${id}, ${old?.id}, 'serving', 10)`)
    expect(await ask(ofPackage(), id, 'harbour')).toBeUndefined()
    expect(await round(ofPackage(), id)).toBe('done')
    expect(await vectorCounts(db, id)).toMatchObject({
      serving,
      embedded: 10,
      spaces: 1,
      own_spaces: 0,
      lost: 0,
    })
  })

  test('a replaced document keeps no old vector, a deleted one none', async () => {
    const id = await bareWorkspace(db)
    const document = randomUUID()
    await publish(db, id, randomUUID(), texts(law, 60))
    await publish(db, id, document, texts(sea, 10))
    await round(ofPackage(), id)
    await publish(db, id, document, texts(sea, 4, 900))
    await round(ofPackage(), id)
    expect(await vectorCounts(db, id)).toMatchObject({ chunks: 64, embedded: 64, vectors: 64, lost: 0 })
    await db.tx((tx) => retireDocuments(tx, id, [document]))
    await round(ofPackage(), id)
    expect(await vectorCounts(db, id)).toMatchObject({ chunks: 60, embedded: 60, vectors: 60, lost: 0 })
  })

  test('`none` removes all vectors', async () => {
    const id = await bareWorkspace(db)
    await publish(db, id, randomUUID(), texts(law, 60))
    await round(ofPackage(), id)
    await round(none(), id)
    expect(await vectorCounts(db, id)).toMatchObject({
      serving: null,
      vectors: 0,
      spaces: 0,
      own_spaces: 0,
    })
  })
})

describe('a model', () => {
  test('embeds each text once, even if it is replaced, uploaded twice or repeated elsewhere', async () => {
    const [id, other] = [await bareWorkspace(db), await bareWorkspace(db)]
    const document = randomUUID()
    const name = `once-${randomUUID()}`
    await publish(db, id, document, texts(sea, 10))
    await round(model(name), id)
    const asked = (): number => server.requests.flatMap(({ input }) => input).length
    const first = asked()
    await publish(db, id, document, [...texts(sea, 10), 'One chunk more, of the tide.'])
    await publish(db, other, randomUUID(), texts(sea, 10))
    await round(model(name), id)
    await round(model(name), other)
    // Besides the new chunk each new process asks once how many numbers a vector has.
    expect(asked() - first).toBe(1 + 2)
    expect(await vectorCounts(db, id)).toMatchObject({ chunks: 11, embedded: 11, vectors: 11, lost: 0 })
    expect(await vectorCounts(db, other)).toMatchObject({ embedded: 10, lost: 0 })
  })

  test('that is unreachable fails the round, and search uses words; when it is back the rest is embedded', async () => {
    const id = await bareWorkspace(db)
    await publish(db, id, randomUUID(), texts(sea, 80))
    const deps = model('away')
    await round(deps, id, 0)
    server.next = [{ status: 500 }, { status: 401 }]
    await expect(round(deps, id)).rejects.toBeInstanceOf(EmbeddingFailed)
    await round(deps, id)
    server.next = [{ status: 401 }]
    expect(await ask(deps, id, 'harbour')).toBeUndefined()
    expect(await ask(deps, id, 'mooring')).toBeUndefined()
    expect(warnings).toEqual(['a query was searched by its words alone'])
    expect(await vectorCounts(db, id)).toMatchObject({ embedded: 80, vectors: 80 })
  })

  test('that rejects a chunk leaves only that one without a vector', async () => {
    const id = await bareWorkspace(db)
    await publish(db, id, randomUUID(), ['The only chunk there is, and it is refused.'])
    const deps = model('refusing')
    const embedder = await deps.embedder()
    if (embedder.kind === 'model') await embedder.model.dimensions()
    server.next = Array.from({ length: 5 }, () => ({ status: 400 }))
    expect(await round(deps, id)).toBe('done')
    expect(await vectorCounts(db, id)).toMatchObject({ chunks: 1, embedded: 1, refused: 1 })
    expect(await nearest(deps, id, 'chunk')).toEqual([])
  })

  test('with another vector size gets a new space', async () => {
    const id = await bareWorkspace(db)
    await publish(db, id, randomUUID(), texts(sea, 10))
    await round(model('grown'), id)
    const before = await vectorCounts(db, id)
    server.dimensions = 30
    const deps = model('grown')
    expect(await ask(deps, id, 'harbour')).toBeUndefined()
    await round(deps, id)
    const after = await vectorCounts(db, id)
    expect(after.serving).not.toBe(before.serving)
    expect(after).toMatchObject({ embedded: 10, vectors: 10, spaces: 1 })
    expect(await nearest(deps, id, 'harbour')).toHaveLength(10)
  })
})

describe('changing the embedder of a filled workspace', () => {
  /** Rounds of one batch each; returns what the serving space found after each of them. */
  async function slowly(
    deps: Needs,
    id: string,
    query: string,
  ): Promise<{ serving: number | null; found: number }[]> {
    const seen: { serving: number | null; found: number }[] = []
    for (let outcome = 'more'; outcome === 'more'; ) {
      outcome = await round(deps, id, Date.now() + 1)
      const { serving } = await vectorCounts(db, id)
      seen.push({ serving, found: (await nearest(deps, id, query)).length })
      expect(seen.length).toBeLessThan(100)
    }
    return seen
  }

  test.each([
    ['the model of the package to another', () => ofPackage(), () => model('new')],
    ['a model to another', () => model('old'), () => model('newer')],
    ['a server to the model of the package', () => model('older'), () => ofPackage()],
    ['a local model to a server', () => chosen('onnx'), () => chosen('openai', 'remote')],
    ['a local model to that of the package', () => chosen('onnx'), () => chosen('sentence')],
  ])('%s: full results of the old space, then of the new one', async (way, before, after) => {
    const id = await bareWorkspace(db)
    for (let i = 0; i < 6; i++) await publish(db, id, randomUUID(), texts(i % 2 ? sea : law, 40, i * 40))
    const deps = { before: before(), after: after() }
    await round(deps.before, id)
    const old = (await vectorCounts(db, id)).serving
    const seen = await slowly(deps.after, id, 'the harbour crew')
    const answered = seen.filter(({ serving, found }) =>
      serving === old ? found === 240 || found === 0 : found === 240,
    )
    expect(answered).toHaveLength(seen.length)
    expect(seen.at(0)?.serving).toBe(old)
    expect(seen.at(-1)?.serving).not.toBe(old)
    // Only a server that is no longer chosen leaves searches to words meanwhile.
    if (way !== 'a server to the model of the package')
      expect(seen.every(({ found }) => found === 240)).toBe(true)
    expect(await vectorCounts(db, id)).toMatchObject({
      chunks: 240,
      embedded: 240,
      vectors: 240,
      spaces: 1,
      lost: 0,
    })
  })

  test('a model that its server has no more does not keep the next one from serving', async () => {
    const id = await bareWorkspace(db)
    await publish(db, id, randomUUID(), texts(sea, 10))
    await round(model('removed'), id)
    await publish(db, id, randomUUID(), texts(law, 10))
    server.models = ['present']
    await expect(round(model('removed'), id)).rejects.toBeInstanceOf(EmbeddingFailed)
    expect(await round(model('present'), id)).toBe('done')
    expect(await vectorCounts(db, id)).toMatchObject({ chunks: 20, embedded: 20, spaces: 1, lost: 0 })
    expect(await nearest(model('present'), id, 'harbour')).toHaveLength(20)
  })

  test('a document published in the meantime is in both; also when switching back before it is finished', async () => {
    const id = await bareWorkspace(db)
    for (let i = 0; i < 3; i++) await publish(db, id, randomUUID(), texts(sea, 60, i * 60))
    await round(ofPackage(), id)
    const { serving } = await vectorCounts(db, id)
    await round(model('abandoned'), id, 0)
    await publish(db, id, randomUUID(), texts(law, 10, 900))
    await round(model('abandoned'), id, 0)
    await round(ofPackage(), id)
    expect(await vectorCounts(db, id)).toMatchObject({
      serving,
      embedded: 190,
      vectors: 190,
      spaces: 1,
      lost: 0,
    })
  })
})

test('after an interruption at any point the next round completes the work', async () => {
  const id = await bareWorkspace(db)
  const documents = Array.from({ length: 4 }, () => randomUUID())
  const embedders = [ofPackage(), model('cut-a'), ofPackage(), model('cut-b'), none(), ofPackage()]
  for (const [step, deps] of embedders.entries()) {
    for (const [i, document] of documents.entries()) {
      if ((i + step) % 2) await publish(db, id, document, texts(i % 2 ? sea : law, 30, step * 100 + i))
    }
    // Cut before the first statement, before the second, …: the database port throws, as a dead worker stops.
    for (let statements = 0; statements < 40; statements += 3) {
      let left = statements
      const rows: Db['rows'] = (statement) =>
        left-- > 0 ? db.rows(statement) : Promise.reject(new Error('cut'))
      const cut: Db = {
        ...db,
        rows,
        tx: (work) => (left-- > 0 ? db.tx(work) : Promise.reject(new Error('cut'))),
      }
      await round({ ...deps, db: cut }, id).catch((error: Error) => expect(error.message).toBe('cut'))
      expect((await vectorCounts(db, id)).lost).toBe(0)
    }
    await round(deps, id)
    const counts = await vectorCounts(db, id)
    const all = (await deps.embedder()).kind === 'none' ? 0 : counts.chunks
    expect(counts).toMatchObject({ embedded: all, vectors: all, spaces: all ? 1 : 0, lost: 0 })
  }
})

test('search with a model finds text that shares no word, and ranks the best of both methods first', async () => {
  const id = await bareWorkspace(db)
  const caller = await someone(db, id)
  await publish(db, id, randomUUID(), [...texts(sea, 8), ...texts(law, 8)])
  const deps = model('searched')
  await round(deps, id)
  const search = (query: string) => findPassages(deps, caller, id, { query, limit: 5 })
  expect((await search('the anchor'))[0]?.text).toMatch(/anchor/)
  expect(await search('unheard of')).toHaveLength(5)
  server.next = [{ status: 500 }]
  expect(await search('unheard and unseen')).toEqual([])
})

test('a question of several steps keeps first what words and a model find first: their scores are ranks', async () => {
  const id = await bareWorkspace(db)
  const caller = await someone(db, id)
  const [whole, part, aside] = [randomUUID(), randomUUID(), randomUUID()]
  await publish(db, id, randomUUID(), texts(law, 20))
  await publish(db, id, whole, ['Every year in May the harbour board asks a deposit for the mooring.'])
  await publish(db, id, part, ['Ada Holm and the harbour board meet every year in May.'])
  await publish(db, id, aside, [`Ada Holm once paid a deposit. ${texts(sea, 12).join(' ')}`])
  for (const documentId of [part, aside]) await name(id, documentId, 'Ada Holm')
  const deps = model('hop')
  await round(deps, id)
  const query = 'Which deposit does the harbour board ask every year in May for the mooring?'
  const best = async (needs: Needs) =>
    (await findPassages(needs, caller, id, { query, limit: 3 }))[0]?.document_id
  expect([await best(none()), await best(deps)]).toEqual([whole, whole])
})

test('the inspector shows the ranks of both legs, and what became of them', async () => {
  const id = await bareWorkspace(db)
  const caller = await someone(db, id)
  await publish(db, id, randomUUID(), [...texts(sea, 8), ...texts(law, 8)])
  const deps = { ...model('inspected'), settings: { siteUrl: '', consoleDir: undefined } }
  await round(deps, id)
  const { data, steps, understood } = await inspectSearch(deps, caller, id, { query: 'the anchor', limit: 5 })
  expect(understood).toMatchObject({ meaning: 'strong', embedder: expect.stringContaining('inspected') })
  expect(steps).toEqual(['words', 'document', 'meaning', 'spread', 'rows'])
  const ratios = data.map(({ legs, shares, steps: places }) => {
    expect(legs.meaning?.score).toBeLessThanOrEqual(1.000001)
    expect(shares.meaning).toBeCloseTo((0.5 * Math.max(0, legs.meaning?.score ?? 0)) / MAX_TERM_SCORE, 9)
    const score = places.find(({ step }) => step === 'meaning')?.score ?? 0
    return score / (shares.words + (shares.meaning ?? 0))
  })
  // Both are shares of one thing: the highest score that the words of the query could reach.
  for (const ratio of ratios) expect(ratio).toBeCloseTo(ratios[0] ?? 0, 6)
})

/** The person that the first chunk of a document begins with, as the graph's task writes it. */
async function name(workspaceId: string, documentId: string, surface: string): Promise<void> {
  const [version] = await db.rows<{ version_id: string }>(sql`
    SELECT version_id FROM document WHERE workspace_id = ${workspaceId} AND id = ${documentId}`)
  const place = { chunk_no: 0, start: 0, end: surface.length }
  const mention = { ...place, key: surface.toLowerCase(), surface, own: true, type: 'person' as const }
  const key = { workspaceId, documentId, versionId: version?.version_id ?? '' }
  await indexGraph(
    { db },
    key,
    { mentions: [mention], relations: [] },
    { signal: never, fence: async () => {} },
  )
}

/** Somebody who may read the workspace. */
async function someone(db: Db, workspaceId: string): Promise<Caller> {
  const id = randomUUID()
  await db.rows(
    sql`INSERT INTO account (id, email, email_key, password_hash) VALUES (${id}, ${id}, ${id}, '')`,
  )
  await db.rows(
    sql`INSERT INTO member (workspace_id, account_id, role) VALUES (${workspaceId}, ${id}, 'viewer')`,
  )
  return { auth: 'session', id, userId: id, scopes: ['knowledge:read'] }
}

test('the index finds what comparing all finds', async () => {
  const id = await bareWorkspace(db)
  // It is built at random. Of 32 each is a neighbour of every other all the same, so that none can be missed.
  for (const words of [sea, law]) await publish(db, id, randomUUID(), texts(words, 16))
  const deps = model('indexed')
  await round(deps, id)
  const query = await ask(deps, id, 'the anchor of case three')
  if (!query) throw new Error('no query')
  expect(query).toMatchObject({ space: { dimensions: 24 } })
  const look = (on: Db, chunks: number, limit = 20) =>
    selectNearest(on, id, query, { limit, queryVector: NO_WORDS, chunks, conditions: [] })
  const all = await look(db, 32, 32)
  let indexed: typeof all = []
  const byIndex = async (tx: Db): Promise<void> => {
    indexed = await look(tx, 100_000)
  }
  const plans = await plansOf(db, byIndex, 'reads', ['SET LOCAL enable_sort = off'])
  // EXPLAIN on the coordinator of a Citus does not show what a node does.
  if (!ON_CITUS) expect(plans.join()).toContain(`chunk_vector_space_${query.space.id}`)
  // By how near they are, as some are equally near.
  const scores = new Map(all.map(({ chunk_id, similarity }) => [chunk_id, similarity]))
  expect(new Set(indexed.map(({ chunk_id }) => chunk_id)).size).toBe(20)
  for (const [place, { chunk_id }] of indexed.entries())
    expectNear(scores.get(chunk_id), all[place]?.similarity)
})

/** Up to what half precision keeps, in which the index of a server holds vectors: ten bits of each number. */
const expectNear = (score: number | undefined, exact: number | undefined): void =>
  expect(Math.abs((score ?? Number.NaN) - (exact ?? Number.NaN))).toBeLessThan(2 ** -9)

test('with the index a page is full, even under a narrow filter', async () => {
  const id = await bareWorkspace(db)
  for (let i = 0; i < 4; i++) await publish(db, id, randomUUID(), texts(i % 2 ? sea : law, 100, i * 100))
  const rare = randomUUID()
  await publish(db, id, rare, texts(sea, 5, 5000))
  const deps = model('paged')
  await round(deps, id)
  const query = await ask(deps, id, 'the anchor of case three')
  if (!query) throw new Error('no query')
  const look = (chunks: number, limit: number, conditions: Sql[] = []) =>
    selectNearest(db, id, query, { limit, queryVector: NO_WORDS, chunks, conditions })
  const scores = new Map((await look(405, 405)).map(({ chunk_id, similarity }) => [chunk_id, similarity]))
  const indexed = await look(100_000, 50)
  expect(indexed).toHaveLength(50)
  for (const { chunk_id, similarity } of indexed) expectNear(similarity, scores.get(chunk_id))
  expect(await look(100_000, 50, [sql`d.id = ${rare}`])).toHaveLength(5)
})
