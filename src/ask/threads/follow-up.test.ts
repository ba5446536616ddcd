import { expect, test } from 'vitest'
import { rewriteFollowUp } from './follow-up.ts'

const chair = {
  question: 'Who is the chair of the co-operative?',
  answer: 'The documents say:\n\n- “Ingrid Solheim is the chair of the co-operative.” — Staff handbook',
}
const supplier = {
  question: 'Who supplies the part PX-7?',
  answer: 'PX-7 is supplied by Brightwater Sensors.',
}
const topic = (question: string, ...turns: { question: string; answer: string }[]) =>
  rewriteFollowUp(question, turns).topic

const NOTHING_ELSE = { topic: '', names: [], documents: [] }

test('a complete question is not changed', () => {
  const question = 'How much notice must the tenant give to end the lease?'
  expect(rewriteFollowUp(question, [chair])).toEqual({
    ...NOTHING_ELSE,
    text: question,
    question,
  })
  const first = 'And what does it cost?'
  expect(rewriteFollowUp(first, [])).toEqual({ ...NOTHING_ELSE, text: first, question: first })
})

test.each([
  ['And what does it cost?', 'PX-7'],
  ['Was kostet das?', 'PX-7'],
  ['Where are they based?', 'Brightwater Sensors'],
  ['What about MF-204 and its price?', 'supplies part'],
])('after who supplies PX-7: %s is about %s', (question, expected) => {
  expect(topic(question, supplier)).toBe(expected)
})

test.each([
  ['When was she appointed to the board of directors?'],
  ['Quand a-t-elle été nommée au conseil de surveillance ?'],
  ['¿Cuándo fue elegida ella para el consejo de administración?'],
  ['Wann wurde sie in den Vorstand der Genossenschaft gewählt?'],
])('a person is who the answer named: %s', (question) => {
  expect(topic(question, chair)).toBe('Ingrid Solheim')
})

test('a follow-up of a follow-up keeps the topic', () => {
  const price = { question: 'And what does it cost?', answer: '€226.00' }
  expect(topic('And how heavy is it?', supplier, price)).toBe('PX-7')
  expect(rewriteFollowUp('And how heavy is it?', [supplier, price]).text).toBe('And how heavy is it? (PX-7)')
})

test('an elliptical question asks the same as the one before, of what it names', () => {
  expect(rewriteFollowUp('And MF-204?', [supplier])).toMatchObject({
    text: 'Who supplies MF-204?',
    question: 'Who supplies MF-204?',
    topic: '',
    names: ['MF-204'],
  })
})

test('without names the words of the last question are carried over', () => {
  const notice = { question: 'How much notice ends the lease?', answer: 'six months' }
  expect(topic('And who confirms it?', notice)).toBe('notice ends lease')
})

const turnsOf = (...questions: string[]) => questions.map((question) => ({ question, answer: '' }))

test('each turn of a conversation replaces what it names and keeps the rest', () => {
  const turns = turnsOf('What does a tyre change of the Aurora cost?', 'And of the Borealis?')
  expect(rewriteFollowUp('And a service?', turns)).toMatchObject({
    text: 'What does a service of the Borealis cost?',
    question: 'What does a service cost?',
    topic: 'Borealis',
    names: [],
  })
  turns.push(...turnsOf('And a service?', 'And a windscreen replacement?'))
  expect(rewriteFollowUp('How long does it take?', turns).topic).toBe('Borealis windscreen replacement')
  turns.push(...turnsOf('How long does it take?'))
  expect(rewriteFollowUp('And a service?', turns)).toMatchObject({
    question: 'How long does a service take?',
    topic: 'Borealis',
  })
  expect(rewriteFollowUp('And for the Aurora?', turns)).toMatchObject({
    question: 'How long does it take for the Aurora?',
    topic: 'windscreen replacement',
  })
  turns.push(...turnsOf('Thanks!'))
  expect(rewriteFollowUp('And a service?', turns).text).toBe('How long does a service take? (Borealis)')
})

test('a row that was quoted stays what the conversation is about', () => {
  const row = {
    question: 'Who looks after the Grebe?',
    answer:
      'The closest passages are:\n\n- Boat: Grebe · Type: Coxed four · Keeper: Lena Hartig · Phone: 0155-2113 — boats',
  }
  expect(topic('And what is her phone number?', row)).toBe('Grebe Lena Hartig')
  expect(topic('And what type is it?', row)).toBe('Grebe')
  const table = {
    question: 'Who has borrowed L-02?',
    answer: '**loans**:\n\n| Item | Held By Whom |\n| --- | --- |\n| L-02 | Lena Marsh |',
  }
  expect(topic('When does she bring it back?', table)).toBe('L-02 Lena Marsh')
})

test('a number behind a name is part of it', () => {
  expect(topic('And what is the deposit?', ...turnsOf('When does the lease of Unit 7 end?'))).toBe('Unit 7')
})

test('a polite German "Sie" refers to no one in the conversation', () => {
  expect(topic('Welche Kündigungsfristen nennen Sie für gewerbliche Mietverträge in Hamburg?', chair)).toBe(
    '',
  )
})

test.each([
  ['What does it cost?', ['Who supplies the motor X-200?'], 'X-200'],
  ['And when was it built?', ['Who owns the Tern Rock Light?', 'How tall is it?'], 'Tern Rock Light'],
  ['And who signed it?', ['How much notice must be given to end the lease?'], 'notice given end lease'],
  ['Which suppliers deliver vented cable to Aldermouth?', ['Who is Ines Okafor?'], ''],
])('%s after %j is about %j', (question, earlier, expected) => {
  expect(topic(question, ...earlier.map((asked) => ({ question: asked, answer: '' })))).toBe(expected)
})

test('a follow-up is about the documents that the last answer with citations cites', () => {
  const turns = [
    { question: 'What does a locker cost?', answer: 'A locker costs 35 euros.', documents: ['faq'] },
    { question: 'And how tall is it?', answer: 'I did not find this in the documents.', documents: [] },
  ]
  const documentsOf = (question: string) => rewriteFollowUp(question, turns).documents
  expect(documentsOf('How many of them are there?')).toEqual(['faq'])
  expect(documentsOf('And a boat?')).toEqual(['faq'])
  expect(documentsOf('And what does it cost at Oakridge?')).toEqual([])
  expect(documentsOf('Which supplier sells the most expensive sensors in the list of parts?')).toEqual([])
})
