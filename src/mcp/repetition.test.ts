import { expect, test } from 'vitest'
import { withoutRepetition } from './repetition.ts'

const passages = (names: string): { document: string; text: string }[] =>
  names.split(' ').map((name) => ({ document: name[0] ?? '', text: `Text ${name}.` }))
const namesOf = (list: readonly { text: string }[]): string =>
  list.map(({ text }) => text.slice(5, -1)).join(' ')

test('the first ten have at most three passages of a document, in their order; the others follow', () => {
  const ordered = withoutRepetition(passages('a1 a2 a3 a4 a5 b1 a6 b2 c1 c2 b3 b4 c3 d1 d2 e1'))
  expect(namesOf(ordered)).toBe('a1 a2 a3 b1 b2 c1 c2 b3 c3 d1 a4 a5 a6 b4 d2 e1')
})

test('where no other document has passages, those of the one follow', () => {
  expect(namesOf(withoutRepetition(passages('a1 a2 a3 a4 a5')))).toBe('a1 a2 a3 a4 a5')
})

test('a text that is in a better passage is left out, whatever document it is of', () => {
  const [a, b, c] = [
    { document: 'a', text: 'Rent\n\nThe rent is £38,400 a year.' },
    { document: 'b', text: 'The rent is £38,400 a year.' },
    { document: 'a', text: 'Rent The rent is £38,400 a year. It is paid quarterly.' },
  ]
  expect(withoutRepetition([a, b, c, a])).toEqual([a, c])
})
