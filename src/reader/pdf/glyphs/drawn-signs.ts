// Signs that are drawn as shapes instead of letters.
//
// Bullets: Chrome prints discs, rings and squares as shapes, and the entries of a list ran into one paragraph. Each line
// with such a shape before it gets a bullet.

import type { ParsedPage, TextItem, VectorShape, WordBox } from '@llamaindex/liteparse'
import { BLOCK_EDGE, sameEdge } from '../../page/tolerance.ts'
import { centreIn, rectBox } from '../layout/boxes.ts'
import { withText } from './block-text.ts'

// Points of a bullet's sides. More small shapes on a page are a drawing.
const SIDES = [1.5, 8] as const
const MOST_SHAPES = 400
// A disc is as wide as it is high.
const SQUARE = 0.25
// Points between a bullet and its text.
const MOST_GAP = 24
const LEAST_ENTRIES = 2

interface Bullet {
  shape: VectorShape
  item: TextItem
}

/** The page with "•" before lines with a drawn bullet; the words stay as they are. */
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

/** The words stay, because tables are read from them. */
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

/** The text after the shape on its line, if there is none before it. */
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

/** Bullets of one list: on one edge and alike. The shapes of a chart's legend differ in colour. */
const isAlike = (a: Bullet, b: Bullet): boolean =>
  sameEdge(a.shape.bbox.x, b.shape.bbox.x, a.item.height) &&
  sameEdge(a.shape.bbox.width, b.shape.bbox.width, a.item.height) &&
  a.shape.fillColor === b.shape.fillColor &&
  a.shape.strokeColor === b.shape.strokeColor

// Underscores: TeX draws a short rule in "first_last@example.org", and the address was read with a space.

// Points: .3 em in type of 46 points. Longer rules are no signs, and most pages have only those.
const LONGEST = 14
// Shares of a line's height: the rule's length, its distance to the words beside it, and its place from the top.
const LENGTH = [0.2, 0.7] as const
const ROOM = 0.15
const FOOT = [0.6, 1.1] as const
// Points: nearer rules at the same height are one line, as words are underlined piece by piece.
const APART = 7

interface Rule {
  x1: number
  x2: number
  y: number
}

/** The page with such rules as underscores; unchanged if it has none, like most pages. */
export function withDrawnUnderscores(page: ParsedPage): ParsedPage {
  let read = page
  for (const rule of loneRules(page)) {
    const gap = gapOf(read.textItems, rule)
    if (gap !== undefined) read = joined(read, ...gap)
  }
  return read
}

/** Short rules that no other one at the same height continues. */
function loneRules({ vectorGraphics }: ParsedPage): Rule[] {
  const rules = (vectorGraphics?.lines ?? [])
    .filter(({ y1, y2 }) => y1 === y2)
    .map(({ x1, x2, y1 }): Rule => ({ x1: Math.min(x1, x2), x2: Math.max(x1, x2), y: y1 }))
  if (rules.every(isLong)) return []
  rules.sort((a, b) => Math.round(a.y) - Math.round(b.y) || a.x1 - b.x1)
  const goesOn = (a: Rule | undefined, b: Rule | undefined): boolean =>
    a !== undefined && b !== undefined && Math.abs(a.y - b.y) < 1 && b.x1 - a.x2 < APART
  return rules.filter(
    (rule, i) => !isLong(rule) && !goesOn(rules[i - 1], rule) && !goesOn(rule, rules[i + 1]),
  )
}

const isLong = ({ x1, x2 }: Rule): boolean => x2 - x1 > LONGEST

/** The two words of a text with the rule between them. */
function gapOf(items: readonly TextItem[], rule: Rule): [TextItem, WordBox, WordBox] | undefined {
  for (const item of items) {
    const { x, y, width, height, words = [] } = item
    if (rule.y < y || rule.y > y + height * FOOT[1] || rule.x1 < x || rule.x2 > x + width) continue
    const at = words.findIndex((word, i) => isBetween(word, words[i + 1], rule))
    const [left, right] = [words[at], words[at + 1]]
    if (left !== undefined && right !== undefined) return [item, left, right]
  }
  return undefined
}

function isBetween(left: WordBox, right: WordBox | undefined, { x1, x2, y }: Rule): boolean {
  if (right === undefined) return false
  const { height } = right
  const [length, down, end] = [(x2 - x1) / height, (y - right.y) / height, left.x + left.width]
  return (
    length > LENGTH[0] &&
    length < LENGTH[1] &&
    Math.abs(x1 - end) < height * ROOM &&
    Math.abs(x2 - right.x) < height * ROOM &&
    down > FOOT[0] &&
    down < FOOT[1]
  )
}

function joined(page: ParsedPage, item: TextItem, left: WordBox, right: WordBox): ParsedPage {
  const [from, to] = [`${left.text} ${right.text}`, `${left.text}_${right.text}`]
  const spelled = (text: string): string => text.replace(from, () => to)
  const word = { ...left, text: to, width: right.x + right.width - left.x }
  const words = (item.words ?? []).flatMap((each) => (each === left ? [word] : each === right ? [] : [each]))
  const whole: TextItem = { ...item, text: spelled(item.text), words }
  const blocks = page.blocks?.map((block) => {
    if (block.bbox === undefined || !centreIn(item, rectBox(block.bbox), BLOCK_EDGE)) return block
    return withText(block, spelled)
  })
  return {
    ...page,
    textItems: page.textItems.map((each) => (each === item ? whole : each)),
    ...(blocks && { blocks }),
  }
}
