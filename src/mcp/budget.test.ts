import { expect, test } from 'vitest'
import { countFitting, cutText, MAX_TOKENS, tokensOf } from './budget.ts'
import { snippet } from './snippet.ts'

test.each(['The harbour master writes. ', '港務長記錄潮汐。', 'aGVsbG8gd29ybGQ', '👩‍🚀'])(
  '%s is cut to the limit',
  (piece) => {
    const text = piece.repeat(3000)
    const cut = cutText(text, 100)
    expect(tokensOf(cut)).toBeLessThanOrEqual(100)
    expect(tokensOf(cut)).toBeGreaterThan(50)
    expect(cut.isWellFormed()).toBe(true)
    expect(cutText(cut, 100)).toBe(cut)
  },
)

test('items fit as long as their sum does', () => {
  const items = Array.from({ length: 100 }, () => 'The harbour master writes. '.repeat(20))
  const fitting = countFitting(items)
  expect(tokensOf(items.slice(0, fitting))).toBeLessThanOrEqual(MAX_TOKENS)
  expect(fitting).toBeGreaterThan(10)
  expect(countFitting(items, MAX_TOKENS)).toBe(0)
  expect(countFitting(['a'])).toBe(1)
})

test('a snippet shows the longest word of the query that the text holds', () => {
  const text = `${'Nothing here. '.repeat(60)}The slipway crane lifts twelve tonnes. ${'And more. '.repeat(60)}`
  const shown = snippet(text, 'the SLIPWAY crane')
  expect(shown).toMatch(/^… .*slipway crane lifts twelve tonnes.* …$/)
  expect(shown.length).toBeLessThan(320)
  expect(snippet('Short.\n\nText.', 'x')).toBe('Short. Text.')
})
