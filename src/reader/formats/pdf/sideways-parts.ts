// Reads parts of a page whose lines run up the page, such as a wide table on an upright page, and vertical Japanese and
// Chinese. Each part is rotated and read as a separate page.

import type { ParsedPage, Rect, TextItem, WordBox } from '@llamaindex/liteparse'
import type { BBox } from '../../block.ts'
import {
  hasPosition,
  isCentreInside,
  type PlacedBlock,
  type PlacedLayout,
  rectBox,
  union,
} from '../../shared/page/layout/boxes.ts'
import { usualHeight } from '../../shared/page/tolerance.ts'

/** Whether lines run up or down the page. */
type Direction = 'up' | 'down'

/** Texts that run in one direction. */
interface Part {
  direction: Direction
  /** The items of the page that belong to this part. */
  sources: readonly TextItem[]
  /** The texts to read. They are the sources, or are made from their words. */
  items: readonly TextItem[]
}

// A part has this many lines, and either this many rows with several texts, or as many lines with many letters. Names of axes
// and columns have neither.
const MIN_ROWS = 2
const MIN_LINES = 3
const MIN_LETTERS = 20
// The margin, in points, around a part's texts that contains its ruling lines.
const MARGIN_POINTS = 15

/**
 * Reads a page with parts whose lines run up or down: first the rest of the page, then each part. Undefined if the page has
 * no such part, as most pages.
 */
export function readSidewaysParts(
  page: ParsedPage,
  read: (page: ParsedPage) => PlacedBlock[],
): PlacedBlock[] | undefined {
  const parts = [verticalPart(page.textItems), risingPart(page.textItems)].filter(
    (part) => part !== undefined,
  )
  if (parts.length === 0) return undefined
  const used = new Set(parts.flatMap(({ sources }) => sources))
  const blocks = (page.blocks ?? [])
    .filter(hasPosition)
    .filter((block) => ![...used].some((item) => isOn(item, block)))
  const rest = page.textItems.filter((item) => !used.has(item))
  const uprightPage = read({ ...page, textItems: rest, blocks })
  return [...uprightPage, ...parts.flatMap((part) => readPart(page, part, read))]
}

const isOn = (item: TextItem, { bbox }: PlacedLayout): boolean => isCentreInside(rectBox(item), rectBox(bbox))

function readPart(
  page: ParsedPage,
  { direction, sources, items }: Part,
  read: (page: ParsedPage) => PlacedBlock[],
): PlacedBlock[] {
  const rotation = rotationOf(page, direction)
  const [left, top, right, bottom] = sources.map(rectBox).reduce(union)
  const isNear = (x: number, y: number): boolean =>
    x > left - MARGIN_POINTS &&
    x < right + MARGIN_POINTS &&
    y > top - MARGIN_POINTS &&
    y < bottom + MARGIN_POINTS
  const lines = (page.vectorGraphics?.lines ?? [])
    .filter(({ x1, y1, x2, y2 }) => isNear(x1, y1) && isNear(x2, y2))
    .map((line) => {
      const [x1, y1] = rotation.point(line.x1, line.y1)
      const [x2, y2] = rotation.point(line.x2, line.y2)
      return { ...line, x1, y1, x2, y2 }
    })
  const blocks = (page.blocks ?? [])
    .filter(hasPosition)
    .filter((block) => items === sources && sources.some((item) => isOn(item, block)))
    .map((block) => ({ ...block, bbox: rotation.rect(block.bbox) }))
  const rotatedBlocks = read({
    ...page,
    width: page.height,
    height: page.width,
    textItems: items.map((item) => rotatedItem(item, rotation.rect)),
    blocks,
    ...(page.vectorGraphics && { vectorGraphics: { ...page.vectorGraphics, lines } }),
  })
  return rotatedBlocks.map((block) => ({ ...block, bbox: rotation.toPageBox(block.bbox) }))
}

function rotatedItem(item: TextItem, rect: (box: Rect) => Rect): TextItem {
  const words = item.words?.map((word): WordBox => ({ ...word, ...rect(word) }))
  return {
    ...item,
    ...rect(item),
    rotation: 0,
    ...(words && { words: withPositions(item, rect(item), words) }),
  }
}

/** The words at their positions along the line, because liteparse gives each word the box of the whole text. */
function withPositions({ text }: TextItem, { x, width }: Rect, words: readonly WordBox[]): WordBox[] {
  const share = width / Math.max(1, text.length)
  let searchStart = 0
  return words.map((word) => {
    const from = Math.max(searchStart, text.indexOf(word.text, searchStart))
    searchStart = from + word.text.length
    return { ...word, x: x + from * share, width: word.text.length * share }
  })
}

/** How positions on the page are rotated, so that lines that run up or down become horizontal, and back. */
function rotationOf({ width, height }: ParsedPage, direction: Direction) {
  const isUp = direction === 'up'
  const point = (x: number, y: number): [number, number] => (isUp ? [height - y, x] : [y, width - x])
  const rect = (box: Rect): Rect => ({
    x: isUp ? height - box.y - box.height : box.y,
    y: isUp ? box.x : width - box.x - box.width,
    width: box.height,
    height: box.width,
  })
  const toPageBox = ([left, top, right, bottom]: BBox): BBox =>
    isUp ? [top, height - right, bottom, height - left] : [width - bottom, left, width - top, right]
  return { point, rect, toPageBox }
}

/**
 * The texts that run up the page, if they are rows or running text. Texts that run down the page are left, because liteparse
 * splits them into letters.
 */
function risingPart(allItems: readonly TextItem[]): Part | undefined {
  const items = allItems.filter(({ rotation = 0 }) => ((Math.round(rotation) % 360) + 360) % 360 === 270)
  if (items.length < MIN_LINES) return undefined
  const lines: TextItem[][] = []
  for (const item of [...items].sort((a, b) => a.x - b.x)) {
    const last = lines.at(-1)
    if (last?.[0] !== undefined && item.x - last[0].x < last[0].width / 2) last.push(item)
    else lines.push([item])
  }
  const rows = lines.filter(({ length }) => length > 1)
  const longLines = lines.filter(
    (line) => line.reduce((sum, { text }) => sum + text.length, 0) >= MIN_LETTERS,
  )
  if (lines.length < MIN_LINES || (rows.length < MIN_ROWS && longLines.length < MIN_LINES)) return undefined
  return { direction: 'up', sources: items, items }
}

// Vertical writing: characters below each other, in columns from right to left. liteparse reads across the columns.

const CHARACTER = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\u3000-\u303f\uff00-\uffef]$/u
const MIN_CHARACTERS = 15
// In heights of a character: two characters of a column are at most this far apart, and two columns are farther apart.
const MAX_PITCH = 1.3
// The width of a line as a share of the distance between two columns.
const LINE_WIDTH_SHARE = 0.75

/** The characters of vertical writing, column by column. */
function verticalPart(allItems: readonly TextItem[]): Part | undefined {
  const sources = allItems.filter(
    ({ words = [] }) => words.length > 0 && words.every(({ text }) => CHARACTER.test(text)),
  )
  const characters = sources.flatMap(({ words = [] }) => words)
  if (characters.length < MIN_CHARACTERS) return undefined
  const height = usualHeight(characters.map((character) => ({ bbox: rectBox(character) })))
  const columns: WordBox[][] = []
  const middle = ({ x, width }: WordBox): number => x + width / 2
  // Marks such as 。 are narrower and at the side of their column.
  for (const character of [...characters].sort((a, b) => a.x - b.x)) {
    const last = columns.at(-1)
    const first = last?.[0]
    if (last === undefined || first === undefined || middle(character) > first.x + first.width)
      columns.push([character])
    else last.push(character)
  }
  for (const column of columns) column.sort((a, b) => a.y - b.y)
  const steps = columns.flatMap((column) =>
    column.slice(1).map((character, i) => character.y - (column[i]?.y ?? 0)),
  )
  const closeSteps = steps.filter((step) => step < height * MAX_PITCH)
  const leftEdges = columns.map(([first]) => first?.x ?? 0).sort((a, b) => a - b)
  const columnPitch = Math.min(...leftEdges.slice(1).map((left, i) => left - (leftEdges[i] ?? 0)))
  if (closeSteps.length * 2 < characters.length || columnPitch < height * MAX_PITCH) return undefined
  const width = Number.isFinite(columnPitch) ? columnPitch * LINE_WIDTH_SHARE : height
  const items = columns.reverse().map((column): TextItem => {
    const [first, last] = [column[0], column.at(-1)]
    const top = first?.y ?? 0
    const text = column.map((character) => character.text).join('')
    const box = { x: first?.x ?? 0, y: top, width, height: (last?.y ?? 0) + (last?.height ?? 0) - top }
    return { ...(sources[0] ?? { text }), ...box, text, words: [{ ...box, text }] }
  })
  return { direction: 'down', sources, items }
}
