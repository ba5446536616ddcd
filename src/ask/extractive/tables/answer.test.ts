import { describe, expect, it } from 'vitest'
import type { Passage } from '../../../search/passage.ts'
import { tableRows } from '../../markdown-table.ts'
import { questionKeywords } from '../keywords.ts'
import { answerFromTable } from './answer.ts'
import { tableIntent } from './intent.ts'

const TEXT = `| part_number | description | supplier | country | unit_price_eur | on_hand | Delivered | lead_time_weeks | last_order |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| PX-1 | Pressure cell, 5 m | Brightwater | Germany | 218.00 | 12 | 2026-01-14 | 8 | 2025-11-03 |
| PX-2 | Pressure cell, 10 m | Brightwater | Germany | 226.00 | 0 | 2026-02-25 | 11 | 2026-01-12 |
| HG-7 | Housing | Kestrel | United Kingdom | 96.50 | 4 | 2025-10-09 | 6 | 2025-09-08 |
| CB-3 | Vented cable | Osterby | Sweden | 39.40 | 0 | 2026-01-30 | 5 | 2026-01-05 |`
const passage: Passage = {
  chunk_id: 'c',
  document_id: 'd',
  document_title: 'Supplier list',
  chunk_no: 0,
  type: 'table',
  text: TEXT,
  heading: '',
  page: null,
  language: 'en',
  score: 1,
}
const rows = tableRows(TEXT).rows.map((row) => ({ ...row, passage }))

/** As the agent asks, in a workspace that contains no word of the question except those of the table. */
function asked(question: string, language: 'en' | 'de' | 'fr' | 'es' = 'en') {
  const intent = tableIntent(question)
  if (!intent) return undefined
  const known =
    'supplier part countri germani unit kingdom price pressur cell on hand deliv last order lead time week 2025'.split(
      ' ',
    )
  const statistics = { terms: known.map((term) => ({ term, df: 1, idf: 1 })), chunks: 10 }
  const parts = questionKeywords({ text: intent.rest, language }, statistics)
  return answerFromTable(rows, parts, intent)
}
const shown = (question: string, language?: 'de' | 'fr' | 'es') => {
  const answer = asked(question, language)
  return (
    answer && [answer.operation, answer.subject, answer.value, answer.rows.map((row) => row.cells[0]?.text)]
  )
}

describe('answerFromTable', () => {
  it('counts different things, not rows', () => {
    expect(shown('How many suppliers are in Germany?')).toEqual(['count', 'supplier', '1', ['PX-1']])
    expect(shown('Wie viele Lieferanten gibt es in Deutschland?', 'de')?.slice(1, 3)).toEqual([
      'supplier',
      '1',
    ])
    expect(shown('¿Cuántos proveedores hay en el Reino Unido?', 'es')).toEqual([
      'count',
      'supplier',
      '1',
      ['HG-7'],
    ])
    expect(shown('How many parts are from Brightwater?')?.slice(1, 3)).toEqual(['part_number', '2'])
  })

  it('finds minimum and maximum by the type of column', () => {
    expect(shown('What is the cheapest part?')).toEqual(['min', 'unit_price_eur', '39.4', ['CB-3']])
    expect(shown('Which is the most expensive part from Brightwater?')).toEqual([
      'max',
      'unit_price_eur',
      '226',
      ['PX-2'],
    ])
    expect(shown('Which part has the most on hand?')).toEqual(['max', 'on_hand', '12', ['PX-1']])
    expect(shown('Which part was delivered last?')).toEqual(['max', 'Delivered', '2026-02-25', ['PX-2']])
    // A column of dates is recognised by its cells, not by the "time" in its name.
    expect(shown('Which part of Brightwater was ordered last?')?.slice(1, 3)).not.toContain('lead_time_weeks')
  })

  it('lists what is within bounds or in a place', () => {
    expect(shown('Which parts cost more than 100 euros?')?.[3]).toEqual(['PX-1', 'PX-2'])
    expect(shown('Which suppliers are in Germany?')).toEqual(['rows', 'supplier', '1', ['PX-1']])
    expect(shown('Which parts were last ordered in 2025?')).toEqual([
      'rows',
      'part_number',
      '2',
      ['PX-1', 'HG-7'],
    ])
  })

  it.each([
    'What is a pressure cell?',
    'How many customers are in Germany?',
    'How many suppliers are in Portugal?',
    'What is the cheapest part for the TG-40?',
    'Which suppliers paid their invoices late in Germany?',
  ])('says nothing where a word stays unexplained: %s', (question) => {
    expect(shown(question)).toBeUndefined()
  })
})
