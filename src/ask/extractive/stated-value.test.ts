import { describe, expect, it } from 'vitest'
import type { Language } from '../../language/language.ts'
import type { Passage } from '../../search/passage.ts'
import { answerType } from './answer-type.ts'
import { evidenceIn } from './evidence.ts'
import { type Criteria, featuresOf } from './features.ts'
import { questionKeywords } from './keywords.ts'
import { statedValue } from './stated-value.ts'

/** The value that is marked if the sentences of these texts are quoted in this order, each text in a document of its own. */
function valueIn(question: string, texts: readonly string[], language: Language = 'en'): string | undefined {
  const criteria: Criteria = {
    keywords: questionKeywords({ text: question, language }, { terms: [], chunks: 10 }),
    type: answerType(question),
    codes: [],
  }
  const passages = texts.map((text, i): Passage => {
    const names = { document_title: 'File', document_path: 'a.md', heading: '', page: null }
    return {
      ...names,
      chunk_id: `${i}`,
      document_id: `${i}`,
      chunk_no: 1,
      type: 'text',
      text,
      language,
      score: 1,
    }
  })
  const quotes = evidenceIn(passages.map((passage, rank) => ({ passage, relevance: 1, rank }))).map(
    (evidence) => ({
      evidence,
      features: featuresOf(evidence, criteria, false),
      matchesHeading: false,
    }),
  )
  const value = statedValue(quotes, question, criteria)
  return value?.passage.text.slice(value.start, value.end)
}

describe('the only value of the kind that is asked for is marked, with the words that limit it', () => {
  it.each([
    ['How much is the late fee?', 'The late fee is CHF 40 per hour.', 'CHF 40 per hour'],
    [
      'How much is the rent of a full plot?',
      'The rent of a full plot is £78 a year; half plots cost £42 a year.',
      '£78 a year',
    ],
    [
      'When is the deposit returned?',
      'The deposit is returned within 28 days after the plot has been handed back in good order.',
      'within 28 days after the plot has been handed back in good order',
    ],
    ['How much is a repeat consultation?', 'A repeat consultation costs £31 within ten days.', '£31'],
    [
      'How much is the training budget?',
      'The training budget is £900 per person and year.',
      '£900 per person and year',
    ],
    [
      'How many days of annual leave are there?',
      'Annual leave is 27 days plus public holidays.',
      '27 days plus public holidays',
    ],
    [
      'When is the surgery open on Saturday?',
      'The surgery is open Monday to Friday from 8.30 am to 6.30 pm and on Saturdays from 9 am to noon.',
      'Saturdays from 9 am to noon',
    ],
    ['What does a locker cost?', 'A locker costs 35 euros a year on the first floor.', '35 euros a year'],
    ['How long did the test take?', 'The test took 2 hours 35 minutes on 28 February.', '2 hours 35 minutes'],
    [
      'When does the gala begin?',
      'The gala begins on Saturday, 17 October 2026 at 9:30 am.',
      'Saturday, 17 October 2026 at 9:30 am',
    ],
    [
      'When must repairs begin?',
      'Repairs begin within 2 working days of the report.',
      'within 2 working days of the report',
    ],
    ['How often is the filter cleaned?', 'The filter is cleaned every 48 hours.', 'every 48 hours'],
    ['How heavy is the pump?', 'The pump weighs 85 kg and costs £900.', '85 kg'],
    ['How many dogs can board?', 'We board 14 dogs and 20 cats.', '14 dogs'],
    ['How much interest is charged?', 'Interest of 6% a year is charged.', '6% a year'],
    ['How loud is the kiln?', 'Noise of the kiln: 58 dB.', '58 dB'],
    ['How much chlorine is kept?', 'Chlorine is kept between 1.0 and 1.5 mg/l.', 'between 1.0 and 1.5 mg/l'],
    ['When was the sand changed?', 'The sand was changed in March 2021.', 'March 2021'],
    [
      'What is the e-mail address of the office?',
      'Write to the office at a@example.org, or call.',
      'a@example.org',
    ],
    ['What is the part number of the seal?', 'The seal has the part number SL-4471-B.', 'SL-4471-B'],
  ])('%s %s', (question, text, value) => {
    expect(valueIn(question, [text])).toBe(value)
  })

  it.each([
    ['Wann werden die Fäden gezogen?', 'Die Fäden werden nach zehn Tagen gezogen.', 'nach zehn Tagen'],
    ['Was kostet der Ausweis?', 'Der Ausweis kostet 12 Euro.', '12 Euro'],
    ['Wie lange dauert das?', 'Das dauert mindestens 24 bis 36 Stunden.', 'mindestens 24 bis 36 Stunden'],
    [
      'Welche Telefonnummer hat der Notdienst?',
      'Den Notdienst erreichen Sie unter 0171 5550182.',
      '0171 5550182',
    ],
  ])('%s %s', (question, text, value) => {
    expect(valueIn(question, [text], 'de')).toBe(value)
  })
})

describe('of several values the one with its own words of the question is marked', () => {
  const text = 'The yearly fee is £96 for adults and £48 for children.'
  it.each([
    ['What is the yearly fee for adults?', '£96'],
    ['What is the yearly fee for children?', '£48'],
    ['What is the yearly fee?', undefined],
    ['What is the yearly fee for adults and children?', undefined],
  ])('%s', (question, value) => {
    expect(valueIn(question, [text])).toBe(value)
  })
})

describe('no value is marked', () => {
  it.each([
    ['if the question asks for yes or no', 'Is the late fee CHF 40?', 'The late fee is CHF 50.'],
    ['if it asks for a thing', 'Which kiln is cheaper?', 'The cheaper kiln costs CHF 900.'],
    ['if it asks how', 'How do I pay the late fee?', 'The late fee of CHF 40 is paid at the desk.'],
    [
      'if it names the kind in a detail',
      'What is done if the temperature is high?',
      'At a high temperature of 40 °C the fan is turned on.',
    ],
    ['if two are joined', 'What does the ticket cost?', 'The ticket costs EUR 5 or EUR 10.'],
    ['if there is no unit of measure', 'How big is the hall?', 'The big hall has 3 doors.'],
    [
      'if the words are said of another number',
      'How many members answered the survey?',
      'Of 212 members, 148 answered, which is 70 percent.',
    ],
    ['if others are counted', 'How many employees are there?', 'The employees have 3 offices.'],
    ['if it asks for one of several', 'What is the highest fee for guests?', 'The fee for guests is £6.'],
    ['if it asks for a time of day', 'What time does the gala begin?', 'The gala begins on 17 October 2026.'],
    ['if it asks twice', 'When is the meeting and where?', 'The meeting is on 14 July.'],
    ['if it has the value', 'What does the repair of 2 June cost?', 'The repair was on 2 June.'],
    ['of another kind', 'How much does the kiln weigh?', 'The kiln costs £900.'],
    [
      'without its sign',
      'What is the temperature of the freezer?',
      'The freezer is kept at a temperature of -18 °C.',
    ],
    [
      'of a thing that is named',
      'When was the roof repaired?',
      'The roof was repaired after the storm of 3 May 2024.',
    ],
    ['of another direction', 'How wide is the door?', 'The door is 210 cm high.'],
    ['of another duration', 'How long is the membership?', 'The membership costs 30 euros a month.'],
    ['of money for a length', 'How long is the loan?', 'The loan of £5m is free of interest.'],
    [
      'of another line',
      'What is the fax number of the office?',
      'The phone number of the office is 020 7946 0958.',
    ],
    ['of half hours', 'When does the course begin?', 'The course begins at half past 7 pm.'],
    ['of hundreds', 'How long is the notice?', 'The notice is one hundred and twenty days.'],
    ['of a difference', 'What does the ticket cost?', 'For members the ticket is 5 euros cheaper.'],
    ['of a limit', 'What does a repair cost?', 'A repair over £200 must be approved.'],
    ['that the question has', 'When is the meeting on 3 March?', 'The meeting is on 3 March.'],
    ['of a part', 'How much is the course?', 'The course requires a deposit of £50.'],
    ['of a change', 'How much is the rent?', 'The rent goes up by £20 in May.'],
    ['of a threshold', 'How much is delivery?', 'Delivery is free for orders from £50.'],
    ['of a notice', 'How long is the lease?', "The lease can be ended with three months' notice."],
    ['of another thing', 'How much is the rent?', 'The rent is due on the first, a reminder costs 5 euros.'],
    [
      'of another event',
      'When were the minutes approved?',
      'The minutes of the meeting on 3 March were approved.',
    ],
    ['without its scale', 'How much is the budget?', 'The budget is £2m.'],
    ['without its ordinal', 'When does the choir meet?', 'The choir meets on the first Monday of the month.'],
    [
      'of another date',
      'When does the course begin?',
      'The course can be booked until 3 May and begins in June.',
    ],
    [
      'of another day',
      'When is the pool open on Wednesday?',
      'The pool is open Monday to Friday, closed on Wednesday.',
    ],
    ['of another age', 'How old is the boiler?', 'The boiler has a warranty of 5 years.'],
    ['in a denial', 'How much is the late fee?', 'The late fee is not CHF 40.'],
    [
      'of another clause',
      'When will the roof be done?',
      'The minutes of 3 March say that the roof will be done soon.',
    ],
  ])('%s', (_, question, text) => {
    expect(valueIn(question, [text])).toBeUndefined()
  })

  it('if another sentence of the paragraph may answer', () => {
    const flat = 'The flat has 74 m².'
    expect(valueIn('How big is the flat?', [flat])).toBe('74 m²')
    expect(valueIn('How big is the flat?', [`${flat} The flat above has 80 m².`])).toBeUndefined()
  })

  it('if another document says otherwise', () => {
    const question = 'How much is the late fee?'
    expect(valueIn(question, ['The late fee is CHF 40.', 'The late fee is CHF 40 now.'])).toBe('CHF 40')
    expect(valueIn(question, ['The late fee is CHF 40.', 'The late fee is CHF 50.'])).toBeUndefined()
    expect(valueIn(question, ['The late fee is CHF 4.', 'The late fee is CHF 40.'])).toBeUndefined()
    expect(valueIn(question, ['The late fee is 5 euros.', 'The late fee is 15 euros.'])).toBeUndefined()
  })
})
