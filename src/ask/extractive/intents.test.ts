import { describe, expect, it } from 'vitest'
import { isClause, partNamed } from './part-number.ts'
import { smallTalkIn } from './small-talk.ts'
import { summaryAsked } from './summary.ts'

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

describe('clauses by number', () => {
  it.each([
    ['12.1 The Tenant may end this lease.', '12.1', true],
    ['4. Notice is given in writing.', '4', true],
    ['Section 4 is about notice.', '4', true],
    ["4 weeks' notice is required.", '4', false],
    ['4-week trials are free.', '4', false],
    ['12.10 Costs', '12.1', false],
  ])('%s', (text, number, is) => {
    expect(isClause(text, number)).toBe(is)
  })
})

describe('questions for a document or a part of it', () => {
  it.each([
    ['What does section 4 say?', '4'],
    ['What does clause 12.1 of the lease say?', '12.1'],
    ['Was steht in Abschnitt 7 des Mietvertrags?', '7'],
    ['What is under Termination?', 'Termination'],
    ['What does the section on Error Handling of the coding style say?', 'Error Handling'],
  ])('%s', (question, part) => {
    expect(partNamed(question)).toBe(part)
  })

  it.each([
    'What rent is due under the lease?',
    'How many sections does the report have?',
    'What does part MF-204 cost?',
    'Is 12 % paid under the plan?',
  ])('names no part: %s', (question) => {
    expect(partNamed(question)).toBeUndefined()
  })

  it('finds what to summarize', () => {
    expect(summaryAsked('Please summarize the staff handbook')).toBe('the staff handbook')
    expect(summaryAsked('Fasse den Jahresbericht zusammen')).toBe('den Jahresbericht')
    expect(summaryAsked('What is the rent?')).toBeUndefined()
  })
})
