import { describe, expect, it } from 'vitest'
import { sectionAsked } from './documents/section.ts'
import { summaryAsked } from './documents/summary.ts'
import { smallTalkIn } from './small-talk.ts'
import { statusAsked } from './tables/status.ts'

describe('smallTalkIn', () => {
  it.each([
    ['hello', 'hello', 'en'],
    ['Hi there!', 'hello', 'en'],
    ['Ok, thanks a lot 🙂', 'thanks', 'en'],
    ['Guten Morgen', 'hello', 'de'],
    ['Vielen Dank für die Hilfe!', 'thanks', 'de'],
    ['Bonjour !', 'hello', 'fr'],
    ['¡Muchas gracias!', 'thanks', 'es'],
  ])('%s', (message, kind, language) => {
    expect(smallTalkIn(message)).toEqual({ kind, language })
  })

  it.each([
    'hello, what is the rent?',
    'thanks to whom did the yard open?',
    'Hi-Lo valve price',
    'Hallo Werft',
  ])('asks something: %s', (message) => {
    expect(smallTalkIn(message)).toBeUndefined()
  })
})

describe('questions for a document or a part of it', () => {
  it.each([
    ['What does section 4 say?', { number: '4' }],
    ['What does clause 12.1 of the lease say?', { number: '12.1' }],
    ['Was steht in Abschnitt 7 des Mietvertrags?', { number: '7' }],
    ['What is under Termination?', { heading: 'Termination' }],
    ['What does the handbook say under Travel?', { heading: 'Travel' }],
    ['Was steht unter Gewährleistung?', { heading: 'Gewährleistung' }],
  ])('%s', (question, part) => {
    expect(sectionAsked(question)).toMatchObject(part)
  })

  it.each([
    'What rent is due under the lease?',
    'How many sections does the report have?',
    'What does part MF-204 cost?',
    'What is the cheapest item on the receipt?',
    'Is 12 % paid under the plan?',
  ])('asks for a fact: %s', (question) => {
    expect(sectionAsked(question)).toBeUndefined()
  })

  it('finds what to summarize', () => {
    expect(summaryAsked('Please summarize the staff handbook')).toBe('the staff handbook')
    expect(summaryAsked('Fasse den Jahresbericht zusammen')).toBe('den Jahresbericht')
    expect(summaryAsked('What is the rent?')).toBeUndefined()
  })
})

describe('statusAsked', () => {
  it.each([
    ['Who has not paid?', 'paid', true],
    ['Which invoices are not settled yet?', 'settled', true],
    ['Wer hat nicht bezahlt?', 'bezahlt', true],
    ['Qui n’a pas payé ?', 'payé', true],
    ['¿Quién no ha pagado?', 'pagado', true],
    ['Who has paid?', 'paid', false],
  ])('%s', (question, word, negated) => {
    expect(statusAsked(question)?.status).toEqual({ word, negated })
  })
})
