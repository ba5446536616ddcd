// Figures liteparse takes for page numbers and leaves out of a page's items, though its text has them: the "6" alone in
// a column of counts. pdf.js says where they stand; it is asked for such pages only.

import { readFile } from 'node:fs/promises'
import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../block.ts'
import { rectBox, standsIn } from './layout/place.ts'

const FIGURE = /^[($€£+-]*\d[\d.,]*[)%]*$/

/** The page's figures that none of its items hold; a line of the page that is nothing but one is its number. */
export function lostFigures({ text, textItems }: Pick<ParsedPage, 'text' | 'textItems'>): string[] {
  const held = counts(textItems.flatMap((item) => item.text.split(/\s+/)))
  const lines = (text ?? '').split('\n').map((line) => line.trim().split(/\s+/))
  return lines.flatMap((words) =>
    words.filter((word) => {
      if (!FIGURE.test(word)) return false
      const left = held.get(word) ?? 0
      held.set(word, left - 1)
      return left <= 0 && words.length > 1
    }),
  )
}

function counts(words: readonly string[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const word of words) found.set(word, (found.get(word) ?? 0) + 1)
  return found
}

/** Gives pages their lost figures back as items; `path` is opened by pdf.js once, when the first page needs it. */
export function figureFinder(path: string): (page: ParsedPage) => Promise<ParsedPage> {
  let opened: Promise<Placed> | undefined
  return async (page) => {
    const lost = lostFigures(page)
    if (lost.length === 0) return page
    opened ??= openPlaces(path)
    const places = await opened.then((read) => read(page.pageNum)).catch(() => [])
    const taken = page.textItems.map((item) => rectBox(item))
    const found = places.flatMap((item) => {
      const at = lost.indexOf(item.text)
      if (at < 0 || taken.some((box) => standsIn(rectBox(item), box))) return []
      lost.splice(at, 1)
      return [item]
    })
    return found.length === 0 ? page : { ...page, textItems: [...page.textItems, ...found] }
  }
}

type Placed = (page: number) => Promise<TextItem[]>

async function openPlaces(path: string): Promise<Placed> {
  const { getDocumentProxy } = await import('unpdf')
  const document = await getDocumentProxy(new Uint8Array(await readFile(path)))
  return async (number) => {
    const page = await document.getPage(number)
    if (page.rotate !== 0) return []
    const view = page.getViewport({ scale: 1 })
    const { items } = await page.getTextContent()
    return items.flatMap((item) => {
      if (!('str' in item) || !FIGURE.test(item.str.trim())) return []
      const [left, baseline] = view.convertToViewportPoint(item.transform[4], item.transform[5])
      const box: BBox = [left, baseline - item.height * CAPITAL, left + item.width, baseline]
      return [textItem(item.str.trim(), box, item.height)]
    })
  }
}

// Figures are as high as capital letters: this share of the type's size.
const CAPITAL = 0.68

function textItem(text: string, [x, y, right, bottom]: BBox, size: number): TextItem {
  const place = { x, y, width: right - x, height: bottom - y }
  return { text, ...place, fontSize: size, rotation: 0, words: [{ text, ...place }] }
}
