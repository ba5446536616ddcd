import { expect, test } from 'vitest'
import { termHash } from '../index/weights.ts'
import { contentTerms } from '../language/analyse.ts'
import { clustersOf } from './clusters.ts'
import { commonMean, type ReadDocument, vectorOf, vocabularyOf } from './vectors.ts'

const SUBJECTS = [
  'tide gauge water level pressure sensor harbour calibration probe cable depth',
  'lease landlord tenant rent deposit premises notice clause amendment keys',
  'bread flour oven yeast dough loaf bakery crust salt recipe',
  'verdict court judge appeal plaintiff witness evidence trial hearing counsel',
]

/** Eight different words of the subject, and one that every document has. */
function textOf(subject: number, no: number): string {
  const words = SUBJECTS[subject]?.split(' ') ?? []
  return ['report', ...words.filter((_, i) => i % 5 !== no % 5)].join(' ')
}

function finish<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

const readText = (text: string, mean?: number[]): ReadDocument => {
  const hashes = [...new Set(contentTerms(text, 'en'))].map(termHash)
  return {
    at: Int32Array.from(hashes),
    values: new Float32Array(hashes.length).fill(1),
    mean: mean && Float32Array.from(mean),
  }
}

function clusterOf(documents: readonly ReadDocument[]): number[] {
  const vocabulary = finish(vocabularyOf(documents))
  const common = commonMean(documents)
  const vectors = documents.map((document) => vectorOf(document, vocabulary, common))
  const size = { dimensions: common?.length ?? 0, terms: vocabulary.hashes.length }
  return [...finish(clustersOf(vectors, size)).clusterOf]
}

/** Whether two documents are in one cluster exactly if they have the same subject. */
const separates = (clusters: readonly number[], subjects: readonly number[]): boolean =>
  clusters.every((cluster, i) =>
    clusters.every((other, k) => (cluster === other) === (subjects[i] === subjects[k])),
  )

test('documents are grouped by their subjects, in any order, and the same way each time', () => {
  const subjects = Array.from({ length: 24 }, (_, i) => i % SUBJECTS.length)
  const documents = subjects.map((subject, i) => readText(textOf(subject, i)))
  const clusters = clusterOf(documents)
  expect(separates(clusters, subjects)).toBe(true)
  expect(clusterOf(documents)).toEqual(clusters)
  const ordered = subjects.toSorted()
  expect(separates(clusterOf(ordered.map((subject, i) => readText(textOf(subject, i)))), ordered)).toBe(true)
})

test('documents with other words are grouped by meaning', () => {
  const directions = [
    [1, 0, 0],
    [0, 1, 0],
  ]
  const subjects = Array.from({ length: 8 }, (_, i) => i % 2)
  const documents = subjects.map((subject, i) => {
    const shift = i / 100
    const mean = directions[subject]?.map((number) => number + shift)
    return readText(`word${i} other${i} report`, mean)
  })
  expect(separates(clusterOf(documents), subjects)).toBe(true)
})

test('equal documents, and documents without words, end in some cluster', () => {
  expect(
    new Set(clusterOf(Array.from({ length: 7 }, () => readText('the same text')))).size,
  ).toBeLessThanOrEqual(2)
  expect(clusterOf(Array.from({ length: 7 }, () => readText('')))).toHaveLength(7)
})

test('a large library is grouped by terms of six documents, a small one by those of 2 %', () => {
  const termsOf = (size: number, count: number): number => {
    const documents = Array.from({ length: size }, (_, i) => readText(i < count ? 'gauge' : `other${i}`))
    return finish(vocabularyOf(documents)).hashes.length
  }
  expect([5, 6, 19].map((count) => termsOf(1000, count))).toEqual([0, 1, 1])
  expect([1, 2].map((count) => termsOf(100, count))).toEqual([0, 1])
})
