import { expect, test } from 'vitest'
import { citedTextOf } from './snippet.ts'

const LETTER =
  'The yard is let to Osterby. It has two docks.\nThe lease ends on 30 June 2027. Rent is due monthly.'
const spanOf = (text: string, sentence: string) => ({
  start: text.indexOf(sentence),
  end: text.indexOf(sentence) + sentence.length,
})

test('a card shows the cited sentence, also where it is late in its passage', () => {
  const spans = [spanOf(LETTER, 'The lease ends on 30 June 2027.')]
  expect(citedTextOf({ text: LETTER, spans })).toBe('The lease ends on 30 June 2027.')
})

test('of a table the cited row with dots between its cells; without known sentences the passage', () => {
  const table = '| Yard | Rent |\n| - | - |\n| Ropewalk | £900 |'
  expect(citedTextOf({ text: table, spans: [spanOf(table, '| Ropewalk | £900 |')] })).toMatch(
    /^Ropewalk\s+·\s+£900$/,
  )
  expect(citedTextOf({ text: LETTER, spans: [] })).toBe(LETTER)
  expect(citedTextOf({ text: null, spans: [] })).toBe('')
})

test('empty cells of a cited row are left out', () => {
  const row = '| Total |  |  | 18,500 |'
  const text = `| Item | Q1 | Q2 | Year |\n| - | - | - | - |\n${row}`
  expect(citedTextOf({ text, spans: [spanOf(text, row)] })).toBe('Total · 18,500')
})

test('code has no fences', () => {
  expect(citedTextOf({ text: 'Run:\n\n```sh\nnpm ci\n```', spans: [] })).toBe('Run:\n\nnpm ci')
})
