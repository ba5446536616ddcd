import { describe, expect, it } from 'vitest'
import { sameMeaning } from './synonyms.ts'

describe('sameMeaning', () => {
  it('finds words of business documents across languages, accents and case aside', () => {
    expect(sameMeaning('Lieferanten')).toContain('suppliers')
    expect(sameMeaning('kundigungsfrist')).toContain('notice')
    expect(sameMeaning('bail')).toContain('lease')
    expect(sameMeaning('tide')).toEqual([])
    // In forms that no list has.
    expect(sameMeaning('Monaten')).toContain('months')
    expect(sameMeaning('briefes')).toContain('letter')
    expect(sameMeaning('mudanzas')).toContain('move')
  })

  it('knows countries', () => {
    expect(sameMeaning('Deutschland')).toContain('Germany')
    expect(sameMeaning('Germany')).toContain('Deutschland')
    expect(sameMeaning('Espagne')).toContain('Spain')
  })
})
