// Text that somebody typed onto a page with a viewer: answers in forms without fields (FreeText annotations), and notes on the
// page or on marked words. PDFium's page text omits it.

import { readFile } from 'node:fs/promises'
import type { ParsedPage } from '@llamaindex/liteparse'
import type { BBox } from '../../block.ts'
import { commentBlock } from '../../shared/blocks/comment.ts'
import { plainWords } from '../../shared/page/layout/words.ts'
import type { PlacedPage } from './running-lines.ts'

export interface TypedText {
  /** 1-based. */
  page: number
  text: string
  bbox: BBox
  /** The author of a note about the page, '' if unknown. The page itself shows only an icon. */
  author?: string
}

interface Annotation {
  subtype?: string
  annotationFlags?: number
  rect?: number[]
  titleObj?: { str?: string }
  contentsObj?: { str?: string }
  /** The state of a review, such as "Accepted". */
  stateModel?: string | null
}

// Annotations whose text is a note. A popup repeats the text of its note.
const NOTE_SUBTYPES = new Set(
  'text highlight underline squiggly strikeout caret square circle line polygon polyline ink stamp'.split(
    ' ',
  ),
)
// Reading a page takes one or two milliseconds.
const MAX_READ_PAGES = 2000
// The flags Hidden and NoView of an annotation.
const HIDDEN_FLAGS = 0x02 | 0x20

/** Whether a page has typed text. The text may be hidden. */
export const hasTypedText = ({ annotations = [] }: ParsedPage): boolean =>
  annotations.some(({ subtype, contents = '' }) => contents.trim() !== '' && isTypedSubtype(subtype))

const isTypedSubtype = (subtype: string): boolean =>
  isAnswer(subtype) || NOTE_SUBTYPES.has(subtype.toLowerCase())
const isAnswer = (subtype: string): boolean => subtype.toLowerCase() === 'freetext'

/** The typed texts of the given pages in order, by pdf.js, because liteparse does not say which are hidden. */
export async function typedTexts(path: string, pages: readonly number[]): Promise<TypedText[]> {
  if (pages.length === 0) return []
  const { getDocumentProxy } = await import('unpdf')
  const file = await getDocumentProxy(new Uint8Array(await readFile(path)), { verbosity: 0 })
  const result: TypedText[] = []
  try {
    for (const number of pages.slice(0, MAX_READ_PAGES)) {
      const page = await file.getPage(number)
      const viewport = page.getViewport({ scale: 1 })
      for (const annotation of (await page.getAnnotations()) as Annotation[]) {
        const { subtype = '', annotationFlags = 0, rect, contentsObj, titleObj, stateModel } = annotation
        const text = contentsObj?.str?.replace(/\r\n?/g, '\n').trim() ?? ''
        const isHidden = (annotationFlags & HIDDEN_FLAGS) !== 0
        if (!isTypedSubtype(subtype) || isHidden || stateModel || text === '' || rect === undefined) continue
        const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = viewport.convertToViewportRectangle(rect) as number[]
        const bbox: BBox = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
        const author = isAnswer(subtype) ? {} : { author: titleObj?.str ?? '' }
        result.push({ page: number, text, bbox, ...author })
      }
    }
  } finally {
    await file.destroy()
  }
  return result
}

/**
 * Adds typed texts to their pages, in place, unless a block at the same position has the text. On a recognised page the words
 * of a typed text may be in any block. On other pages only the blocks at its position count, because words such as "yes or
 * no" may also occur elsewhere.
 */
export function addTypedTexts(
  pages: readonly (PlacedPage & { recognised?: boolean })[],
  typedTexts: readonly TypedText[],
): void {
  const textsByPage = new Map<number, TypedText[]>()
  for (const typedText of typedTexts) {
    const texts = textsByPage.get(typedText.page)
    if (texts === undefined) textsByPage.set(typedText.page, [typedText])
    else texts.push(typedText)
  }
  for (const page of pages) {
    const texts = textsByPage.get(page.number)
    if (texts === undefined) continue
    const blockWords = page.blocks.map(({ text, bbox }) => ({ bbox, words: new Set(plainWords(text)) }))
    const wordsOfPage = new Set(blockWords.flatMap(({ words }) => [...words]))
    const isPresent = (words: readonly string[], position: BBox): boolean =>
      page.recognised === true
        ? words.every((word) => wordsOfPage.has(word))
        : blockWords.some(
            ({ bbox, words: blockWords }) =>
              bbox !== undefined && doOverlap(bbox, position) && words.every((word) => blockWords.has(word)),
          )
    for (const { text, bbox, author } of texts) {
      const words = plainWords(text)
      const block = author === undefined ? { kind: 'paragraph' as const, text } : commentBlock(author, text)
      // A note whose words are on the page is left out, because viewers copy the marked words into the note.
      const isNew = words.length === 0 || !isPresent(words, bbox)
      if (isNew) page.blocks.push({ ...block, page: page.number, bbox })
    }
  }
}

const doOverlap = (a: BBox, b: BBox): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
