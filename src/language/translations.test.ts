import { expect, test } from 'vitest'
import type { Language } from './language.ts'
import { translationsOf } from './translations.ts'

const meaningsOf = (word: string, from: Language, to: Language): string[][] =>
  translationsOf(word, from).map(({ words }) => [...(words.get(to) ?? [])])

test('a word is translated into each of the other languages, in any of its forms', () => {
  expect(meaningsOf('Bäume', 'de', 'en')[0]).toContain('tree')
  expect(meaningsOf('trees', 'en', 'fr')[0]).toContain('arbre')
  expect(meaningsOf('loyer', 'fr', 'de')[0]).toContain('miete')
  expect(meaningsOf('tree', 'en', 'en')).toEqual([[]])
})

test('a German compound is translated by its parts, each half of it', () => {
  const parts = translationsOf('Heizungsstörung', 'de')
  expect(parts.map(({ share }) => share)).toEqual([0.5, 0.5])
  expect(meaningsOf('Heizungsstörung', 'de', 'en').some((words) => words.includes('heating'))).toBe(true)
})

test('a name and a word of a language without a list have no translation', () => {
  expect(translationsOf('Wellenbrück', 'fr')).toEqual([])
  expect(translationsOf('albero', 'it')).toEqual([])
})
