// Finds texts that liteparse leaves out. These are numbers that it mistakes for page numbers (the "6" alone in a column of
// counts), and signs that are alone in a cell. pdf.js gives their positions. It is used only for pages on which such texts
// seem to be missing.

import { readFile } from 'node:fs/promises'
import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import type { getDocumentProxy } from 'unpdf'
import type { BBox, Block } from '../../../block.ts'
import { isCentreInside, rectBox } from '../../../shared/page/layout/boxes.ts'

const NUMBER = /^[($€£+-]*\d[\d.,]*[)%]*$/
const NUMBERS = /(?<!\S)[($€£+-]*\d[\d.,]*[)%]*(?!\S)/g

const numbersIn = (text: string): string[] => (/\d/.test(text) ? (text.match(NUMBERS) ?? []) : [])

/** The numbers of the page's text that are in none of its items. A line with only a number is left out: it is the page number. */
export function lostNumbers({ text, textItems }: Pick<ParsedPage, 'text' | 'textItems'>): string[] {
  const itemCounts = new Map<string, number>()
  for (const item of textItems)
    for (const number of numbersIn(item.text)) itemCounts.set(number, (itemCounts.get(number) ?? 0) + 1)
  const missingNumbers = (text ?? '').split('\n').flatMap((line) =>
    numbersIn(line).flatMap((number) => {
      const remainingCount = itemCounts.get(number) ?? 0
      itemCounts.set(number, remainingCount - 1)
      return remainingCount <= 0 && line.trim() !== number ? [number] : []
    }),
  )
  const splitNumbers = new Set(missingNumbers.length === 0 ? [] : numbersOfTwoTexts(textItems))
  return missingNumbers.filter((number) => !splitNumbers.has(number))
}

// In text heights: the maximum gap between two parts of one number. A word space is .25, the gap between cells .6 and more.
const MAX_PART_GAP = 0.25

/** The numbers that consist of two texts that touch, such as "31" and ".1" in a link. */
const numbersOfTwoTexts = (items: readonly TextItem[]): string[] =>
  items.flatMap((item, i) => {
    const next = items[i + 1]
    if (next === undefined || Math.abs(next.x - item.x - item.width) >= item.height * MAX_PART_GAP) return []
    return numbersIn(`${item.text.trim()}${next.text.trim()}`)
  })

/** A text from pdf.js; `y` is its baseline, from the page's upper edge. */
interface DrawnText {
  text: string
  x: number
  y: number
  width: number
  size: number
}

export interface LostTextFinder {
  /** The page with its lost numbers as items. */
  withLostNumbers: (page: ParsedPage) => Promise<ParsedPage>
  /** The page with its lost signs as items; undefined if it lost none. */
  withLoneSigns: (page: ParsedPage) => Promise<ParsedPage | undefined>
  close: () => Promise<void>
}

/** Finds lost texts with pdf.js, which opens the file once, when the first page needs it. */
export function lostTextFinder(path: string): LostTextFinder {
  let openedDocument: Promise<OpenDocument> | undefined
  const drawnTextsOn = ({ pageNum }: ParsedPage): Promise<DrawnText[]> => {
    openedDocument ??= openDocument(path)
    return openedDocument.then(({ read }) => read(pageNum)).catch(() => [])
  }
  const withMissingTexts = async (
    page: ParsedPage,
    isMissing: (text: string) => boolean,
  ): Promise<ParsedPage | undefined> => {
    const loneTexts = (await drawnTextsOn(page)).flatMap(loneText)
    const itemBoxes = page.textItems.map((item) => rectBox(item))
    const missingTexts = loneTexts.filter(
      (item) => !itemBoxes.some((box) => isCentreInside(rectBox(item), box)) && isMissing(item.text),
    )
    return missingTexts.length === 0
      ? undefined
      : { ...page, textItems: [...page.textItems, ...missingTexts] }
  }
  return {
    withLostNumbers: async (page) => {
      const numbers = lostNumbers(page)
      if (numbers.length === 0) return page
      const takeNumber = (text: string): boolean => {
        const index = numbers.indexOf(text)
        if (index >= 0) numbers.splice(index, 1)
        return index >= 0
      }
      return (await withMissingTexts(page, takeNumber)) ?? page
    },
    withLoneSigns: (page) => withMissingTexts(page, isLoneSign),
    close: async () => {
      await openedDocument?.then(({ close }) => close()).catch(() => undefined)
    },
  }
}

interface OpenDocument {
  read: (page: number) => Promise<DrawnText[]>
  close: () => Promise<void>
}

async function openDocument(path: string): Promise<OpenDocument> {
  const { getDocumentProxy: getDocument } = await import('unpdf')
  const document = await getDocument(new Uint8Array(await readFile(path)))
  return { read: (number) => drawnTexts(document, number), close: () => document.destroy() }
}

/** The page's upright texts with their places, in drawing order. */
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
    // On a page that was rotated to be upright, the positions differ from these.
    const [scaleX, scaleY] = item.transform
    if (scaleX <= 0 || Math.abs(scaleY) > scaleX / 100) return []
    const [x, y] = view.convertToViewportPoint(item.transform[4], item.transform[5])
    return [{ text: item.str, x, y, width: item.width, size: item.height }]
  })
}

/** An item for a number or a single sign, in an array. Empty for other texts. */
function loneText(drawnText: DrawnText): TextItem[] {
  const text = drawnText.text.trim()
  if (!NUMBER.test(text) && !isLoneSign(text)) return []
  const { x, y, width, size } = drawnText
  return [textItem(text, [x, y - size * CAPITAL_HEIGHT, x + width, y], size)]
}

// The height of digits and capital letters as a share of the type's size.
const CAPITAL_HEIGHT = 0.68

function textItem(text: string, [x, y, right, bottom]: BBox, size: number): TextItem {
  const box = { x, y, width: right - x, height: bottom - y }
  return { text, ...box, fontSize: size, rotation: 0, words: [{ text, ...box }] }
}

// Signs alone in a cell. liteparse leaves out all such signs beyond Latin-1: 是 and 否, ✓ and ☐, α and Ж. pdf.js is called for
// pages with tables in which signs seem to be missing.

const CJK_LETTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
// In a table with this share of Chinese, Japanese or Korean letters, a single letter may be a whole word.
const MIN_CJK_SHARE = 0.2
const MARK_SIGN = /[☐☑☒✓✔✗✘●○]/u
const MIN_ROWS = 2
// A column name of more words already contains the texts of its column.
const MAX_NAME_WORDS = 12
const CELL_EDGE = /(?<!\\) \| /

/** Whether a text is a single sign that liteparse leaves out. */
const isLoneSign = (text: string): boolean =>
  (text.codePointAt(0) ?? 0) > 0xff && /^[^\s\p{Cc}\p{Co}]$/u.test(text)

/**
 * Whether a table has a named column with nothing in it, empty cells among marks, or Chinese, Japanese or Korean text. Only
 * such pages are read by pdf.js, which takes 50 to 130 ms a page, mostly for its fonts.
 */
export function mayLackSigns(blocks: readonly Block[]): boolean {
  return blocks.some(({ kind, text }) => {
    if (kind !== 'table') return false
    const hasCjk = isCjk(text)
    if (hasCjk || !text.includes('|  |')) return hasCjk
    const [header = [], , ...rows] = text.split('\n').map(cellsOf)
    if (rows.length < MIN_ROWS) return false
    return hasEmptyColumn(header, rows) || (MARK_SIGN.test(text) && lacksMarks([header, ...rows]))
  })
}

type Row = readonly string[]

/** Whether a named column is empty. A name next to a column without a name may belong to both. */
const hasEmptyColumn = (header: Row, rows: readonly Row[]): boolean =>
  header.some(
    (name, column) =>
      column > 0 &&
      name !== '' &&
      header[column + 1] !== '' &&
      name.split(' ').length <= MAX_NAME_WORDS &&
      rows.every((row) => row[column] === ''),
  )

/** Whether a column of marks has an empty cell next to a text. If both are empty, there is nothing to mark. */
const lacksMarks = (rows: readonly Row[]): boolean =>
  rows[0]?.some(
    (_, column) =>
      rows.some((row) => MARK_SIGN.test(row[column] ?? '')) &&
      rows.some((row) => row[column] === '' && row[column - 1] !== ''),
  ) ?? false

const cellsOf = (line: string): string[] => line.slice(2, -2).split(line.includes('\\|') ? CELL_EDGE : ' | ')

function isCjk(text: string): boolean {
  // This fast test excludes most texts.
  if (!/[\u1100-\u11ff\u2e80-\uffdc]/.test(text)) return false
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return (text.match(CJK_LETTER)?.length ?? 0) > letters * MIN_CJK_SHARE
}
