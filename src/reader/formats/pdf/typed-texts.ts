// Text that somebody typed onto a page with a viewer (annotations of the kind FreeText): how forms without fields are filled
// in. PDFium's page text omits it.

import type { BBox } from '../../block.ts'
import { plainWords } from '../../shared/page/layout/words.ts'
import type { PlacedPage } from './running-lines.ts'

export interface TypedText {
  /** 1-based. */
  page: number
  text: string
  bbox: BBox
}

type PdfFile = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>

interface Annotation {
  subtype?: string
  annotationFlags?: number
  rect?: number[]
  contentsObj?: { str?: string }
}

const MARK = Buffer.from('/FreeText')
// A page takes a millisecond or two.
const MAX_PAGES = 2000
const HIDDEN = 0x02 | 0x20

/** The typed texts of a file in the order of its pages; programs that add them write them where its bytes show them. */
export async function typedTexts(file: PdfFile, bytes: Buffer): Promise<TypedText[]> {
  const result: TypedText[] = []
  if (!bytes.includes(MARK)) return result
  for (let number = 1; number <= Math.min(file.numPages, MAX_PAGES); number++) {
    const page = await file.getPage(number)
    const viewport = page.getViewport({ scale: 1 })
    const annotations = (await page.getAnnotations()) as Annotation[]
    for (const { subtype, annotationFlags = 0, rect, contentsObj } of annotations) {
      const text = contentsObj?.str?.replace(/\r\n?/g, '\n').trim() ?? ''
      if (subtype !== 'FreeText' || (annotationFlags & HIDDEN) !== 0 || text === '' || rect === undefined)
        continue
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = viewport.convertToViewportRectangle(rect) as number[]
      const bbox: BBox = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
      result.push({ page: number, text, bbox })
    }
  }
  return result
}

/**
 * Adds typed texts to their pages, in place, unless a block at their place says the same. A page that was recognised shows them,
 * anywhere; on others the words of an answer stand elsewhere too: "yes or no".
 */
export function addTypedTexts(
  pages: readonly (PlacedPage & { recognised?: boolean })[],
  typed: readonly TypedText[],
): void {
  const byPage = new Map<number, TypedText[]>()
  for (const one of typed) {
    const texts = byPage.get(one.page)
    if (texts === undefined) byPage.set(one.page, [one])
    else texts.push(one)
  }
  for (const page of pages) {
    const texts = byPage.get(page.number)
    if (texts === undefined) continue
    const blockWords = page.blocks.map(({ text, bbox }) => ({ bbox, words: new Set(plainWords(text)) }))
    const all = new Set(blockWords.flatMap(({ words }) => [...words]))
    const isPresent = (words: readonly string[], at: BBox): boolean =>
      page.recognised === true
        ? words.every((word) => all.has(word))
        : blockWords.some(
            ({ bbox, words: own }) =>
              bbox !== undefined && overlap(bbox, at) && words.every((word) => own.has(word)),
          )
    for (const { text, bbox } of texts) {
      const words = plainWords(text)
      if (words.length === 0 || !isPresent(words, bbox))
        page.blocks.push({ kind: 'paragraph', text, page: page.number, bbox })
    }
  }
}

const overlap = (a: BBox, b: BBox): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
