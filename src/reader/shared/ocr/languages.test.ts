// Which languages recognition uses: installed packages, a folder of one's own, and what to do about a missing one.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inFolder } from '../../../../test/support/files/parse.ts'
import { configuredOcr, requireLanguageData, trainedData } from './languages.ts'

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

test('without a setting every installed language is read, English first', () =>
  inFolder(async (dataDir) => {
    expect(configuredOcr(undefined, dataDir).languages).toEqual(['eng', 'deu', 'fra', 'spa'])
    await mkdir(join(dataDir, 'tessdata'))
    await writeFile(join(dataDir, 'tessdata', 'dan.traineddata'), 'x')
    expect(configuredOcr(undefined, dataDir).languages).toEqual(['eng', 'dan', 'deu', 'fra', 'spa'])
    expect(configuredOcr(['deu'], dataDir).languages).toEqual(['deu'])
  }))

test('a wanted language without data is refused with the command that installs it', () => {
  expect(() => requireLanguageData({ languages: ['eng', 'deu', 'fra', 'spa'] })).not.toThrow()
  expect(() => requireLanguageData({ languages: ['eng', 'xyz', 'kor'], folder: '/nowhere' })).toThrow(
    'KENNING_OCR_LANGUAGES: no data for xyz, kor. Install it with "npm install @tesseract.js-data/xyz @tesseract.js-data/kor", ' +
      'or put xyz.traineddata, kor.traineddata into /nowhere, or leave it out of the setting. Installed: eng, deu, fra, spa.',
  )
})
