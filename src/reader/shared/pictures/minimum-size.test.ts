import { describe, expect, it } from 'vitest'
import { isLargeEnough } from './minimum-size.ts'

describe('pictures worth reading', () => {
  it('are stamps and screenshots, not icons, bullets and ornaments', () => {
    expect(isLargeEnough({ width: 200, height: 70 })).toBe(true)
    expect(isLargeEnough({ width: 64, height: 64 })).toBe(false)
    expect(isLargeEnough({ width: 2000, height: 39 })).toBe(false)
    expect(isLargeEnough({ width: 2000, height: 60 })).toBe(false)
  })
})
