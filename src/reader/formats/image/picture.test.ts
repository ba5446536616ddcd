// Scans and images: a page made here, drawn, read back; also lying on its side, of several pages, too large, empty.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LiteParse, type LiteParseConfig } from '@llamaindex/liteparse'
import { expect, onTestFinished, test } from 'vitest'
import { inFolder, parseBytes } from '../../../../test/support/files/parse.ts'
import { grid, makePdf, prose } from '../../../../test/support/files/pdf.ts'
import { makeTiff } from '../../../../test/support/files/pictures.ts'
import { thorough } from '../../../../test/support/full.ts'
import { ocrSettings, useOcr } from '../../shared/ocr/languages.ts'
import { exifAngle, withExifAngle } from '../../shared/rasters/exif-orientation.ts'
import { pixelSize } from '../../shared/rasters/image-size.ts'
import { readTiff } from '../../shared/rasters/tiff.ts'

const letter = [
  ...prose(
    [
      'The lease of Unit 4 ends on 30 June 2026 (188 days from now), and the',
      'deposit of 9,600 pounds is returned.',
    ],
    700,
  ),
  ...grid(
    [
      ['Depth', 'Reading', 'Deviation'],
      ['0.500', '0.501', '+1'],
      ['2.000', '2.001', '+1'],
      ['4.000', '4.002', '+2'],
    ],
    [72, 250, 400],
    600,
  ),
]

/** The letter as PNG, drawn lying on its side when asked. */
function draw(config: Partial<LiteParseConfig> = {}, texts = letter): Promise<Buffer> {
  return inFolder(async (folder) => {
    const path = join(folder, 'letter.pdf')
    await writeFile(path, makePdf([texts]))
    const [shot] = await new LiteParse({ dpi: 150, quiet: true, ocrEnabled: false, ...config }).screenshot(
      path,
      [1],
    )
    if (shot === undefined) throw new Error('nothing drawn')
    return shot.imageBuffer
  })
}

test('an image is read: prose with its brackets, a table, where they stand and how sure', async () => {
  const { blocks, pages } = await parseBytes('image', await draw())
  expect(pages).toBe(1)
  const text = blocks.map((block) => block.text).join('\n')
  expect(text).toContain('30 June 2026 (188 days from now)')
  expect(blocks.find((block) => block.kind === 'table')?.text).toContain('| 4.000 | 4.002 | +2 |')
  for (const { page, bbox, confidence, kind } of blocks) {
    expect(kind).not.toBe('heading')
    expect(page).toBe(1)
    expect(bbox).toHaveLength(4)
    expect(confidence).toBeGreaterThan(0.5)
  }
})

thorough('an image on its side is turned', async () => {
  const { blocks } = await parseBytes(
    'image',
    await draw({ pageOrientationCorrections: [{ page: 1, angle: 90 }] }),
  )
  expect(blocks.map((block) => block.text).join('\n')).toContain('30 June 2026')
  // Read standing on end, its columns would come one after the other.
  expect(blocks.find(({ kind }) => kind === 'table')?.text).toContain('| 2.000 | 2.001 | +1 |')
})

// Phones store the sensor's rows and say how to turn them.
test('an EXIF header says how a photo is turned', async () => {
  const lying = await draw()
  const photo = withExifAngle(lying, 270)
  expect(photo.indexOf('4d4d002a00000008000101120003000000010006000000000000', 0, 'hex')).toBe(41)
  expect(([0, 90, 180, 270] as const).map((angle) => exifAngle(withExifAngle(lying, angle)))).toEqual([
    0, 90, 180, 270,
  ])
  expect(exifAngle(lying)).toBe(0)
})

thorough('a photo is turned as its EXIF says, a German letter is read as German', async () => {
  const german = prose(
    [
      'Der Mietvertrag über die Räume im zweiten Obergeschoß endet am 30. Juni,',
      'und die Kaution wird zurückgezahlt. Für Schäden, die nach der Übergabe',
      'auftreten, haftet der Mieter nur, soweit er sie selbst verschuldet hat.',
    ],
    700,
  )
  const lying = await draw({ pageOrientationCorrections: [{ page: 1, angle: 270 }] }, german)
  const { blocks } = await parseBytes('image', withExifAngle(lying, 270))
  expect(blocks.map((block) => block.text).join('\n')).toMatch(/Räume im zweiten Obergeschoß.*Übergabe/s)
})

/** A TIFF of as many white pages as given. */
const whiteTiff = (pages: number, width: number, height: number): Buffer =>
  makeTiff(
    Array.from({ length: pages }, () => ({ width, height, pixels: Buffer.alloc(width * height, 255) })),
  )

test('sizes and pages stand in the header', () => {
  const png = Buffer.alloc(33)
  png.write('89504e470d0a1a0a0000000d49484452', 'hex')
  png.writeUInt32BE(65_535, 16)
  png.writeUInt32BE(65_534, 20)
  expect(pixelSize(png)).toEqual({ width: 65_535, height: 65_534 })
  const jpeg = Buffer.from('ffd8ffe000044a46ffc0001108012c01900301', 'hex')
  expect(pixelSize(jpeg)).toEqual({ width: 400, height: 300 })
  expect(pixelSize(Buffer.from('GIF89a\x90\x01\x2c\x01', 'latin1'))).toEqual({ width: 400, height: 300 })
  expect(pixelSize(whiteTiff(3, 40, 30))).toEqual({ width: 40, height: 30 })
  expect(readTiff(whiteTiff(3, 40, 30))?.pages).toHaveLength(3)
  expect(pixelSize(png.subarray(0, 18))).toBeUndefined()
  expect(pixelSize(Buffer.from('hello'))).toBeUndefined()
})

test('a pixel flood is refused by its header, rubbish is damaged, an empty picture has no text', async () => {
  const flood = Buffer.alloc(60)
  flood.write('89504e470d0a1a0a0000000d49484452', 'hex')
  flood.writeUInt32BE(65_535, 16)
  flood.writeUInt32BE(65_535, 20)
  await expect(parseBytes('image', flood)).rejects.toMatchObject({ reason: 'too_large_unpacked' })
  await expect(parseBytes('image', 'no picture')).rejects.toMatchObject({ reason: 'damaged' })
  const whole = await draw()
  await expect(parseBytes('image', whole.subarray(0, 60))).rejects.toMatchObject({ reason: 'damaged' })
  await expect(parseBytes('image', whiteTiff(2, 400, 300))).rejects.toMatchObject({ reason: 'no_text' })
})

test('without a language nothing is recognised', async () => {
  const before = ocrSettings()
  onTestFinished(() => useOcr(before))
  useOcr({ languages: [] })
  await expect(parseBytes('image', await draw())).rejects.toMatchObject({ reason: 'no_text' })
})

thorough(
  'letters that nobody could read are a reason, those of a poor scan are kept with a warning',
  async () => {
    // Each further language is one more look.
    const before = ocrSettings()
    onTestFinished(() => useOcr(before))
    useOcr({ languages: ['eng'] })
    const lines = Array.from(
      { length: 20 },
      (_, i) => `Line ${i} of a letter about the tides and gauges of harbours`,
    )
    await expect(parseBytes('image', await draw({ dpi: 31 }, prose(lines)))).rejects.toMatchObject({
      reason: 'unrecognised',
    })
    // Half of the words are right.
    const { blocks, warnings } = await parseBytes('image', await draw({ dpi: 36 }, prose(lines)))
    expect(blocks.map(({ text }) => text).join(' ')).toContain('about the')
    expect(warnings).toEqual(['The text of page 1 was hard to recognise and may be wrong.'])
  },
)

thorough(
  'a page in a language that is not set up is read, with a warning that says how to set it up',
  async () => {
    const before = ocrSettings()
    onTestFinished(() => useOcr(before))
    useOcr({ languages: ['eng'] })
    const german = Array.from(
      { length: 6 },
      () => 'Der Vertrag endet am letzten Tag des Monats, und die Miete ist bis dahin zu zahlen.',
    )
    const italian = Array.from(
      { length: 6 },
      () => 'Il contratto termina il primo giorno del mese e il canone deve essere pagato in anticipo.',
    )
    expect((await parseBytes('image', await draw({}, prose(german)))).warnings).toEqual([
      'The text of page 1 is in German but was read as another language: the administrator can add deu to KENNING_OCR_LANGUAGES.',
    ])
    expect((await parseBytes('image', await draw({}, prose(italian)))).warnings).toEqual([
      'The text of page 1 is in Italian but was read as another language: the administrator can set it up with "npm install @tesseract.js-data/ita".',
    ])
    expect((await parseBytes('image', await draw())).warnings).toBeUndefined()
  },
)
