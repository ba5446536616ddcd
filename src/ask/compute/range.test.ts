import { expect, it } from 'vitest'
import { isWithin, readRange } from './range.ts'

const holds = (text: string, number: number): boolean => {
  const range = readRange(text)
  return range !== undefined && isWithin(range, number)
}

it.each([
  ['3 to 7', 5],
  ['8 bis 14', 10],
  ['10–20', 10],
  ['up to £250', 120],
  ['up to £2,000', 1500],
  ['over £10,000', 12_000],
  ['15 and more', 20],
  ['15 and more', 15],
  ['fewer than 3', 2],
  ['up to 5 kg', 5],
  ['over 5 to 10 kg', 7],
  ['18+', 18],
  ['ab 65', 65],
  ['bis 2,5 kg', 2.5],
  ['de 5 à 10 kg', 6],
  ['más de 10 kg', 11],
  ["jusqu'à 3 m", 3],
])('a range holds a number: %s, %d', (text, number) => expect(holds(text, number)).toBe(true))

it.each([
  ['3 to 7', 8],
  ['up to £2,000', 2500],
  ['over £10,000', 10_000],
  ['fewer than 3', 3],
  ['over 5 to 10 kg', 5],
  ['under 18', 18],
  ['29', 29],
  ['anyone', 1],
  ['a quarter', 4],
  ['1 February 2024 to the end of the term', 4],
  ['1. Februar 2024 bis 31. Januar 2026', 4],
  ['01.02.2024 to 31.01.2026', 4],
  ['2024-02-01 to 2026-01-31', 4],
])('and not another, and a time is none: %s, %d', (text, number) => expect(holds(text, number)).toBe(false))
