import { expect, test } from 'vitest'
import { termHash } from '../index/weights.ts'
import { contentTerms } from '../language/analyse.ts'
import { isReadable, mainNames, spread, termSharesOf, termsOf } from './description.ts'
import { centreOf, type ReadDocument, vectorOf, vocabularyOf } from './vectors.ts'

test.each([
  ['The Landlord and the Tenant agree to change the lease of 14 January 2019.', true],
  ['Die laufenden Kosten von Entwurf B wären um 4.200 EUR im Jahr höher.', true],
  ['Yes.', false],
  ['and so the Tenant has to return every key before the end of June.', false],
  ['| Part | Price | Stock | and so on for all rows of this table here |.', false],
  ['Home About Us Contact Sign In Subscribe Now Privacy Policy Terms Of Use.', false],
  ['See https://example.org/a/long/address for all that is said about it there.', false],
  ['What does the Tenant have to pay when the lease ends in the summer?', false],
])('%s can be quoted alone: %s', (sentence, expected) => {
  expect(isReadable(sentence)).toBe(expected)
})

test('names that the whole library has do not describe a group, nor does a name of one document', () => {
  const name = (id: string, group_documents: number, document_count: number, type = 'person') => ({
    group_index: 0,
    id,
    name: id,
    type,
    group_documents,
    mentions: group_documents,
    document_count,
  })
  const names = [name('everywhere', 4, 20), name('here', 3, 4), name('once', 1, 1), name('also here', 4, 4)]
  const main = mainNames(names, { read: 4, documents: 20, weights: { person: 1 } })
  expect(main.map(({ id }) => id)).toEqual(['also here', 'here'])
})

function finish<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

test('words of forms that several groups have are no terms, and words of one part of a large group are', () => {
  const subjects = [
    ['payroll salary overtime', 'audit ledger auditor'],
    ['hydrant valve leak', 'inverter panel meter'],
    ['novel poem author', 'opera aria tenor'],
    ['cow udder calf', 'beech spruce beetle'],
    ['judge verdict appeal', 'siren hose ladder'],
  ]
  const form = 'noticed replaced ordered'
  // Each group has 40 documents; those of two of the five groups are written on a form.
  const groups = subjects.map((parts, groupIndex) =>
    Array.from({ length: 40 }, (_, i) => `${parts[i % 2]} ${groupIndex < 2 ? form : ''}`),
  )
  const read = (text: string): ReadDocument => {
    const hashes = [...new Set(contentTerms(text, 'en'))].map(termHash)
    return { at: Int32Array.from(hashes), values: new Float32Array(hashes.length).fill(1), mean: undefined }
  }
  const vocabulary = finish(vocabularyOf(groups.flat().map(read)))
  const size = { dimensions: 0, terms: vocabulary.hashes.length }
  const vectors = groups.map((texts) => texts.map((text) => vectorOf(read(text), vocabulary, undefined)))
  const shares = vectors.map((group) => termSharesOf(group, size.terms))
  const terms = groups.map((texts, groupIndex) => {
    const passages = texts.map((text, i) => ({
      ...{ document_id: String(i), version_id: '', title: 'paper', chunk_id: '', page: null },
      ...{ text, language: 'en' },
    }))
    const centre = centreOf(vectors[groupIndex] ?? [], size)
    const request = { groupIndex, shares, documents: texts.length, centre, names: [], limit: 9 }
    return finish(termsOf(passages, vocabulary, request)).toSorted()
  })
  expect(terms).toEqual(subjects.map((parts) => parts.join(' ').split(' ').toSorted()))
})

test('a word of the fewest documents that a term needs is one, whatever the size of the group', () => {
  const read = (text: string): ReadDocument => {
    const hashes = [...new Set(contentTerms(text, 'en'))].map(termHash)
    return { at: Int32Array.from(hashes), values: new Float32Array(hashes.length).fill(1), mean: undefined }
  }
  const hasTerm = (documents: number): boolean => {
    const texts = Array.from({ length: documents }, (_, i) => (i < 6 ? 'payroll hydrant' : 'payroll'))
    const others = texts.map(() => 'opera')
    const vocabulary = finish(vocabularyOf([...texts, ...others].map(read)))
    const size = { dimensions: 0, terms: vocabulary.hashes.length }
    const vectors = [texts, others].map((group) =>
      group.map((text) => vectorOf(read(text), vocabulary, undefined)),
    )
    const passages = texts.map((text, i) => ({
      ...{ document_id: String(i), version_id: '', title: 'paper', chunk_id: '', page: null },
      ...{ text, language: 'en' },
    }))
    const shares = vectors.map((group) => termSharesOf(group, size.terms))
    const centre = centreOf(vectors[0] ?? [], size)
    const request = { groupIndex: 0, shares, documents, centre, names: [], limit: 9 }
    return finish(termsOf(passages, vocabulary, request)).includes('hydrant')
  }
  const sizes = Array.from({ length: 39 }, (_, i) => 21 + i)
  expect(sizes.filter((documents) => !hasTerm(documents))).toEqual([])
})

test('documents of all parts of a group are spread over it', () => {
  const documents = Array.from({ length: 250 }, (_, i) => i)
  expect(spread(documents, 5)).toEqual([0, 50, 100, 150, 200])
  expect(spread(documents, 100)).toHaveLength(100)
  expect(spread(documents.slice(0, 7), 100)).toEqual([0, 1, 2, 3, 4, 5, 6])
})
