import { expect, test } from 'vitest'
import type { Language } from '../language/language.ts'
import { isFunctionWord, termWith, usesIn } from './nouns.ts'

function termsOf(texts: readonly string[], language: Language, words: readonly string[]) {
  const work = usesIn(texts.map((text, i) => ({ document_id: String(i), text, language })))
  for (;;) {
    const { done, value } = work.next()
    if (done) return words.map((word) => termWith(word, value))
  }
}

test('nouns of English sentences are terms; verbs, adjectives, numerals and names are none', () => {
  const texts = [
    'The tenant returns the keys before the end. Four visitors saw the exact place in May.',
    'This policy says what the firm pays. The gauge measures the water. We need a lease.',
    'A lease of the hall needs a deposit. It was signed by Lydia Marsh with the tenant.',
  ]
  const words = 'tenant returns keys four exact may says measures need needs lease deposit lydia'.split(' ')
  const terms = termsOf(texts, 'en', words).filter((term) => term !== undefined)
  expect(terms).toEqual(['tenant', 'keys', 'lease', 'deposit'])
})

test('words that mostly stand together are one term, in two documents or more', () => {
  const texts = ['Switch off the label printer.', 'The label printer is new, and the scanner too.']
  expect(termsOf(texts, 'en', ['label', 'printer', 'scanner'])).toEqual([
    'label printer',
    'label printer',
    'scanner',
  ])
  expect(termsOf(texts.slice(1), 'en', ['label', 'printer'])).toEqual([undefined, undefined])
})

test('a verb after its subject makes no pair with it', () => {
  const texts = ['This policy says what we pay.', 'The policy says how we travel.']
  expect(termsOf(texts, 'en', ['policy', 'says'])).toEqual([undefined, undefined])
})

test('a subject is a term, and makes no pair with the verb behind it', () => {
  const texts = [
    'The committee met on Friday. The tenant signed the lease of the hall.',
    'The committee met in May. A committee is needed. It is for the tenant.',
  ]
  expect(termsOf(texts, 'en', ['committee', 'met', 'tenant', 'signed'])).toEqual([
    'committee',
    undefined,
    'tenant',
    undefined,
  ])
})

test.each([
  [
    'de',
    'Die Miete für das Lager ist neu. Wir kündigen das Lager bald.',
    ['Lager', 'kündigen', 'neu'],
    ['Lager', undefined, undefined],
  ],
  [
    'de',
    'Technische Daten. Nach Kündigung des Vertrags, wenn Sie Fragen haben.',
    ['Technische', 'Daten', 'Kündigung', 'Fragen'],
    [undefined, 'Daten', 'Kündigung', 'Fragen'],
  ],
  [
    'fr',
    'Le loyer annuel de la salle change. Elle démarre la pompe.',
    ['loyer', 'salle', 'démarre', 'annuel', 'change'],
    ['loyer', 'salle', undefined, undefined, undefined],
  ],
  [
    'fr',
    "L'assurance couvre la location du local. Il faut payer.",
    ['assurance', 'location', 'payer'],
    ['assurance', 'location', undefined],
  ],
  [
    'es',
    'El seguro anual cubre la imprenta. Ella paga el alquiler del local.',
    ['seguro', 'anual', 'imprenta', 'alquiler', 'paga'],
    ['seguro', undefined, 'imprenta', 'alquiler', undefined],
  ],
] as const)('%s has its own function words', (language, text, words, expected) => {
  expect(termsOf([text], language, words)).toEqual(expected)
})

test('function words of each of these languages are known, whatever the language of the text', () => {
  expect(['für', 'der', 'the', 'para', 'Lager'].map(isFunctionWord)).toEqual([true, true, true, true, false])
})
