import { expect, test } from 'vitest'
import { idf, termHash } from '../../index/weights.ts'
import { analyse } from '../../language/analyse.ts'
import { withTablesRaised } from './rows.ts'

const query = 'What were the dredging fees of Halden in the third quarter of 2023?'
const terms = analyse(query, 'en')
  .filter(({ kind }) => kind === 'word')
  .map(({ term }) => ({ term, hash: termHash(term), weight: 1, df: 3, idf: idf(3, 100) }))
const passage = (id: string, text: string, type: 'text' | 'table' = 'table') => ({
  chunk_id: id,
  document_id: id.slice(0, 1),
  document_title: 'Quarterly report',
  document_path: 'a.md',
  chunk_no: 0,
  type,
  text,
  heading: '',
  page: null,
  language: 'en' as const,
  score: 0,
})
const table = (label: string): string =>
  `| | 2023 | 2022 |\n|-|-|-|\n| Salaries | 5 | 6 |\n| ${label} | 12 | 14 |`
const all = [
  passage('a1', 'Dredging fees depend on the tide, and Halden pays fees for dredging.', 'text'),
  passage('a2', table('Other income')),
  passage('a3', table('Dredging fees')),
  passage('b1', table('Dredging fees')),
  passage('a4', '| | Dredging fees |\n|-|-|\n| Who pays | Halden |'),
]
const ranked = all.map(({ chunk_id, document_id }, i) => ({ chunk_id, document_id, score: 10 - i }))
const raised = (best: string[]) =>
  withTablesRaised(ranked, new Map(all.map((one) => [one.chunk_id, one])), {
    terms,
    best,
    names: new Set([termHash('halden')]),
  })

test('within a document that is meant, a table with a row of figures that says the question comes before prose', () => {
  const found = raised(['a'])
  expect(found[0]?.chunk_id).toBe('a3')
  // Of another document, without the words, and without a figure: as they were.
  for (const id of ['a1', 'a2', 'b1', 'a4'])
    expect(found.find(({ chunk_id }) => chunk_id === id)?.score).toBe(
      ranked.find(({ chunk_id }) => chunk_id === id)?.score,
    )
})

test('nothing is moved where no document is meant', () => {
  expect(raised([])).toEqual(ranked)
})
