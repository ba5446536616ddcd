import { describe, expect, it } from 'vitest'
import { costRatio } from '../../../test/support/processor-time.ts'
import type { Passage } from '../../search/passage.ts'
import { amends } from './amendments.ts'
import { type Evidence, evidenceIn, matchesHeading } from './evidence.ts'
import { featuresOf } from './features.ts'
import { type Keyword, questionKeywords } from './keywords.ts'
import { hasCode } from './ranking.ts'

const passage = (text: string, others: Partial<Passage> = {}): Passage => ({
  chunk_id: 'c',
  document_id: 'd',
  document_title: 'Handbook',
  document_path: 'a.md',
  chunk_no: 0,
  type: 'text',
  text,
  heading: '',
  page: null,
  language: 'en',
  score: 1,
  ...others,
})
const piecesOf = (text: string, others: Partial<Passage> = {}): Evidence[] =>
  evidenceIn([{ passage: passage(text, others), relevance: 1, rank: 0 }])

/** In a workspace that has every word of the question. */
function keywordsOf(text: string, known: string): Keyword[] {
  const terms = known.split(' ').map((term) => ({ term, df: 1, idf: 1 }))
  return questionKeywords({ text, language: 'en' }, { terms, chunks: 10 })
}
const features = (piece: Evidence | undefined, keywords: Keyword[]) =>
  featuresOf(piece as Evidence, { keywords, type: 'any', codes: [] })

describe('evidenceIn', () => {
  it('tells a letterhead by its first words of capitals', () => {
    const isLetterhead = (text: string): boolean | undefined => piecesOf(text)[0]?.isFrontMatter
    expect(isLetterhead('CITY OF ARDLOW Waste office Notice 12')).toBe(true)
    expect(isLetterhead('U.S. ARMY & NAVY Notice 12')).toBe(false)
    expect(isLetterhead('NOTICE OF A & ARDLOW of 12 March')).toBe(true)
    expect(isLetterhead('ARDLOW Waste office Notice 12')).toBe(false)
    expect(isLetterhead('CITY OF ARDLOW closes the bridge.')).toBe(false)
  })

  it('takes what stands before the first sentence of a document for its letterhead, but not what it says by name', () => {
    const text =
      'Halbrook Ltd · Finance · valid from 2023\n\nOwner: Leila Farrash\n\nThe policy covers travel.'
    const letterheads = piecesOf(text).filter((piece) => piece.isFrontMatter)
    expect(letterheads.map((piece) => piece.text)).toEqual(['Halbrook Ltd · Finance · valid from 2023'])
    expect(piecesOf(text, { chunk_no: 3 }).some((piece) => piece.isFrontMatter)).toBe(false)
  })

  it('takes no longer for a long word of capitals than for other text', async () => {
    const hostile = passage('A'.repeat(40_000))
    const harmless = passage('A word '.repeat(6000))
    const run = (one: Passage) => () => evidenceIn([{ passage: { ...one }, relevance: 1, rank: 0 }])
    expect(await costRatio(run(hostile), run(harmless))).toBeLessThan(10)
  })

  it('counts the fields at the head of a record for all of its text, and not as text below its title', () => {
    const report =
      'Incident report\n\nDate: 18 April 2026\nPlace: lead wall\n\nA climber fell four metres. She hurt her ankle.'
    const pieces = piecesOf(report, { document_title: 'Incident report' })
    expect(pieces.map(({ text, fieldLabel }) => [text, fieldLabel !== undefined])).toEqual([
      ['Date: 18 April 2026', true],
      ['Place: lead wall', true],
      ['A climber fell four metres.', false],
      ['She hurt her ankle.', false],
    ])
    expect(pieces.every(({ fieldTerms }) => fieldTerms.terms.has('april'))).toBe(true)
    const keywords = keywordsOf(
      'What happened in the incident report on 18 April?',
      'incident report 18 april',
    )
    const answers = pieces.filter((piece) => matchesHeading(piece, { keywords, type: 'any' }))
    expect(answers.map(({ text }) => text)).toEqual(['A climber fell four metres.', 'She hurt her ankle.'])
  })

  it('takes neither the turns of a chat nor a single line for fields of a record', () => {
    const fieldsOf = (text: string) => piecesOf(text).filter(({ fieldLabel }) => fieldLabel).length
    expect(fieldsOf('Owner: Leila Farrash\n\nThe policy covers travel.')).toBe(0)
    expect(fieldsOf('Ada: The pump is new.\nBen: Who paid for it?\nAda: The club paid for it.')).toBe(0)
    expect(fieldsOf('Owner: Leila Farrash\nValid from: 2023\n\nThe policy covers travel.')).toBe(2)
  })

  it('quotes no question, which states nothing', () => {
    const text = 'Who may borrow a boat? Members may borrow one. It asks two things: who are you?'
    expect(piecesOf(text).map((piece) => piece.text)).toEqual([
      'Members may borrow one.',
      'It asks two things: who are you?',
    ])
    expect(piecesOf('كم يكلف القارب في اليوم؟')).toEqual([])
  })

  it('quotes no code: it states nothing and is no list', () => {
    const text =
      'For instance, you can decompress the body:\n\n```js\nconst body = unzip(payload)\nreturn body\n```\n\nThe hook runs before the body is parsed.'
    expect(piecesOf(text).map((piece) => piece.text)).toEqual([
      'For instance, you can decompress the body:',
      'The hook runs before the body is parsed.',
    ])
    expect(
      piecesOf('After:\nvar buffer;\nbuffer = make(size);\nreturn buffer').filter(({ list }) => list),
    ).toEqual([])
  })

  it('quotes what is fenced without a language, which may be a notice', () => {
    const text = 'At the door it says:\n\n```\nThe pool opens at nine.\n```\n\nIt is closed in May.'
    expect(piecesOf(text).map((piece) => piece.text)).toEqual([
      'At the door it says:',
      'The pool opens at nine.',
      'It is closed in May.',
    ])
  })

  it('reads a list without the heading above it, and one of its items at a time', () => {
    const [list] = piecesOf('- spades are kept in the shed\n- keys cost fifteen pounds', {
      heading: 'Rules of 2026',
    }).filter((piece) => piece.list)
    expect(list?.ownTerms.terms.has('2026')).toBe(false)
    const keywords = keywordsOf('Do spades cost pounds?', 'spade cost pound')
    const whole = keywordsOf('Do keys cost pounds?', 'key cost pound')
    expect(features(list, whole).own).toBe(1)
    expect(features(list, keywords).own).toBeLessThan(0.7)
    // Nor is it as long as all of them.
    expect(features(list, whole).length).toBeCloseTo(Math.log(1.24))
  })

  it('takes a row of prose for less of a row than one of names and figures', () => {
    const long = 'The body of the request is larger than the limit that was given at the start of the server'
    const pieces = piecesOf(
      `| Name | Meaning |\n| --- | --- |\n| Limit | 10 kB |\n| ${long} | ${long} |`,
    ).filter((piece) => piece.cells)
    const [figure, prose] = pieces.map((piece) => features(piece, keywordsOf('limit', 'limit')).row)
    expect(figure).toBe(1)
    expect(prose).toBeLessThan(0.6)
  })
})

it('finds a code as a whole only', () => {
  expect(hasCode('Order BW-2210-10 today', 'BW-2210-1')).toBe(false)
  expect(hasCode('`old_pump_state` holds a day', 'pump_state')).toBe(false)
  expect(hasCode('`pump_state` holds a day', 'pump_state')).toBe(true)
})

describe('what something is', () => {
  const keywords = keywordsOf('What is moonlighting?', 'moonlight')
  const figures = (text: string) =>
    piecesOf(text).map((piece) => featuresOf(piece, { keywords, type: 'definition', codes: [] }).figure)

  it('is said by a sentence whose subject it is, or a row that begins with it', () => {
    expect(
      figures(
        'Moonlighting is all paid work elsewhere. Moonlighting (a second job) means working at night. Moonlighting was allowed in 1998. Some moonlighting is a danger to others who work with people, as the law of the land is.',
      ),
    ).toEqual([1, 1, -1, 1])
    expect(figures('Please avoid moonlighting. Ask whether your job is a case of moonlighting.')).toEqual([
      -1, -1,
    ])
    expect(
      figures(
        '| Word | Meaning |\n| --- | --- |\n| Moonlighting | A second job |\n| Cases of moonlighting | Three |\n| Rent | Not moonlighting |',
      ),
    ).toEqual([1, -1, -1])
  })
})

describe('matchesHeading', () => {
  it('is not asked by a year or an everyday word alone', () => {
    const [under2026] = piecesOf('The hall was let to the choir.', { heading: '2026' })
    expect(
      matchesHeading(under2026 as Evidence, { keywords: keywordsOf('Who was mayor in 2026?', '2026 mayor') }),
    ).toBe(false)
    const [work] = piecesOf('The hall was let to the choir.', { heading: 'Work' })
    expect(
      matchesHeading(work as Evidence, { keywords: keywordsOf('Does the choir work?', 'choir work') }),
    ).toBe(false)
    expect(matchesHeading(work as Evidence, { keywords: keywordsOf('Does it work?', 'work') })).toBe(true)
    const [bonfires] = piecesOf('They are allowed in October.', { heading: 'Bonfires' })
    expect(
      matchesHeading(bonfires as Evidence, { keywords: keywordsOf('What about bonfires?', 'bonfir') }),
    ).toBe(true)
  })

  it('is the part that is named by its number, or a clause with it', () => {
    const under = (heading: string, text: string, part: string): boolean =>
      matchesHeading(piecesOf(text, { heading })[0] as Evidence, { keywords: [], part })
    expect(under('Lease > 4. Rent', 'The rent is due in May.', '4')).toBe(true)
    expect(under('Lease > Article 4 – Rent', 'The rent is due in May.', '4')).toBe(true)
    expect(under('Lease > 14. Rent', 'The rent is due in May.', '4')).toBe(false)
    expect(under('Lease > 4. Paying rent', 'It is due in May.', 'Rent')).toBe(true)
    expect(under('Lease > Deposit', 'It is due in May.', 'Rent')).toBe(false)
    expect(under('Notices', '12.1 The tenant may end the lease.', '12.1')).toBe(true)
    expect(under('Notices', '12.10 The tenant may end the lease.', '12.1')).toBe(false)
  })

  it('is answered by numbered steps below a letterhead that says what they do', () => {
    const text =
      'ARDLOW MUSEUM - WORKSHOP\nCHANGE THE FILTER OF A BREEZE 40 DRYER\nOwner: Mara Holt.\n\nSTEPS\n1. Switch off.\n2. Take out the old one.\n3. Switch on.'
    const pieces = piecesOf(text, { document_title: 'note-12' })
    const steps = pieces.find(({ list }) => list)
    const keywords = keywordsOf('How do I change the filter of the Breeze?', 'chang filter breez')
    expect(steps?.list).toMatchObject({
      isOrdered: true,
      items: ['Switch off.', 'Take out the old one.', 'Switch on.'],
    })
    expect(matchesHeading(steps as Evidence, { keywords, type: 'steps' })).toBe(true)
    expect(matchesHeading(steps as Evidence, { keywords, type: 'any' })).toBe(false)
    expect(pieces[0]).toMatchObject({ isFrontMatter: true })
    // What stands first is no letterhead where it is not written as one.
    expect(piecesOf('The pool\n\nIt opens at eight.')[0]?.titleTerms.terms.has('pool')).toBe(false)
  })
})

describe('amends', () => {
  const other = { document_id: 'e', document_title: 'Users and groups' }
  const [earlier] = piecesOf('2.1 The group games may write high scores.', other)
  const later = (text: string, document_title: string) => piecesOf(text, { document_title })[0] as Evidence

  const isAmended = (said: string, title: string, beginnings = new Map<string, string>()): boolean =>
    amends(later(said, title), earlier as Evidence, beginnings)

  it('needs an amendment that says the same, or one of the clause', () => {
    const same = 'The group games may write high scores and levels.'
    expect(isAmended(same, 'Users and groups of the system')).toBe(false)
    expect(isAmended(same, 'Amendment to Users and groups')).toBe(true)
    expect(isAmended('The group printers may delete jobs.', 'Amendment to Users and groups')).toBe(false)
    const clause = 'In clause 2.1 the word games is replaced by play.'
    expect(isAmended(clause, 'Users and groups of the system')).toBe(true)
    expect(isAmended(clause.replace('2.1', '2.2'), 'Amendment to Users and groups')).toBe(false)
    expect(isAmended(clause, 'Note 7')).toBe(false)
    expect(isAmended(clause, 'Note 7', new Map([['d', 'to the document Users and groups\n']]))).toBe(true)
  })

  it('knows the clause by the line that leads to the new text', () => {
    const text = 'Clause 2.1 is replaced by this text:\n"The group play may write low scores."'
    const [, quoted] = piecesOf(text, { document_title: 'Amendment to Users and groups' })
    expect(amends(quoted as Evidence, earlier as Evidence, new Map())).toBe(true)
  })
})
