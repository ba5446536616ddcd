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
})
