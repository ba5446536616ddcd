import { expect, test } from 'vitest'
import { entryText, hasBullet, isBullet, isClause, isEntry, isMark, isNumbered } from './marks.ts'

test('what begins an entry of a list, and what does not', () => {
  for (const text of ['• Plums', '▪Plums', '- Plums', '* Plums', '– Plums']) {
    expect(isEntry(text)).toBe(true)
    expect(entryText(text)).toBe('- Plums')
  }
  for (const text of ['-Plums', '*', 'Plums - pears', '–5 degrees']) expect(isEntry(text)).toBe(false)
  expect(hasBullet('- Plums')).toBe(false)
})

test('numbers, letters and clauses', () => {
  expect(['(a) x', '2. x', '(iv) x', 'b) x'].filter(isNumbered)).toHaveLength(4)
  expect(['2 x', 'abc. x', '2.x'].filter(isNumbered)).toHaveLength(0)
  expect(['4.2 x', '§ 4 x', '(ii) x', '1. x'].filter(isClause)).toHaveLength(4)
  expect(['2019 x', 'Section 4 x', '4.2x'].filter(isClause)).toHaveLength(0)
  expect(['•', '(a)', '12.', 'iv)', '*'].filter(isMark)).toHaveLength(5)
  expect(['a', '12', '(abcde)', 'no.'].filter(isMark)).toHaveLength(0)
})

test('a bullet alone', () => {
  expect(['•', '▪', '-', '–', '*'].filter(isBullet)).toHaveLength(5)
  expect(['', '+', '• x', '--', '1.', 'x'].filter(isBullet)).toHaveLength(0)
})
