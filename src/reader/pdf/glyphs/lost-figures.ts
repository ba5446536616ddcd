// Figures liteparse takes for page numbers and leaves out of a page's items, though its text has them: the "6" alone in
// a column of counts; and signs that stand alone (lost-signs.ts). pdf.js says where they stand; it is asked for such pages only.

import { readFile } from 'node:fs/promises'
import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import type { getDocumentProxy } from 'unpdf'
import type { BBox } from '../../block.ts'
import { rectBox, standsIn } from '../layout/place.ts'
import { isLoneSign } from './lost-signs.ts'
import { type DrawnText, mayLackNumerators, withNumerators } from './numerators.ts'

const FIGURE = /^[($€£+-]*\d[\d.,]*[)%]*$/
const FIGURES = /(?<!\S)[($€£+-]*\d[\d.,]*[)%]*(?!\S)/g

const figuresIn = (text: string): string[] => (/\d/.test(text) ? (text.match(FIGURES) ?? []) : [])

// The mark of a note, raised behind a word: "Carlson3,".
const MARKED = /(?<!\S)\p{Lu}\p{L}+\d{1,2}(?=[.,;:]?(?!\S))/gu

const markedWords = (text: string): string[] => (/\p{L}\d/u.test(text) ? (text.match(MARKED) ?? []) : [])

/** The marks of words that no item holds with theirs; `spare` are figures that stand in items of their own. */
function lostMarks(
  { text, textItems }: Pick<ParsedPage, 'text' | 'textItems'>,
  spare: Map<string, number>,
): string[] {
  const marked = markedWords(text ?? '')
  if (marked.length === 0) return []
  const held = textItems.flatMap((item) => markedWords(item.text))
  return marked.flatMap((word) => {
    const at = held.indexOf(word)
    if (at >= 0) {
      held.splice(at, 1)
      return []
    }
    const mark = /\d+$/.exec(word)?.[0] ?? ''
    const left = spare.get(mark) ?? 0
    spare.set(mark, left - 1)
    return left <= 0 ? [mark] : []
  })
}

/**
 * The page's figures that none of its items hold: alone, or raised behind a word. A line of the page that is nothing but
 * one is its number.
 */
export function lostFigures({ text, textItems }: Pick<ParsedPage, 'text' | 'textItems'>): string[] {
  const held = new Map<string, number>()
  for (const item of textItems)
    for (const figure of figuresIn(item.text)) held.set(figure, (held.get(figure) ?? 0) + 1)
  const lost = (text ?? '').split('\n').flatMap((line) =>
    figuresIn(line).flatMap((figure) => {
      const left = held.get(figure) ?? 0
      held.set(figure, left - 1)
      return left <= 0 && line.trim() !== figure ? [figure] : []
    }),
  )
  const parted = new Set(lost.length === 0 ? [] : partedFigures(textItems))
  return [...lost.filter((figure) => !parted.has(figure)), ...lostMarks({ text, textItems }, held)]
}

// Heights of a text between the two parts of one figure; a word space is .25, cells stand .6 and more apart.
const PARTED = 0.25

/** The figures that two texts make which touch: "31" and ".1", as links are drawn. */
const partedFigures = (items: readonly TextItem[]): string[] =>
  items.flatMap((item, i) => {
    const next = items[i + 1]
    if (next === undefined || Math.abs(next.x - item.x - item.width) >= item.height * PARTED) return []
    return figuresIn(`${item.text.trim()}${next.text.trim()}`)
  })

export interface FigureFinder {
  /** The page with its lost figures as items, and the numerators of its fractions. */
  restored: (page: ParsedPage) => Promise<ParsedPage>
  /** The page with its lost signs as items; undefined when it lost none. */
  withLoneSigns: (page: ParsedPage) => Promise<ParsedPage | undefined>
  close: () => Promise<void>
}

/** `path` is opened by pdf.js once, when the first page needs it. */
export function figureFinder(path: string): FigureFinder {
  let opened: Promise<Opened> | undefined
  const drawnOn = ({ pageNum }: ParsedPage): Promise<DrawnText[]> => {
    opened ??= openPlaces(path)
    return opened.then(({ read }) => read(pageNum)).catch(() => [])
  }
  const besides = async (
    page: ParsedPage,
    wanted: (text: string) => boolean,
  ): Promise<ParsedPage | undefined> => {
    const places = (await drawnOn(page)).flatMap(loneText)
    const taken = page.textItems.map((item) => rectBox(item))
    const found = places.filter(
      (item) => !taken.some((box) => standsIn(rectBox(item), box)) && wanted(item.text),
    )
    return found.length === 0 ? undefined : { ...page, textItems: [...page.textItems, ...found] }
  }
  return {
    restored: async (given) => {
      const page = mayLackNumerators(given) ? withNumerators(given, await drawnOn(given)) : given
      const lost = lostFigures(page)
      if (lost.length === 0) return page
      const take = (text: string): boolean => {
        const at = lost.indexOf(text)
        if (at >= 0) lost.splice(at, 1)
        return at >= 0
      }
      return (await besides(page, take)) ?? page
    },
    withLoneSigns: (page) => besides(page, isLoneSign),
    close: async () => {
      await opened?.then(({ close }) => close()).catch(() => undefined)
    },
  }
}

interface Opened {
  read: (page: number) => Promise<DrawnText[]>
  close: () => Promise<void>
}

async function openPlaces(path: string): Promise<Opened> {
  const { getDocumentProxy: open } = await import('unpdf')
  const document = await open(new Uint8Array(await readFile(path)))
  return { read: (number) => drawnTexts(document, number), close: () => document.destroy() }
}

/** The page's upright texts in the order they are drawn, where they stand. */
async function drawnTexts(
  document: Awaited<ReturnType<typeof getDocumentProxy>>,
  number: number,
): Promise<DrawnText[]> {
  const page = await document.getPage(number)
  if (page.rotate !== 0) return []
  const view = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  return items.flatMap((item) => {
    if (!('str' in item)) return []
    // Of a page that is read turned upright the places here are others.
    const [across, up] = item.transform
    if (across <= 0 || Math.abs(up) > across / 100) return []
    const [x, y] = view.convertToViewportPoint(item.transform[4], item.transform[5])
    return [{ text: item.str, x, y, width: item.width, size: item.height }]
  })
}

/** A figure or a lone sign as an item of its own. */
function loneText(drawn: DrawnText): TextItem[] {
  const text = drawn.text.trim()
  if (!FIGURE.test(text) && !isLoneSign(text)) return []
  const { x, y, width, size } = drawn
  return [textItem(text, [x, y - size * CAPITAL, x + width, y], size)]
}

// Figures are as high as capital letters: this share of the type's size.
const CAPITAL = 0.68

function textItem(text: string, [x, y, right, bottom]: BBox, size: number): TextItem {
  const place = { x, y, width: right - x, height: bottom - y }
  return { text, ...place, fontSize: size, rotation: 0, words: [{ text, ...place }] }
}
