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
  document_path: 'a.md',
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
    { pieces, criteria: { keywords, type: 'any', codes: [] }, chunks: 1, hasUnknownName: false },
  )
  expect(read).toHaveLength(20)
  expect(read).toContain('Part: Part 150; Place: shelf 150')
})

test('passages need the rare names of a question, not that of a firm which many have', async () => {
  const texts = ['Sick notes are due on day four.', 'Halbrook Instruments makes transmitters.']
  const all = texts.map((each, i) => ({
    passage: { ...passage, chunk_id: `n${i}`, text: each },
    relevance: 1,
    rank: i,
  }))
  const read = async (df: number): Promise<string[]> => {
    const compared: string[] = []
    const idf = Math.log(1 + (100 - df + 0.5) / (df + 0.5))
    const question = { text: 'When does Halbrook need it?', language: 'en' } as const
    const keywords = questionKeywords(question, { terms: [{ term: 'halbrook', df, idf }], chunks: 100 })
    await nearestPassages(
      { cosinesWith: async (_question, { texts }) => void compared.push(...texts.map(({ text }) => text)) },
      { ...question, writtenNames: ['Halbrook'] },
      {
        pieces: evidenceIn(all),
        criteria: { keywords, type: 'date', codes: [] },
        chunks: 100,
        hasUnknownName: false,
      },
    )
    return compared
  }
  expect(await read(1)).toEqual(['Halbrook Instruments makes transmitters.'])
  expect(await read(40)).toHaveLength(2)
})

/** The texts that are near by words, of passages with one paragraph each. @param known the terms that the workspace has */
async function nearByWords(
  question: string,
  texts: readonly string[],
  known: readonly string[],
  { writtenNames = [], hasUnknownName = false }: { writtenNames?: string[]; hasUnknownName?: boolean } = {},
): Promise<string[] | undefined> {
  const pieces = evidenceIn(
    texts.map((text, rank) => ({
      passage: { ...passage, chunk_id: `w${rank}`, type: 'text', text },
      relevance: 1 / (1 + rank),
      rank,
    })),
  )
  const terms = known.map((term) => ({ term, df: 1, idf: 4 }))
  const keywords = questionKeywords({ text: question, language: 'en' }, { terms, chunks: 100 })
  const near = await nearestPassages(
    { cosinesWith: async () => undefined },
    { text: question, language: 'en', writtenNames },
    { pieces, criteria: { keywords, type: 'any', codes: [] }, chunks: 100, hasUnknownName },
  )
  return near?.map(({ units }) => units.map(({ text }) => text).join(' '))
}

test('a passage with a rare word of the question is near, whatever else the question asks', async () => {
  const texts = ['The rooms are used by a practice. Boarding is not permitted.', 'The practice has a lift.']
  expect(await nearByWords('may they offer boarding', texts, ['board', 'practic'])).toEqual([
    'The rooms are used by a practice. Boarding is not permitted.',
  ])
  expect(await nearByWords('may they offer parking', texts, ['practic'])).toBeUndefined()
})

test('a near sentence is quoted with its paragraph only', async () => {
  const text = 'A firm is named here.\n\nBoarding is not permitted.\n\nSmall repairs are paid by the tenant.'
  expect(await nearByWords('is boarding allowed', [text], ['board'])).toEqual(['Boarding is not permitted.'])
})

test('nothing is near by words if a name of the question is in no document, also one typed in lower case', async () => {
  const texts = ['The salary of Dudek is 3,000 euros.']
  expect(await nearByWords('his salary', texts, ['salari'])).toHaveLength(1)
  expect(await nearByWords('salary of Kowalski', texts, ['salari'], { hasUnknownName: true })).toBeUndefined()
  expect(await nearByWords('salary of kowalski', texts, ['salari'])).toBeUndefined()
})

test('a passage that is near by words has the rare names of the question', async () => {
  const texts = ['The salary of Dudek is 3,000 euros.', 'The salary of Reith is 4,000 euros.']
  expect(
    await nearByWords('salary of Reith', texts, ['salari', 'reith'], { writtenNames: ['Reith'] }),
  ).toEqual(['The salary of Reith is 4,000 euros.'])
})
