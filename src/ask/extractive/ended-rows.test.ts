import { expect, test } from 'vitest'
import type { Passage } from '../../search/passage.ts'
import { withoutEndedRows } from './ended-rows.ts'
import { evidenceIn } from './evidence.ts'

const TABLE = `| Period | Yearly rent |
|---|---|
| 1 February 2019 to 31 January 2024 | £38,400 |
| 1 February 2024 to the end of the term | £41,200 |`
const YEARS = `| Year | Members |
|---|---|
| 2023 | 21 |
| 2024 | 24 |`

function rentsFor(question: string, today: string, text = TABLE): string[] {
  const passage: Passage = {
    ...{ chunk_id: 'c', document_id: 'd', document_title: 'Amendment', document_path: 'a.md', chunk_no: 0 },
    ...{ type: 'table', text, heading: '', page: null, language: 'en', score: 1 },
  }
  const pieces = evidenceIn([{ passage, relevance: 1, rank: 0 }])
  return withoutEndedRows(pieces, question, today).flatMap(({ cells }) => cells?.at(-1)?.text ?? [])
}

test('a row whose period has ended gives way to the one whose period is running', () => {
  expect(rentsFor('What is the rent?', '2026-12-01')).toEqual(['£41,200'])
  expect(rentsFor('What is the rent?', '2023-12-01')).toEqual(['£38,400', '£41,200'])
})

test.each([
  'What was the rent?',
  'What is the rent in 2022?',
  'What is the old rent?',
  'How did the rent change?',
])('%s is asked of all rows', (question) => {
  expect(rentsFor(question, '2026-12-01')).toEqual(['£38,400', '£41,200'])
})

test('a year that is not the beginning of a period ends no other row', () => {
  expect(rentsFor('How many members are there?', '2026-12-01', YEARS)).toEqual(['21', '24'])
})
