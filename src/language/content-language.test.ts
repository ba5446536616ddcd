import { expect, test } from 'vitest'
import { languageOfContentWords } from './content-language.ts'
import { worded } from './words.ts'

const LANGUAGES = ['en', 'de', 'fr', 'es'] as const

test.each([
  ['horaires piscine', 'fr'],
  ['prix houblon 2026', 'fr'],
  ["clé chambre d'amis", 'fr'],
  ['Kündigungsfrist Hausmeister', 'de'],
  ['Öffnungszeiten Büro', 'de'],
  ['precio alquiler barco', 'es'],
  ['reparación pantalán', 'es'],
])('%s is %s, although it has no stop word', (query, language) => {
  expect(languageOfContentWords(worded(query), LANGUAGES)).toBe(language)
})

test.each([
  'vacation policy',
  'parking permit price',
  'Define takt time',
  'Müller invoice total',
  'Jürgen Müller phone',
  'François Lefèvre email',
  'rent Bahnhofstraße 12',
  'BW-2210',
  'menu 2026',
])('%s is left to the main language', (query) => {
  expect(languageOfContentWords(worded(query), LANGUAGES)).toBeUndefined()
})

test('a language that the texts do not have is not guessed', () => {
  expect(languageOfContentWords(worded('horaires piscine'), ['en', 'de'])).toBeUndefined()
  expect(languageOfContentWords(worded('horaires piscine'), ['it', 'fr'])).toBeUndefined()
})
