import { expect, test } from 'vitest'
import { kindByName } from '../reader/identify/kind-by-name.ts'
import { failureSentence } from './failures.ts'

test('whoever reads why a file failed is told what to do', () => {
  const silent = Object.entries(failureSentence).filter(
    ([, sentence]) =>
      !/\b(?:upload|save|split|remove|administrator)\b/i.test(sentence.replace(/^[^.]*\./, '')),
  )
  // Whoever cancelled knows.
  expect(silent.map(([failure]) => failure)).toEqual(['cancelled'])
})

test('whoever sent a kind that is not read is told all that are, and none that is not', () => {
  const told = [...failureSentence.unsupported.matchAll(/\.([a-z]+)/g)].map(([, extension]) => extension)
  const kinds = told.map((extension) => kindByName(`a.${extension}`))
  const read =
    'pdf docx doc rtf odt pptx ppt odp xlsx xls ods csv markdown text html epub email msg json image'
  expect(new Set(kinds)).toEqual(new Set(read.split(' ')))
})
