import { describe, expect, it } from 'vitest'
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

describe('quotes of earlier messages in a mail', () => {
  const passageAt = (document_path: string) =>
    ({
      chunk_id: 'c',
      document_id: 'd',
      document_title: 'Rent',
      document_path,
      chunk_no: 1,
      type: 'text',
      text: 'What about the rent?\n\nThe rent is 900 euros.',
      heading: 'Rent > On 3 May 2026, Ann wrote:',
      page: null,
      language: 'en',
      score: 1,
    }) as const
  const criteria = { keywords: [], type: 'any', codes: [] } as const
  const written = { citationNumberOf: () => 1, wording: WORDING.en }
  const evidenceAt = (path: string) => evidenceIn([{ passage: passageAt(path), relevance: 1, rank: 0 }])

  it('have the line that says who wrote them, near ones and replaced ones too', () => {
    const units = evidenceAt('a.eml')
    const [evidence] = units
    if (!evidence) throw new Error('no evidence')
    const line = '**On 3 May 2026, Ann wrote:** “The rent is 900 euros.” — Rent [1]'
    expect(quoteLines([{ evidence, matchesHeading: false }], [criteria], written)).toEqual([`- ${line}`])
    expect(quoteLines([{ evidence, matchesHeading: false, isAmended: true }], [criteria], written)).toEqual([
      `- ${WORDING.en.previously} ${line}`,
    ])
    const near = compose({
      verdict: 'close',
      selected: [],
      nearPassages: [{ foundPassage: evidence.foundPassage, units: [evidence] }],
      unknownWords: [],
      ...written,
    })
    expect(near).toContain(`\n- ${line}`)
  })

  it('and a page of another kind has no such line', () => {
    const quotes = evidenceAt('a.md').map((evidence) => ({ evidence, matchesHeading: false }))
    expect(quoteLines(quotes, [criteria], written)).toEqual(['- “The rent is 900 euros.” — Rent [1]'])
  })
})
