import { describe, expect, test } from 'vitest'
import type { Passage } from '../../search/passage.ts'
import { answerType } from './answer-type.ts'
import { evidenceIn, type FoundPassage } from './evidence.ts'
import { featuresOf } from './features.ts'
import { itemsAsEvidence } from './items.ts'
import { questionKeywords } from './keywords.ts'
import { withLatestStatement, withMailFirst } from './later.ts'

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

describe('a newer statement that says what has changed', () => {
  const TODAY = '2026-11-29'
  type Document = [title: string, text: string]
  const answered = (question: string, ...documents: Document[]): { text: string; isAmended: boolean }[] => {
    const pieces = evidenceIn(documents.map(([title, text]) => foundIn(title, text)))
    const keywords = questionKeywords({ text: question, language: 'en' }, { terms: [], chunks: 10 })
    const criteria = { keywords, type: answerType(question), codes: [] }
    const quotes = pieces.map((evidence) => ({
      evidence,
      features: featuresOf(evidence, criteria),
      matchesHeading: false,
      score: 1,
    }))
    return withLatestStatement(quotes, pieces, criteria, TODAY).map(({ evidence, isAmended }) => ({
      text: evidence.text,
      isAmended: isAmended ?? false,
    }))
  }
  const textsOf = (question: string, ...documents: Document[]): string[] =>
    answered(question, ...documents).map(({ text }) => text)
  const MINUTES: Document = ['Minutes of 7 March 2026', 'Rehearsals remain on Tuesdays at 19:15.']
  const CHANGED = 'From 3 November the rehearsals on Tuesdays are at 19:30.'
  const WHEN = 'When are the rehearsals on Tuesdays?'

  test('goes first, and what it replaces is previous', () => {
    expect(answered(WHEN, MINUTES, ['Notes, autumn 2026', CHANGED])).toEqual([
      { text: CHANGED, isAmended: false },
      { text: MINUTES[1], isAmended: true },
    ])
  })

  test('is no newer one from an older document, and none beside a page without a date', () => {
    expect(textsOf(WHEN, MINUTES, ['Notes, winter 2025', CHANGED])).toEqual([MINUTES[1], CHANGED])
    expect(textsOf(WHEN, MINUTES, ['Notes', CHANGED])).toEqual([MINUTES[1], CHANGED])
    expect(answered(WHEN, ['Our choir', MINUTES[1]], ['Notes, autumn 2026', CHANGED])).toEqual([
      { text: MINUTES[1], isAmended: false },
      { text: CHANGED, isAmended: false },
    ])
  })

  test.each([
    ['an exception', 'On 3 November the rehearsals on Tuesdays are at 20:00 instead.'],
    ['a motion', 'The motion that rehearsals on Tuesdays are now at 20:00 was rejected.'],
    ['a change to come', 'From 5 January 2027 the rehearsals on Tuesdays are at 20:00.'],
    ['a change with an end', 'Rehearsals on Tuesdays are now at 20:00 until 3 December.'],
    ['a plain statement', 'The rehearsals on Tuesdays are at 20:00 in Oakley.'],
  ])('%s replaces nothing', (_, text) => {
    expect(textsOf(WHEN, MINUTES, ['Notes, autumn 2026', text])).toEqual([MINUTES[1], text])
  })

  test('is about the same group', () => {
    const youth: Document = ['Minutes of 7 March 2026', 'The youth rehearsals on Tuesdays are at 17:00.']
    expect(
      textsOf('When are the youth rehearsals on Tuesdays?', youth, ['Notes, autumn 2026', CHANGED]),
    ).toEqual([youth[1], CHANGED])
  })
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

interface Mail {
  question: string
  /** The text of the mail itself, and that of the message which it quotes. */
  newest: string
  earlier: string
  path?: string
  attribution?: string
}

const ATTRIBUTION = 'Am 02.11.2026 um 08:15 schrieb Regine Paulsen:'

/** The quotes, if the best one is from the earlier message. */
function quotesOfMail({
  question,
  newest,
  earlier,
  path = 'a.eml',
  attribution = ATTRIBUTION,
}: Mail): string[] {
  const headings = ['Water', `Water > ${attribution}`]
  const [mail, message] = [newest, earlier].map((text, i) => {
    const found = foundIn('Water', text)
    const passage = { ...found.passage, chunk_id: `${i}`, heading: headings[i] ?? '', document_path: path }
    return { ...found, passage }
  })
  const keywords = questionKeywords({ text: question, language: 'en' }, { terms: [], chunks: 10 })
  const criteria = { keywords, type: answerType(question), codes: [] }
  const quotes = evidenceIn([message, mail].flatMap((found) => found ?? [])).map((evidence) => ({
    evidence,
    features: featuresOf(evidence, criteria),
    matchesHeading: false,
    score: 1,
  }))
  return withMailFirst(quotes, criteria).map(({ evidence }) => evidence.text)
}

const WATER = {
  question: 'When will the water be off?',
  earlier: 'The water will be off on Thursday, 19 November.',
  newest: 'The water will now be off on Thursday, 26 November.',
}

test('the text of a mail goes before that of a message which it quotes, if it answers as much', () => {
  expect(quotesOfMail(WATER)).toEqual([WATER.newest, WATER.earlier])
  const other = 'The plumber comes on Friday, 27 November.'
  expect(quotesOfMail({ ...WATER, newest: other })).toEqual([WATER.earlier, other])
})

test('also below a question or a short line of the earlier message', () => {
  const quotes = quotesOfMail({ ...WATER, earlier: `What about the water?\n\n${WATER.earlier}` })
  expect(quotes[0]).toBe(WATER.newest)
})

test.each(['Original Message', 'From: Regine Paulsen, Sent: 2 November 2026'])(
  'also of a forwarded message under “%s”',
  (attribution) => {
    expect(quotesOfMail({ ...WATER, attribution })[0]).toBe(WATER.newest)
  },
)

test('a page on what somebody wrote is no mail', () => {
  expect(quotesOfMail({ ...WATER, path: 'a.md' })[0]).toBe(WATER.earlier)
  for (const path of ['inbox.MBOX', 'inbox/a', 'a.msg'])
    expect(quotesOfMail({ ...WATER, path })[0]).toBe(WATER.newest)
})

test('text that denies, that has the words apart or that is quoted itself stays behind the quote', () => {
  const deposit = { question: 'What is the deposit?', earlier: 'The deposit is 500 euros.' }
  for (const newest of [
    'I never agreed that the deposit is 400 euros.',
    '> The deposit is 400 euros.',
    '> It is as follows. The deposit is 400 euros.',
  ])
    expect(quotesOfMail({ ...deposit, newest })[0]).toBe(deposit.earlier)
  const pump = { question: 'How much is the pump repair?', earlier: 'The pump repair is 500 euros.' }
  expect(
    quotesOfMail({ ...pump, newest: 'The repair of the door and of the old pump costs 90 euros.' })[0],
  ).toBe(pump.earlier)
})

test('what a person wrote is answered by the message of that person', () => {
  const asked = { ...WATER, question: 'When will the water be off, as Regine Paulsen wrote?' }
  expect(quotesOfMail(asked)[0]).toBe(WATER.earlier)
})
