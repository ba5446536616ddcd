import { describe, expect, it } from 'vitest'
import { answerLanguage } from './answer-language.ts'

describe('answerLanguage', () => {
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
    ['tel gardienne', 'fr'],
    ['code porte bâtiment B', 'fr'],
    ['telefono de averia', 'es'],
    ['Stellplatz Kosten', 'de'],
    ['War crimes', 'en'],
    ['Ukraine war', 'en'],
    ['Kosten der Pumpe', 'de'],
    ['Nenne die Fristen', 'de'],
    ['Prix pour Osterby', 'fr'],
    ['peut-on casser un mur dans son appartement ?', 'fr'],
    ['gibt es Parkplätze am Haus', 'de'],
    ['cuanto cuesta la clase de vela', 'es'],
    ['donde aparco el coche', 'es'],
    ['Qual è il prezzo?', 'en'],
  ])('%s', (question, language) => {
    expect(answerLanguage(question)).toBe(language)
  })
})
