// Figures raised behind a figure: the library runs them together, so that 10⁶ is read as 106 and the price
// "€1,250.00¹" as 1,250.001. Word boxes tell: a lower box that ends above the line's foot and touches the figure before it.

import type { LayoutBlock, ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse'
import { raised } from '../../blocks/raised.ts'
import { centreIn, rectBox } from '../layout/place.ts'

// Shares of the height of the figure before: how much of it a raised one has, how far above its foot it ends, and the gap.
const MOST_HEIGHT = 0.8
const LEAST_RISE = 0.2
const TOUCHING = 0.15
// Characters around a raised figure by which it is found in the layout pass' text, where its line is not there whole.
const AROUND = 16
// Points a block's edges may be off.
const SLACK = 1

interface Change {
  from: string
  to: string
  /** Where it stands: the same number in another block is its own. */
  item: TextItem
}

/** The page with raised figures as such; most pages have none and come back as they are. */
export function withRaisedFigures(page: ParsedPage): ParsedPage {
  const changes: Change[] = []
  const textItems = page.textItems.map((item) => readItem(item, changes))
  if (changes.length === 0) return page
  return {
    ...page,
    textItems,
    ...(page.blocks === undefined ? {} : { blocks: page.blocks.map((block) => readBlock(block, changes)) }),
  }
}

function readItem(item: TextItem, changes: Change[]): TextItem {
  const words = item.words ?? []
  if (!words.some((word, i) => isRaised(words[i - 1], word))) return item
  let text = item.text
  let at = 0
  const read = words.map((word, i) => {
    const start = text.indexOf(word.text, at)
    if (start < 0) return word
    const own =
      start === at && isRaised(words[i - 1], word) ? raised(text.slice(0, at), word.text) : word.text
    const end = start + word.text.length
    at = start + own.length
    if (own === word.text) return word
    const [before, behind] = around(text, start, end)
    changes.push({ from: before + word.text + behind, to: before + own + behind, item })
    text = text.slice(0, start) + own + text.slice(end)
    return { ...word, text: own }
  })
  return text === item.text ? item : { ...item, text, words: read }
}

function isRaised(before: WordBox | undefined, { text, x, y, height }: WordBox): boolean {
  if (before === undefined || !/^\d{1,2}$/.test(text) || !/[\d)]$/.test(before.text)) return false
  return (
    height < before.height * MOST_HEIGHT &&
    before.y + before.height - (y + height) > before.height * LEAST_RISE &&
    Math.abs(x - before.x - before.width) < before.height * TOUCHING
  )
}

/** What stands before and behind, no number of it cut. */
function around(text: string, start: number, end: number): [before: string, behind: string] {
  const before = text.slice(Math.max(0, start - AROUND), start)
  const behind = text.slice(end, end + AROUND)
  return [
    start > AROUND ? before.replace(/^[\d.,]+(?=[^\d.,])/, '') : before,
    end + AROUND < text.length ? behind.replace(/(?<=[^\d.,])[\d.,]+$/, '') : behind,
  ]
}

function readBlock(block: LayoutBlock, changes: readonly Change[]): LayoutBlock {
  if (block.text === undefined) return block
  const place = block.bbox && rectBox(block.bbox)
  const own = changes.filter(({ item }) => place === undefined || centreIn(item, place, SLACK))
  const text = own.reduce(changed, block.text)
  return text === block.text ? block : { ...block, text }
}

/** Where it stands first, but not as a part of another number: the 121 that is 12¹ stands in 5,121, too. */
function changed(text: string, { from, to }: Change): string {
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + 1)) {
    const end = at + from.length
    const goesOn =
      (/^\d/.test(from) && /\d[.,]?$/.test(text.slice(Math.max(0, at - 2), at))) ||
      (/\d$/.test(from) && /^[.,]?\d/.test(text.slice(end, end + 2)))
    if (!goesOn) return text.slice(0, at) + to + text.slice(end)
  }
  return text
}
