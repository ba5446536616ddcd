import { expect, test } from 'vitest'
import { acceptedLocales } from './accept-language.ts'
import { bestLocale } from './messages.ts'

test.each([
  ['de', ['de']],
  ['de-AT, de;q=0.9, en;q=0.8', ['de-AT', 'de', 'en']],
  ['en;q=0.3, ja;q=0.9 ,fr', ['fr', 'ja', 'en']],
  ['de;q=0, fr;q=0.1', ['fr']],
  ['de; Q=0.5, es', ['es', 'de']],
  ['*, es;q=0.4', ['es']],
  // The order of the header decides between equals.
  ['fr, de', ['fr', 'de']],
  ['', []],
  [undefined, []],
  ['<script>, de;q=x, es;q=7, fr;q=, ja;q=-1', []],
])('%s', (header, locales) => {
  expect(acceptedLocales(header)).toEqual(locales)
})

test('the best language is the first that there is', () => {
  const languageOf = (header: string) => bestLocale(acceptedLocales(header)).language
  expect(languageOf('it, pt-BR;q=0.9, fr-CA;q=0.8, en;q=0.7')).toBe('fr')
  expect(languageOf('zh-Hans-CN, ja;q=0.1')).toBe('ja')
  expect(languageOf('it')).toBe('en')
  expect(languageOf('en-US,en;q=0.9,de;q=0.8')).toBe('en')
})
