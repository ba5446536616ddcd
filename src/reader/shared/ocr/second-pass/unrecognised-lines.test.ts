// Another script among lines that are read well: where it stands, and how its pieces become words.

import { expect, test } from 'vitest'
import type { Word } from '../recognised.ts'
import { mergeUnspacedWords } from '../unspaced-scripts.ts'
import { type RecognisedLine, scoredWords, unrecognisedRegions } from './unrecognised-lines.ts'

const lineAt = (top: number, confidence: number, letters = 30): RecognisedLine => ({
  bbox: [100, top, 500, top + 20],
  confidence,
  letters,
})

test('lines in succession that were read in no language are one part, between those that were', () => {
  const lines = [
    lineAt(0, 0.95),
    lineAt(30, 0.93),
    lineAt(60, 0.4),
    lineAt(90, 0.6),
    lineAt(120, 0.2),
    lineAt(150, 0.5),
  ]
  const [part, ...more] = unrecognisedRegions([...lines, lineAt(172, 0.94)])
  expect(more).toEqual([])
  expect(part).toEqual({ bbox: [80, 55, 520, 172], isNoise: true })
})

test('one by itself may be right in part; a smudge, a weak line and all of a poor scan are left alone', () => {
  const sure = [lineAt(0, 0.95), lineAt(30, 0.95)]
  expect(unrecognisedRegions([...sure, lineAt(60, 0.4)])).toMatchObject([{ isNoise: false }])
  expect(unrecognisedRegions([...sure, lineAt(60, 0.4, 5)])).toEqual([])
  expect(unrecognisedRegions([...sure, lineAt(60, 0.6), lineAt(90, 0.65)])).toEqual([])
  expect(unrecognisedRegions([lineAt(0, 0.75), lineAt(30, 0.4), lineAt(60, 0.5)])).toEqual([])
  expect(unrecognisedRegions([lineAt(0, 0.3), lineAt(30, 0.4)])).toEqual([])
})

test('the leader of an entry says nothing of its words; what ends with no sure figure is judged whole', () => {
  const words = (line: string) =>
    [...line.matchAll(/(\S+)\((\d+)\)/g)].map(([, text = '', of]) => ({ text, confidence: Number(of) }))
  const told = (line: string): string[] => scoredWords(words(line)).map(({ text }) => text)
  expect(told('Gauges(69) neice(0) eee(0) eee(3) e(0) nee(7) 17(96)')).toEqual(['Gauges', '17'])
  expect(told('Storms(94) Of(93) the(95) Year(87) ..ooi(0) iii(0) $31.50(96)')).toHaveLength(5)
  for (const line of [
    'TREASUREHH(40) 2](20) HO(11) 3(96)',
    'Gauges(69) neice(0) 17(40)',
    'Gauges(69) neice(0)',
  ])
    expect(told(line)).toHaveLength(words(line).length)
})

const read = (text: string, ...pieces: string[]): string[] => {
  const words = pieces.map((piece, i) => {
    const bbox = { x0: i * 30, y0: 0, x1: i * 30 + 25, y1: 20 }
    return { text: piece, confidence: 90, bbox } as Word
  })
  const bbox = { x0: 0, y0: 0, x1: 300, y1: 20 }
  return mergeUnspacedWords({ text, words, bbox }).words.map((word) => word.text)
}

test('Korean has the spaces of its line, Chinese and Japanese none, Latin all', () => {
  expect(read('안녕하세요, 저희는', '안녕하세요,', '저', '희', '는')).toEqual(['안녕하세요,', '저희는'])
  expect(read('新 鲜 甘 草 ， 养分', '新', '鲜', '甘', '草', '，', '养分')).toEqual(['新鲜甘草，养分'])
  expect(read('東京 タワー 333 m', '東京', 'タワー', '333', 'm')).toEqual(['東京タワー', '333', 'm'])
  expect(read('the tide of', 'the', 'tide', 'of')).toEqual(['the', 'tide', 'of'])
  expect(read('“the” “tide”', '“the”', '“tide”')).toEqual(['“the”', '“tide”'])
  expect(read('', 'the', 'tide')).toEqual(['the', 'tide'])
})
