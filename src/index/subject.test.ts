import { describe, expect, test } from 'vitest'
import { analysedText } from '../language/analysed-text.ts'
import type { Language } from '../language/language.ts'
import { subjectBuilder, subjectQuery } from './subject.ts'

/** Whether a document of this text is about what the question names, by term. */
function shared(
  question: string,
  text: string,
  { title = 'Report', name = 'report', language = 'en' as Language, isLong = true } = {},
) {
  const side = subjectBuilder(title, name)
  side.add(text, language)
  if (isLong) side.add('The rest is prose of the yard. '.repeat(120), language)
  const { terms } = side.subject()
  const { names, periods } = subjectQuery(analysedText(question), ['en', 'de'])
  const has = (numbers: Iterable<number>): number =>
    [...numbers].filter((term) => terms.includes(term)).length
  return { names: has(names), narrow: has(periods.exact), wide: has(periods.containing) }
}
const filing = 'Net sales of Acme rose. In the quarter, Acme sold more pumps, and Acme opened two yards.'

describe('the subject of a document', () => {
  test('is the names it is full of, not those it mentions', () => {
    const long =
      `${filing} `.repeat(40) + 'A supplier of ours is Borealis. '.concat('The rest is prose. '.repeat(300))
    expect(shared('What are Acme’s net sales?', long).names).toBe(1)
    expect(shared('What does Borealis make?', long).names).toBe(0)
  })

  test('is the words of its title and of its file name', () => {
    const names = { title: 'Staff handbook', name: '2023 Q3 ACME' }
    expect(shared('ACME: how many days?', 'Text.', names).names).toBe(1)
    expect(shared('What does the Handbook say?', 'Text.', names).names).toBe(1)
  })

  test('is not the names of a short text, whose passages say them', () => {
    const names = { title: 'Staff handbook', name: '2023 Q3 ACME', isLong: false }
    expect(shared('ACME in the third quarter of 2023', filing, names)).toEqual({
      names: 0,
      narrow: 1,
      wide: 1,
    })
  })

  test('is its period, however the two say it', () => {
    const names = { name: '2023 Q3 ACME' }
    expect(shared('sales in the third quarter of 2023', 'Text.', names)).toEqual({
      names: 0,
      narrow: 1,
      wide: 1,
    })
    expect(shared('sales in the second quarter of 2023', 'Text.', names)).toEqual({
      names: 0,
      narrow: 0,
      wide: 1,
    })
    expect(
      shared('the meeting of 12 March 2026', 'Minutes\n\nHeld on March 12, 2026 at the yard.').narrow,
    ).toBe(1)
  })

  test('has no names of a language that writes every noun with a capital', () => {
    const german = 'Wir lagern die Pumpe, eine Pumpe und noch eine Pumpe.'
    expect(shared('Wo steht die Pumpe?', german, { language: 'de' }).names).toBe(0)
  })

  test('is dated by the last day of the period in its name, else at its beginning', () => {
    const dated = (name: string, text: string) => {
      const side = subjectBuilder('Report', name)
      side.add(text, 'en')
      return side.subject().dated
    }
    expect(dated('2023 Q3', 'Printed on January 2, 2024.')).toBe('2023-09-30')
    expect(dated('report', 'For the year ended June 30, 2022')).toBe('2022-06-30')
    expect(dated('report', 'Text.')).toBeNull()
  })
})

test('a question for the newest is told by its words', () => {
  const isLatest = (question: string) => subjectQuery(analysedText(question), ['en', 'de']).isLatest
  expect(isLatest('Acme’s most recent report')).toBe(true)
  expect(isLatest('Was steht im neuesten Bericht?')).toBe(true)
  expect(isLatest('the concurrent reports')).toBe(false)
})

test('common words written small name nothing', () => {
  expect(subjectQuery(analysedText('what does the report say of net sales'), ['en']).names.size).toBe(0)
})

test('a compound of common words written small names nothing', () => {
  expect(subjectQuery(analysedText('how many members does the co-operative have'), ['en']).names.size).toBe(0)
  expect(subjectQuery(analysedText('a long-term loan of Acme'), ['en']).names.size).toBe(1)
})

test('a word in small letters names something only where all are small', () => {
  expect(subjectQuery(analysedText('tegola revenue'), ['en']).names.size).toBe(1)
  expect(subjectQuery(analysedText('Does tegola raise revenue?'), ['en']).names.size).toBe(0)
})
