import { describe, expect, it, test } from 'vitest'
import { changedWords } from './earlier.ts'
import { marksInName, ownTitle, validityIn } from './marks.ts'
import { choose, editionRequest, withoutSpans } from './request.ts'
import { type DocumentDescription, type Series, seriesAmong } from './series.ts'

const TODAY = '2026-11-29'

const described = (title: string, path: string, beginning = ''): DocumentDescription => ({
  id: path,
  title,
  path,
  beginning,
  language: 'en',
})

const seriesOf = (...documents: DocumentDescription[]): Series[] => seriesAmong(documents, TODAY)

test('a name is told apart into what marks the edition and what all editions share', () => {
  expect(marksInName('Travel policy 2024')).toMatchObject({ period: '2024', nameWords: 'policy travel' })
  expect(marksInName('remote_work-v2.1-DRAFT')).toMatchObject({
    number: [2, 1],
    state: 'draft',
    nameWords: 'remote work',
  })
  expect(marksInName('Preisliste 2025/26 (alt)')).toMatchObject({
    period: '2025',
    state: 'withdrawn',
    nameWords: 'preisliste',
  })
  expect(marksInName('Manuel, 3e édition')).toMatchObject({ number: [3], nameWords: 'manuel' })
  expect(marksInName('leak-report-2026-q1')).toMatchObject({ period: '2026-Q1', nameWords: 'leak report' })
  expect(marksInName('Data sheet DS-410 Rev. G')).toMatchObject({ number: [7] })
  for (const [name, nameWords] of [
    ['Trade prices from 1 March 2026', 'prices trade'],
    ['Preisliste gültig ab 1.1.2026', 'preisliste'],
    ['Tarifs à partir du 1er juillet 2026', 'tarifs'],
    ['Precios desde el 1 de enero de 2026', 'precios'],
  ] as const)
    expect(marksInName(name).nameWords).toBe(nameWords)
  // Numbers of things are no editions.
  expect(marksInName('Data sheet X200').nameWords).not.toBe(marksInName('Data sheet X300').nameWords)
  expect(marksInName('HX-410').nameWords).not.toBe(marksInName('HX-410S').nameWords)
  expect(ownTitle('Annual report – north', 'reports/north.pdf')).toBe('Annual report')
})

test('the first lines say from when on a document applies, what it replaces, and its state', () => {
  expect(validityIn('Valid from 1 March 2026. It replaces the policy of 2025.')).toMatchObject({
    starts: '2026-03-01',
    replaces: true,
    state: 'released',
  })
  expect(validityIn('Version 3.0, in force from 1 March 2026. It supersedes version 2.0.').number).toEqual([
    3, 0,
  ])
  expect(validityIn('Gültig ab 1. Januar 2025 bis 31. Dezember 2025')).toMatchObject({
    starts: '2025-01-01',
    ends: '2025-12-31',
  })
  expect(validityIn('Édition 2, en vigueur à compter du 1er juin 2023.').starts).toBe('2023-06-01')
  expect(validityIn('Vigente desde el 4 de abril de 2022.').starts).toBe('2022-04-04')
  for (const text of ['DRAFT for consultation', 'Edition 4, draft of 8 May 2026', 'Status: Entwurf'])
    expect(validityIn(text).state).toBe('draft')
  for (const text of [
    'Edition 2. WITHDRAWN: do not use.',
    'This policy is no longer valid.',
    'Außer Kraft seit Mai',
  ])
    expect(validityIn(text).state).toBe('withdrawn')
  for (const text of [
    'It replaces the draft of May.',
    'Draft beer costs 4 euros.',
    'Expired passes are returned.',
  ])
    expect(validityIn(text).state).toBe('released')
})

describe('seriesAmong', () => {
  const policies = [2024, 2025, 2026, 2027].map((year) =>
    described(`Travel policy ${year}`, `travel-${year}.md`, `Valid from 1 January ${year}.`),
  )

  it('has the newest in force that has begun', () => {
    const [series] = seriesOf(...policies.toReversed())
    expect(series?.kind).toBe('rules')
    expect(series?.editions.map(({ documentId }) => documentId)).toEqual(policies.map(({ id }) => id))
    expect(series?.currentEdition.documentId).toBe('travel-2026.md')
  })

  it('leaves out drafts and what is withdrawn', () => {
    const [series] = seriesOf(
      described('Manual', 'manual-ed2.txt', 'Edition 2.'),
      described('Manual', 'manual-ed3.txt', 'Edition 3. Withdrawn.'),
      described('Manual', 'manual-ed4-draft.txt', 'Edition 4.'),
    )
    expect(series?.currentEdition.documentId).toBe('manual-ed2.txt')
  })

  it('leaves newsletters with an offer and a deadline alone, and lists of two folders', () => {
    const letter = (month: string, text: string): DocumentDescription =>
      described(`Newsletter ${month} 2026`, `newsletter_${month}_2026.txt`, text)
    const letters = seriesOf(
      letter('april', 'The trip is on Sunday. The offer applies until 30 June 2026.'),
      letter('may', 'The pool opens.'),
    )
    expect(letters[0]?.kind).toBe('reports')
    expect(
      seriesOf(
        described('Prices from 1 March 2026', 'north/list.md', 'Adults pay 8 euros.'),
        described('Prices 2026', 'south/fees.md', 'Adults pay 6 euros.'),
      ),
    ).toEqual([])
  })

  it('has the newest that has begun where all have ended', () => {
    const menu = (year: number): DocumentDescription =>
      described(
        `Menu ${year}`,
        `menu_${year}.md`,
        `Valid from 1 April ${year}. Valid until 31 October ${year}.`,
      )
    expect(seriesOf(menu(2025), menu(2026))[0]?.currentEdition.documentId).toBe('menu_2026.md')
  })

  it('has the edition that has begun where the one before says how long it applies', () => {
    const [series] = seriesOf(
      described('Trade prices 2025', 'trade_2025.md', 'Excluding VAT. Valid until 28 February 2026.'),
      described('Trade prices from 1 March 2026', 'trade_2026.md', 'Excluding VAT.'),
    )
    expect(series?.kind).toBe('rules')
    expect(series?.currentEdition.documentId).toBe('trade_2026.md')
  })

  it('has the edition whose name says from when it applies', () => {
    const fares = (title: string): DocumentDescription =>
      described(title, `${title}.txt`, 'Adults €6, children €3.')
    expect(seriesOf(fares('fares_2025'), fares('fares_from_may_2026'))[0]).toMatchObject({
      kind: 'rules',
      currentEdition: { documentId: 'fares_from_may_2026.txt' },
    })
    const minutes = (title: string): DocumentDescription =>
      described(title, `${title}.txt`, 'The roof was discussed. The chair was thanked.')
    expect(seriesOf(minutes('minutes 2025'), minutes('minutes from 3 May 2026'))[0]?.kind).toBe('reports')
  })

  it('knows reports by their periods, and rules by what they declare or by present tense', () => {
    const kindOf = (...documents: DocumentDescription[]): string | undefined =>
      seriesOf(...documents)[0]?.kind
    expect(
      kindOf(described('2023 Q1 ACME', '2023 Q1 ACME.pdf'), described('2023 Q2 ACME', '2023 Q2 ACME.pdf')),
    ).toBe('reports')
    const day = (date: string) => described(`Minutes of ${date}`, `minutes-${date}.md`, 'The pump is bought.')
    expect(kindOf(day('2024-03-01'), day('2024-04-02'))).toBe('reports')
    const year = (date: number, text: string) => described(`Parking ${date}`, `parking-${date}.md`, text)
    expect(kindOf(year(2023, 'Bay 3 is free.'), year(2024, 'Bay 4 is free.'))).toBe('rules')
    expect(kindOf(year(2023, 'Bay 3 was free.'), year(2024, 'Bay 4 was free.'))).toBe('reports')
    expect(kindOf(year(2023, '| Bay | Free |'), year(2024, '| Bay | Free |'))).toBe('reports')
  })

  it('makes none of different things, of amendments or of copies', () => {
    expect(
      seriesOf(described('Lease Unit 4', 'lease-4.md'), described('Lease Unit 7', 'lease-7.md')),
    ).toEqual([])
    const rules = (place: string, year: number) =>
      described('House rules', `${place}.md`, `Valid from 1 May ${year}. The rules of the ${place} house.`)
    expect(seriesOf(rules('north', 2023), rules('south', 2024))).toEqual([])
    const scan = (no: number, year: number) =>
      described('House rules', `scan-${no}.md`, `Valid from 1 May ${year}.`)
    expect(seriesOf(scan(12, 2023), scan(44, 2024))).toHaveLength(1)
    const amendment = (year: number) =>
      described(`Amendment ${year} to the lease`, `a-${year}.md`, 'In force from 1 May.')
    expect(seriesOf(amendment(2023), amendment(2024))).toEqual([])
    expect(seriesOf(described('Menu', 'a/menu.md'), described('Menu', 'a/menu.pdf'))).toEqual([])
  })
})

describe('choose', () => {
  const [series] = seriesOf(
    described('Leave rules', 'leave-v1.md', 'Version 1, valid from 1 May 2023.'),
    described('Leave rules', 'leave-v2.md', 'Version 2, valid from 1 May 2024. It replaces version 1.'),
    described('Leave rules', 'leave-v3.md', 'Version 3, valid from 1 May 2025. It replaces version 2.'),
    described('Leave rules', 'leave-v4.md', 'Version 4. Draft.'),
  )
  const chosenFor = (question: string): string | undefined => {
    const choice = series && choose(series, editionRequest(question, 'en', TODAY))
    return choice?.editions.map(({ number }) => number?.join('.')).join()
  }

  it.each([
    ['How many days of leave are there?', '3'],
    ['How many days of leave are there currently?', '3'],
    ['Wie viele Tage Urlaub gibt es aktuell?', '3'],
    ['What does version 2 say on leave?', '2'],
    ['What do the previous leave rules say?', '2'],
    ['How much leave was there in June 2023?', '1'],
    ['How much leave was there before 2024?', '1'],
    ['How much leave was there in 2024?', '1,2'],
    ['What does the first version say?', '1'],
    ['How much leave does the draft of the rules give?', '4'],
    ['Is prior approval needed?', '3'],
    ['How long before the trip must I ask?', '3'],
    ['How has the leave changed?', undefined],
    ['What is the difference between version 1 and version 3?', '1,3'],
  ])('%s', (question, editions) => {
    expect(chosenFor(question)).toBe(editions)
  })

  it('takes "old" in a name for a part of it', () => {
    const [guides] = seriesOf(
      described('Mill guide 2024', 'mill-guide-2024.md', 'Tours start at the gate.'),
      described('Mill guide 2025', 'mill-guide-2025.md', 'Tours start at the wheel.'),
    )
    const periodFor = (question: string, texts: string[] = []) =>
      guides && choose(guides, editionRequest(question, 'en', TODAY), texts)?.editions[0]?.period
    expect(periodFor('Where do tours of the old mill start?', ['The Old Mill and the New Mill'])).toBe('2025')
    expect(periodFor('Where do tours of the Old Mill start?')).toBe('2025')
    expect(periodFor('Where do tours start in the old mill guide?')).toBe('2024')
  })

  it('hears no English past tense in another language', () => {
    const german = (year: number): DocumentDescription => ({
      ...described(
        `Hausordnung ${year}`,
        `hausordnung-${year}.md`,
        'Es gilt, was die Verwaltung aushängt. Wer etwas hat, was kaputt ist, meldet es.',
      ),
      language: 'de',
    })
    expect(seriesOf(german(2024), german(2025))[0]?.kind).toBe('rules')
  })

  it('gives the newest report only where the newest is asked for', () => {
    const [reports] = seriesOf(
      described('Report Q1 2024', 'r-2024-q1.md', 'It rained.'),
      described('Report Q2 2024', 'r-2024-q2.md', 'It rained.'),
    )
    const reportsFor = (question: string) => reports && choose(reports, editionRequest(question, 'en', TODAY))
    expect(reportsFor('How much did it rain?')).toBeUndefined()
    expect(reportsFor('How much did it rain in Q1 2024?')).toBeUndefined()
    expect(reportsFor('What does the latest report say?')?.editions).toEqual([reports?.currentEdition])
  })
})

test('the words that ask for an edition are left out of the question', () => {
  const text = 'What is the current fee?'
  expect(withoutSpans(text, editionRequest(text, 'en', TODAY).latest)).toBe('What is the fee?')
  expect(editionRequest('What is the actual cost?', 'en', TODAY).latest).toEqual([])
  expect(editionRequest('¿Cuál es el precio actual?', 'es', TODAY).latest).toHaveLength(1)
})

test('of an earlier sentence what differs is told', () => {
  expect(changedWords('The limit is 140 euros.', 'The limit is 125 euros.')).toBe('… 125 euros.')
  expect(changedWords('Up to three days in a row are paid.', 'Up to two days in a row are paid.')).toBe(
    '… two days …',
  )
  expect(changedWords('The limit is 140 euros.', 'Breakfast is not paid at all.')).toBeUndefined()
  expect(changedWords('The limit is 140 euros.', 'The limit is 140 euros.')).toBeUndefined()
})
