import { expect, test } from 'vitest'
import { completeEllipsis } from './ellipsis.ts'

test.each([
  [
    'And of the Borealis?',
    'What does a tyre change of the Aurora cost?',
    'What does a tyre change of the Borealis cost?',
  ],
  [
    'And a service?',
    'What does a tyre change of the Borealis cost?',
    'What does a service of the Borealis cost?',
  ],
  [
    'What about the Borealis?',
    'What does a tyre change of the Aurora cost?',
    'What does a tyre change of the Borealis cost?',
  ],
  [
    'And what about the Borealis?',
    'What does a tyre change of the Aurora cost?',
    'What does a tyre change of the Borealis cost?',
  ],
  ['Und was ist mit 2025?', 'Was kostete der Eintritt 2024?', 'Was kostete der Eintritt 2025?'],
  ['Und wie sieht es mit Kabeln aus?', 'Wer liefert Sensoren?', 'Wer liefert Kabeln?'],
  [
    '¿Y qué pasa con el Aurora?',
    '¿Cuánto cuesta una revisión del Borealis?',
    '¿Cuánto cuesta una revisión del Aurora?',
  ],
  [
    'And a service of the Borealis?',
    'What does a tyre change of the Aurora cost?',
    'What does a service of the Borealis cost?',
  ],
  ['And MF-204?', 'Who supplies PX-7?', 'Who supplies MF-204?'],
  ['And Unit 8?', 'When does the lease of Unit 7 end?', 'When does the lease of Unit 8 end?'],
  [
    'And in 2024?',
    'What was the limit for a hotel night in 2026?',
    'What was the limit for a hotel night in 2024?',
  ],
  ['And the landlord?', 'How much notice must the tenant give?', 'How much notice must the landlord give?'],
  [
    'And for the landlord?',
    'How much notice ends the lease?',
    'How much notice ends the lease for the landlord?',
  ],
  ['And cables?', 'Who supplies sensors?', 'Who supplies cables?'],
  ['Und Kabel?', 'Wer liefert Sensoren?', 'Wer liefert Kabel?'],
  ['And guests?', 'What do members pay?', 'What do guests pay?'],
  ['And for children?', 'What does a ticket for adults cost?', 'What does a ticket for children cost?'],
  ['And a family card?', 'What is the price of a day ticket?', 'What is the price of a family card?'],
  [
    'Und für einen Personalausweis?',
    'Wie hoch ist die Gebühr für einen Reisepass?',
    'Wie hoch ist die Gebühr für einen Personalausweis?',
  ],
  ['Und ein Personalausweis?', 'Was kostet ein Reisepass?', 'Was kostet ein Personalausweis?'],
  [
    'Und beim Borealis?',
    'Was kostet ein Reifenwechsel beim Aurora?',
    'Was kostet ein Reifenwechsel beim Borealis?',
  ],
  ['Und 2025?', 'Was kostete der Eintritt 2024?', 'Was kostete der Eintritt 2025?'],
  [
    "Et pour l'Aurora ?",
    'Combien coûte une révision pour la Borealis ?',
    "Combien coûte une révision pour l'Aurora?",
  ],
  ['Et un pare-brise ?', 'Combien coûte une révision ?', 'Combien coûte un pare-brise?'],
  [
    '¿Y para los socios?',
    '¿Cuánto cuesta la entrada para los niños?',
    '¿Cuánto cuesta la entrada para los socios?',
  ],
])('%s after %s', (question, earlier, text) => {
  expect(completeEllipsis(question, earlier, false)?.text).toBe(text)
})

test.each([
  ['How long does it take?', 'What does a service of the Borealis cost?'],
  ['And who signed it?', 'When does the lease of Unit 7 end?'],
  ['And the notice period?', 'When does the lease of Unit 7 end?'],
  ['Forklift weight?', 'What does a service cost?'],
  ['And the landlord?', 'What does the contract say of the deposit for the tenant?'],
])('%s after %s is not completed', (question, earlier) => {
  expect(completeEllipsis(question, earlier, false)).toBeUndefined()
})

test.each([
  ['And in the year before?', 'How much gas was used in 2025?', 'How much gas was used in 2024?'],
  ['The following month?', 'What was sold in December 2025?', 'What was sold in January 2026?'],
  ['And the day after?', 'Who is on call on 31 July?', 'Who is on call on 1 August?'],
  ['Und im Jahr davor?', 'Wie viel Gas wurde 2025 verbraucht?', 'Wie viel Gas wurde 2024 verbraucht?'],
  ['And the previous year?', 'What was the rent on 3 May 2026?', 'What was the rent on 3 May 2025?'],
  ["Et l'année précédente ?", 'Combien de gaz en 2025 ?', 'Combien de gaz en 2024?'],
])('%s after %s is another time', (question, earlier, text) => {
  expect(completeEllipsis(question, earlier, false)?.text).toBe(text)
})

test('names that are meant still are parted from what is asked', () => {
  expect(
    completeEllipsis('And a service?', 'What does a tyre change of the Borealis cost?', false),
  ).toMatchObject({
    questionWithoutNames: 'What does a service cost?',
    names: ['Borealis'],
  })
  expect(completeEllipsis('And a service?', 'How long does it take?', true)?.text).toBe(
    'How long does a service take?',
  )
})
