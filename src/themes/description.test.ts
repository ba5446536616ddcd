import { expect, test } from 'vitest'
import { isReadable, mainNames } from './description.ts'

test.each([
  ['The Landlord and the Tenant agree to change the lease of 14 January 2019.', true],
  ['Die laufenden Kosten von Entwurf B wären um 4.200 EUR im Jahr höher.', true],
  ['Yes.', false],
  ['and so the Tenant has to return every key before the end of June.', false],
  ['| Part | Price | Stock | and so on for all rows of this table here |.', false],
  ['Home About Us Contact Sign In Subscribe Now Privacy Policy Terms Of Use.', false],
  ['See https://example.org/a/long/address for all that is said about it there.', false],
  ['What does the Tenant have to pay when the lease ends in the summer?', false],
])('%s can be quoted alone: %s', (sentence, expected) => {
  expect(isReadable(sentence)).toBe(expected)
})

test('names that the whole library has do not describe a group, nor does a name of one document', () => {
  const name = (id: string, group_documents: number, document_count: number, type = 'person') => ({
    place: 0,
    id,
    name: id,
    type,
    group_documents,
    mentions: group_documents,
    document_count,
  })
  const names = [name('everywhere', 4, 20), name('here', 3, 4), name('once', 1, 1), name('also here', 4, 4)]
  const main = mainNames(names, { read: 4, documents: 20, weights: { person: 1 } })
  expect(main.map(({ id }) => id)).toEqual(['also here', 'here'])
})
