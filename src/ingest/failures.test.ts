import { expect, test } from 'vitest'
import { failureSentence } from './failures.ts'

test('whoever reads why a file failed is told what to do', () => {
  const silent = Object.entries(failureSentence).filter(
    ([, sentence]) =>
      !/\b(?:upload|save|split|remove|administrator)\b/i.test(sentence.replace(/^[^.]*\./, '')),
  )
  // Whoever cancelled knows.
  expect(silent.map(([failure]) => failure)).toEqual(['cancelled'])
})
