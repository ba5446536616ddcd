// What the build makes of messages in the source.

import { expect, test } from 'vitest'
import { MARKERS } from '../../../src/messages/messages.ts'
import { de } from './de.ts'
import { catalogueCode, markerOf, markMessages, type Part } from './messages-plugin.ts'

const marked = (english: string): string => JSON.stringify(`${markerOf(english)}${english}`)

test('each message has a number of its own', () => {
  const markers = Object.keys(de).map(markerOf)
  expect(new Set(markers).size).toBe(markers.length)
  expect(markers.every((one) => one.charCodeAt(0) >= MARKERS.first)).toBe(true)
})

test('a text of a page that few people open is in the second part of the catalogue, one of every page in the first', () => {
  const partsWith = (english: string): Part[] =>
    (['first', 'seldom'] as const).filter((part) =>
      catalogueCode('de', de, part).includes(JSON.stringify(de[english])),
    )
  expect(partsWith('Undo')).toEqual(['first'])
  expect(partsWith('Make a backup')).toEqual(['seldom'])
})

test('a message has its number before it; what is no message stays as it is', () => {
  expect(markMessages('a.ts', "t('Undo') + other('Undo') + t(label) + t('No message of the console')")).toBe(
    `t(${marked('Undo')}) + other('Undo') + t(label) + t('No message of the console')`,
  )
  expect(markMessages('a.ts', "[message('Undo'), rich('Undo', { a: t('Folders') })]")).toBe(
    `[message(${marked('Undo')}), rich(${marked('Undo')}, { a: t(${marked('Folders')}) })]`,
  )
})

test('of a plural the form for many has the number, written out with its count', () => {
  const call = `plural(n, "{count} document", ${marked('{count} documents')})`
  expect(markMessages('a.ts', "plural(n, 'document')")).toBe(call)
  expect(markMessages('a.ts', "plural(n, '{count} document', '{count} documents')")).toBe(call)
})

test('elements and types are read, too', () => {
  expect(markMessages('a.tsx', "const a = (b: string) => <i title={t('Undo')}>{b}</i>")).toBe(
    `const a = (b: string) => <i title={t(${marked('Undo')})}>{b}</i>`,
  )
})
