import { expect, it } from 'vitest'
import { compose, quoteLines } from './compose.ts'
import { evidenceIn } from './evidence.ts'
import { featuresOf } from './features.ts'
import { WORDING } from './wording.ts'

it('names what no document mentions below passages that only come near', () => {
  const passage = {
    chunk_id: 'c',
    document_id: 'd',
    document_title: 'Minutes',
    document_path: 'a.md',
    chunk_no: 0,
    type: 'text',
    text: 'The council of Brackwater meets in May.',
    heading: '',
    page: null,
    language: 'en',
    score: 1,
  } as const
  const criteria = { keywords: [], type: 'person', codes: [] } as const
  const quotes = evidenceIn([{ passage, relevance: 1, rank: 0 }]).map((evidence) => ({
    evidence,
    features: featuresOf(evidence, criteria),
    matchesHeading: false,
    score: 1,
  }))
  const markdown = compose({
    verdict: 'close',
    selected: [{ criteria, quotes }],
    unknownWords: ['mayor'],
    citationNumberOf: () => 1,
    wording: WORDING.en,
  })
  expect(markdown).toMatch(
    /^The closest passages are:\n\n- “The council[\s\S]*\n\nThe documents may not answer this directly\. They do not mention “mayor”\.$/,
  )
})

it('quotes a sentence with its neighbours of the same paragraph, and none of them twice', () => {
  const passage = {
    chunk_id: 'c',
    document_id: 'd',
    document_title: 'Club',
    document_path: 'a.md',
    chunk_no: 1,
    type: 'text',
    text: 'Hang the red tag on the boat. Do not repair anything yourself.\n\nThe kitchen is open on Sundays.',
    heading: '',
    page: null,
    language: 'en',
    score: 1,
  } as const
  const criteria = { keywords: [], type: 'any', codes: [] } as const
  const quotes = evidenceIn([{ passage, relevance: 1, rank: 0 }]).map((evidence) => ({
    evidence,
    matchesHeading: false,
  }))
  expect(quoteLines(quotes, [criteria], { citationNumberOf: () => 1, wording: WORDING.en })).toEqual([
    '- “Hang the red tag on the boat. Do not repair anything yourself.” — Club [1]',
    '- “The kitchen is open on Sundays.” — Club [1]',
  ])
})
