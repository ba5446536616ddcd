import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/support/full.ts'
import type { Language } from '../../language/language.ts'
import { answerType, containsAnswerOfType, isColumnOfType } from './answer-type.ts'
import { analyseQuestion, isCode, isNegated, namesIn, withSingularCodes } from './question.ts'

describe('analyseQuestion', () => {
  it('leaves a plain question whole', () => {
    const question = analyseQuestion('How much notice must be given to end the lease?')
    expect(question).toMatchObject({ names: [], quotes: [], isComparison: false, language: 'en' })
    expect(question.sides).toEqual([])
  })

  it('makes a question of each side of a comparison, without the other side', () => {
    const { sides, isComparison } = analyseQuestion('Which is cheaper, the Tern or the Gannet?')
    expect(isComparison).toBe(true)
    expect(sides.map(({ side }) => side)).toEqual(['Tern', 'Gannet'])
    expect(sides[0]?.text).not.toContain('Gannet')
    expect(
      analyseQuestion('What is the difference between oak planks and larch planks?').sides.map((n) => n.side),
    ).toEqual(['oak planks', 'larch planks'])
    // What each of them is tells the difference, unless something of them is asked.
    expect(analyseQuestion('What is the difference between zip and gzip?').sides).toMatchObject([
      { text: 'zip', type: 'definition' },
      { text: 'gzip', type: 'definition' },
    ])
    expect(analyseQuestion('Which is cheaper, the Tern or the Gannet?').sides[0]?.type).toBe('money')
  })

  it('makes one side of a name that the graph has in a longer or shorter form', () => {
    const known = ['Osterby Cables AB', 'Thornbury', 'thornbury circuits']
    const { sides } = analyseQuestion(
      'Compare the lead times of Osterby Cables and Thornbury Circuits.',
      known,
    )
    expect(sides.map(({ side }) => side)).toEqual(['Osterby Cables', 'Thornbury Circuits'])
  })

  it('takes quotation marks out and keeps the phrases', () => {
    const question = analyseQuestion('Who wrote “The Salt Road” and "A Year at Sea"?')
    expect(question.quotes).toEqual(['The Salt Road', 'A Year at Sea'])
    expect(question.text).not.toMatch(/["“”]/)
  })

  it('reads a fiscal year as a year and a quarter as no code', () => {
    expect(analyseQuestion('What was the revenue of Ulta in FY2022 and FY 21?').text).toBe(
      'What was the revenue of Ulta in fiscal 2022 and fiscal 2021?',
    )
    expect(isCode('Q3')).toBe(false)
  })

  it('shortens a question longer than a query to the sentences that ask', () => {
    const long = `${'We have been tenants for many years and never had any trouble. '.repeat(100)}When does the lease end?`
    expect(analyseQuestion(long).text).toBe('When does the lease end?')
  })

  it('gives two to four sides or none for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), (text) => {
        const { sides, isComparison } = analyseQuestion(text)
        expect(sides.length).toSatisfy((n: number) => (isComparison ? n >= 2 && n <= 4 : n === 0))
      }),
      { numRuns: runs(2000) },
    )
  })
})

describe('namesIn', () => {
  it.each([
    ['Who is Ines Okafor of the Port Authority?', ['Ines Okafor', 'Port Authority']],
    ['Does the lease mention Corrigan Estates?', ['Corrigan Estates']],
    ['Which motor drives the X-200/B?', ['X-200/B']],
    ['Compare Tern and Gannet', ['Tern', 'Gannet']],
    ['WHO OWNS THE BOAT YARD?', []],
  ])('%s', (text, names) => {
    expect(namesIn(text, 'en')).toEqual(names)
  })

  it('does not take German nouns for names', () => {
    expect(namesIn('Wie lang ist die Kündigungsfrist für den Mietvertrag?', 'de')).toEqual([])
  })

  it('tells codes from words and ordinals', () => {
    expect(['X-200', 'MF204', 'ISO-9001', 'AB-CD', 'pump_state'].every(isCode)).toBe(true)
    expect(['e-mail', '2nd', '1990s', 'lease', '2024'].some(isCode)).toBe(false)
  })
})

describe('answerType', () => {
  it.each([
    ['How much notice must be given?', 'duration'],
    ['How much does the pump cost?', 'money'],
    ['Who signed the lease?', 'person'],
    ['When was the board meeting?', 'date'],
    ['How many berths are there?', 'count'],
    ['How many months’ notice end it?', 'duration'],
    ['Combien de jours de congé ?', 'duration'],
    ['Wie viele Tage Urlaub gibt es?', 'duration'],
    ['Where is the workshop?', 'place'],
    ['Why was the order cancelled?', 'reason'],
    ['What was the cause of the fire?', 'reason'],
    ['Was war der Grund für die Absage?', 'reason'],
    ['Quelle est la cause du retard ?', 'reason'],
    ['What percentage of the budget was spent?', 'percent'],
    ['How wide is the slipway?', 'measure'],
    ['Wie hoch waren die Kosten der Störung?', 'money'],
    ['Wie hoch ist der Turm?', 'measure'],
    ['What is the value of all boats that are in repair?', 'measure'],
    ['What was the total of the fees?', 'money'],
    ['What was the balance in March?', 'measure'],
    ['Quel est le montant de la caution ?', 'money'],
    ['What is a tide gauge?', 'definition'],
    ['What are Malum-in-se offences?', 'definition'],
    ['Was bedeutet Tidenhub?', 'definition'],
    ['Qu’est-ce que la marée ?', 'any'],
    ['¿Qué es un mareógrafo?', 'definition'],
    ['What is the capital of Denmark?', 'any'],
    ['What is the gauge made of?', 'any'],
    ['Wer ist der stellvertretende Vorsitzende?', 'person'],
  ])('%s asks for %s', (question, type) => {
    expect(answerType(question)).toBe(type)
  })

  it('tells texts that contain the type from those that do not', () => {
    expect(containsAnswerOfType('duration', "three months' written notice")).toBe(true)
    expect(containsAnswerOfType('duration', 'written notice by recorded delivery')).toBe(false)
    expect(containsAnswerOfType('date', "5.1 Either party may end it by giving six months' notice.")).toBe(
      false,
    )
    expect(containsAnswerOfType('date', 'Clause 5.1: six months are replaced by three months.')).toBe(false)
    expect(containsAnswerOfType('date', 'Die Frist endet am 5.1. um Mitternacht.')).toBe(true)
    expect(containsAnswerOfType('date', 'within three months of the invoice')).toBe(true)
    expect(containsAnswerOfType('money', 'The rent is £41,200 a year')).toBe(true)
    expect(containsAnswerOfType('money', 'The rent is paid in advance')).toBe(false)
    expect(containsAnswerOfType('count', 'Every employee has 28 days of holiday since 2024')).toBe(false)
    expect(containsAnswerOfType('count', 'In 2024 it had 31 employees')).toBe(true)
    expect(containsAnswerOfType('count', 'It has 1,200 members')).toBe(true)
    // Though the year is one of the question's words.
    const isAsked = (text: string): boolean => text.includes('2024')
    expect(containsAnswerOfType('count', 'Effective date: August 1, 2024', isAsked)).toBe(false)
    expect(containsAnswerOfType('count', 'On each trip may 5 members attend')).toBe(true)
    expect(containsAnswerOfType('count', 'It was signed on May 5, 2024')).toBe(false)
    expect(containsAnswerOfType('count', 'In force since 1 August 2024', isAsked)).toBe(false)
    expect(containsAnswerOfType('count', 'In August 2024 31 may be closed', isAsked)).toBe(true)
    expect(containsAnswerOfType('frequency', 'They are saved every five minutes')).toBe(true)
    expect(containsAnswerOfType('frequency', 'They are saved at regular intervals')).toBe(false)
    expect(containsAnswerOfType('count', 'The staff of 37signals')).toBe(false)
    expect(
      containsAnswerOfType('count', 'It offers 20 days of holiday', (part) => part.includes('days')),
    ).toBe(true)
    expect(containsAnswerOfType('date', 'on 12 March 2026')).toBe(true)
    expect(containsAnswerOfType('person', 'designed by Tomas Okafor')).toBe(true)
    expect(isColumnOfType('money', 'unit_price_eur')).toBe(true)
    expect(isColumnOfType('duration', 'lead time')).toBe(true)
    expect(isColumnOfType('any', 'unit_price_eur')).toBe(false)
  })
})

it('numbers with endings or with letters of scripts without case are no codes', () => {
  for (const word of ["16'dan", '16’dan', '2010年', 'و2002', '500บาท', '1º']) expect(isCode(word)).toBe(false)
  for (const word of ['BR-1102', 'TC-740', 'Т-34', 'МиГ-29']) expect(isCode(word)).toBe(true)
})

it('a code is a name inside text without spaces, too', () => {
  expect(namesIn('零件BR-1102的价格是多少', 'zh')).toEqual(['BR-1102'])
  expect(namesIn('รุ่นBR-1102ราคาเท่าไร', 'th')).toEqual(['BR-1102'])
})

describe('the language of a question', () => {
  const languageOf = (question: string, ...languages: Language[]): string =>
    analyseQuestion(question, [], languages).language

  it('is that of the workspace where no word tells it', () => {
    expect(languageOf('Osterby limanı?', 'tr')).toBe('tr')
    expect(languageOf('Osterby limanı?', 'en')).toBe('en')
  })

  it('is no other that shares a word with it, if the workspace speaks it', () => {
    expect(languageOf('Qual è il prezzo del modem?', 'it')).toBe('it')
    expect(languageOf('Qual è il prezzo del modem?', 'es')).toBe('es')
  })

  it('may be one that the workspace does not speak', () => {
    expect(languageOf('Was kostet der Pegel?', 'en')).toBe('de')
    expect(languageOf('¿Cuánto cuesta el módem?', 'en', 'de')).toBe('es')
  })
})

it.each([
  ['Who was not there?', true],
  ['who wasnt there', true],
  ['I dont want it', true],
  ['Quel appartement dont le loyer est de 900 € ?', false],
  ['What did the plant want?', false],
])('%s is negated: %s', (text, negated) => {
  expect(isNegated(text)).toBe(negated)
})

it('reads several of a code as the code', () => {
  expect(withSingularCodes('Compare these 10-Qs with the BR-CDs.')).toBe('Compare these 10-Q with the BR-CD.')
  // No codes, a product beside another one, and what is quoted.
  const others = [
    'our follow-Ups',
    'two spin-offs',
    'in the 1990s',
    'cfg_items',
    'the Lenovo-T14s',
    'the AB-200s',
    '“10-Qs”',
  ]
  for (const text of others) expect(withSingularCodes(text)).toBe(text)
})
