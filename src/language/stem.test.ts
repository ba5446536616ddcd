import { expect, test } from 'vitest'
import { guessLanguage } from './guess.ts'
import type { Language } from './language.ts'
import { isStopWord } from './stem.ts'

test.each<[Language, string]>([
  ['de', 'jahr tage teil gross zeit ordnung mensch mittel beispiel startseite'],
  ['es', 'días país lugar trabajo informó'],
  ['sv', 'dag beslut kronor'],
  ['en', 'will may year part'],
])('%s: words that carry meaning are no stop words', (language, text) => {
  expect(text.split(' ').filter((word) => isStopWord(word, language))).toEqual([])
})

test.each<[Language, string]>([
  ['de', 'es wer wann dass wurde für über'],
  ['es', 'es son fue está cuál qué dónde'],
  ['fr', 'est les une qui'],
  ['en', 'which does whose also its'],
])('%s: words that only hold a sentence together are', (language, text) => {
  expect(text.split(' ').filter((word) => !isStopWord(word, language))).toEqual([])
})

test.each<[Language, string]>([
  ['de', 'Wie lange ist die Kündigungsfrist?'],
  ['fr', 'Quelle est la durée du contrat ?'],
  ['es', '¿Cuál es el plazo de entrega?'],
  ['it', 'Quanto dura il contratto di locazione?'],
  ['pt', 'Qual é o prazo de entrega?'],
  ['nl', 'Hoe lang is de opzegtermijn?'],
  ['sv', 'Vad är uppsägningstiden?'],
  ['da', 'Hvor lang er opsigelsesfristen?'],
  ['fi', 'Mikä on irtisanomisaika?'],
  ['ru', 'Какой срок поставки?'],
  ['en', 'When does the lease end?'],
])('%s: %s', (language, question) => {
  expect(guessLanguage(question)).toBe(language)
})
