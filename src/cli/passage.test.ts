import { expect, test } from 'vitest'
import { passageLine, passageLines } from './passage.ts'
import { wrapText } from './terminal.ts'

const TABLE =
  'Rent\n\n| Period | Yearly rent |\n| --- | ---: |\n| until 2024 | £38,400 |\n| after \\| later | £41,200 |\n'

test('tables stand in columns, without their rules and without blank lines', () => {
  expect(passageLines(TABLE, 60, '  ')).toEqual([
    '  Rent',
    '  Period         Yearly rent',
    '  until 2024     £38,400',
    '  after | later  £41,200',
  ])
})

test('a table that is too wide has dots between its cells', () => {
  const cell = 'a long cell of a wide table'
  const lines = passageLines(`| ${cell} | ${cell} |\n| --- | --- |\n| ${cell} | 7 |`, 40, '')
  expect(lines.join(' ')).toBe(`${cell} · ${cell} ${cell} · 7`)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40)
})

test('on one line, and nothing of it moves the cursor', () => {
  expect(passageLine(TABLE)).toBe('Rent Period · Yearly rent; until 2024 · £38,400; after | later · £41,200')
  expect(passageLine('one\u001b[2J\ttwo\n\nthree')).toBe('one two three')
})

test('what a list item goes on with stands below its text', () => {
  expect(wrapText('- one two three four five six\n12. seven eight nine ten', 20, ' ')).toBe(
    ' - one two three four\n   five six\n 12. seven eight nine\n ten',
  )
})

test('Chinese and Japanese are broken between characters, not before a full stop', () => {
  const text = '契約は2024年3月に終了し、更新されません。借主は書面で通知します。'
  const lines = wrapText(text, 24, '  ').split('\n')
  expect(lines.map((line) => line.trim()).join('')).toBe(text)
  for (const line of lines) {
    expect(line.trim()).toMatch(/^[^、。]/u)
    // These characters take two cells each, and digits take one.
    expect(
      [...line].reduce((cells, sign) => cells + (sign.charCodeAt(0) < 128 ? 1 : 2), 0),
    ).toBeLessThanOrEqual(24)
  }
})
