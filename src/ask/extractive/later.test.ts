import { expect, test } from 'vitest'
import type { Passage } from '../../search/passage.ts'
import { answerType } from './answer-type.ts'
import { evidenceIn, type FoundPassage } from './evidence.ts'
import { featuresOf } from './features.ts'
import { itemsAsEvidence } from './items.ts'
import { questionKeywords } from './keywords.ts'
import { withLatestStatement } from './later.ts'

const foundIn = (title: string, text: string): FoundPassage => {
  const passage: Passage = {
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
  }
  return { passage, relevance: 1, rank: 0 }
}

function quotedFor(question: string, ...documents: [title: string, text: string][]): string[] {
  const pieces = evidenceIn(documents.map(([title, text]) => foundIn(title, text)))
  const keywords = questionKeywords({ text: question, language: 'en' }, { terms: [], chunks: 10 })
  const criteria = { keywords, type: answerType(question), codes: [] }
  const [item] = pieces.flatMap(itemsAsEvidence)
  if (!item) throw new Error('no list')
  const best = { evidence: item, features: featuresOf(item, criteria), matchesHeading: false, score: 1 }
  return withLatestStatement([best], pieces, criteria).map(({ evidence }) => evidence.text)
}

const MARCH = 'Van. The repair was estimated at 1,900 euros.'
const JUNE = 'Van. The repair cost 1,420 euros at Oakley Motors.'
const list = (...items: string[]): string => items.map((item, i) => `${i + 1}. ${item}`).join('\n')

test('the later record of a topic goes first', () => {
  const march: [string, string] = ['Meeting, 12 March 2025', list(MARCH, 'Fair. The tent is ordered.')]
  const ask = (title: string, ...items: string[]): string[] =>
    quotedFor('How much was the repair of the van?', march, [title, list(...items)])
  expect(ask('Meeting, 18 June 2025', 'Fair. It rained.', JUNE)).toEqual([JUNE, MARCH])
  expect(ask('Meeting, 18 January 2025', 'Fair. It rained.', JUNE)).toEqual([MARCH])
  // Another topic; nothing of what is asked for.
  expect(ask('Meeting, 18 June 2025', 'Fair. The repair of the tent cost 90 euros.', 'Bar. Open.')).toEqual([
    MARCH,
  ])
  expect(ask('Meeting, 18 June 2025', 'Van. The repair was done.', 'Bar. Open.')).toEqual([MARCH])
})

test('a longer name of the same topic is the same topic', () => {
  const ask = (first: string, second: string): string[] =>
    quotedFor(
      'What did the board decide to buy?',
      ['Meeting, 12 March 2025', list(`${first}. The board decided to buy a used one.`, 'Fair. It rained.')],
      ['Meeting, 18 June 2025', list(`${second}. The board decided to buy a new one.`, 'Fair. It rained.')],
    )
  expect(ask('New belt press', 'Belt press')).toHaveLength(2)
  expect(ask('Roof terrace', 'Roof')).toHaveLength(1)
  expect(ask('The roof', 'The roof terrace')).toHaveLength(1)
  expect(ask('Fire insurance', 'Fire insurance claims')).toHaveLength(1)
})

test('a record of another thing is no later one', () => {
  const deposit = (amount: number): string =>
    list(`Deposit. It is ${amount} euros.`, 'Rent. It is due in May.')
  expect(
    quotedFor(
      'How much is the deposit of the mill lease?',
      ['Mill lease, 1 May 2021', deposit(400)],
      ['Barn lease, 1 May 2024', deposit(900)],
    ),
  ).toEqual(['Deposit. It is 400 euros.'])
})
