import { expect, it } from 'vitest'
import { hasCode } from './ranking.ts'

it('a code is whole, and letters without case beside it are no part of it', () => {
  for (const text of ['the BR-1102.', 'br-1102', '零件BR-1102泵', 'รุ่นBR-1102ราคา'])
    expect(hasCode(text, 'BR-1102')).toBe(true)
  for (const text of ['BR-11023', 'XBR-1102', 'BR-1102b', 'BR-110'])
    expect(hasCode(text, 'BR-1102')).toBe(false)
})
