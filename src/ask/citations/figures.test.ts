import { expect, it } from 'vitest'
import { figureChecker, statesResult } from './figures.ts'

const stands = figureChecker([
  'The rent is £41,200 a year from 12 March 2026; 1,234,567 gauges, 700.50 each, FY2025.',
])

it.each([
  'Die Jahresmiete beträgt 41.200 £',
  'le loyer est de 41\u202f200 £',
  'about 1.2 million gauges',
  'each costs 700.5',
  'since 2026-03-12, or 12/03/2026',
  'in 2025, two of 5',
  'nothing to count',
])('stands: %s', (statement) => expect(stands(statement)).toBe(true))

it.each(['The rent is £99 a week', 'it was 1,3 million', 'in 1999', 'a rent of 42,200'])(
  'does not: %s',
  (statement) => expect(stands(statement)).toBe(false),
)

it.each([
  ['about 7 weeks', '7', true],
  ['1.050 €', '1050', true],
  ['€242.60 together', '242.6 €', true],
  ['17 weeks', '7', false],
  ['nothing', '0', false],
  ['in 2024', '24', false],
])('%s says the result %s: %s', (statement, result, says) =>
  expect(statesResult(statement, result)).toBe(says),
)
