import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Catalogue, Translation } from '../../../src/messages/messages.ts'
import { placeholders, readTexts } from '../../../test/support/console-messages.ts'
import { de } from './de.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { catalogueCode } from './messages-plugin.ts'

/** Texts that are the same in every language. */
const NAMES = new Set(['Markdown', 'Word', 'docs, *.pdf'])

const files = readdirSync('web/src', { recursive: true, encoding: 'utf8' })
  .map((path) => join('web/src', path))
  .filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$|language\/(?!error-text\.ts)/.test(path))
const texts = files.map((path) => readTexts(path, NAMES))
const messages = new Map(texts.flatMap((file) => file.messages).map((use) => [use.english, use]))

test('every text that a person reads passes the catalogue', () => {
  expect(texts.flatMap(({ bypassing }) => bypassing)).toEqual([])
})

test('nothing is translated while a module is loaded', () => {
  expect(texts.flatMap(({ early }) => early)).toEqual([])
})

const formsOf = (translation: Translation): string[] =>
  typeof translation === 'string' ? [translation] : Object.values(translation)

describe.each<[string, Catalogue]>([
  ['de', de],
  ['fr', fr],
  ['es', es],
  ['ja', ja],
])('%s', (language, catalogue) => {
  test('has every message, and none that is not used', () => {
    expect(Object.keys(catalogue).sort()).toEqual([...messages.keys()].sort())
  })

  test('has the values of each message in each of its forms', () => {
    for (const [english, translation] of Object.entries(catalogue))
      for (const form of formsOf(translation))
        expect(
          placeholders(form).filter((name) => name !== 'count'),
          `${english} → ${form}`,
        ).toEqual(placeholders(english).filter((name) => name !== 'count'))
  })

  test('has the plural forms of the language where a count decides', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    for (const [english, translation] of Object.entries(catalogue))
      if (messages.get(english)?.isPlural)
        expect(
          Object.keys(typeof translation === 'string' ? { other: translation } : translation).sort(),
          english,
        )
          // French and Spanish have a form for millions, which is that for many here.
          .toEqual(categories.filter((category) => category !== 'many').sort())
  })

  test.each(['first', 'seldom'] as const)('weighs at most 15 kB when it is sent: the %s part', (part) => {
    const code = catalogueCode(language, catalogue, part)
    expect(gzipSync(code, { level: 9 }).byteLength).toBeLessThanOrEqual(15_000)
  })
})
