// Which languages recognition may use: installed packages, a folder of one's own, and a sentence for what is missing.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inFolder } from '../../../../test/support/files/parse.ts'
import { refuseMissingLanguages, trainedData } from './languages.ts'

test('data come from packages and from a folder, and nowhere else', () =>
  inFolder(async (folder) => {
    expect(trainedData('eng', undefined)?.gzip).toBe(true)
    expect(trainedData('swe', folder)).toBeUndefined()
    await mkdir(join(folder, 'tessdata'))
    await writeFile(join(folder, 'tessdata', 'swe.traineddata'), 'x')
    expect(trainedData('swe', join(folder, 'tessdata'))).toEqual({
      folder: join(folder, 'tessdata'),
      gzip: false,
    })
    for (const hostile of ['../eng', 'eng/../../x', '', 'e']) {
      expect(trainedData(hostile, folder)).toBeUndefined()
    }
  }))

test('a language that is not there is named with those that are', () => {
  expect(() => refuseMissingLanguages({ languages: ['eng', 'deu', 'fra', 'spa'] })).not.toThrow()
  expect(() => refuseMissingLanguages({ languages: ['eng', 'xyz'], folder: '/nowhere' })).toThrow(
    /^KENNING_OCR_LANGUAGES: no training data for xyz\. There are deu, eng, fra, spa\..*xyz|CODE.*\/nowhere/,
  )
})
