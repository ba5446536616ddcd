import { describe, expect, it } from 'vitest'
import { synonymsInText, synonymsOf } from './lexicon.ts'

const wordsFor = (word: string, language?: string): string[] =>
  synonymsOf(word, language).map((synonym) => synonym.word)

describe('synonymsOf', () => {
  it('translates words, in whatever form they are', () => {
    expect(wordsFor('Lieferanten')).toContain('supplier')
    expect(wordsFor('Hunde', 'de')[0]).toBe('dog')
    expect(wordsFor('Monaten')).toContain('month')
    expect(wordsFor('perro', 'es')[0]).toBe('dog')
    expect(wordsFor('chien', 'fr')[0]).toBe('dog')
    expect(synonymsOf('rabbit', 'en')).toContainEqual({ language: 'de', word: 'kaninchen' })
  })

  it('has other words of the same language', () => {
    expect(synonymsOf('cupboard', 'en')).toContainEqual({ language: 'en', word: 'cabinet' })
    expect(synonymsOf('bunny', 'en')).toContainEqual({ language: 'en', word: 'rabbit' })
  })

  it('reads a word in its language, and in another where its own has no such word', () => {
    expect(wordsFor('rat', 'de')).not.toContain('ratte')
    expect(wordsFor('Kaninchen', 'en')).toContain('rabbit')
  })

  it('goes from one language to another over English', () => {
    expect(synonymsOf('Bäume', 'de')).toContainEqual({ language: 'fr', word: 'arbre' })
  })

  it('never takes a word for its opposite', () => {
    expect(wordsFor('uninsured', 'en')).not.toContain('versichert')
    expect(wordsFor('unhappy', 'en')).not.toContain('glücklich')
    expect(wordsFor('unmöglich', 'de')).not.toContain('possible')
  })

  it('has nothing for what is no word of these languages', () => {
    expect(synonymsOf('xqzt')).toEqual([])
    expect(synonymsOf('4711')).toEqual([])
    expect(synonymsOf('')).toEqual([])
  })

  it('has the quantity that an adjective of a question compares', () => {
    const nounsOf = (text: string, word: string): string[] =>
      (synonymsInText(text).get(word) ?? []).map((synonym) => synonym.word)
    expect(nounsOf('Which saw is louder?', 'louder')).toContain('noise')
    expect(nounsOf('Welche Säge ist schwerer?', 'schwerer')).toContain('Gewicht')
    expect(nounsOf('Welcher Bohrer ist der schwerste?', 'schwerste')).toContain('Gewicht')
    expect(nounsOf('Which pumps are no longer sold?', 'longer')).not.toContain('length')
    expect(nounsOf('Which lamp gives more light?', 'light')).not.toContain('weight')
  })

  it('has countries, also of two words', () => {
    expect(wordsFor('Deutschland')).toContain('Germany')
    expect(wordsFor('Espagne')).toContain('Spain')
    expect(synonymsInText('the office in Reino Unido').get('Reino')).toContainEqual({
      language: 'en',
      word: 'United Kingdom',
    })
  })
})
