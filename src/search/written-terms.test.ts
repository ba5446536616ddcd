import { expect, test } from 'vitest'
import { writtenTerms } from './written-terms.ts'

test('stems are words as the text writes them, and pairs are two of them', () => {
  const written = writtenTerms('The Notice periods of policies, fast-twitch fibres', ['en'])
  expect(['notic', 'period', 'polici', 'notic period'].map(written)).toEqual([
    'Notice',
    'periods',
    'policies',
    'Notice periods',
  ])
  expect(['twitch', 'fasttwitch'].map(written)).toEqual(['twitch', 'fast-twitch'])
})

test('a term that the text does not have is undefined, a number is itself', () => {
  const written = writtenTerms('Rent of 2024', ['en'])
  expect(['leas', 'rent leas', '2024', '27001:2022'].map(written)).toEqual([
    undefined,
    undefined,
    '2024',
    '27001:2022',
  ])
})

test('each language has its own stems, and pairs of characters are themselves', () => {
  expect(writtenTerms('Kündigungsfristen', ['en', 'de'])('kundigungsfrist')).toBe('Kündigungsfristen')
  expect(writtenTerms('東京都', ['ja'])('京都')).toBe('京都')
})
