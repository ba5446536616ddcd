import { expect, test } from 'vitest'
import { passageLines } from './passages.ts'
import { columns, type Terminal } from './terminal.ts'
import { matchedWords, wordsOf } from './words.ts'

const plain: Terminal = {
  live: false,
  colour: false,
  width: 60,
  rows: 24,
  print: () => {},
  raw: () => {},
  style: (_, text) => text,
}

test('codes are one word, and stop words are not marked', () => {
  expect(wordsOf('What is the accuracy of the TG-40/10?')).toEqual(['accuracy', 'tg-40/10'])
  expect(matchedWords('TG-40/5, TG-40/10 and its accuracies', ['tg-40/10', 'accuracy'])).toEqual([
    'TG-40/10',
    'accuracies',
  ])
})

test('other endings match, other words do not', () => {
  expect(matchedWords('Calibrated months, monthly; the mouth', ['calibrate', 'month'])).toEqual([
    'Calibrated',
    'months',
    'monthly',
  ])
})

test('of a long text the part with the words is shown', () => {
  const text = `${'Nothing to see here. '.repeat(60)}The keys are handed back on 30 June. ${'More of it. '.repeat(60)}`
  const lines = passageLines(plain, '1.', { text, document_title: 'Mail', page: 3 }, ['keys', 'june'])
  expect(lines[0]).toBe('  1. Mail › p. 3')
  expect(lines.join(' ')).toContain('keys are handed back on 30 June')
  expect(lines.length).toBeLessThanOrEqual(5)
  expect(Math.max(...lines.map(columns))).toBeLessThanOrEqual(60)
})

test('of a table the header and the matching rows are shown', () => {
  const rows = Array.from({ length: 9 }, (_, no) => `| BW-${no} | ${no} weeks |`)
  const text = ['| Part | Time |', '|---|---:|', ...rows].join('\n')
  const lines = passageLines(plain, '[1]', { text, document_title: null }, ['bw-7'])
  expect(lines[0]).toBe('  [1] untitled')
  expect(lines.slice(1)).toEqual(['      Part  Time', '      BW-7  7 weeks', '      … 8 more rows'])
})

test('of a wide table the matching columns are kept, in their order', () => {
  const names = Array.from({ length: 12 }, (_, no) => (no === 9 ? 'lead_time' : `column_${no}`))
  const cells = names.map((_, no) => (no === 5 ? 'BW-7' : `value ${no}`))
  const text = [
    '… 3 more rows',
    ...[names, names.map(() => '---'), cells].map((row) => `| ${row.join(' | ')} |`),
  ]
  const lines = passageLines(plain, '1.', { text: text.join('\n') }, ['bw-7', 'time'])
  expect(lines[1]).toMatch(/column_0 .*column_5 .*lead_time$/)
  expect(lines[2]).toMatch(/value 0 .*BW-7 .*value 9$/)
  expect(lines[3]).toBe('      … 3 more rows')
  expect(Math.max(...lines.map(columns))).toBeLessThanOrEqual(60)
})
