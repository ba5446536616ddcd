// Groups of documents by meaning in large workspaces: time, memory, and how long the calculation keeps the process from its other
// requests. `npm run bench -- themes --data DIR --sizes 1k,10k` (documents). The documents are articles of the set that were varied:
// each has some passages of one article and one of another, with the vectors that the sentence model of the package gives them.

import { closeSync, openSync, readSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { withRowSecurity } from '../src/auth/row-security.ts'
import type { Themes } from '../src/contract/resources.ts'
import { titleKey } from '../src/documents/documents.ts'
import { findOrCreateSpace, serveSpace, startFilling } from '../src/embed/spaces.sql.ts'
import { drawIndex, seededRandom } from '../src/eval/measure/random.ts'
import { readDocuments } from '../src/eval/set/set.ts'
import { openClient } from '../src/eval/target/client.ts'
import { uuid5 } from '../src/identity.ts'
import { type Bag, documentVectorBuilder, sparseText, toLexicalVector } from '../src/index/weights.ts'
import { chunksOf, documentLanguage } from '../src/ingest/chunk/chunk.ts'
import type { Language } from '../src/language/language.ts'
import { type EmbeddingModel, modelOf, SENTENCE_MODEL } from '../src/ports/embedder/embedder.ts'
import { siblingModule } from '../src/processes/module.ts'
import { startTemporary, type TemporaryService } from '../src/temporary.ts'
import { getThemes } from '../src/themes/themes.ts'
import { peakDuring } from '../test/support/peak.ts'
import { type BenchOptions, median, table } from './report.ts'
import { analyse } from './speed/bare.sql.ts'
import { type BulkChunk, createIndex, dropIndexes, insertChunks, insertDocuments } from './speed/bulk.sql.ts'
import { PATIENT } from './speed/bulk.ts'
import { type ChunkVector, insertVectors } from './themes/rows.sql.ts'

const MAX_PASSAGES_PER_ARTICLE = 6
const DOCUMENTS_PER_STATEMENT = 50
const CACHED_RUNS = 20

interface Passage {
  row: Omit<BulkChunk, 'versionId' | 'documentId' | 'chunkNo' | 'id'>
  bag: Bag
  vector: Float32Array | undefined
}

interface Article {
  title: string
  language: Language
  passages: Passage[]
}

interface Figures {
  documents: number
  passages: number
  groups: number
  seconds: number[]
  processorSeconds: number[]
  /** The longest turn of the event loop in each calculation, in milliseconds of processor time of its thread. */
  turns: number[]
  /** The longest delay of the event loop by the clock. */
  delays: number[]
  /** How much the resident memory grew at most, in megabytes. */
  megabytes: number[]
  cachedMs: number
}

export async function benchThemes({ data, sizes, runs, sample }: BenchOptions): Promise<string> {
  const main = siblingModule('../src/main', import.meta.url)
  const service = await startTemporary(main, PATIENT)
  try {
    const embedder = await service.deps.embedder()
    const model = modelOf(embedder, SENTENCE_MODEL)
    if (!model) throw new Error('the sentence model of the package is not the embedder')
    say('embedding')
    const articles = await articlesOf(data ?? 'test/data/small', { model, sample })
    const results: Figures[] = []
    for (const size of sizes) {
      say(`filling ${size} documents`)
      const workspaceId = await fill(service, { articles, model, size })
      say('grouping')
      results.push(await measure(service, workspaceId, { size, runs }))
    }
    return report(results, articles.length)
  } finally {
    await service.stop()
  }
}

const say = (text: string): boolean => process.stderr.write(`${text}\n`)

async function articlesOf(
  folder: string,
  { model, sample }: { model: EmbeddingModel; sample: number | undefined },
): Promise<Article[]> {
  const articles = (await readDocuments(folder)).slice(0, sample).flatMap((document): Article[] => {
    if (!('text' in document)) return []
    const title = document.title ?? document.id
    const paragraphs = document.text.split(/\n{2,}/)
    const parsed = { title, blocks: paragraphs.map((text) => ({ kind: 'paragraph' as const, text })) }
    const chunks = [...chunksOf(document.id, parsed)].slice(0, MAX_PASSAGES_PER_ARTICLE)
    const passages = chunks.map(({ type, text, heading, language }): Passage => {
      const { terms, weights, indexed, pairs, body } = toLexicalVector({ title, heading, text, language })
      const row = {
        ...{ type, text, heading, language, pairs },
        lex: sparseText({ terms, weights }),
        terms: `{${indexed.terms.join()}}`,
        words: indexed.words.join('\n'),
      }
      return { row, bag: body, vector: undefined }
    })
    return [{ title, language: documentLanguage(parsed), passages }]
  })
  const passages = articles.flatMap((article) => article.passages)
  for (let at = 0; at < passages.length; at += model.batch) {
    const batch = passages.slice(at, at + model.batch)
    const vectors = await model.embed(
      batch.map(({ row }) => row.text),
      'passage',
    )
    for (const [i, passage] of batch.entries()) passage.vector = vectors[i]
  }
  return articles.filter((article) => article.passages.length > 0)
}

/** A new workspace with so many documents. */
async function fill(
  { deps, base, token }: TemporaryService,
  { articles, model, size }: { articles: readonly Article[]; model: EmbeddingModel; size: number },
): Promise<string> {
  const { db } = deps
  const { id: workspaceId } = await openClient(base, token).createWorkspace({ name: `${size} documents` })
  const space = await findOrCreateSpace(db, model.id, await model.dimensions())
  await startFilling(db, workspaceId, space.id)
  const indexes = await dropIndexes(db)
  for (let first = 0; first < size; first += DOCUMENTS_PER_STATEMENT) {
    const count = Math.min(DOCUMENTS_PER_STATEMENT, size - first)
    const made = Array.from({ length: count }, (_, i) => documentOf(articles, workspaceId, first + i))
    await insertDocuments(
      db,
      workspaceId,
      made.map(({ document }) => document),
    )
    await insertChunks(
      db,
      workspaceId,
      made.flatMap(({ chunks }) => chunks),
    )
    await insertVectors(db, workspaceId, {
      spaceId: space.id,
      rows: made.flatMap(({ vectors }) => vectors),
    })
  }
  for (const definition of indexes) await createIndex(db, definition, '256MB')
  await serveSpace(db, workspaceId, space.id)
  await analyse(db)
  return workspaceId
}

/** Some passages of one article, in their order, and at the end one of another article. */
function documentOf(articles: readonly Article[], workspaceId: string, index: number) {
  const random = seededRandom(index)
  const article = articles[index % articles.length]
  const other = articles[drawIndex(random, articles.length)]
  if (!article || !other) throw new Error('the set has no articles')
  const leftOutIndex = drawIndex(random, article.passages.length)
  const passages = [
    ...article.passages.filter((_, i) => i !== leftOutIndex || article.passages.length === 1),
    other.passages[drawIndex(random, other.passages.length)],
  ].flatMap((passage) => passage ?? [])
  const title = `${article.title} (${index + 1})`
  const path = `${String(index + 1).padStart(7, '0')}.md`
  const id = uuid5(workspaceId, `upload\0${path}`)
  const versionId = uuid5(id, 'bulk')
  const whole = documentVectorBuilder(title)
  for (const { bag, row } of passages) whole.add(bag, row.language as Language)
  const lex = whole.vector()
  return {
    document: {
      ...{ id, versionId, path, title, titleKey: titleKey(title), language: article.language },
      ...{ chunks: passages.length, lex: lex && sparseText(lex) },
    },
    chunks: passages.map(
      ({ row }, chunkNo): BulkChunk => ({
        ...{ ...row, versionId, documentId: id, chunkNo },
        id: uuid5(id, String(chunkNo)),
      }),
    ),
    vectors: passages.flatMap(({ vector }, chunkNo): ChunkVector[] =>
      vector ? [{ versionId, chunkNo, vector }] : [],
    ),
  }
}

async function measure(
  service: TemporaryService,
  workspaceId: string,
  { size, runs }: { size: number; runs: number },
): Promise<Figures> {
  const deps = withRowSecurity(service.deps, service.caller, workspaceId)
  const figures: Figures = {
    ...{ documents: size, passages: 0, groups: 0, cachedMs: 0 },
    ...{ seconds: [], processorSeconds: [], turns: [], delays: [], megabytes: [] },
  }
  const themesOf = (memory: typeof deps.memory): Promise<Themes> =>
    getThemes({ ...deps, memory }, service.caller, workspaceId, { limit: 30, groups: 12 })
  for (let run = 0; run <= runs; run++) {
    // The groups are cached by this object.
    const memory = { ...deps.memory }
    const delay = monitorEventLoopDelay({ resolution: 1 })
    const usage = process.cpuUsage()
    const started = performance.now()
    delay.enable()
    const turns = watchTurns()
    const { before, most, result } = await peakDuring(process.pid, () => themesOf(memory))
    delay.disable()
    const longestTurn = turns.stop()
    const seconds = (performance.now() - started) / 1000
    const { user, system } = process.cpuUsage(usage)
    // The first run pays for compiling and loads the model.
    if (run === 0) continue
    figures.groups = result.groups?.length ?? 0
    figures.seconds.push(seconds)
    figures.processorSeconds.push((user + system) / 1e6)
    figures.turns.push(longestTurn)
    figures.delays.push(delay.max / 1e6)
    figures.megabytes.push((most - before) / 1024)
    if (run < runs) continue
    const cached: number[] = []
    for (let i = 0; i < CACHED_RUNS; i++) {
      const begun = performance.now()
      await themesOf(memory)
      cached.push(performance.now() - begun)
    }
    figures.cachedMs = median(cached)
  }
  return figures
}

const range = (values: number[]): string =>
  `${median(values).toFixed(0)} ms (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`

/** Looks at the processor time of the main thread in every turn of the event loop (Linux). */
function watchTurns(): { stop(): number } {
  let longest = 0
  let isRunning = true
  // Its first number is the nanoseconds on a processor. The main thread has the id of the process.
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const bytes = Buffer.alloc(64)
  const milliseconds = (): number => {
    readSync(file, bytes, 0, bytes.length, 0)
    return Number.parseInt(bytes.toString('latin1', 0, bytes.indexOf(' ')), 10) / 1e6
  }
  let before = milliseconds()
  const turn = (): void => {
    if (!isRunning) return
    const now = milliseconds()
    longest = Math.max(longest, now - before)
    before = now
    setImmediate(turn)
  }
  setImmediate(turn)
  return {
    stop: () => {
      isRunning = false
      closeSync(file)
      return longest
    },
  }
}

function report(results: readonly Figures[], articles: number): string {
  const rows = results.map((one) => [
    one.documents.toLocaleString('en'),
    one.groups,
    `${median(one.seconds).toFixed(1)} s`,
    `${median(one.processorSeconds).toFixed(1)} s`,
    range(one.turns),
    range(one.delays),
    `${median(one.megabytes).toFixed(0)} MB`,
    `${one.cachedMs.toFixed(0)} ms`,
  ])
  const header = [
    'documents',
    'groups',
    'time',
    'processor time of the process',
    'longest turn of the event loop, processor time',
    'longest delay, by the clock',
    'more memory at most',
    'time when cached',
  ]
  return `## Groups of documents by meaning\n\n${table(header, rows)}\n
The documents are ${articles} articles varied: some passages of one and one of another. Medians of ${results[0]?.seconds.length ?? 0} runs, each without the cache, after one that is not counted. The processor time is that of all threads; that of a turn is of the event loop's thread alone. Other processes of the machine add to what the clock says. There are no names: the graph of these documents was not made.`
}
