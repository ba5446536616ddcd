import { expect, test } from 'vitest'
import { compareQualifiers } from './qualifiers.ts'

test.each([
  ['must and may', 'Tenants must paint.', 'Tenants may paint.', 'other'],
  ['must and should', 'Mieter müssen streichen.', 'Mieter sollen streichen.', 'other'],
  ['may alone', 'Tenants may paint.', 'Tenants paint.', 'more'],
  ['must of what is plainly said', 'Tenants paint.', 'Tenants must paint.', 'same'],
  ['may of what is plainly said', 'Tenants paint.', 'Tenants may paint.', 'more'],
  ['the same in two languages', 'Tenants must paint.', 'Les locataires doivent peindre.', 'same'],
  [
    'of two duties that of the part',
    'Tenants may paint walls.',
    'Tenants may paint walls and must clean.',
    'same',
  ],
  ['and not the other', 'Tenants must paint walls.', 'Tenants may paint walls and must clean.', 'other'],
  ['no need and no duty', 'Tenants must paint.', 'Tenants need not paint.', 'same'],
  ['the month of May', 'The lease ends on 3 May 2024.', 'The lease ends on 3 May 2024.', 'same'],
  ['allowed and prohibited', 'Fires are allowed.', 'Fires are prohibited.', 'other'],
  ['allowed and may', 'Feuer ist erlaubt.', 'Fires may be lit.', 'same'],
  ['before and after', 'Rent is due before delivery.', 'Rent is due after delivery.', 'other'],
  ['avant and après', 'Payer avant la livraison.', 'Payer après la livraison.', 'other'],
  ['vor and nach', 'Zahlbar vor der Lieferung.', 'Zahlbar nach der Lieferung.', 'other'],
  ['antes and después', 'Se paga antes de la entrega.', 'Se paga después de la entrega.', 'other'],
  ['a prefix that turns a word', 'The work is paid.', 'The work is unpaid.', 'other'],
  ['the same word with its prefix', 'The work is unpaid.', 'The work is unpaid.', 'same'],
  ['opposite words', 'The price includes heating.', 'The price excludes heating.', 'other'],
])('%s', (_, claim, evidence, expected) => {
  expect(compareQualifiers(claim, evidence)).toBe(expected)
})
