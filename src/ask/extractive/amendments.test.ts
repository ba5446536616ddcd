import { expect, it } from 'vitest'
import { amends, beginningsOf, clauseNumber } from './amendments.ts'
import { type Evidence, evidenceIn } from './evidence.ts'

const piecesOf = (title: string, text: string): Evidence[] => {
  const passage = {
    chunk_id: title,
    document_id: title,
    document_title: title,
    document_path: 'a.md',
    chunk_no: 0,
    type: 'text',
    text,
    heading: '',
    page: null,
    language: 'en',
    score: 1,
  } as const
  return evidenceIn([{ passage, relevance: 1, rank: 0 }])
}

it('knows the clause of a sentence by the number at the start of its paragraph', () => {
  const lease = piecesOf(
    'Mooring lease',
    '§ 3 Rent. The annual rent is 2,400 euros.\n\n§ 4 Upkeep. Repairs are due.',
  )
  const amendment = piecesOf(
    'Amendment No. 1 to the mooring lease',
    '1. § 3 is replaced as follows: The yearly sum is 2,750 euros.',
  )
  const holding = (pieces: Evidence[], words: string): Evidence => {
    const piece = pieces.find(({ text }) => text.includes(words))
    if (!piece) throw new Error(`no piece has ${words}`)
    return piece
  }
  const [rent, upkeep, change] = [
    holding(lease, 'annual rent'),
    holding(lease, 'Repairs'),
    holding(amendment, '2,750'),
  ]
  expect([rent, upkeep].map(clauseNumber)).toEqual(['3', '4'])
  const beginnings = beginningsOf([...lease, ...amendment])
  expect(amends(change, rent, beginnings)).toBe(true)
  expect(amends(change, upkeep, beginnings)).toBe(false)
})
