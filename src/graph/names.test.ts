import { expect, test } from 'vitest'
import { nameKey, nameWords, sortKey, typoForms } from './names.ts'

test('a key is text, also for names that are properties of every object', () => {
  for (const name of ['constructor', 'Constructor', 'valueOf', '__proto__', 'toString']) {
    expect(nameKey(name)).toBe(name.replaceAll('_', '').toLowerCase())
  }
})

test('a long name is truncated between characters', () => {
  // Letters of two UTF-16 units: with or without a letter before them, one of the limits falls inside a pair.
  for (const name of ['\u{10428}'.repeat(400), `a${'\u{10428}'.repeat(400)}`]) {
    const words = nameWords(name)
    for (const made of [nameKey(name), sortKey(name), ...words, ...words.flatMap(typoForms)]) {
      expect(made.length).toBeGreaterThan(3)
      expect(made.isWellFormed()).toBe(true)
    }
  }
})
