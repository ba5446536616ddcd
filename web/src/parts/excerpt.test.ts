import { expect, test } from 'vitest'
import { bestRows, excerptStart } from './excerpt.ts'
import { querySpans } from './spans.ts'

const filler = 'The board met in the town hall and spoke about the weather of the spring. '.repeat(6)

test('an excerpt begins at the sentence after which most of the words stand', () => {
  const text = `${filler}The revenue of 2025 rose. ${filler}The total revenue of the year 2025 was 1,284.`
  const start = excerptStart(text, querySpans(text, 'total revenue 2025'))
  expect(text.slice(start)).toBe('The total revenue of the year 2025 was 1,284.')
})

test('an excerpt begins with the passage where the words stand near its beginning, or nowhere', () => {
  const early = `On the agenda. The total revenue of 2025. ${filler}`
  expect(excerptStart(early, querySpans(early, 'total revenue 2025'))).toBe(0)
  expect(excerptStart(filler, querySpans(filler, 'revenue'))).toBe(0)
})

test('one word that is repeated does not outweigh two that stand together', () => {
  const text = `${filler}Revenue, revenues, revenue. ${filler}${filler}The total revenue.`
  const start = excerptStart(text, querySpans(text, 'total revenue'))
  expect(text.slice(start)).toBe('The total revenue.')
})

test('of a table the rows with most of the words are shown, in their order', () => {
  const lines = ['TG-40 486', 'HL-2 298', 'Revenue of parts 80', 'Rent 12', 'Total revenue 1,284']
  const text = lines.join('\n')
  let start = 0
  const rows = lines.map((line) => {
    const row = { start, end: start + line.length }
    start = row.end + 1
    return row
  })
  expect(bestRows(text, rows, querySpans(text, 'total revenue'), 3)).toEqual([0, 2, 4])
  expect(bestRows(text, rows, querySpans(text, 'pumps'), 2)).toEqual([0, 1])
})
