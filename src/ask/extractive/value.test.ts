import { describe, expect, it } from 'vitest'
import type { Language } from '../../language/language.ts'
import type { Passage } from '../../search/passage.ts'
import { answerType } from './answer-type.ts'
import { evidenceIn } from './evidence.ts'
import { questionKeywords } from './keywords.ts'
import { hasValue } from './value.ts'

function isStated(question: string, text: string, language: Language = 'en'): boolean {
  const passage: Passage = {
    chunk_id: 'c',
    document_id: 'd',
    document_title: 'File',
    document_path: 'a.md',
    chunk_no: 1,
    type: text.startsWith('|') ? 'table' : 'text',
    text,
    heading: '',
    page: null,
    language,
    score: 1,
  }
  const keywords = questionKeywords({ text: question, language }, { terms: [], chunks: 10 })
  const type = answerType(question)
  return evidenceIn([{ passage, relevance: 1, rank: 0 }]).some((evidence) =>
    hasValue(evidence, { keywords, type }, question),
  )
}

const ROW = '| Boat | Year built | Keeper | Insured |\n|-|-|-|-|\n| Grebe | 2018 | Lena Hartig | yes |'

describe('what is asked for stands there', () => {
  it.each([
    ['Who has keys?', 'Keys are with Lena Hartig.'],
    ['Who sends the reminders?', 'The treasurer sends the reminders.'],
    ['Who approved the budget?', 'The budget was approved by the general meeting.'],
    ['Whom do I call about the barrier?', 'Call the porter about the barrier.'],
    ['Who is the treasurer?', 'The treasurer this year is Owen Pryce.'],
    ['Where is the spare key?', 'The spare key hangs in the red box.'],
    ['Who is the keeper of the Grebe?', ROW],
    ['When was the Grebe built?', ROW],
    ['Who has insured the Grebe?', ROW],
  ])('%s %s', (question, text) => {
    expect(isStated(question, text)).toBe(true)
  })

  it.each([
    ['Wer wählt den Sprecher?', 'Die Versammlung wählt einen Sprecher.'],
    ['Wie heißt der Sprecher?', 'Der Sprecher ist seit Mai Jonas Weber.'],
    ['Wo hängt der Plan?', 'Der Plan hängt im Erdgeschoss.'],
  ])('%s %s', (question, text) => {
    expect(isStated(question, text, 'de')).toBe(true)
  })
})

describe('what is asked for does not stand there', () => {
  it.each([
    ['Who approved the budget?', 'The budget was approved in March.'],
    ['Who is the treasurer?', 'The treasurer keeps the books and pays the invoices.'],
    ['Where are the baskets stored?', 'Put the loaves into the baskets.'],
    ['Who built the Grebe?', ROW],
    ['Where was the Grebe built?', ROW],
  ])('%s %s', (question, text) => {
    expect(isStated(question, text)).toBe(false)
  })

  it.each([
    ['Wie heißt der Sprecher?', 'Die Versammlung wählt jährlich einen Sprecher und einen Stellvertreter.'],
    ['Wer hat die Maschine gewartet?', 'Die Maschine wird jährlich gewartet.'],
  ])('%s %s', (question, text) => {
    expect(isStated(question, text, 'de')).toBe(false)
  })
})
