import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/support/full.ts'
import type { Language } from '../../language/language.ts'
import { stem } from '../../language/stem.ts'
import {
  isAcronym,
  isCorrectable,
  isInflectionOf,
  type KnownWord,
  likeliest,
  spellingGuesses,
  startAndEndOf,
} from './spelling.ts'

const vocabulary =
  'hypertension treatment management measurement pump pipe mooring motor harbour quarterly'.split(' ')
const known = vocabulary.map((word, i) => ({ word: stem(word, 'en'), df: i + 1 }))
const correct = (raw: string, language: Language, words: readonly KnownWord[]) =>
  likeliest(spellingGuesses(raw, language, words)).map(({ term, exact, weight }) => ({
    term,
    ...(exact && { exact }),
    weight,
  }))
const first = (raw: string): string | undefined => correct(raw, 'en', known)[0]?.term

describe('correct', () => {
  test.each([
    ['hypertenion', 'hypertension'],
    ['treatmnet', 'treatment'],
    ['managemnt', 'management'],
    ['maangement', 'management'],
    ['mooirng', 'mooring'],
    ['quaterly', 'quarterly'],
    ['harbuor', 'harbour'],
  ])('%s is %s', (typed, meant) => {
    expect(first(typed)).toBe(stem(meant, 'en'))
  })

  test('one edit in a short word, two from eight letters on, and no more', () => {
    expect(first('puump')).toBe('pump')
    const far = (typed: string) => correct(typed, 'xx', [{ word: 'kilimanjaro', df: 1 }]).length
    expect(far('kilmanjarro')).toBe(1)
    expect(far('klmanjarro')).toBe(0)
    expect(first('cardiology')).toBeUndefined()
  })

  test('the more frequent of two equally near words comes first and weighs more', () => {
    const words = [
      { word: 'pipe', df: 6 },
      { word: 'pure', df: 3 },
      { word: 'pupil', df: 90 },
    ]
    expect(correct('pupe', 'en', words)).toEqual([
      { term: 'pipe', weight: 0.8 },
      { term: 'pure', weight: 0.5 },
    ])
  })
})

test('a word one edit from a stop word is that stop word', () => {
  const words = ['harm', 'whim', 'alto', 'whale'].map((word) => ({ word, df: 3 }))
  for (const typed of ['havm', 'whimh', 'alro']) expect(correct(typed, 'en', words)).toEqual([])
  expect(correct('hafm', 'en', words)[0]?.term).toBe('harm')
})

test('a word and its unstemmed form are one guess, by the stem', () => {
  const words = [
    { word: 'publisher', df: 2 },
    { word: 'publish', df: 90 },
  ]
  expect(correct('publshers', 'en', words)).toEqual([{ term: 'publish', weight: 1 }])
  expect(correct('publsher', 'en', words)).toEqual([{ term: 'publish', exact: 'publisher', weight: 1 }])
})

test.each([
  ['uninsured', 'insured', 'en'],
  ['insured', 'uninsured', 'en'],
  ['nonmembers', 'members', 'en'],
  ['unbezahlt', 'bezahlt', 'de'],
  ['incomplet', 'complet', 'fr'],
] as const)('%s is no typing error for %s, which says the opposite', (typed, word, language) => {
  expect(
    spellingGuesses(typed, language, [
      { word: stem(word, language), df: 5 },
      { word, df: 5 },
    ]),
  ).toEqual([])
})

test('numbers, codes, short words and acronyms are not corrected', () => {
  for (const raw of ['AB-12', '2019', 'mRNA', 'TCP', 'abc', 'x1y2z3', '合同'])
    expect(isCorrectable(raw)).toBe(false)
  for (const raw of ['pump', 'Kennedy', 'Straße']) expect(isCorrectable(raw)).toBe(true)
})

test('after any one edit a word of five letters or more begins or ends as before', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcdefgxyz'), minLength: 5, maxLength: 20 })
  fc.assert(
    fc.property(
      letters,
      fc.nat(),
      fc.nat(3),
      fc.constantFrom(...'abcdefgxyz'),
      (word, place, kind, letter) => {
        const at = place % word.length
        const swapped = `${word.slice(0, at)}${word[at + 1] ?? ''}${word[at]}${word.slice(at + 2)}`
        const typed = [
          word.slice(0, at) + word.slice(at + 1),
          word.slice(0, at) + letter + word.slice(at),
          word.slice(0, at) + letter + word.slice(at + 1),
          swapped,
        ][kind]
        const { start, end } = startAndEndOf(typed ?? '', 'xx')
        expect(word.startsWith(start) || word.endsWith(end)).toBe(true)
      },
    ),
    { numRuns: runs(500) },
  )
})

test.each([
  ['frequenly', 'frequently', 'frequency'],
  ['domestiacted', 'domesticated', 'domestic'],
  ['cariers', 'carriers', 'careful'],
  ['kidnwy', 'kidney', 'kind'],
  ['baterry', 'battery', 'batter'],
  ['cabagge', 'cabbage', 'cabin'],
  ['stoppnig', 'stopping', 'stomping'],
])(
  '%s is told by how words are written, not by what is left of it without an ending',
  (typed, meant, other) => {
    const words = [
      { word: stem(other, 'en'), df: 200 },
      { word: stem(meant, 'en'), df: 20 },
    ]
    expect(correct(typed, 'en', words).map(({ term }) => term)).toContain(stem(meant, 'en'))
  },
)

test('a guess that occurs beside the neighbours is likelier than a frequent one, and weighs 1', () => {
  const found = spellingGuesses('goli', 'en', [
    { word: 'gold', df: 200 },
    { word: 'golgi', df: 150 },
    { word: 'golli', df: 3 },
  ])
  expect(likeliest(found).map(({ term, weight }) => [term, weight])).toEqual([
    ['gold', 0.8],
    ['golgi', 0.5],
  ])
  const besideDeficient = (term: string): number => (term === 'golli' ? 9 : 0)
  expect(likeliest(found, besideDeficient).map(({ term, weight }) => [term, weight])).toEqual([
    ['golli', 1],
    ['gold', 0.3],
  ])
})

test('another first letter is rarely meant', () => {
  const words = [
    { word: 'mooring', df: 9 },
    { word: 'looring', df: 100 },
  ]
  expect(correct('mooringg', 'xx', words).map(({ term }) => term)).toEqual(['mooring'])
  expect(correct('nooring', 'xx', words)[0]?.term).toBe('looring')
  expect(correct('mloring', 'xx', [...words, { word: 'floring', df: 100 }])[0]?.term).toBe('mooring')
})

test('an acronym may be mistyped, one with digits never is', () => {
  for (const raw of ['AvNCA', 'GPDR', 'mRNA']) expect(isAcronym(raw)).toBe(true)
  for (const raw of ['TCP', 'CTF4', 'Kennedy', 'pump']) expect(isAcronym(raw)).toBe(false)
})

test('a word that occurs in the workspace as typed is not corrected, in whatever language', () => {
  const words = [
    { word: 'pair', df: 30 },
    { word: 'pais', df: 1 },
  ]
  expect(correct('país', 'en', words)).toEqual([{ term: 'pais', weight: 1 }])
})

test('a correctly spelt word is only corrected to one of its family', () => {
  for (const [raw, term] of [
    ['Accuracy', 'accur'],
    ['fraudulent', 'fraud'],
  ] as const)
    expect(isInflectionOf(raw, term)).toBe(true)
  for (const [raw, term] of [
    ['long', 'along'],
    ['planet', 'plane'],
    ['seat', 'sea'],
    ['booze', 'book'],
    ['changed', 'charg'],
  ] as const)
    expect(isInflectionOf(raw, term)).toBe(false)
})
