import { expect, test } from 'vitest'
import type { Passage } from '../../search/passage.ts'
import { evidenceIn } from './evidence.ts'
import { questionKeywords } from './keywords.ts'
import { nearestPassages } from './nearest.ts'

const rows = Array.from({ length: 200 }, (_, no) => `| Part ${no} | shelf ${no} |`)
const passage: Passage = {
  chunk_id: 'c',
  document_id: 'd',
  document_title: 'Stock',
  chunk_no: 0,
  type: 'table',
  text: ['| Part | Place |', '| - | - |', ...rows].join('\n'),
  heading: '',
  page: null,
  language: 'en',
  score: 1,
}

test('of a table of hundreds of rows the model reads those with most of the question’s words', async () => {
  const text = 'Where is shelf 150 kept?'
  const keywords = questionKeywords({ text, language: 'en' }, { terms: [], chunks: 1 })
  const pieces = evidenceIn([{ passage, relevance: 1, rank: 0 }])
  expect(pieces.length).toBeGreaterThanOrEqual(200)
  const read: string[] = []
  await nearestPassages(
    {
      cosinesWith: async (_question, { texts }) => {
        read.push(...texts.map((each) => each.text))
        return undefined
      },
    },
    { text, language: 'en', writtenNames: [] },
    { pieces, criteria: { keywords, type: 'any', codes: [] } },
  )
  expect(read).toHaveLength(20)
  expect(read).toContain('Part: Part 150; Place: shelf 150')
})
