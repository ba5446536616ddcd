// Finds superscript digits after a digit. liteparse joins them, so that 10⁶ is read as 106 and the price "€1,250.00¹" as
// 1,250.001. The boxes of words show it: a superscript has a smaller box, which ends above the baseline and touches the digit
// before it. If one box contains both ("cm2", or the mark and the first word of a note: "3We"), it begins above the others.

import type { LayoutBlock, ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse'
import { withRaised } from '../../../shared/blocks/raised.ts'
import { centreIn, rectBox } from '../../../shared/page/layout/boxes.ts'
import { BLOCK_EDGE } from '../../../shared/page/tolerance.ts'

// Shares of the height of the digit before it: the maximum height of a superscript, how far above the baseline it ends, and the
// maximum gap.
const MAX_HEIGHT = 0.8
const MIN_RISE = 0.2
const MAX_TOUCHING_GAP = 0.15
// For a word that contains a superscript: how much higher it begins than the other words of its line (as a share of their
// height), the minimum number of these words, and by how many points their boxes may differ.
const MIN_HIGHER = 0.07
const MIN_OTHER_WORDS = 2
const MAX_ROUNDING_POINTS = 0.2
// The number of characters around a superscript by which it is found in the text of the layout pass. That text may not have the
// whole line.
const CONTEXT_CHARACTERS = 16

interface Change {
  from: string
  to: string
  /** The item in which it occurs. The same number in another block is not changed. */
  item: TextItem
}

/** The page with superscripts written as exponents (10⁶) or as marks of notes. Unchanged if it has none, as most pages. */
export function withSuperscripts(page: ParsedPage): ParsedPage {
  const changes: Change[] = []
  const textItems = page.textItems.map((item) => correctItem(item, changes))
  if (changes.length === 0) return page
  return {
    ...page,
    textItems,
    ...(page.blocks === undefined
      ? {}
      : { blocks: page.blocks.map((block) => correctBlock(block, changes)) }),
  }
}

function correctItem(item: TextItem, changes: Change[]): TextItem {
  if (!/\d/.test(item.text)) return item
  const words = item.words ?? []
  const spellings = words.map((word, i) => spellingOf(words, i, /\d\p{L}|\p{L}\d/u.test(word.text)))
  if (!spellings.some(Boolean)) return item
  let text = item.text
  let searchStart = 0
  const newWords = words.map((word, i) => {
    const start = text.indexOf(word.text, searchStart)
    if (start < 0) return word
    const newText = spellings[i]?.(text.slice(0, start), start === searchStart) ?? word.text
    const end = start + word.text.length
    searchStart = start + newText.length
    if (newText === word.text) return word
    const [textBefore, textAfter] = surroundingText(text, start, end)
    changes.push({ from: textBefore + word.text + textAfter, to: textBefore + newText + textAfter, item })
    text = text.slice(0, start) + newText + text.slice(end)
    return { ...word, text: newText }
  })
  return text === item.text ? item : { ...item, text, words: newWords }
}

/**
 * Returns the spelling of a word with a superscript. Its arguments are the text before the word, and whether the word touches
 * that text.
 */
type SpellWord = (textBefore: string, touches: boolean) => string | undefined

function spellingOf(
  words: readonly WordBox[],
  i: number,
  hasLettersAndDigits: boolean,
): SpellWord | undefined {
  const word = words[i]
  if (word === undefined) return undefined
  if (isRaised(words[i - 1], word))
    return (textBefore, touches) => (touches ? withRaised(textBefore, word.text) : undefined)
  if (!hasLettersAndDigits || !risesAboveOthers(word, words)) return undefined
  return (textBefore) => {
    const [, mark, first] = /^(\d{1,2})(\p{Lu}.*)$/u.exec(word.text) ?? []
    if (mark !== undefined) return `${mark} ${first}`
    const [, unit, exponent] = /^(.*\p{L})(\d{1,2})$/u.exec(word.text) ?? []
    if (unit === undefined || exponent === undefined) return undefined
    const raisedExponent = withRaised(textBefore + unit, exponent)
    return raisedExponent.startsWith('[') ? undefined : unit + raisedExponent
  }
}

/** Whether a word's box begins above the others, which all have the same top and bottom. */
function risesAboveOthers(word: WordBox, words: readonly WordBox[]): boolean {
  const others = words.filter((other) => other !== word)
  const [first] = others
  if (first === undefined || others.length < MIN_OTHER_WORDS) return false
  const lowerEdge = first.y + first.height
  return (
    first.y - word.y > first.height * MIN_HIGHER &&
    Math.abs(word.y + word.height - lowerEdge) < MAX_ROUNDING_POINTS &&
    others.every(
      ({ y, height }) =>
        Math.abs(y - first.y) < MAX_ROUNDING_POINTS && Math.abs(y + height - lowerEdge) < MAX_ROUNDING_POINTS,
    )
  )
}

function isRaised(previousWord: WordBox | undefined, word: WordBox): boolean {
  const { text } = word
  if (previousWord === undefined || !/^\d{1,2}$/.test(text) || !/[\d)]$/.test(previousWord.text)) return false
  return hasRaisedBox(previousWord, word)
}

/** Whether the box is smaller than the box of the previous word, ends above its baseline and touches it. */
function hasRaisedBox(previousWord: WordBox, { x, y, height }: WordBox): boolean {
  return (
    height < previousWord.height * MAX_HEIGHT &&
    previousWord.y + previousWord.height - (y + height) > previousWord.height * MIN_RISE &&
    y + height > previousWord.y &&
    Math.abs(x - previousWord.x - previousWord.width) < previousWord.height * MAX_TOUCHING_GAP
  )
}

/** The characters before and after, without cutting a number. */
function surroundingText(text: string, start: number, end: number): [textBefore: string, textAfter: string] {
  const textBefore = text.slice(Math.max(0, start - CONTEXT_CHARACTERS), start)
  const textAfter = text.slice(end, end + CONTEXT_CHARACTERS)
  return [
    start > CONTEXT_CHARACTERS ? textBefore.replace(/^[\d.,]+(?=[^\d.,])/, '') : textBefore,
    end + CONTEXT_CHARACTERS < text.length ? textAfter.replace(/(?<=[^\d.,])[\d.,]+$/, '') : textAfter,
  ]
}

function correctBlock(block: LayoutBlock, changes: readonly Change[]): LayoutBlock {
  if (block.text === undefined) return block
  const box = block.bbox && rectBox(block.bbox)
  const blockChanges = changes.filter(({ item }) => box === undefined || centreIn(item, box, BLOCK_EDGE))
  const text = blockChanges.reduce(applyChange, block.text)
  return text === block.text ? block : { ...block, text }
}

/** Changes the first occurrence that is not part of another number: the 121 that should be 12¹ also occurs in 5,121. */
function applyChange(text: string, { from, to }: Change): string {
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + 1)) {
    const end = at + from.length
    const isPartOfNumber =
      (/^\d/.test(from) && /\d[.,]?$/.test(text.slice(Math.max(0, at - 2), at))) ||
      (/\d$/.test(from) && /^[.,]?\d/.test(text.slice(end, end + 2)))
    if (!isPartOfNumber) return text.slice(0, at) + to + text.slice(end)
  }
  return text
}
