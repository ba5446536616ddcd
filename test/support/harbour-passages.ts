// Three passages of a harbour, for tests of citations.

import type { Passage } from '../../src/search/passage.ts'

export const passage = (chunk_no: number, text: string, more: Partial<Passage> = {}): Passage => ({
  chunk_id: `00000000-0000-5000-8000-00000000000${chunk_no}`,
  document_id: '00000000-0000-5000-8000-0000000000aa',
  document_title: 'Harbour lease',
  document_path: 'a.md',
  chunk_no,
  type: 'text',
  text,
  heading: '',
  page: 2,
  language: 'en',
  score: 1,
  ...more,
})

export const lease = passage(
  1,
  'Either party may end this lease by giving six months written notice to the other party.',
)
export const crane = passage(
  2,
  'The slipway crane lifts 12 tonnes and was inspected by Ines Okafor on 4 May 2024.',
)
export const price = passage(3, '| Part | Price |\n| --- | --- |\n| MF-204 | €14.50 |\n| MF-310 | €89.00 |', {
  type: 'table',
})
