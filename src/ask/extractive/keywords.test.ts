import { describe, expect, it, test } from 'vitest'
import { analysedText } from '../../language/analysed-text.ts'
import type { Language } from '../../language/language.ts'
import {
  containsKeyword,
  type Keyword,
  matchStrength,
  questionKeywords,
  synonymsOfUnknownWords,
  textTerms,
} from './keywords.ts'

// A workspace of a hundred chunks that has none of the words.
const keywordsOf = (text: string, language: Language): Keyword[] =>
  questionKeywords({ text, language }, { terms: [], chunks: 100 })

const shareOf = (keywords: readonly Keyword[], isIt: (keyword: Keyword) => boolean): number => {
  const sum = (some: readonly Keyword[]): number => some.reduce((all, { weight }) => all + weight, 0)
  return sum(keywords.filter(isIt)) / sum(keywords)
}

// A small ICU has none.
const hasDictionary =
  [...new Intl.Segmenter('zh', { granularity: 'word' }).segment('港口起重机')][0]?.segment === '港口'

describe('questionKeywords', () => {
  it.skipIf(!hasDictionary)(
    'each word of a Chinese question weighs as a word, however long the run of characters is',
    () => {
      const keywords = keywordsOf('BX起重机的水泵多少钱', 'zh')
      expect(keywords.map(({ word }) => word)).toContain('BX')
      expect(shareOf(keywords, ({ word }) => word === '水泵')).toBeGreaterThan(0.2)
    },
  )

  it('a word that documents have in a compound only is not said to be missing, and does not match it', () => {
    const statistics = {
      terms: [],
      wordsInCompounds: new Set(['Öl']),
      chunks: 100,
    }
    const [oil] = questionKeywords({ text: 'Öl', language: 'de' }, statistics)
    expect(oil).toMatchObject({ isInWorkspace: false, isInCompound: true })
    expect(oil && containsKeyword(textTerms('Alle 120 Stunden ein Ölwechsel.', 'de'), oil)).toBe(false)
  })

  it('a synonym is found in texts of its language only', () => {
    const statistics = { terms: [{ term: 'bien', idf: 3, df: 2 }], chunks: 100 }
    const [bees] = questionKeywords({ text: 'bees', language: 'en' }, statistics)
    if (!bees) throw new Error('a keyword')
    expect(containsKeyword(textTerms('Die Bienen stehen am Waldrand.', 'de'), bees)).toBe(true)
    expect(containsKeyword(textTerms('Fermez bien les volets.', 'fr'), bees)).toBe(false)
  })

  it('in scripts without case all words weigh alike, also the first', () => {
    const weights = keywordsOf('تاريخ الكنيسة القديمة', 'ar').map(({ weight }) => weight)
    expect(weights.length).toBe(3)
    expect(new Set(weights).size).toBe(1)
  })

  it('Vietnamese is found without its marks, and with them only by the same ones', () => {
    const text = textTerms('Thủ đô là Hà Nội', 'vi')
    const isFound = (question: string): boolean =>
      keywordsOf(question, 'vi').every((keyword) => containsKeyword(text, keyword))
    expect(isFound('ha noi')).toBe(true)
    expect(isFound('Hà Nội')).toBe(true)
    expect(isFound('hạ nội')).toBe(false)
  })

  it('a Vietnamese syllable counts whole beside its neighbour only', () => {
    const [, lip, ...rest] = keywordsOf('x môi trường', 'vi')
    if (!lip || rest.length !== 1) throw new Error('two syllables')
    expect(matchStrength(textTerms('bảo vệ môi trường sống', 'vi'), lip)).toBe(1)
    expect(matchStrength(textTerms('cắn môi mình', 'vi'), lip)).toBe(0.5)
    const [, bare] = keywordsOf('x moi truong', 'vi')
    if (!bare) throw new Error('a syllable')
    expect(matchStrength(textTerms('bảo vệ môi trường sống', 'vi'), bare)).toBe(1)
  })
})

test.each([
  ['Where are the boats in the harbour?', /^(?!.*\b(?:area|eventually|tea)\b).*bateau/],
  ['Was kostet die Miete in Bergen?', /^(?!.*\b(?:starb|final|tea)\b).*(?:rent|loyer)/],
])('%s: its function words have no synonyms', (question, expected) => {
  const synonyms = synonymsOfUnknownWords(analysedText(question), { terms: [], chunks: 100 })
  expect(synonyms.join(' ')).toMatch(expected)
})
