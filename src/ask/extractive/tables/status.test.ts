import { describe, expect, it } from 'vitest'
import { tableIntent } from './intent.ts'
import { statusAsked } from './status.ts'

describe('statusAsked', () => {
  it.each([
    'What is the daily meal allowance in Switzerland?',
    'What is the price in EUR of the grinder?',
    'Who is the contact in Rostock?',
    'Wer ist der Ansprechpartner in Rostock?',
    'Quel est le loyer mensuel du hangar ?',
    '¿Quién es el contacto en Sevilla?',
  ])('%s asks what something is, not whether it is so', (question) => {
    expect(statusAsked(question)).toBeUndefined()
    expect(tableIntent(question)?.operation).not.toBe('rows')
  })

  it.each([
    'What is paid?',
    'Who was invited?',
    'Who is not the owner?',
    'What is still open?',
    'Who has signed the lease?',
  ])('%s asks for those of which it is so, or is not', (question) =>
    expect(statusAsked(question)).toBeDefined(),
  )
})
