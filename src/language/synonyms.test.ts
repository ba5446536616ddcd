import { describe, expect, it } from 'vitest'
import { synonymsOf } from './synonyms.ts'

describe('synonymsOf', () => {
  it('finds words of business documents across languages, ignoring accents and case', () => {
    expect(synonymsOf('Lieferanten')).toContain('suppliers')
    expect(synonymsOf('kundigungsfrist')).toContain('notice')
    expect(synonymsOf('bail')).toContain('lease')
    expect(synonymsOf('tide')).toEqual([])
    // In forms that no list has.
    expect(synonymsOf('Monaten')).toContain('months')
    expect(synonymsOf('briefes')).toContain('letter')
    expect(synonymsOf('mudanzas')).toContain('move')
  })

  it('knows countries', () => {
    expect(synonymsOf('Deutschland')).toContain('Germany')
    expect(synonymsOf('Germany')).toContain('Deutschland')
    expect(synonymsOf('Espagne')).toContain('Spain')
  })
})
