import fc from 'fast-check'
import { expect, it } from 'vitest'
import { letterCount, looksGarbled } from './garbled.ts'

const text = fc.string({
  unit: fc.constantFrom('a', 'E', 'x', '7', ' ', '.', 'é', 'e\u0301', 'ß', 'Ω', '\u{1d400}', '\ue000'),
})

it('counts as the classes of Unicode do', () => {
  fc.assert(
    fc.property(text, (page) => {
      expect(letterCount(page)).toBe(page.match(/[\p{L}\p{N}]/gu)?.length ?? 0)
    }),
  )
})

it('knows text from what a broken font gives', () => {
  expect(looksGarbled('The quick brown fox jumps over the lazy dog. Déjà vu à Genève.')).toBe(false)
  expect(looksGarbled('营业收入同比增长百分之五')).toBe(false)
  expect(looksGarbled('Gxr dhvpx wrbjk sbk whzcf bkrl gnr pnzl qbt')).toBe(true)
  expect(looksGarbled('\ue001\ue002\ue003 \ue004\ue005')).toBe(true)
  expect(looksGarbled('')).toBe(false)
  expect(looksGarbled('SMTH-000123 WXYZ kg mm')).toBe(false)
})

const letter =
  'The lease of Unit 4 ends on 30 June 2026, and the deposit is returned within thirty days of the last day. ' +
  'The keepers of the northern harbours read their gauges each hour and write what they read into a book.'

const shifted = (text: string, by: number): string =>
  text.replace(/[a-z]/gi, (sign) => {
    const base = sign < 'a' ? 65 : 97
    return String.fromCharCode(base + ((sign.charCodeAt(0) - base + by) % 26))
  })

it('knows an alphabet that was shifted, though as many of its letters are vowels', () => {
  expect(looksGarbled(letter)).toBe(false)
  const missed = Array.from({ length: 25 }, (_, i) => i + 1).filter(
    (by) => !looksGarbled(shifted(letter, by)),
  )
  // Moved by twenty letters, vowels come to stand where vowels were.
  expect(missed).toEqual([20])
})

it('knows German, Polish and Finnish for words, whatever their consonants', () => {
  for (const text of [
    'Wirtschaftsprüfungsgesellschaften haften für Schäden, die sich aus der Verletzung der Pflichten ergeben.',
    'Umowa została zawarta w Warszawie pomiędzy przedsiębiorstwem a pracownikiem, który podpisał dokumenty.',
    'Sopimus on tehty Helsingissä työnantajan ja työntekijän välillä, ja kaikki muutokset tehdään kirjallisesti.',
  ])
    expect(looksGarbled(text)).toBe(false)
})
