import { expect, test } from 'vitest'
import { isEnglishWord, isWord } from './dictionary.ts'

test('common English words with their forms, in both spellings and any letter case', () => {
  for (const raw of ['changed', 'Long', 'booze', 'ADEPT', 'colour', 'color', 'organised', 'organized'])
    expect(isWord(raw, ['de', 'en'])).toBe(true)
  expect(isWord('Nach', ['fr', 'de'])).toBe(true)
})

test('no typos, names, rare words, or words of other languages', () => {
  for (const raw of ['managemnt', 'Margaraviate', 'setm', 'hypertenion', 'Kündigung', '', 'constructor'])
    expect(isWord(raw, ['en'])).toBe(false)
  expect(isWord('long', ['de', 'xx'])).toBe(false)
  expect(isWord('nach', ['fr'])).toBe(false)
})

test('rare English words, and no compounds of names', () => {
  for (const raw of ['Centric', 'workflow', 'deployable', 'change']) expect(isEnglishWord(raw)).toBe(true)
  for (const raw of ['chatoptimized', 'Kündigung', '']) expect(isEnglishWord(raw)).toBe(false)
})
