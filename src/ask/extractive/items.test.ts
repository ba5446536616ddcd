import { describe, expect, it } from 'vitest'
import type { Passage } from '../../search/passage.ts'
import { answerType } from './answer-type.ts'
import { type Evidence, evidenceIn } from './evidence.ts'
import { itemsWithAnswer, neighbourAsked, neighbourOf } from './items.ts'
import { questionKeywords } from './keywords.ts'

const piecesOf = (text: string, heading = ''): Evidence[] => {
  const passage: Passage = {
    chunk_id: 'c',
    document_id: 'd',
    document_title: 'Club minutes',
    document_path: 'a.md',
    chunk_no: 1,
    type: 'text',
    text,
    heading,
    page: null,
    language: 'en',
    score: 1,
  }
  return evidenceIn([{ passage, relevance: 1, rank: 0 }])
}

const keywordsOf = (text: string) => questionKeywords({ text, language: 'en' }, { terms: [], chunks: 10 })

describe('items of a list', () => {
  const itemsFor = (question: string, text: string, heading = ''): string[] => {
    const criteria = { keywords: keywordsOf(question), type: answerType(question) }
    return piecesOf(text, heading).flatMap((piece) =>
      itemsWithAnswer(piece, criteria).map((item) => item.text),
    )
  }
  const minutes =
    '1. Roof. The work was finished on 30 May.\n2. Bar. Plastic bottles are no longer sold.\n3. Sauna. The proposal was rejected.'

  it('one that says all that is asked is quoted without the others', () => {
    expect(itemsFor('When was the roof finished?', minutes)).toEqual([
      'Roof. The work was finished on 30 May.',
    ])
  })

  it('what a lead or a heading asks is answered by the whole list', () => {
    expect(
      itemsFor('What does the guest fee include?', 'The guest fee includes:\n- A boat.\n- A coach.'),
    ).toEqual([])
    expect(itemsFor('What was decided on the roof?', minutes, 'What was decided')).toEqual([])
  })

  it('steps are quoted whole', () => {
    expect(itemsFor('How do I finish the roof?', minutes)).toEqual([])
  })
})

describe('the step beside one that is named', () => {
  it.each([
    ['What comes after tilting the engine?', 'after', 'tilting the engine?'],
    ['What do I do before closing the vent?', 'before', 'closing the vent?'],
    ['What is the next step after tilting the engine?', 'after', 'tilting the engine?'],
  ])('%s', (question, direction, namedStep) => {
    expect(neighbourAsked(question, 'en')).toEqual({ direction, namedStep: ` ${namedStep}` })
  })

  it.each([
    ['Was kommt nach dem Falten?', 'after'],
    ['Was mache ich vor dem Backen?', 'before'],
  ])('%s', (question, direction) => {
    expect(neighbourAsked(question, 'de')?.direction).toBe(direction)
  })

  it.each(['What is the fee after the trial?', 'When do I close the vent?', 'What comes with the boat?'])(
    'not asked: %s',
    (question) => {
      expect(neighbourAsked(question, 'en')).toBeUndefined()
    },
  )

  it('is the one behind it, the one before it, or none', () => {
    const pieces = piecesOf('1. Turn the key off.\n2. Tilt the engine out of the water.\n3. Close the vent.')
    const known = keywordsOf('tilting the engine')
    expect(neighbourOf(pieces, known, 'after')?.text).toBe('Close the vent.')
    expect(neighbourOf(pieces, known, 'before')?.text).toBe('Turn the key off.')
    expect(neighbourOf(pieces, keywordsOf('closing the vent'), 'after')).toBeUndefined()
  })
})
