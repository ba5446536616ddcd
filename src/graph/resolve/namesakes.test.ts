import { expect, test } from 'vitest'
import { joinNamesakes } from './namesakes.ts'

const joined = (keys: string[], related: string[][] = []): Record<string, string> =>
  Object.fromEntries(joinNamesakes('li wei', keys, related))
const SHIPPING = 'li wei (Northwind Shipping)'
const HOTEL = 'li wei (Hotel Belmar)'

test('people of one name are one person as long as nothing says otherwise', () => {
  expect(joined([SHIPPING])).toEqual({ [SHIPPING]: 'li wei' })
  expect(joined([SHIPPING, 'li wei (1970)', 'li wei (li@nw.example)'])).toEqual({
    [SHIPPING]: 'li wei',
    'li wei (1970)': 'li wei',
    'li wei (li@nw.example)': 'li wei',
  })
  expect(joined([SHIPPING, 'li wei (Northwind Shipping Ltd)'])).toMatchObject({ [SHIPPING]: 'li wei' })
  expect(joined(['li wei (World Health Organization)', 'li wei (WHO)'])).toMatchObject({
    'li wei (WHO)': 'li wei',
  })
})

test('different employers, years of birth or addresses of one domain keep them apart', () => {
  expect(joined([SHIPPING, HOTEL])).toEqual({})
  expect(joined(['li wei (1970)', 'li wei (1985)'])).toEqual({})
  expect(joined(['li wei (l.wei@nw.example)', 'li wei (li.wei2@nw.example)'])).toEqual({})
  expect(joined(['li wei (Northwind Shipping; 1970)', 'li wei (Northwind Shipping; 1985)'])).toEqual({})
  expect(joined(['li wei (l.wei@nw.example)', 'li wei (li@home.example)'])).not.toEqual({})
})

test('a document that states both, or documents that name something else in common, make them one', () => {
  const both = 'li wei (Hotel Belmar; Northwind Shipping)'
  expect(joined([SHIPPING, HOTEL, both])).toEqual({
    [SHIPPING]: 'li wei',
    [HOTEL]: 'li wei',
    [both]: 'li wei',
  })
  expect(joined([SHIPPING, HOTEL], [[SHIPPING, HOTEL]])).toEqual({ [SHIPPING]: 'li wei', [HOTEL]: 'li wei' })
})

test('those who are kept apart keep their own evidence together, and who may be either has the name alone', () => {
  const chef = 'li wei (Hotel Belmar; chef@belmar.example)'
  expect(joined([SHIPPING, HOTEL, chef, 'li wei (1970)'])).toEqual({
    [chef]: HOTEL,
    'li wei (1970)': 'li wei',
  })
})

test('what documents share does not join people whose addresses or years of birth differ', () => {
  const [first, second] = ['li wei (l.wei@nw.example)', 'li wei (li.wei2@nw.example)']
  expect(joined([first, second], [[first, second]])).toEqual({})
  const [older, younger] = ['li wei (1970; Hotel Belmar)', 'li wei (1985; Northwind Shipping)']
  const both = 'li wei (Hotel Belmar; Northwind Shipping)'
  // Whom the document with both employers means is not known.
  expect(joined([older, younger, both])).toEqual({ [both]: 'li wei' })
  expect(
    joined(
      [older, younger, both],
      [
        [older, both],
        [both, younger],
      ],
    ),
  ).toEqual({ [both]: 'li wei' })
  expect(joined([older, younger, both, SHIPPING])).toEqual({ [both]: 'li wei', [SHIPPING]: younger })
  const early = 'li wei (Aldermouth Bank; Hotel Belmar)'
  const belmar = 'li wei (Hotel Belmar; 1985)'
  const bank = 'li wei (Aldermouth Bank; 1970)'
  expect(joined([bank, belmar, early])).toEqual({ [early]: 'li wei' })
})
