import { expect, test } from 'vitest'
import { likenessOf, rankDocuments } from './find-documents.ts'

const row = (id: string, title: string, path = '', heading: string | null = null) => ({
  id,
  title,
  path,
  heading,
})

const ROWS = [
  row('outage', 'Outage of the harbour crane, March 2026', 'reports/2026/outage.pdf'),
  row('minutes', 'Minutes of the board', 'board/2026-march/minutes.docx'),
  row('nvda', 'Third quarter results', 'filings/NVDA-2026-Q3.pdf'),
  row('handbook', 'Staff handbook', 'handbook.md', 'Leave > Parental leave'),
  row('lease', 'Lease of the harbour office', 'leases/harbour.pdf'),
]

test.each([
  ['harbour outage', ['outage']],
  ['nvda q3', ['nvda']],
  ['minutes march', ['minutes']],
  ['march outa', ['outage']],
  ['harbor', ['lease', 'outage']],
  ['handbok', ['handbook']],
  ['parental leave handbook', ['handbook']],
  ['crane lease', ['lease', 'outage', 'handbook']],
  ['zebra', []],
])('%s finds %j', (typed, ids) => {
  expect(rankDocuments(typed.split(' '), ROWS).map(({ id }) => id)).toEqual(ids)
})

test('of a very long path the file name counts', () => {
  const path = `${'folder of a project/'.repeat(50)}harbour.pdf`
  expect(rankDocuments(['harbour'], [row('deep', 'Plan', path)])).toHaveLength(1)
})

test('the heading is told only where it has a word', () => {
  const [byHeading] = rankDocuments(['parental'], ROWS)
  expect(byHeading?.heading).toBe('Leave > Parental leave')
  const [byTitle] = rankDocuments(['staff'], ROWS)
  expect(byTitle?.heading).toBeNull()
})

test('the same word is most alike, then its beginning, a form, a typo, a part', () => {
  const scores = [
    likenessOf('lease', 'lease'),
    likenessOf('leas', 'lease'),
    likenessOf('leases', 'lease'),
    likenessOf('laese', 'lease'),
    likenessOf('frist', 'kundigungsfrist'),
    likenessOf('boat', 'lease'),
  ]
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(scores.at(-1)).toBe(0)
})
