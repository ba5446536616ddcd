// Bullets that are drawn and no letters (Chrome prints discs, rings and squares so): the entries of a list ran into one
// paragraph. Each line that has one before it gets its sign.

import type { ParsedPage, TextItem, VectorShape } from '@llamaindex/liteparse'

// Points of a bullet's sides; of a page with more small shapes they are a drawing.
const SIDES = [1.5, 8] as const
const MOST_SHAPES = 400
// A disc is as wide as high.
const SQUARE = 0.25
// Points between a bullet and its text, and from one bullet of a list to another's edge.
const MOST_GAP = 24
const SAME_EDGE = 1.5
const LEAST_ENTRIES = 2

interface Bullet {
  shape: VectorShape
  item: TextItem
}

/** The page with "•" at the head of lines that a bullet is drawn before; its words stay as they are. */
export function withDrawnBullets(page: ParsedPage): ParsedPage {
  const shapes = (page.vectorGraphics?.shapes ?? []).filter(isSmall)
  if (shapes.length < LEAST_ENTRIES || shapes.length > MOST_SHAPES) return page
  const bullets = shapes.flatMap((shape) => {
    const item = lineBehind(shape, page.textItems)
    return item === undefined ? [] : [{ shape, item }]
  })
  const drawn = new Map(
    bullets.flatMap((bullet) =>
      bullets.filter((other) => isAlike(bullet, other)).length < LEAST_ENTRIES ? [] : [[bullet.item, bullet]],
    ),
  )
  if (drawn.size === 0) return page
  const textItems = page.textItems.map((item) => {
    const bullet = drawn.get(item)
    return bullet === undefined ? item : marked(bullet)
  })
  return { ...page, textItems }
}

/** Tables are read from the words: they stay as they are. */
function marked({ shape, item }: Bullet): TextItem {
  const words = item.words !== undefined && item.words.length > 0 ? item.words : [{ ...item }]
  const { x } = shape.bbox
  return { ...item, text: `• ${item.text}`, x, width: item.x + item.width - x, words }
}

function isSmall({ bbox: { width, height } }: VectorShape): boolean {
  const [least, most] = SIDES
  return (
    Math.min(width, height) >= least &&
    Math.max(width, height) <= most &&
    Math.abs(width - height) <= SQUARE * Math.max(width, height)
  )
}

/** The text that begins behind the shape on its line, where none stands before it. */
function lineBehind(
  { bbox: { x, y, width, height } }: VectorShape,
  items: readonly TextItem[],
): TextItem | undefined {
  const middle = y + height / 2
  const line = items.filter((item) => item.y < middle && item.y + item.height > middle)
  const first = line.filter((item) => item.x > x + width).sort((a, b) => a.x - b.x)[0]
  if (first === undefined || first.x - x - width > MOST_GAP || height > first.height) return undefined
  return line.some((item) => item.x < x && item.x + item.width > x - MOST_GAP) ? undefined : first
}

/** Bullets of one list: one below the other, of one kind. The swatches of a chart's legend differ in colour. */
const isAlike = (a: Bullet, b: Bullet): boolean =>
  Math.abs(a.shape.bbox.x - b.shape.bbox.x) < SAME_EDGE &&
  Math.abs(a.shape.bbox.width - b.shape.bbox.width) < SAME_EDGE &&
  a.shape.fillColor === b.shape.fillColor &&
  a.shape.strokeColor === b.shape.strokeColor
