// Readings of one table: a figure is right, or there is none.

import { expect, test } from 'vitest'
import type { Language } from '../../../language/language.ts'
import type { Passage } from '../../../search/passage.ts'
import { tableRows } from '../../markdown-table.ts'
import { questionKeywords } from '../keywords.ts'
import { tableQuestion } from './question.ts'
import { readTable } from './reading.ts'
import { headersOf, type TableReading } from './result.ts'

function valueIn(text: string, lines: readonly string[], language: Language = 'en'): string | undefined {
  return readingOf(text, lines, { language })?.value
}

function readingOf(
  text: string,
  lines: readonly string[],
  { language = 'en', heading = 'Rates' }: { language?: Language; heading?: string },
): TableReading | undefined {
  const [head = '', ...body] = lines
  const markdown = [head, head.replace(/[^|]+/g, ' --- '), ...body].map((line) => `| ${line} |`).join('\n')
  const passage = { language, text: markdown, type: 'table' } as Passage
  const rows = tableRows(markdown).rows.map((row) => ({ ...row, passage }))
  const title = 'Letters, parcels, Briefe, Pakete, Paket'
  const table = { rows, title, heading, file: 'rates.md', isPartial: false }
  const question = tableQuestion(text, language, { headers: headersOf(table) })
  if (!question) return undefined
  const keywords = questionKeywords({ text: question.rest, language }, { terms: [], chunks: 0 })
  const result = readTable(table, question, keywords, language)
  return result && 'reading' in result ? result.reading : undefined
}

const PARCELS = [
  'Weight | Price',
  'up to 5 kg | 6.50 EUR',
  'over 5 to 10 kg | 9.20 EUR',
  'over 10 to 30 kg | 16.80 EUR',
]

test('A unit of one letter behind a number is its unit', () => {
  expect(valueIn('What does a parcel of 20 kg cost?', PARCELS)).toBe('16.80 EUR')
  expect(valueIn('What does a letter of 20 g cost?', PARCELS)).toBe('6.50 EUR')
  expect(valueIn('What does a parcel of 20g cost?', PARCELS)).toBe('6.50 EUR')
  expect(valueIn('What does a parcel of 20 t cost?', PARCELS)).toBeUndefined()
  expect(valueIn('What does a parcel of 20 m cost?', PARCELS)).toBeUndefined()
  expect(valueIn('What does a parcel of 20 l cost?', PARCELS)).toBeUndefined()
  expect(valueIn('What does a parcel of 20 € cost?', PARCELS)).toBeUndefined()
  expect(valueIn('What does a parcel of 20 lb cost?', PARCELS)).toBeUndefined()
})

test('Columns of from and to have a unit, too', () => {
  const ends = ['From (kg) | To (kg) | Price', '0 | 5 | 6.50 EUR', '5.01 | 30 | 16.80 EUR']
  expect(valueIn('What does a parcel of 20 kg cost?', ends)).toBe('16.80 EUR')
  expect(valueIn('What does a letter of 20 g cost?', ends)).toBe('6.50 EUR')
  expect(valueIn('What does a parcel of 20 m cost?', ends)).toBeUndefined()
  const bare = ['From | To | Price', '0 | 5 | 6.50 EUR', '5.01 | 30 | 16.80 EUR']
  expect(valueIn('What does a letter of 20 g cost?', bare)).toBeUndefined()
})

test('A bound is compared in the unit of the column', () => {
  const weights = ['Parcel | Weight (kg)', 'A one | 0.4', 'B two | 2', 'C three | 700']
  expect(valueIn('How many parcels have a weight of more than 500 g?', weights)).toBe('2')
  expect(valueIn('How many parcels have a weight of more than 1 kg?', weights)).toBe('2')
  expect(valueIn('How many parcels have a weight of more than 500 m?', weights)).toBeUndefined()
  expect(valueIn('How many parcels have a weight of more than 500 m²?', weights)).toBeUndefined()
  expect(valueIn('How many parcels are heavier than 500 lb?', weights)).toBeUndefined()
})

test('Cells of one column may have several units', () => {
  const mixed = [
    'Weight | Price',
    'up to 500 g | 4.90 EUR',
    'up to 2 kg | 6.50 EUR',
    'up to 30 kg | 16.80 EUR',
  ]
  expect(valueIn('What does a parcel of 1 kg cost?', mixed)).toBe('6.50 EUR')
  expect(valueIn('What does a parcel of 1.5 kg cost?', mixed)).toBe('6.50 EUR')
})

test('A number is read with the decimal sign of the language', () => {
  const grams = [
    'Gewicht | Preis',
    'bis 500 g | 4,90 EUR',
    'bis 2.000 g | 6,50 EUR',
    'bis 5.000 g | 9,20 EUR',
  ]
  expect(valueIn('Wie viel kostet ein Paket mit 1.500 g?', grams, 'de')).toBe('6,50 EUR')
  expect(valueIn('Wie viel kostet ein Paket mit 1 500 g?', grams, 'de')).toBeUndefined()
  const kilos = ['Gewicht | Preis', 'bis 2 kg | 4,90 EUR', 'bis 5 kg | 6,50 EUR', 'bis 2.000 kg | 96,50 EUR']
  expect(valueIn('Wie viel kostet ein Paket mit 1,250 kg?', kilos, 'de')).toBe('4,90 EUR')
})

test('A row of totals is stated only where it is the sum of the rows', () => {
  const rows = ['Letters | Amount', 'Ems | 10.25', 'Leda | 20.25']
  const total = (row: string) => valueIn('What is the total amount of the letters?', [...rows, row])
  expect(total('Total | 30.50')).toBe('30.50')
  expect(total('Total | 31')).toBe('31')
  expect(total('Total | 45.00')).toBeUndefined()
  expect(total('Subtotal | 10.25')).toBeUndefined()
})

test('In what a table says that its amounts are is said with the figure', () => {
  const rows = ['Letters | Revenue', 'Ems | 1250', 'Leda | 980']
  const scaleOf = (heading: string) =>
    readingOf('What is the total revenue of the letters?', rows, { heading })?.scale
  expect(scaleOf('Rates\nIn thousand euros.')).toBe('In thousand euros')
  expect(scaleOf('Rates\nAngaben in Mio. €')).toBe('in Mio. €')
  expect(scaleOf('Rates\nAmounts in EUR million')).toBe('in EUR million')
  expect(scaleOf('Rates in euros')).toBe('')
})
