import { expect, test } from 'vitest'
import { kindByName } from '../reader/identify/kind-by-name.ts'
import { failureSentence } from './failures.ts'

test('each reason why a file failed says what to do', () => {
  const silent = Object.entries(failureSentence).filter(
    ([, sentence]) =>
      !/\b(?:upload|save|split|remove|administrator)\b/i.test(sentence.replace(/^[^.]*\./, '')),
  )
  // Whoever cancelled it knows the reason.
  expect(silent.map(([failure]) => failure)).toEqual(['cancelled'])
})

test('the reason for an unsupported kind lists all supported kinds and no other', () => {
  const told = [...failureSentence.unsupported.matchAll(/\.([a-z]+)/g)].map(([, extension]) => extension)
  const kinds = told.map((extension) => kindByName(`a.${extension}`))
  const read =
    'pdf docx doc rtf odt pptx ppt odp xlsx xls ods csv markdown text html mhtml epub email msg mbox calendar json image'
  expect(new Set(kinds)).toEqual(new Set(read.split(' ')))
})
