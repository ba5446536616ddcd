import { expect, test } from 'vitest'
import { inAnyCase } from './letter-case.ts'

const matches = (text: string, other: string): boolean => new RegExp(`^${inAnyCase(text)}$`, 'u').test(other)

test.each([
  ['éclair', 'ÉCLAIR'],
  ['ÉCLAIR', 'éclair'],
  ['straße', 'STRASSE'],
  ['STRASSE', 'Straße'],
  ['Straße', 'STRAẞE'],
  ['istanbul', 'İstanbul'],
  ['İSTANBUL', 'istanbul'],
  ['ısparta', 'ISPARTA'],
  ['ΟΔΟΣ', 'οδος'],
  ['οδός', 'ΟΔΌΣ'],
  ['Москва', 'МОСКВА'],
  ['a.b (c)', 'A.B (C)'],
])('%s and %s', (text, other) => {
  expect(matches(text, other)).toBe(true)
  expect(matches(other, text)).toBe(true)
})

test.each([
  ['e', 'é'],
  ['a.b', 'axb'],
  ['мир', 'мiр'],
  ['σ', 'o'],
])('%s and %s are not the same', (text, other) => {
  expect(matches(text, other)).toBe(false)
})
