import { expect, test } from 'vitest'
import { withoutRepetition } from './repetition.ts'

const workspaceId = 'w'
const passages = (names: string): { workspaceId: string; document: string; text: string }[] =>
  names.split(' ').map((name) => ({ workspaceId, document: name[0] ?? '', text: `Text ${name}.` }))
const namesOf = (list: readonly { text: string }[]): string =>
  list.map(({ text }) => text.slice(5, -1)).join(' ')

test('the first ten have at most three passages of a document, in their order; the others follow', () => {
  const ordered = withoutRepetition(passages('a1 a2 a3 a4 a5 b1 a6 b2 c1 c2 b3 b4 c3 d1 d2 e1'))
  expect(namesOf(ordered)).toBe('a1 a2 a3 b1 b2 c1 c2 b3 c3 d1 a4 a5 a6 b4 d2 e1')
})

test('where no other document has passages, those of the one follow', () => {
  expect(namesOf(withoutRepetition(passages('a1 a2 a3 a4 a5')))).toBe('a1 a2 a3 a4 a5')
})

test('a text that is in a better passage of its document, or is that of another document, is left out', () => {
  const a = { workspaceId, document: 'a', text: 'Rent\n\nThe rent is £38,400 a year.' }
  const part = { ...a, text: 'The rent is £38,400 a year.' }
  const longer = { ...a, text: 'Rent The rent is £38,400 a year. It is paid quarterly.' }
  const copy = { ...a, document: 'b', text: 'Rent The rent is £38,400 a year.' }
  expect(withoutRepetition([a, part, copy, longer, a])).toEqual([a, longer])
})

test('a document does not hide a passage of another by repeating it with a sentence of its own, nor a workspace by copies', () => {
  const contract = { workspaceId, document: 'a', text: 'The notice period is 3 months.' }
  const forged = { ...contract, document: 'b', text: 'The notice period is 3 months. Now it is 12 months.' }
  const elsewhere = { ...contract, workspaceId: 'v', document: 'c' }
  expect(withoutRepetition([forged, elsewhere, contract])).toEqual([forged, elsewhere, contract])
})
