import { expect, test } from 'vitest'
import type { Language } from '../../language/language.ts'
import type { Passage } from '../../search/passage.ts'
import { candidateQuestions } from './candidates.ts'

const passage = (text: string, heading = '', language: Language = 'en', title = 'Paper'): Passage => ({
  chunk_id: '1',
  document_id: '2',
  document_title: title,
  document_path: 'a.md',
  chunk_no: 0,
  type: text.startsWith('|') ? 'table' : 'text',
  text,
  heading,
  page: 1,
  language,
  score: 0,
})
const questions = (...passages: Passage[]): string[] =>
  candidateQuestions(passages).map(({ question }) => question)

test.each<[text: string, heading: string, question: string]>([
  ['4. Rent\n\n4.1 The rent is £38,400 a year, payable in advance.', '4. Rent', 'How much is the rent?'],
  ['The notice period is three months.', 'Ending', 'How long is the notice period?'],
  ['The Tenant pays a deposit of £9,600 on signing.', '6. Deposit', 'How much is the deposit?'],
  ['The rent is due on the first day of each month.', 'Payment', 'When is the rent due?'],
  ['The gates are open from 7 am to 9 pm.', 'Garden', 'When are the gates open?'],
  ['The warranty ends on 1 May 2027.', 'Warranty', 'When does the warranty end?'],
  [
    'Full-time employees have 25 days of annual leave.',
    'Leave',
    'How many days of annual leave do full-time employees have?',
  ],
  [
    'The Tenant may not sublet the Premises without written consent.',
    'Subletting',
    'May the tenant sublet the premises?',
  ],
  ['Ines Ferro is the caretaker.', 'People', 'Who is the caretaker?'],
  ['May I bring a guest?\n\nYes, on Sundays.', 'May I bring a guest?', 'May I bring a guest?'],
  ['How to make a claim\n\nRing us.', 'How to make a claim', 'How do I make a claim?'],
  ['IN CASE OF FIRE\n\nLeave the house.', 'IN CASE OF FIRE', 'What do I do in case of fire?'],
])('%s', (text, heading, question) => {
  expect(questions(passage(text, heading))).toEqual([question])
})

test.each<[language: Language, text: string, heading: string, question: string]>([
  ['de', 'Die Kaution beträgt 1.200 Euro.', '§ 4 Kaution', 'Wie hoch ist die Kaution?'],
  ['de', 'Das Entgelt beträgt 40 Euro.', 'Entgelt', 'Wie hoch ist das Entgelt?'],
  ['de', 'Die Kündigungsfrist beträgt drei Monate.', 'Kündigungsfrist', 'Wie lang ist die Kündigungsfrist?'],
  ['de', 'Der Müll wird jeden Dienstag abgeholt.', 'Haus', 'Wann wird der Müll abgeholt?'],
  ['de', 'Fahrräder dürfen im Keller stehen.', 'Keller', 'Dürfen Fahrräder im Keller stehen?'],
  ['de', 'Hausmeister ist Herr Jens Adler.', 'Haus', 'Wer ist Hausmeister?'],
  ['fr', 'Le loyer est de 780 € par mois.', 'Loyer', 'Quel est le loyer ?'],
  ['fr', 'La durée du préavis est de trois mois.', 'Préavis', 'Quelle est la durée du préavis ?'],
  ['fr', 'En cas de fuite\n\nFermez la vanne.', 'En cas de fuite', 'Que faire en cas de fuite ?'],
  ['es', 'La fianza es de 1.300 €.', 'Fianza', '¿Cuál es la fianza?'],
  ['es', 'El plazo de preaviso es de treinta días.', 'Preaviso', '¿Cuál es el plazo de preaviso?'],
])('%s: %s', (language, text, heading, question) => {
  expect(questions(passage(text, heading, language))).toEqual([question])
})

test('lists of people, and lists that are called what they list', () => {
  const people = '| Name | Role |\n| --- | --- |\n| Harriet Bowes | Secretary |\n| Colm Feeney | Caretaker |'
  expect(questions(passage(people))).toEqual(['Who is the secretary?', 'Who is the caretaker?'])
  const parts =
    '| part | price_eur | lead_time_weeks |\n| --- | --- | --- |\n| Cell | 4 | 3 |\n| Valve | 7 | 11 |\n| Cable | 2 | 5 |'
  expect(questions(passage(parts, '', 'en', 'parts'))).toEqual([
    'How many parts are there?',
    'Which part has the longest lead time?',
  ])
  expect(questions(passage(parts, '', 'en', 'Order of May'))).toEqual([])
})

test.each([
  // What only means something beside the sentence before, or is nobody's question.
  ['The same amount is £500 a year.', 'Rent'],
  ['The rest is three months.', 'Notice'],
  ['The variance is 4 %.', 'Minutes'],
  ['You may borrow them for two days.', 'Shoes'],
  ['Is it worth it?\n\nYes.', 'Is it worth it?'],
  ['Asking for leave\n\nUse the form.', 'Asking for leave'],
  ['Two quotes: EUR 4,750 and EUR 5,300', 'Roof'],
  ['Heating in the loading bay\n\nGate 3 is broken.', 'Heating in the loading bay'],
  ['Introduction\n\nThis paper explains the rules.', 'Introduction'],
  ['For the client: Dana Moss, 4 May 2022', 'Signatures'],
  ['```yaml\nThe rent is £500 a year.\n```', 'Rent'],
])('nothing is asked of: %s', (text, heading) => {
  expect(questions(passage(text, heading))).toEqual([])
})

test('a language without question forms is not asked in another one', () => {
  expect(questions(passage('Het loon is 500 euro.', 'Loon', 'nl'))).toEqual([])
})
