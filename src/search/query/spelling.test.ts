import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stem } from '../../language/stem.ts'
import { correct, ends, isCorrectable } from './spelling.ts'

const vocabulary =
  'hypertension treatment management measurement pump pipe mooring motor harbour quarterly'.split(' ')
const known = vocabulary.map((word, i) => ({ word: stem(word, 'en'), df: i + 1 }))
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

  test('the more frequent of two equally near comes first and counts more', () => {
    const words = [...known, { word: 'pure', df: 3 }, { word: 'pupil', df: 90 }]
    expect(correct('pupe', 'en', words)).toEqual([
      { term: 'pipe', weight: 0.8 },
      { term: 'pure', weight: 0.5 },
    ])
  })
})

test('what is one edit from a stop word is that', () => {
  const words = ['harm', 'whim', 'alto', 'whale'].map((word) => ({ word, df: 3 }))
  for (const typed of ['havm', 'whimh', 'alro']) expect(correct(typed, 'en', words)).toEqual([])
  expect(correct('hafm', 'en', words)[0]?.term).toBe('harm')
})

test('a word and its unstemmed form are one, told by the stem', () => {
  const words = [
    { word: 'publisher', df: 2 },
    { word: 'publish', df: 90 },
  ]
  expect(correct('publshers', 'en', words)).toEqual([{ term: 'publish', exact: 'publisher', weight: 0.8 }])
})

test('numbers, codes, short words and acronyms mean what they say', () => {
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
        const { start, end } = ends(typed ?? '', 'xx')
        expect(word.startsWith(start) || word.endsWith(end)).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})

test('what stands in the workspace as it was typed was meant, by whatever language', () => {
  const words = [
    { word: 'pair', df: 30 },
    { word: 'pais', df: 1 },
  ]
  expect(correct('país', 'en', words)).toEqual([{ term: 'pais', weight: 0.8 }])
})
