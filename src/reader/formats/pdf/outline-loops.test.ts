// Files that lie about what they hold: bookmarks without end, pages that are not there.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { rawPdf } from '../../../../test/support/files/bad.ts'
import { inFolder, parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, prose } from '../../../../test/support/files/pdf.ts'
import type { ParserLimits } from '../../limits.ts'
import { openPool } from '../../pool.ts'
import { withoutLoopingOutline } from './outline-loops.ts'

const TEXT = 'Tide tables of the northern harbours'

const objectsOf = (outline: readonly string[]): string[] => [
  '<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F 4 0 R >> >> /Contents 8 0 R >>',
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ...outline,
]

const content = { dictionary: '', bytes: Buffer.from(`BT /F 12 Tf 72 700 Td (${TEXT}) Tj ET`) }

const bookmark = (title: string, links: string): string =>
  `<< /Title (${title}) /Parent 5 0 R /Dest [3 0 R /XYZ 0 700 null] ${links} >>`

const outlines = {
  tree: [bookmark('One', '/First 7 0 R /Last 7 0 R'), bookmark('Two', '')],
  next: [bookmark('One', '/Next 7 0 R'), bookmark('Two', '/Next 6 0 R')],
  itself: [bookmark('One', '/Next 6 0 R'), bookmark('Two', '')],
  child: [bookmark('One', '/First 7 0 R'), bookmark('Two', '/First 6 0 R')],
  root: [bookmark('One', '/First 7 0 R'), bookmark('Two', '/First 5 0 R')],
  twice: [bookmark('One', '/First 7 0 R /Next 7 0 R'), bookmark('Two', '')],
}

const pdfOf = (name: keyof typeof outlines): Buffer =>
  rawPdf([...objectsOf(['<< /Type /Outlines /First 6 0 R /Last 7 0 R >>', ...outlines[name]]), content])

/** The same with all but the page's content in a stream of objects. */
function packed(name: keyof typeof outlines): Buffer {
  const objects = objectsOf(['<< /Type /Outlines /First 6 0 R /Last 7 0 R >>', ...outlines[name]])
  let at = 0
  const places = objects.map((object, i) => {
    const place = `${i + 1} ${at}`
    at += object.length + 1
    return place
  })
  const head = `${places.join(' ')} `
  const dictionary = `/Type /ObjStm /N ${objects.length} /First ${head.length} /Filter /FlateDecode`
  const unused = Array.from({ length: 7 }, () => 'null')
  const bytes = deflateSync(Buffer.from(`${head}${objects.join(' ')} `))
  const [before = '', after = ''] = rawPdf([...unused, content, { dictionary, bytes }])
    .toString('latin1')
    .split(/1 0 obj[\s\S]*(?=8 0 obj)/)
  return Buffer.from(before + after, 'latin1')
}

test('an outline that leads back to a bookmark before is found, one that ends is left', () => {
  for (const name of ['next', 'itself', 'child', 'root', 'twice'] as const) {
    expect(withoutLoopingOutline(pdfOf(name)), name).toBeDefined()
    expect(withoutLoopingOutline(packed(name)), name).toBeDefined()
  }
  expect(withoutLoopingOutline(pdfOf('tree'))).toBeUndefined()
  expect(withoutLoopingOutline(packed('tree'))).toBeUndefined()
  expect(withoutLoopingOutline(makePdf([prose([TEXT])]))).toBeUndefined()
})

test('such a file is read as any other, with its bookmarks once', async () => {
  for (const bytes of [pdfOf('next'), pdfOf('child'), pdfOf('root'), packed('next'), packed('child')]) {
    const { blocks, warnings } = await parseBytes('pdf', bytes)
    expect(blocks.map(({ text }) => text)).toEqual([TEXT])
    expect(warnings).toBeUndefined()
  }
})

/** With another number of pages stated than there are. */
const stating = (count: number): Buffer =>
  Buffer.from(
    makePdf([prose([TEXT])])
      .toString('latin1')
      .replace('/Count 1 ', `/Count ${count} `),
    'latin1',
  )

const inPool = (bytes: Buffer, limits: Partial<ParserLimits> = {}): Promise<string> =>
  inFolder(async (folder) => {
    const path = join(folder, 'upload')
    await writeFile(path, bytes)
    const log = { info: () => undefined, warn: () => undefined }
    const pool = openPool({ size: 1, cacheDir: folder, log, limits })
    try {
      const { blocks, pages } = await pool.parse({ path, filename: 'upload.pdf', kind: 'pdf' })
      return `${pages}: ${blocks.map(({ text }) => text).join('\n')}`
    } catch (error) {
      return String((error as { reason?: string }).reason ?? error)
    } finally {
      await pool.close()
    }
  })

test('a file that states a million pages is read as far as it has any', async () => {
  expect(await inPool(stating(1_000_000))).toBe(`1: ${TEXT}`)
  const { pages, warnings } = await parseBytes('pdf', stating(1000))
  expect([pages, warnings]).toEqual([1, undefined])
})

test('a file that has too many pages fails for that', async () => {
  expect(await inPool(makePdf([prose([TEXT]), prose([TEXT])]), { maxPages: 1 })).toBe('too_many_pages')
})
