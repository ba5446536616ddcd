// The resolution at which a page is rendered, by that of its scan where it is known.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LiteParse } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { inFolder, parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf } from '../../../../test/support/files/pdf.ts'
import { thorough } from '../../../../test/support/full.ts'
import { renderDpi } from './render-page.ts'

const letter = { width: 612, height: 792 }

test('a page is drawn at 300 dpi, at no more than two and a half times the pixels it was scanned with', () => {
  expect(renderDpi(letter)).toBe(300)
  expect(renderDpi({ ...letter, pixels: { width: 1275, height: 1650 } })).toBe(300)
  expect(renderDpi({ ...letter, pixels: { width: 850, height: 1100 } })).toBe(250)
  expect(renderDpi({ width: 792, height: 612, pixels: { width: 850, height: 1100 } })).toBe(250)
  expect(renderDpi({ width: 30, height: 30 })).toBe(600)
  expect(renderDpi({ width: 14_400, height: 14_400, pixels: { width: 1, height: 1 } })).toBe(1)
})

thorough('a page of few pixels keeps its letters: enlarged further, N read as M', async () => {
  const lines = [
    'No acute finding was noted by Nurse Norman in November; the NORMAL',
    'range of HEMOGLOBIN is 13.5-17.5 g/dL, that of TSH 0.4-4.0 mIU/L.',
    'Neurology follows the headaches; diet counselling for DIABETES goes on,',
  ]
  const png = await inFolder(async (folder) => {
    const path = join(folder, 'letter.pdf')
    await writeFile(path, makePdf([lines.map((text, i) => ({ x: 72, y: 700 - i * 20, text, size: 10 }))]))
    const [shot] = await new LiteParse({ dpi: 90, quiet: true, ocrEnabled: false }).screenshot(path, [1])
    return shot?.imageBuffer ?? Buffer.alloc(0)
  })
  const { blocks } = await parseBytes('image', png)
  expect(blocks.map(({ text }) => text).join('\n')).toBe(lines.join(' '))
})
