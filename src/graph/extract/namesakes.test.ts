import { expect, test } from 'vitest'
import { extractGraph } from './extract.ts'
import { qualifyPersons } from './namesakes.ts'

const peopleOf = (text: string): string[] => {
  const chunk = { chunk_no: 0, type: 'text' as const, text, heading: '' }
  const { mentions } = qualifyPersons(extractGraph({ title: 'Test', language: 'en' }, [chunk]), () => text)
  return [...new Set(mentions.filter(({ type }) => type === 'person').map(({ key }) => key))]
}

test('a person has the employer, the address and the year of birth that the document states', () => {
  expect(peopleOf('Ingrid Solheim, chair of Tidewick Instruments Ltd, signed. Ms Solheim agreed.')).toEqual([
    'ingrid solheim (Tidewick Instruments Ltd)',
  ])
  expect(peopleOf('The head chef of Hotel Aurelia, Paul Novak, opened a kitchen.')).toEqual([
    'paul novak (Hotel Aurelia)',
  ])
  expect(peopleOf('Minutes. Present were Paul Novak (Corrigan Estates Ltd) and others.')).toEqual([
    'paul novak (Corrigan Estates Ltd)',
  ])
  expect(peopleOf('Paul Novak (born 4 May 1971) is a sculptor. Paul Novak lives in Leeds.')).toEqual([
    'paul novak (1971)',
  ])
  expect(
    peopleOf(
      'From: Paul Novak <p.novak@corrigan.example>\n\nSee you soon.\n\nPaul Novak\nSales\nCorrigan Estates Ltd',
    ),
  ).toEqual(['paul novak (Corrigan Estates Ltd; p.novak@corrigan.example)'])
})

test('what a document states about others, or does not state, qualifies nobody', () => {
  expect(peopleOf('Paul Novak met the board of Corrigan Estates Ltd in Leeds in 1971.')).toEqual([
    'paul novak',
  ])
  expect(peopleOf('Paul Novak wrote a letter. He was born on a Monday.')).toEqual(['paul novak'])
})
