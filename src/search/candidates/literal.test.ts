import { expect, test } from 'vitest'
import { analysedText } from '../../language/analysed-text.ts'
import { literalsOf } from './literal.ts'

test.each([
  ['The Who', ['The Who']],
  ['Groß', ['Groß']],
  ['"the who"?', ['the who']],
  ['who is Groß?', ['who is Groß', 'Groß']],
  ['Who are The Who?', ['Who are The Who', 'The Who']],
  ['?!', []],
  ['it is what it is and that is all there is', []],
])('%s is looked for as %j', (query, expected) => {
  expect(literalsOf(analysedText(query))).toEqual(expected)
})
