import { expect, test } from 'vitest'
import { guessLanguage } from './guess.ts'
import { LANGUAGES, type Language } from './language.ts'
import { isStopWord, stem } from './stem.ts'

test.each<[Language, string]>([
  ['de', 'jahr tage teil gross zeit ordnung mensch mittel beispiel startseite'],
  ['es', 'días país lugar trabajo informó'],
  ['sv', 'dag beslut kronor'],
  ['en', 'will may year part'],
])('%s: words that carry meaning are no stop words', (language, text) => {
  expect(text.split(' ').filter((word) => isStopWord(word, language))).toEqual([])
})

test('Arabic nouns of three letters are no stop words because the last two are one', () => {
  for (const word of ['فلم', 'فهم', 'لبن']) expect(isStopWord(word, 'ar')).toBe(false)
  for (const word of ['وفي', 'وهو', 'بهذا', 'فهذا']) expect(isStopWord(word, 'ar')).toBe(true)
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
  ['ar', 'ما هي مدة عقد الإيجار؟'],
  ['el', 'Ποια είναι η διάρκεια της σύμβασης;'],
  ['hu', 'Mennyi a felmondási idő?'],
  ['ro', 'Care este durata contractului de închiriere?'],
  ['tr', 'Kira sözleşmesi ne kadar sürer ve kim imzaladı?'],
  ['hi', 'अनुबंध की अवधि क्या है?'],
  ['sr', 'Koliko traje ugovor o zakupu?'],
  ['lt', 'Kiek trunka nuomos sutartis ir kas ją pasirašė?'],
  ['en', 'When does the lease end?'],
])('%s: %s', (language, question) => {
  expect(guessLanguage(question)).toBe(language)
})

test('digits are stop words of no language, so that a numbered heading tells none', () => {
  for (const language of LANGUAGES)
    for (const digit of '0123456789') expect(isStopWord(digit, language)).toBe(false)
  expect(guessLanguage('2. Premises', 'de')).toBe('de')
})

test.each([
  ['photos', 'photo'],
  ['amis', 'ami'],
  ['élus', 'élu'],
  ['refuser', 'refus'],
  ['jeux', 'jeu'],
])('fr: %s and %s are forms of one word', (one, other) => {
  expect(stem(one, 'fr')).toBe(stem(other, 'fr'))
})

// A word of each stemmed language and another form of it: the ending differs, the stem does not.
test.each<[Language, string, string]>([
  ['ar', 'العقود', 'عقود'],
  ['el', 'συμβάσεις', 'συμβάσεων'],
  ['ga', 'bheannacht', 'beannacht'],
  ['hi', 'अनुबंधों', 'अनुबंध'],
  ['hu', 'szerződések', 'szerződés'],
  ['hy', 'պայմանագրերը', 'պայմանագրեր'],
  ['id', 'perjanjiannya', 'perjanjian'],
  ['lt', 'sutartis', 'sutarties'],
  ['ne', 'सम्झौतामा', 'सम्झौता'],
  ['ro', 'contractele', 'contractul'],
  ['sr', 'уговори', 'ugovora'],
  ['ta', 'ஒப்பந்தங்கள்', 'ஒப்பந்தம்'],
  ['tr', 'sözleşmeler', 'sözleşmenin'],
])('%s: %s and %s are forms of one word', (language, one, other) => {
  expect(stem(one, language)).toBe(stem(other, language))
})
