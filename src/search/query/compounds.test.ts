import { expect, test } from 'vitest'
import { words } from '../../language/words.ts'
import { compoundsAfter, compoundsOn, compoundWords, likeliestSplit, splitsOf } from './compounds.ts'

const workspace = new Map([
  ['kundig', 3],
  ['frist', 9],
  ['miet', 4],
  ['vertrag', 20],
  ['mon', 1],
  ['kind', 2],
  ['gart', 2],
])
const df = (term: string): number => workspace.get(term) ?? 0

test.each([
  ['kündigungsfrist', { first: 'kundig', head: 'frist' }],
  ['kündigungsfristen', { first: 'kundig', head: 'frist' }],
  ['mietvertrag', { first: 'miet', head: 'vertrag' }],
  ['kindergarten', { first: 'kind', head: 'gart' }],
  // "tag" is no word of this workspace, "ab" none of any.
  ['montage', undefined],
  ['abrechnung', undefined],
  ['frist', undefined],
])('%s', (word, split) => {
  expect(likeliestSplit(splitsOf(word, 'de'), df)).toEqual(split)
})

test('a word longer than any real word is not split', () => {
  expect(splitsOf('frist'.repeat(400), 'de')).toEqual([])
  expect(splitsOf('fristfrist', 'de')).not.toEqual([])
})

test('words that end with a head are its compounds, unless the rest is a stop word; short ones need a witness', () => {
  const ending = ['kundigungsfrist', 'nachfrist', 'mietfrist', 'frist'].map((word) => ({ word, df: 1 }))
  expect(compoundsOn('frist', ending, 'de')).toEqual([
    { term: 'kundigungsfrist', witnesses: [] },
    { term: 'mietfrist', witnesses: ['miet'] },
  ])
})

test('words that begin with a part are its compounds, unless the rest may be an ending; a short rest needs a witness', () => {
  const beginning = ['waschmaschinenreparatur', 'waschmaschinenkauf', 'waschmaschinen'].map((word) => ({
    word,
    df: 1,
  }))
  expect(compoundsAfter('waschmaschin', beginning, 'de')).toEqual([
    { term: 'waschmaschinenreparatur', witnesses: [] },
    { term: 'waschmaschinenkauf', witnesses: ['enkauf', 'kauf', 'nkauf'] },
  ])
})

test('after a short part the head is a word of the lexicon', () => {
  const beginning = ['olwechsel', 'oltank', 'olympiade', 'oliven'].map((word) => ({ word, df: 1 }))
  expect(compoundsAfter('ol', beginning, 'de').map(({ term }) => term)).toEqual(['olwechsel', 'oltank'])
  expect(compoundsAfter('ei', [{ word: 'einkauf', df: 1 }], 'de')).toEqual([])
})

test('a word that is derived from the part is no compound of it', () => {
  expect(compoundsAfter('organ', [{ word: 'organisation', df: 1 }], 'de')).toEqual([])
  expect(compoundsAfter('orient', [{ word: 'orientierung', df: 1 }], 'de')).toEqual([])
})

test("a query's content words, each once", () => {
  expect(compoundWords([...words('Wie lange ist die Frist der Kündigung, welche Frist?')], 'de')).toEqual([
    'lange',
    'frist',
    'kündigung',
  ])
})
