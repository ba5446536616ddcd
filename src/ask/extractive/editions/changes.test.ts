import { expect, test } from 'vitest'
import type { Passage } from '../../../search/passage.ts'
import type { NamedDocument } from '../../tools/tools.ts'
import type { RetrievalState } from '../retrieval.ts'
import { type Change, changesOf } from './changes.ts'
import { seriesAmong } from './series.ts'

const LEASE = `Lease of Unit 4, Larkfield Park

## 2. Rent
2.1 The yearly rent is £38,400, payable monthly.
2.2 The service charge is £310 a month.

## 3. Use
3.1 The premises may be used from 07:00 to 20:00 on weekdays.`
const AMENDMENT = `Amendment No. 1 to the Lease of Unit 4, Larkfield Park

Dated 2 March 2026.

1. Clause 2.1: the yearly rent of £38,400 is replaced by £41,200 from 1 April 2026.
2. Clause 3.1 is amended to read: The premises may be used from 06:00 to 22:00 on all days.
3. All other terms of the lease remain unchanged.`
const OLD = `Travel Policy 2023

Valid from 1 January 2023.

## Booking
Trips are booked at least 14 days ahead.

## Meals
The daily meal allowance is 28 euros.

## Parking
Parking at the airport is not paid.`
const NEW = `Travel Policy 2024

Valid from 1 January 2024.

## Booking
Trips are booked at least 21 days ahead.

## Meals
The daily meal allowance is 28 euros.

## Rail
First class is allowed for journeys over four hours.`

const TEXTS = { lease: LEASE, amendment: AMENDMENT, old: OLD, new: NEW }

const described = Object.entries(TEXTS).map(([id, text]): NamedDocument => {
  const title = text.slice(0, text.indexOf('\n'))
  return { id, title, path: `${id}.md`, beginning: text.slice(0, 600), language: 'en' } as NamedDocument
})

async function changesFor(question: string): Promise<Change[] | undefined> {
  const tools = {
    readDocument: async (id: string) => [
      {
        chunk_id: id,
        chunk_no: 0,
        document_id: id,
        document_title: described.find((one) => one.id === id)?.title ?? '',
        document_path: 'a.md',
        heading: '',
        language: 'en',
        page: null,
        type: 'text',
        text: TEXTS[id as keyof typeof TEXTS],
      } as unknown as Passage,
    ],
    outOfTime: () => false,
  }
  const state = { question: { text: question, language: 'en' }, topic: '' } as RetrievalState
  const steps = changesOf(tools, state, {
    series: seriesAmong(described, '2026-11-29'),
    describedDocuments: described,
  })
  for (;;) {
    const step = await steps.next()
    if (step.done) return step.value?.pairs
  }
}

const textsOf = (pairs: Change[] | undefined): (string | undefined)[][] | undefined =>
  pairs?.map(({ current, previous }) => [current?.text, previous?.text])

test.each([
  'What changed in the lease with the amendment?',
  'What did the amendment change?',
  'Which clauses were changed by the amendment to the lease of Unit 4?',
])('%s: each clause with what it replaces', async (question) => {
  expect(textsOf(await changesFor(question))).toEqual([
    [
      '1. Clause 2.1: the yearly rent of £38,400 is replaced by £41,200 from 1 April 2026.',
      '2.1 The yearly rent is £38,400, payable monthly.',
    ],
    [
      '2. Clause 3.1 is amended to read: The premises may be used from 06:00 to 22:00 on all days.',
      '3.1 The premises may be used from 07:00 to 20:00 on weekdays.',
    ],
  ])
})

test.each([
  'What is different between the 2023 and the 2024 travel policy?',
  'What changed in the travel policy?',
  'How does the 2024 travel policy differ from the 2023 one?',
])('%s: what is new, other or left out', async (question) => {
  expect(textsOf(await changesFor(question))).toEqual([
    ['Trips are booked at least 21 days ahead.', 'Trips are booked at least 14 days ahead.'],
    ['First class is allowed for journeys over four hours.', undefined],
    [undefined, 'Parking at the airport is not paid.'],
  ])
})

test.each([
  'What changed in the rent?',
  'When does the lease end?',
  'What is the new rent of Unit 4?',
  'Who may change the locks?',
  'What is the difference between rent and service charge?',
])('%s asks for one thing', async (question) => {
  expect(await changesFor(question)).toBeUndefined()
})
