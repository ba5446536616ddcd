// Whether a page is to be recognised says the page as it is drawn, held against its text; not what it is made of.

import type { BBox } from '../../block.ts'
import { unreadInk } from './ink.ts'

// Places that look like letters. Of 36 pages with little text among 1,801 born digital, those without a picture have two at
// most; a line of 60 letters has 24, scanned pages have 57 to 1,500.
const LEAST = 5
// Beside a text: a mark, a logo or a signature has fewer.
const LEAST_BESIDE = 20
// With fewer letters a page has no text but a page number, and a picture that takes so much of it is the page.
const FEW_LETTERS = 40
const MOST_SHARE = 0.3

interface Page {
  number: number
  width: number
  height: number
  letters: number
  /** Where its text stands. */
  texts: readonly BBox[]
  garbled: boolean
}

/** Of a page with little text, or one that reads like none. Takes 10 to 30 ms. */
export async function showsMore(path: string, page: Page): Promise<boolean> {
  const { number, letters, texts } = page
  if (page.garbled) return true
  // What cannot be drawn is told as damaged.
  if (letters === 0) return ((await unreadInk(path, number, [])) ?? LEAST) >= LEAST
  const shows = async (boxes: readonly BBox[]): Promise<boolean> =>
    ((await unreadInk(path, number, boxes)) ?? 0) >= LEAST_BESIDE
  if (!(await shows(texts))) return false
  const pictures = await picturesOn(path, page)
  return pictures.length === 0 || shows([...texts, ...pictures])
}

/** Where pictures stand that are read by themselves, later: the library keeps those that fill the page. */
async function picturesOn(path: string, { number, width, height, letters }: Page): Promise<BBox[]> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const wanted = { imageMode: 'off', extractImages: true, targetPages: String(number) } as const
  const { images } = await new LiteParse({ ...wanted, quiet: true, ocrEnabled: false }).parse(path)
  const most = letters < FEW_LETTERS ? width * height * MOST_SHARE : Infinity
  const boxes = images.map(({ bbox }) => bbox).filter((box) => box.width * box.height < most)
  return boxes.map((box) => [box.x, box.y, box.x + box.width, box.y + box.height])
}
