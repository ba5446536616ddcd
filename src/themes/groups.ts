// The groups of a workspace's documents by meaning, each with what describes it. They are made again when documents, vectors or
// names have changed: at once when something was taken away or changed, and after a rest when something was added.

import type { ThemeGroup } from '../contract/resources.ts'
import { THEME_WEIGHTS } from '../graph/entities.ts'
import { float32s, sparseOf } from '../ports/db/binary.ts'
import type { Deps } from '../ports/deps.ts'
import { type EmbeddingModel, modelOf, SENTENCE_MODEL } from '../ports/embedder/embedder.ts'
import { bySimilarity, clustersOf, MIN_CLUSTER_DOCUMENTS, MIN_DOCUMENTS, nearestCentres } from './clusters.ts'
import {
  type Candidate,
  candidatesIn,
  languageOf,
  mainNames,
  spread,
  termSharesOf,
  termsOf,
} from './description.ts'
import {
  type GroupedDocument,
  type GroupName,
  type GroupPassage,
  type LibraryState,
  selectFirstPassages,
  selectGroupedDocuments,
  selectMeans,
  selectNames,
  selectRemovals,
  selectState,
  selectTerms,
} from './groups.sql.ts'
import { runInSteps } from './steps.ts'
import {
  type Centre,
  commonMean,
  type DocumentVector,
  type ReadDocument,
  similarity,
  type Vocabulary,
  vectorOf,
  vocabularyOf,
} from './vectors.ts'

export type Needs = Pick<Deps, 'db' | 'log' | 'embedder' | 'memory'>

// A larger library is grouped by a sample of so many documents. The number of documents of a group is then an estimate.
const MAX_DOCUMENTS = 10_000
// So many documents decide what the groups are. The others join the nearest group.
const MAX_FITTED_DOCUMENTS = 1000
// Each statement reads so many documents.
const DOCUMENTS_PER_READ = 100
// The mean of so many vectors says well enough what a document is about.
const MAX_CHUNKS_PER_DOCUMENT = 12
const MAX_VECTORS = 20_000
// The sentence of a group is one of the documents nearest to its middle.
const MAX_QUOTED_DOCUMENTS = 8
const MAX_PASSAGES_PER_DOCUMENT = 3
// The names of a group are those of documents from its middle to its edge, since the nearest ones may be about one part of it. The
// spelling of its terms is that of fewer, because their text is read.
const MAX_NAMING_DOCUMENTS = 100
const MAX_MENTIONS_PER_DOCUMENT = 200
const MAX_SPELLING_DOCUMENTS = 24
const MAX_EMBEDDED_SENTENCES = 8
const MAX_LISTED_DOCUMENTS = 5
const MAX_NAMES = 5
const MAX_TERMS = 4
const NAMES_PER_GROUP = 200
const MAX_CACHED_WORKSPACES = 100
// After a calculation, documents that were added wait this many times as long as it took. So a library that new documents fill is
// grouped for at most one eleventh of the time, and a small one follows its documents at once. The same holds for looking whether
// anything was added, which reads each document. Changed documents do not wait (selectRemovals).
const REST_FACTOR = 10

/** One calculation for a workspace, which all who ask meanwhile and later share. */
interface Calculation {
  /** The state at the beginning. */
  state: string
  /** The removals at the beginning. Undefined if there were more during the calculation, so that nobody gets its result later. */
  removals: string | undefined
  groups: Promise<ThemeGroup[]>
  isRunning: boolean
  /** Until then the result is shown, and nobody looks whether documents were added. */
  restUntil: number
}

const caches = new WeakMap<object, Map<string, Calculation>>()

const milliseconds = (): number => performance.now()

/**
 * The groups with most documents first. Empty for few documents. The caller of this function checks access. `clock` gives
 * milliseconds.
 */
export async function groupsOf(
  deps: Needs,
  workspaceId: string,
  clock: () => number = milliseconds,
): Promise<ThemeGroup[]> {
  const calculations = caches.get(deps.memory) ?? new Map<string, Calculation>()
  caches.set(deps.memory, calculations)
  // One calculation of a workspace runs at a time, and those who ask meanwhile wait for its end. If something was taken away since
  // it began, they get the result of the next one.
  for (let hasWaited = false; ; hasWaited = true) {
    const removals = await selectRemovals(deps.db, workspaceId)
    const current = await currentCalculation(deps, workspaceId, { calculations, removals, clock })
    if (!current) return []
    const { calculation, isOwn } = current
    const groups =
      isOwn || hasWaited ? await calculation.groups : await calculation.groups.catch(() => undefined)
    if (groups && (isOwn || hasWaited || calculation.removals === removals)) return groups
  }
}

/**
 * The calculation that runs, or the latest one if it may still be shown, or a new one, which is the asker's own. Undefined for few
 * documents.
 */
async function currentCalculation(
  deps: Needs,
  workspaceId: string,
  {
    calculations,
    removals,
    clock,
  }: { calculations: Map<string, Calculation>; removals: string; clock: () => number },
): Promise<{ calculation: Calculation; isOwn: boolean } | undefined> {
  const latest = calculations.get(workspaceId)
  if (latest && (latest.isRunning || isResting(latest, removals, clock()))) {
    keep(calculations, workspaceId, latest)
    return { calculation: latest, isOwn: false }
  }
  const lookedAt = clock()
  const state = await selectState(deps.db, workspaceId)
  if (state.documents < MIN_DOCUMENTS) return undefined
  // Somebody else may have started one meanwhile.
  const next = calculations.get(workspaceId)
  const isUnchanged = next?.removals === removals && next.state === state.state
  if (next && isUnchanged && !next.isRunning) next.restUntil = restUntil(lookedAt, clock())
  const isShown = next && (next.isRunning || isUnchanged)
  const calculation = isShown ? next : startGroups(deps, workspaceId, { state, removals, clock })
  keep(calculations, workspaceId, calculation)
  return { calculation, isOwn: !isShown }
}

const isResting = (calculation: Calculation, removals: string, now: number): boolean =>
  calculation.removals === removals && now < calculation.restUntil

const restUntil = (startedAt: number, endedAt: number): number =>
  endedAt + REST_FACTOR * (endedAt - startedAt)

/** Makes the calculation the latest of the cache, which forgets what was not asked for longest. */
function keep(calculations: Map<string, Calculation>, workspaceId: string, calculation: Calculation): void {
  calculations.delete(workspaceId)
  calculations.set(workspaceId, calculation)
  const [oldest] = calculations.keys()
  if (calculations.size > MAX_CACHED_WORKSPACES && oldest !== undefined) calculations.delete(oldest)
}

function startGroups(
  deps: Needs,
  workspaceId: string,
  { state, removals, clock }: { state: LibraryState; removals: string; clock: () => number },
): Calculation {
  const calculation: Calculation = {
    state: state.state,
    removals,
    groups: calculate(),
    isRunning: true,
    restUntil: 0,
  }
  return calculation

  async function calculate(): Promise<ThemeGroup[]> {
    const startedAt = clock()
    let removalsAtEnd: string | undefined
    try {
      const groups = await makeGroups(deps, workspaceId, state)
      removalsAtEnd = await selectRemovals(deps.db, workspaceId)
      return groups
    } finally {
      calculation.isRunning = false
      calculation.restUntil = restUntil(startedAt, clock())
      if (removalsAtEnd !== removals) calculation.removals = undefined
    }
  }
}

/** A group of documents before it is described. */
interface Group {
  centre: Centre
  /** Those nearest to the middle first. */
  documents: GroupedDocument[]
  vectors: DocumentVector[]
}

interface Library {
  documents: GroupedDocument[]
  vectors: DocumentVector[]
  vocabulary: Vocabulary
  common: Float32Array | undefined
}

async function makeGroups(deps: Needs, workspaceId: string, state: LibraryState): Promise<ThemeGroup[]> {
  const documents = await selectGroupedDocuments(deps.db, workspaceId, MAX_DOCUMENTS)
  if (documents.length < MIN_DOCUMENTS) return []
  const library = await readLibrary(deps, workspaceId, { documents, spaceId: state.space_id })
  const groups = await divide(library)
  const described = await describe(deps, workspaceId, { groups, library, state })
  const scale = Math.max(1, state.documents / documents.length)
  return described.map((group) => ({ ...group, document_count: Math.round(group.document_count * scale) }))
}

async function readLibrary(
  deps: Needs,
  workspaceId: string,
  { documents, spaceId }: { documents: GroupedDocument[]; spaceId: number | null },
): Promise<Library> {
  const read = (some: readonly GroupedDocument[]): Promise<ReadDocument[]> =>
    readDocuments(deps, workspaceId, { documents: some, spaceId, of: documents.length })
  const fitted: ReadDocument[] = []
  for (const batch of batches(documents.slice(0, MAX_FITTED_DOCUMENTS))) fitted.push(...(await read(batch)))
  const vocabulary = await runInSteps(vocabularyOf(fitted))
  const common = commonMean(fitted)
  const toVector = (document: ReadDocument): DocumentVector => vectorOf(document, vocabulary, common)
  const vectors = await runInSteps(mapInSteps(fitted, toVector))
  for (const batch of batches(documents.slice(MAX_FITTED_DOCUMENTS)))
    vectors.push(...(await runInSteps(mapInSteps(await read(batch), toVector))))
  return { documents, vectors, vocabulary, common }
}

function* mapInSteps<T, R>(items: readonly T[], change: (item: T) => R): Generator<void, R[]> {
  const results: R[] = []
  for (const item of items) {
    results.push(change(item))
    yield
  }
  return results
}

function* batches<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += DOCUMENTS_PER_READ) yield items.slice(at, at + DOCUMENTS_PER_READ)
}

async function readDocuments(
  { db }: Needs,
  workspaceId: string,
  { documents, spaceId, of }: { documents: readonly GroupedDocument[]; spaceId: number | null; of: number },
): Promise<ReadDocument[]> {
  const versionIds = documents.map(({ version_id }) => version_id)
  const chunksPerDocument = Math.max(1, Math.min(MAX_CHUNKS_PER_DOCUMENT, Math.floor(MAX_VECTORS / of)))
  const chunkCounts = documents.map(({ chunks }) => chunks)
  const terms = await selectTerms(db, workspaceId, versionIds)
  const means =
    spaceId === null
      ? []
      : await selectMeans(db, workspaceId, spaceId, { versionIds, chunkCounts, chunksPerDocument })
  const termsByVersion = new Map(terms.map((row) => [row.version_id, row.terms]))
  // The binary form of a vector begins with four bytes.
  const meansByVersion = new Map(means.map((row) => [row.version_id, float32s(row.mean.subarray(4))]))
  const toRead = (id: string): ReadDocument => {
    const terms = termsByVersion.get(id)
    const { at, values } = terms ? sparseOf(terms) : { at: new Int32Array(), values: new Float32Array() }
    return { at, values, mean: meansByVersion.get(id) }
  }
  return await runInSteps(mapInSteps(versionIds, toRead))
}

async function divide({ documents, vectors, vocabulary, common }: Library): Promise<Group[]> {
  const size = { dimensions: common?.length ?? 0, terms: vocabulary.hashes.length }
  const fitted = vectors.slice(0, MAX_FITTED_DOCUMENTS)
  const { centres } = await runInSteps(clustersOf(fitted, size))
  const clusterOf = await runInSteps(nearestCentres(vectors, centres))
  const membersOf: (DocumentVector & { document: GroupedDocument })[][] = centres.map(() => [])
  const join = ({ vector, i }: { vector: DocumentVector; i: number }): void => {
    const document = documents[i]
    if (document) membersOf[clusterOf[i] ?? 0]?.push({ ...vector, document })
  }
  await runInSteps(
    mapInSteps(
      vectors.map((vector, i) => ({ vector, i })),
      join,
    ),
  )
  const groups: Group[] = []
  for (const [cluster, centre] of centres.entries()) {
    const members = membersOf[cluster] ?? []
    const ordered = await runInSteps(bySimilarity(members, centre))
    if (members.length >= MIN_CLUSTER_DOCUMENTS)
      groups.push({ centre, documents: ordered.map(({ document }) => document), vectors: ordered })
  }
  return groups.sort((a, b) => b.documents.length - a.documents.length)
}

async function describe(
  deps: Needs,
  workspaceId: string,
  { groups, library, state }: { groups: readonly Group[]; library: Library; state: LibraryState },
): Promise<ThemeGroup[]> {
  // Vectors of two models cannot be compared.
  const model = state.embedder === SENTENCE_MODEL ? modelOf(await deps.embedder(), SENTENCE_MODEL) : undefined
  const termCount = library.vocabulary.hashes.length
  const shares = await runInSteps(mapInSteps(groups, ({ vectors }) => termSharesOf(vectors, termCount)))
  const described: ThemeGroup[] = []
  for (const [groupIndex, { centre, documents }] of groups.entries()) {
    const passagesOf = (some: readonly GroupedDocument[], passagesPerDocument: number) =>
      selectFirstPassages(
        deps.db,
        workspaceId,
        some.map(({ version_id }) => version_id),
        passagesPerDocument,
      )
    const namingDocuments = spread(documents, MAX_NAMING_DOCUMENTS)
    const names = await selectNames(
      deps.db,
      workspaceId,
      namingDocuments.map(({ version_id }) => version_id),
      { mentionsPerDocument: MAX_MENTIONS_PER_DOCUMENT, names: NAMES_PER_GROUP },
    )
    const entities = entitiesOf(names, { read: namingDocuments.length, documents: state.documents })
    const spellingPassages = await passagesOf(
      spread(documents, MAX_SPELLING_DOCUMENTS),
      MAX_PASSAGES_PER_DOCUMENT,
    )
    const terms = await runInSteps(
      termsOf(spellingPassages, library.vocabulary, {
        groupIndex,
        shares,
        documents: documents.length,
        centre,
        names: entities.map(({ name }) => name),
        limit: MAX_TERMS,
      }),
    )
    const passages = await passagesOf(documents.slice(0, MAX_QUOTED_DOCUMENTS), MAX_PASSAGES_PER_DOCUMENT)
    described.push({
      document_count: documents.length,
      terms,
      entities,
      documents: documents.slice(0, MAX_LISTED_DOCUMENTS).map(({ id, title }) => ({ id, title })),
      quote: await quoteOf({ log: deps.log, model }, library, { centre, passages }),
    })
  }
  return described
}

const entitiesOf = (
  names: readonly GroupName[],
  counts: { read: number; documents: number },
): ThemeGroup['entities'] =>
  mainNames(names, { ...counts, weights: THEME_WEIGHTS })
    .slice(0, MAX_NAMES)
    .map(({ id, name, type }) => ({ id, name, type }))

type QuoteNeeds = Pick<Deps, 'log'> & { model: EmbeddingModel | undefined }

/** The sentence nearest to the middle of the group: by words, and of the nearest ones by meaning if the model of the package serves. */
async function quoteOf(
  deps: QuoteNeeds,
  { vocabulary, common }: Library,
  { centre, passages }: { centre: Centre; passages: readonly GroupPassage[] },
): Promise<ThemeGroup['quote']> {
  const candidates = await runInSteps(
    mapInSteps(passages, (passage) => candidatesIn(passage, vocabulary, centre)),
  )
  const nearest = candidates
    .flat()
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_EMBEDDED_SENTENCES)
  const vectors = common ? await embedSentences(deps, nearest) : []
  const rated = nearest.map((candidate, i) => ({
    ...candidate,
    near: similarity(vectorOf({ ...candidate.terms, mean: vectors[i] }, vocabulary, common), centre),
  }))
  const best = rated.sort((a, b) => b.near - a.near || b.score - a.score)[0]
  if (!best) return null
  const { document_id, title, chunk_id, page } = best.passage
  return { document_id, title, chunk_id, page, text: best.sentence }
}

/** Vectors of the sentences. Empty without a model, or if it does not have their language. */
async function embedSentences(
  { log, model }: QuoteNeeds,
  candidates: readonly Candidate[],
): Promise<(Float32Array | undefined)[]> {
  if (!model || candidates.some(({ passage }) => model.languages?.includes(languageOf(passage)) === false))
    return []
  try {
    return await model.embed(
      candidates.map(({ sentence }) => sentence),
      'passage',
    )
  } catch (error) {
    log.warn({ err: error, model: model.id }, 'sentences of a group were compared by their words alone')
    return []
  }
}
