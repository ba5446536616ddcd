import { expect, test } from 'vitest'
import type { Language } from './language.ts'
import { stem } from './stem.ts'
import { foldWord } from './words.ts'

const stemOf = (word: string, language: Language): string => stem(foldWord(word), language)

// Each line: a plural and its singular.
test.each<[Language, string]>([
  [
    'en',
    `feet foot, women woman, wolves wolf, matrices matrix, criteria criterion, hypotheses hypothesis, crises crisis,
    diagnoses diagnosis, fungi fungus, larvae larva, policemen policeman`,
  ],
  ['de', 'Themen Thema, Risiken Risiko, Museen Museum, Wälder Wald'],
  ['es', 'voces voz, peces pez, imágenes imagen, enlaces enlace'],
  ['fr', 'baux bail, vitraux vitrail, jeux jeu, bijoux bijou, chevaux cheval, heureuses heureux'],
])('%s: irregular plurals have the stem of their singulars: %s', (language, list) => {
  for (const [plural = '', singular = ''] of list.split(',').map((pair) => pair.trim().split(' ')))
    expect(stemOf(plural, language)).toBe(stemOf(singular, language))
})

test.each([
  ['bases', 'basis'],
  ['media', 'medium'],
  ['leaves', 'leaf'],
  ['specimen', 'speciman'],
])('%s stays another word than %s, since it has more than one singular, or none', (one, other) => {
  expect(stemOf(one, 'en')).not.toBe(stemOf(other, 'en'))
})
