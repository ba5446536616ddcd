// The numbers of list items on slides.

import { expect, test } from 'vitest'
import { parseXml } from '../containers/xml.ts'
import { bodyBlocks } from './shape-text.ts'

/** The blocks' texts of paragraphs given as [level, mark, text]. */
function read(...lines: [level: number, mark: string, text: string][]): string[] {
  const paragraphs = lines.map(
    ([level, mark, text]) => `<a:p><a:pPr lvl="${level}">${mark}</a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`,
  )
  const xml = `<p:txBody xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">${paragraphs.join('')}</p:txBody>`
  return bodyBlocks(parseXml(Buffer.from(xml)).root, []).map(({ text }) => text)
}

const numbered = '<a:buAutoNum type="arabicPeriod"/>'
const lettered = '<a:buAutoNum type="alphaLcParenR"/>'
const bullet = '<a:buChar char="•"/>'

test('numbers count on over what is below them', () => {
  expect(
    read([0, numbered, 'buoys'], [1, lettered, 'red'], [1, lettered, 'green'], [0, numbered, 'lights']),
  ).toEqual(['1. buoys\n  a) red\n  b) green\n2. lights'])
})

test('another kind or start of numbers begins anew; so do numbers behind a bullet of their level', () => {
  const fifth = '<a:buAutoNum type="romanUcPeriod" startAt="5"/>'
  expect(read([0, numbered, 'one'], [0, fifth, 'five'], [0, fifth, 'six'])).toEqual([
    '1. one\nV. five\nVI. six',
  ])
  expect(read([0, numbered, 'one'], [1, bullet, 'in'], [0, numbered, 'two'])).toEqual([
    '1. one\n  - in\n2. two',
  ])
  expect(read([0, numbered, 'one'], [0, bullet, 'out'], [0, numbered, 'first'])).toEqual([
    '1. one\n- out\n1. first',
  ])
})
