import { describe, expect, it } from 'vitest'
import { sameMeaning } from './concepts.ts'
import { tongueOf } from './wording.ts'

describe('tongueOf', () => {
  it.each([
    ['How much does the pump cost?', 'en'],
    ['Was there any drop in cash between 2023 and 2024?', 'en'],
    ['Was kostet die Pumpe?', 'de'],
    ['Wie lang ist die Kündigungsfrist für den Mietvertrag?', 'de'],
    ['Quand finit le bail ?', 'fr'],
    ['Combien coûte le modem LTE ?', 'fr'],
    ['¿Cuánto cuesta el módem LTE?', 'es'],
    ['Cuando termina el contrato', 'es'],
    ['BW-2210-10', 'en'],
    ['War crimes', 'en'],
    ['Ukraine war', 'en'],
    ['Kosten der Pumpe', 'de'],
    ['Nenne die Fristen', 'de'],
    ['Prix pour Osterby', 'fr'],
    ['Qual è il prezzo?', 'en'],
  ])('%s', (question, tongue) => {
    expect(tongueOf(question)).toBe(tongue)
  })
})

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
