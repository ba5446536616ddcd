import { expect, test } from 'vitest'
import type { Passage } from '../../search/passage.ts'
import { attributesOf, isAttribute, recordTables } from './records.ts'

test('Lines of a record are its attributes', () => {
  expect(attributesOf('Lead: Greta Olsen. Budget: 20,000 euros.')).toEqual([
    { header: 'Lead', text: 'Greta Olsen' },
    { header: 'Budget', text: '20,000 euros' },
  ])
  expect(isAttribute('Budget: 20,000 euros.')).toBe(true)
  expect(isAttribute('- **Budget**: 20,000 euros')).toBe(true)
  expect(isAttribute('The budget is 20,000 euros.')).toBe(false)
  expect(isAttribute('It answers one question: where do guests park?')).toBe(false)
})

test('Headings of one kind beside each other are rows of a table', () => {
  const passage = (name: string, body: string, chunk_no: number): Passage =>
    ({
      chunk_id: name,
      chunk_no,
      document_title: 'Pumps',
      document_path: 'a.md',
      heading: `Pumps > ${name}`,
      language: 'en',
      text: `## ${name}\n\n${body}`,
      type: 'text',
    }) as Passage
  const all = [
    passage('Pump Amber', 'Depth: 14 m. State: open.', 1),
    passage('Pump Basalt', 'Depth: 22 m. State: closed.', 2),
    passage('Use', 'The pumps are used in summer.', 3),
  ]
  const [table, ...others] = recordTables(all, 'pumps.md')
  expect(others).toEqual([])
  expect(table?.kind).toBe('Pump')
  expect(table?.rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
    ['Pump Amber', '14 m', 'open'],
    ['Pump Basalt', '22 m', 'closed'],
  ])
  // Of headings without a common word those with attributes are records.
  const [places] = recordTables(
    [
      passage('Harle', 'Depth: 14 m. State: open.', 1),
      passage('Varn', 'Depth: 22 m. State: closed.', 2),
      passage('Summer', 'They are used in summer.', 3),
    ],
    'pumps.md',
  )
  expect(places?.rows.map(({ cells: [name] }) => name?.text)).toEqual(['Harle', 'Varn'])
})
