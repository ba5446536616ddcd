import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analysedText } from '../../language/analysed-text.ts'
import type { Passage } from '../../search/passage.ts'
import { truecased } from './truecase.ts'

const passage = (text: string, language: Passage['language'] = 'en'): Passage => ({
  chunk_id: 'c',
  document_id: 'd',
  document_title: 'Handbook',
  document_path: 'a.md',
  chunk_no: 0,
  type: 'text',
  text,
  heading: '',
  page: null,
  language,
  score: 1,
})
const truecasedIn = (text: string, passages: readonly Passage[]): string =>
  truecased(analysedText(text), 'en', passages)

test.each([
  ['what did dr reith study', 'Ask Dr. Callum Reith.', 'what did Dr Reith study'],
  ['mobile number of ilse drummond', '| Ilse Drummond | 0700 |', 'mobile number of Ilse Drummond'],
  ['weight of the hx-410', 'Order the HX-410 or its stand.', 'weight of the HX-410'],
  ['what does brightway charge', '| Brightway Services | Ardlow |', 'what does Brightway charge'],
])('“%s” has the capitals of “%s”', (typed, text, expected) => {
  expect(truecasedIn(typed, [passage(text)])).toBe(expected)
})

test('a word at the beginning of a sentence is no name, nor is one that is also written in lower case', () => {
  expect(truecasedIn('does anybody zwiebel', [passage('Zwiebel is grown here.')])).toBe(
    'does anybody zwiebel',
  )
  expect(
    truecasedIn('fee of the lido', [passage('The Tidewick Lido sings.'), passage('Our lido is old.')]),
  ).toBe('fee of the lido')
})

test('a defined term of a contract and the name of a column are no names', () => {
  expect(
    truecasedIn('how much deposit does the tenant pay', [
      passage('The Deposit is held by the Landlord. The Tenant pays it.'),
    ]),
  ).toBe('how much deposit does the tenant pay')
  expect(
    truecasedIn('ilse drummond handynr', [
      passage('| Name Person | Handynr |\n| --- | --- |\n| Ilse Drummond | 0700 |'),
    ]),
  ).toBe('Ilse Drummond handynr')
})

test('capitals make no code of a word', () => {
  expect(truecasedIn('late checkin-fee', [passage('A CHECKIN-FEE IS DUE.')])).toBe('late checkin-fee')
})

test('German capitals say nothing, because every noun has one', () => {
  expect(truecasedIn('preis der hose', [passage('Der Preis einer Hose ist hoch.', 'de')])).toBe(
    'preis der hose',
  )
})

test('only the case of letters changes, also beside letters that have several forms', () => {
  const word = fc.constantFrom(
    'reith',
    'ilse',
    'straße',
    'strasse',
    'zürich',
    'zu\u0308rich',
    'İdil',
    'hx-410',
    'ﬁlm',
  )
  const typed = fc.array(word, { maxLength: 8 }).map((all) => all.join(' '))
  const sentence = fc
    .array(word, { maxLength: 8 })
    .map((all) => `the ${all.map((each) => each.charAt(0).toUpperCase() + each.slice(1)).join(' ')}.`)
  let changes = 0
  fc.assert(
    fc.property(typed, fc.array(sentence, { maxLength: 3 }), (text, texts) => {
      const passages = texts.map((each) => passage(each))
      const result = truecasedIn(text, passages)
      if (result !== text) changes++
      expect(result.length).toBe(text.length)
      expect(result.toLowerCase().normalize('NFKC')).toBe(text.toLowerCase().normalize('NFKC'))
      expect(truecasedIn(result, passages)).toBe(result)
    }),
  )
  expect(changes).toBeGreaterThan(0)
})
