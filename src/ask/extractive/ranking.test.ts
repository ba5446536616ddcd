import { expect, it } from 'vitest'
import type { Passage } from '../../search/passage.ts'
import { answerType } from './answer-type.ts'
import { evidenceIn } from './evidence.ts'
import { questionKeywords } from './keywords.ts'
import { candidatesIn, hasCode, rankEvidence } from './ranking.ts'

it('a code is whole, and letters without case beside it are no part of it', () => {
  for (const text of ['the BR-1102.', 'br-1102', '零件BR-1102泵', 'รุ่นBR-1102ราคา'])
    expect(hasCode(text, 'BR-1102')).toBe(true)
  for (const text of ['BR-11023', 'XBR-1102', 'BR-1102b', 'BR-110'])
    expect(hasCode(text, 'BR-1102')).toBe(false)
})

it('a heading that asks for a date is the answer only above one', () => {
  const isHeaded = (text: string): boolean => {
    const passage: Passage = {
      chunk_id: 'c',
      document_id: 'd',
      document_title: 'Lease',
      document_path: 'a.md',
      chunk_no: 4,
      type: 'text',
      text,
      heading: 'End of the lease',
      page: null,
      language: 'en',
      score: 1,
    }
    const question = { text: 'When does the lease end?', language: 'en' } as const
    const terms = ['leas', 'end'].map((term) => ({ term, df: 1, idf: 1 }))
    const keywords = questionKeywords(question, { terms, chunks: 10 })
    const candidates = candidatesIn(evidenceIn([{ passage, relevance: 1, rank: 0 }]), {
      keywords,
      type: 'date',
      codes: [],
    })
    return candidates.some(({ matchesHeading }) => matchesHeading)
  }
  expect(isHeaded('It ends on 30 June 2031 at noon.')).toBe(true)
  expect(isHeaded('The rooms are handed back empty and swept.')).toBe(false)
})

it('a sentence that only announces a table is no evidence', () => {
  const quotedOf = (text: string): string[] => {
    const passage: Passage = {
      chunk_id: 'c',
      document_id: 'd',
      document_title: 'Report',
      document_path: 'a.md',
      chunk_no: 1,
      type: 'text',
      text,
      heading: '',
      page: null,
      language: 'en',
      score: 1,
    }
    const terms = ['pay', 'board'].map((term) => ({ term, df: 1, idf: 1 }))
    const keywords = questionKeywords(
      { text: 'What is the pay of the board?', language: 'en' },
      { terms, chunks: 10 },
    )
    const criteria = { keywords, type: 'any', codes: [] } as const
    return candidatesIn(evidenceIn([{ passage, relevance: 1, rank: 0 }]), criteria).map(
      ({ evidence }) => evidence.text,
    )
  }
  expect(quotedOf('The pay of the board was as follows:')).toEqual([])
  expect(quotedOf('The following table shows the pay of the board.')).toEqual([])
  for (const text of [
    'The pay of the board was 40,000 a year.',
    'The following table shows that the pay of the board was 40,000.',
    'As the following chart shows, the pay of the board was 40,000.',
  ])
    expect(quotedOf(text)).toEqual([text])
})

it('of two sentences about the same, the one with the reason comes first if a reason is asked for', () => {
  const passage: Passage = {
    chunk_id: 'c',
    document_id: 'd',
    document_title: 'Accident report',
    document_path: 'a.md',
    chunk_no: 1,
    type: 'text',
    text: 'The helicopter arrived at 16:25 and took her to the hospital.\n\nCause: the third rung was loose.',
    heading: '',
    page: null,
    language: 'en',
    score: 1,
  }
  const terms = ['accid'].map((term) => ({ term, df: 1, idf: 1 }))
  const text = 'What was the reason for the accident?'
  const keywords = questionKeywords({ text, language: 'en' }, { terms, chunks: 10 })
  const [best] = rankEvidence(evidenceIn([{ passage, relevance: 1, rank: 0 }]), {
    keywords,
    type: answerType(text),
    codes: [],
  })
  expect(best?.evidence.text).toContain('Cause')
})
