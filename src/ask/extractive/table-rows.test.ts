import { expect, it } from 'vitest'
import { inRange } from './table-rows.ts'

const holds = (text: string, number: number): boolean => inRange([{ header: 'x', text }], [number])

it.each([
  ['3 to 7', 5],
  ['8 bis 14', 10],
  ['10–20', 10],
  ['up to £250', 120],
  ['15 and more', 20],
])('a range holds a number: %s, %i', (text, number) => expect(holds(text, number)).toBe(true))

it.each([
  ['3 to 7', 8],
  ['1 February 2024 to the end of the term', 4],
  ['1. Februar 2024 bis 31. Januar 2026', 4],
  ['01.02.2024 to 31.01.2026', 4],
  ['2024-02-01 to 2026-01-31', 4],
  ['a quarter', 4],
])('and not another, and a time is none: %s, %i', (text, number) => expect(holds(text, number)).toBe(false))
