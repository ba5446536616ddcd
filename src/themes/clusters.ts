// Divides documents into groups: bisecting k-means, refined by spherical k-means (Steinbach, Karypis and Kumar, "A comparison of
// document clustering techniques", 2000). The number of groups is the one with the best silhouette. Nothing is random, so the same
// documents give the same groups. The work is a generator that yields often, so that the caller can pause.

import { type Centre, centreOf, type DocumentVector, similarity } from './vectors.ts'

export interface Clusters {
  centres: Centre[]
  /** The cluster of each document. */
  clusterOf: Int32Array
}

/** Below this number of documents there are no groups. */
export const MIN_DOCUMENTS = 6
export const MAX_CLUSTERS = 12
// A group of fewer documents is none.
export const MIN_CLUSTER_DOCUMENTS = 2
const MAX_ROUNDS = 8
// Documents between two pauses: a few milliseconds.
const DOCUMENTS_PER_STEP = 100

/** How many groups are tried for so many documents. */
function clusterCounts(documents: number): { min: number; max: number } {
  const max = Math.min(MAX_CLUSTERS, Math.max(2, Math.floor(documents / 3)))
  return { min: Math.min(max, documents < 12 ? 2 : documents < 40 ? 3 : 5), max }
}

export function* clustersOf(
  documents: readonly DocumentVector[],
  size: { dimensions: number; terms: number },
): Generator<void, Clusters> {
  const { min, max } = clusterCounts(documents.length)
  let clusters: Clusters = {
    centres: [centreOf(documents, size)],
    clusterOf: new Int32Array(documents.length),
  }
  let best = { clusters, score: Number.NEGATIVE_INFINITY }
  while (clusters.centres.length < max) {
    const split = yield* withLoosestSplit(documents, clusters, size)
    if (!split) break
    clusters = yield* refined(documents, split, size)
    if (clusters.centres.length < min) continue
    const score = yield* silhouette(documents, clusters)
    if (score > best.score) best = { clusters, score }
  }
  return best.score === Number.NEGATIVE_INFINITY ? clusters : best.clusters
}

/** Splits the cluster whose documents are least similar to their centre in all. Undefined if none can be split. */
function* withLoosestSplit(
  documents: readonly DocumentVector[],
  { centres, clusterOf }: Clusters,
  size: { dimensions: number; terms: number },
): Generator<void, Clusters | undefined> {
  const looseness = centres.map(() => 0)
  const members: number[][] = centres.map(() => [])
  for (const [i, document] of documents.entries()) {
    const cluster = clusterOf[i] ?? 0
    const centre = centres[cluster]
    if (centre) looseness[cluster] = (looseness[cluster] ?? 0) + 1 - similarity(document, centre)
    members[cluster]?.push(i)
    if (i % DOCUMENTS_PER_STEP === 0) yield
  }
  const splittable = centres
    .map((_, cluster) => cluster)
    .filter((cluster) => (members[cluster]?.length ?? 0) >= 2 * MIN_CLUSTER_DOCUMENTS)
    .sort((a, b) => (looseness[b] ?? 0) - (looseness[a] ?? 0) || a - b)
  const [loosest] = splittable
  if (loosest === undefined) return undefined
  const indexes = members[loosest] ?? []
  const halves = yield* halvesOf(
    indexes.flatMap((i) => documents[i] ?? []),
    size,
  )
  return { centres: [...centres.slice(0, loosest), ...halves, ...centres.slice(loosest + 1)], clusterOf }
}

/**
 * The centres of two halves. One begins at the document that is farthest from the middle, the other at the document that is
 * farthest from that one; both are means of the documents nearest to them, so that a single odd document decides little.
 */
function* halvesOf(
  documents: readonly DocumentVector[],
  size: { dimensions: number; terms: number },
): Generator<void, Centre[]> {
  const middle = centreOf(documents, size)
  const first = yield* aroundFarthest(documents, middle, size)
  const second = yield* aroundFarthest(documents, first, size)
  const start: Clusters = { centres: [first, second], clusterOf: new Int32Array(documents.length) }
  return (yield* refined(documents, start, size)).centres
}

function* aroundFarthest(
  documents: readonly DocumentVector[],
  centre: Centre,
  size: { dimensions: number; terms: number },
): Generator<void, Centre> {
  const ordered = yield* bySimilarity(documents, centre)
  const farthest = ordered.at(-1)
  const nearest = yield* bySimilarity(documents, centreOf(farthest ? [farthest] : [], size))
  return centreOf(nearest.slice(0, Math.max(1, Math.ceil(documents.length / 8))), size)
}

/** The documents nearest to the centre first. */
export function* bySimilarity<T extends DocumentVector>(
  documents: readonly T[],
  centre: Centre,
): Generator<void, T[]> {
  const rated: { document: T; near: number; i: number }[] = []
  for (const [i, document] of documents.entries()) {
    rated.push({ document, near: similarity(document, centre), i })
    if (i % DOCUMENTS_PER_STEP === 0) yield
  }
  return rated.sort((a, b) => b.near - a.near || a.i - b.i).map(({ document }) => document)
}

/** Rounds of spherical k-means: each document goes to its nearest centre, each centre to the middle of its documents. */
function* refined(
  documents: readonly DocumentVector[],
  start: Clusters,
  size: { dimensions: number; terms: number },
): Generator<void, Clusters> {
  let { centres } = start
  let clusterOf = new Int32Array(documents.length).fill(-1)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = yield* nearestCentres(documents, centres)
    if (next.every((cluster, i) => cluster === clusterOf[i])) break
    clusterOf = next
    const newCentres: Centre[] = []
    for (const [cluster, centre] of centres.entries()) {
      const members = documents.filter((_, i) => clusterOf[i] === cluster)
      newCentres.push(members.length > 0 ? centreOf(members, size) : centre)
      yield
    }
    centres = newCentres
  }
  return { centres, clusterOf }
}

/** The nearest centre of each document. */
export function* nearestCentres(
  documents: readonly DocumentVector[],
  centres: readonly Centre[],
): Generator<void, Int32Array<ArrayBuffer>> {
  const nearest = new Int32Array(documents.length)
  for (const [i, document] of documents.entries()) {
    let best = Number.NEGATIVE_INFINITY
    for (const [cluster, centre] of centres.entries()) {
      const near = similarity(document, centre)
      if (near <= best) continue
      best = near
      nearest[i] = cluster
    }
    if (i % DOCUMENTS_PER_STEP === 0) yield
  }
  return nearest
}

/**
 * The mean silhouette, measured by the distances to the centres. The own centre is that of the other documents of the cluster, since
 * a document is near to any centre that it is a large part of.
 */
function* silhouette(
  documents: readonly DocumentVector[],
  { centres, clusterOf }: Clusters,
): Generator<void, number> {
  const own = new Float64Array(documents.length)
  const other = new Float64Array(documents.length)
  // The length of the sum of a cluster's documents is the sum of their similarities to its centre.
  const lengths = centres.map(() => 0)
  for (const [i, document] of documents.entries()) {
    const cluster = clusterOf[i] ?? 0
    let nearest = Number.NEGATIVE_INFINITY
    for (const [k, centre] of centres.entries()) {
      const near = similarity(document, centre)
      if (k === cluster) own[i] = near
      else nearest = Math.max(nearest, near)
    }
    other[i] = nearest
    lengths[cluster] = (lengths[cluster] ?? 0) + (own[i] ?? 0)
    if (i % DOCUMENTS_PER_STEP === 0) yield
  }
  let sum = 0
  for (const i of documents.keys()) {
    const ownDistance = 1 - withoutItself(own[i] ?? 0, lengths[clusterOf[i] ?? 0] ?? 0)
    const otherDistance = 1 - (other[i] ?? 0)
    sum += (otherDistance - ownDistance) / Math.max(otherDistance, ownDistance, Number.EPSILON)
  }
  return sum / documents.length
}

/** The similarity of a document to the centre of the others, from its similarity to the centre of all. */
function withoutItself(near: number, length: number): number {
  const rest = length * length - 2 * length * near + 1
  return rest > 1e-6 ? (length * near - 1) / Math.sqrt(rest) : 0
}
