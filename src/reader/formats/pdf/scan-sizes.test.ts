// What a PDF says of the resolution of its scans.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inFolder } from '../../../../test/support/files/parse.ts'
import { embeddedImageSizes, scanSize } from './scan-sizes.ts'

const letter = { width: 612, height: 792 }

const image = (entries: string): string => `4 0 obj\n<< /Type /XObject ${entries} >>\nstream\n\0\nendstream\n`
const imagesOf = (...objects: string[]) =>
  inFolder(async (folder) => {
    const path = join(folder, 'scan.pdf')
    await writeFile(path, objects.join(''), 'latin1')
    return embeddedImageSizes(path)
  })

test('the finest picture of the shape of the page is what it was scanned with', async () => {
  const found = await imagesOf(
    image('/Subtype /Image /Width 425 /Height 550'),
    image('/Width 1100 /Height 850 /Subtype/Image'),
    image('/Subtype /Form /Width 5 /Height 6'),
    image('/Subtype /Image /Width 1400 /Height 500'),
  )
  expect(found).toHaveLength(3)
  expect(scanSize(letter, found)).toEqual({ width: 1100, height: 850 })
  expect(scanSize({ width: 500, height: 500 }, found)).toBeUndefined()
  expect(scanSize({ width: 0, height: 0 }, found)).toBeUndefined()
  expect(await imagesOf(image('/Subtype /Image /Width 7 0 R /Height 550'))).toEqual([])
})

test('a thumbnail, the ground under drawn letters and a scan in strips say nothing of the page', () => {
  expect(scanSize(letter, [{ width: 85, height: 110 }])).toBeUndefined()
  const ground = { width: 638, height: 825 }
  expect(scanSize(letter, [ground])).toEqual(ground)
  expect(scanSize(letter, [ground, { width: 1950, height: 400 }])).toBeUndefined()
})
