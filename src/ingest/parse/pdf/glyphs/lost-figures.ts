// Figures liteparse takes for page numbers and leaves out of a page's items, though its text has them: the "6" alone in
// a column of counts. pdf.js says where they stand; it is asked for such pages only.

import { readFile } from 'node:fs/promises'
import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import type { getDocumentProxy } from 'unpdf'
import type { BBox } from '../../block.ts'
import { rectBox, standsIn } from '../layout/place.ts'

const FIGURE = /^[($€£+-]*\d[\d.,]*[)%]*$/
const FIGURES = /(?<!\S)[($€£+-]*\d[\d.,]*[)%]*(?!\S)/g

const figuresIn = (text: string): string[] => (/\d/.test(text) ? (text.match(FIGURES) ?? []) : [])

/** The page's figures that none of its items hold; a line of the page that is nothing but one is its number. */
export function lostFigures({ text, textItems }: Pick<ParsedPage, 'text' | 'textItems'>): string[] {
  const held = new Map<string, number>()
  for (const item of textItems)
    for (const figure of figuresIn(item.text)) held.set(figure, (held.get(figure) ?? 0) + 1)
  return (text ?? '').split('\n').flatMap((line) =>
    figuresIn(line).flatMap((figure) => {
      const left = held.get(figure) ?? 0
      held.set(figure, left - 1)
      return left <= 0 && line.trim() !== figure ? [figure] : []
    }),
  )
}

export interface FigureFinder {
  /** The page with its lost figures as items. */
  restored: (page: ParsedPage) => Promise<ParsedPage>
  close: () => Promise<void>
}

/** `path` is opened by pdf.js once, when the first page needs it. */
export function figureFinder(path: string): FigureFinder {
  let opened: Promise<Opened> | undefined
  return {
    restored: async (page) => {
      const lost = lostFigures(page)
      if (lost.length === 0) return page
      opened ??= openPlaces(path)
      const places = await opened.then(({ read }) => read(page.pageNum)).catch(() => [])
      const taken = page.textItems.map((item) => rectBox(item))
      const found = places.flatMap((item) => {
        const at = lost.indexOf(item.text)
        if (at < 0 || taken.some((box) => standsIn(rectBox(item), box))) return []
        lost.splice(at, 1)
        return [item]
      })
      return found.length === 0 ? page : { ...page, textItems: [...page.textItems, ...found] }
    },
    close: async () => {
      await opened?.then(({ close }) => close()).catch(() => undefined)
    },
  }
}

interface Opened {
  read: (page: number) => Promise<TextItem[]>
  close: () => Promise<void>
}

async function openPlaces(path: string): Promise<Opened> {
  const { getDocumentProxy: open } = await import('unpdf')
  const document = await open(new Uint8Array(await readFile(path)))
  return { read: (number) => figuresOf(document, number), close: () => document.destroy() }
}

async function figuresOf(
  document: Awaited<ReturnType<typeof getDocumentProxy>>,
  number: number,
): Promise<TextItem[]> {
  const page = await document.getPage(number)
  if (page.rotate !== 0) return []
  const view = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  return items.flatMap((item) => {
    if (!('str' in item)) return []
    const text = item.str.trim()
    if (!FIGURE.test(text)) return []
    const [left, baseline] = view.convertToViewportPoint(item.transform[4], item.transform[5])
    const box: BBox = [left, baseline - item.height * CAPITAL, left + item.width, baseline]
    return [textItem(text, box, item.height)]
  })
}

// Figures are as high as capital letters: this share of the type's size.
const CAPITAL = 0.68

function textItem(text: string, [x, y, right, bottom]: BBox, size: number): TextItem {
  const place = { x, y, width: right - x, height: bottom - y }
  return { text, ...place, fontSize: size, rotation: 0, words: [{ text, ...place }] }
}
