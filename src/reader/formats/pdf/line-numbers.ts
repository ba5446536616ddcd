// Removes the numbers beside the lines of transcripts, bills and manuscripts, because they would be read as part of the
// sentences.

import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse'
import { isCentreInside, rectBox } from '../../shared/page/layout/boxes.ts'
import { linesOf } from '../../shared/page/layout/cut-blocks.ts'
import { joinedText } from '../../shared/page/layout/paragraphs.ts'
import { endOf, lettersOf } from '../../shared/page/layout/words.ts'
import { type Line, pageWords, type Segment, textLines, type Word } from '../../shared/page/tables/lines.ts'
import { EDGE, heightOf, sameBaseline } from '../../shared/page/tolerance.ts'

// The minimum number of line numbers, and the largest step between two of them.
const MIN_NUMBERS = 8
const MAX_STEP = 10
// In line heights: the minimum gap after a number, wider than a word space.
const MIN_GAP = 0.5
// Minimum shares of the numbered lines: those with only one text, unlike the rows of a table, and those that begin in
// mid-sentence, unlike the entries of a list.
const MIN_SINGLE_TEXT_SHARE = 0.8
const MIN_MID_SENTENCE_SHARE = 0.15

// A number may extend beyond its block by this many points.
const SLACK = 2

interface NumberedLine {
  number: Word
  texts: Segment[]
}

/** The page without line numbers. Unchanged if it has none, as most pages. */
export function withoutLineNumbers(page: ParsedPage): ParsedPage {
  const numbers = lineNumbers(page.textItems)
  if (numbers.size === 0) return page
  const numberByItem = new Map([...numbers].map((word) => [word.item, word]))
  return {
    ...page,
    textItems: page.textItems.flatMap((item) => withoutNumber(item, numberByItem.get(item))),
    blocks: (page.blocks ?? []).flatMap((block) => withoutNumbers(block, page.textItems, numberByItem)),
  }
}

/** The line numbers: aligned left of all text, in order, mostly beside running text. */
function lineNumbers(items: readonly TextItem[]): Set<Word> {
  if (items.filter(({ text }) => /^\s*\d{1,4}(?:\s|$)/.test(text)).length < MIN_NUMBERS) return new Set()
  const lines = textLines(pageWords(items)).flatMap((line) => numberedLine(line) ?? [])
  const rightEdge = median(lines.map(({ number }) => number.bbox[2]))
  const columnLines = lines.filter(
    ({ number }) => Math.abs(number.bbox[2] - rightEdge) < heightOf(number.bbox) * EDGE,
  )
  const steps = columnLines
    .slice(1)
    .map(({ number }, i) => Number(number.text) - Number(columnLines[i]?.number.text))
  const step = steps[0] ?? 0
  if (
    columnLines.length < MIN_NUMBERS ||
    step < 1 ||
    step > MAX_STEP ||
    steps.some((other) => other !== step)
  )
    return new Set()
  const linesWithText = columnLines.filter(({ texts }) => texts.length > 0)
  const singleTextLines = linesWithText.filter(({ texts }) => texts.length === 1)
  const midSentenceLines = linesWithText.filter(({ texts }) => /^\p{Ll}/u.test(texts[0]?.text ?? ''))
  const isRunningText =
    singleTextLines.length >= linesWithText.length * MIN_SINGLE_TEXT_SHARE &&
    midSentenceLines.length >= linesWithText.length * MIN_MID_SENTENCE_SHARE
  return new Set(isRunningText ? columnLines.map(({ number }) => number) : [])
}

/** A line that begins with a number separate from its text. */
function numberedLine({ segments }: Line): NumberedLine | undefined {
  const [first, ...rest] = segments
  const [number, next, ...more] = first?.words ?? []
  if (first === undefined || number === undefined || !/^\d{1,4}$/.test(number.text)) return undefined
  if (next === undefined) return { number, texts: rest }
  if (next.bbox[0] - number.bbox[2] < heightOf(number.bbox) * MIN_GAP) return undefined
  const words = [next, ...more]
  return { number, texts: [{ ...first, text: words.map(({ text }) => text).join(' '), words }, ...rest] }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** The item without its number, in an array. The array is empty if the item was only the number. */
function withoutNumber(item: TextItem, number: Word | undefined): TextItem[] {
  if (number === undefined) return [item]
  const [, ...words] = item.words ?? []
  const [next] = words
  if (next === undefined) return []
  const text = item.text.trimStart().slice(number.text.length).trimStart()
  return [{ ...item, text, words, x: next.x, width: item.x + item.width - next.x }]
}

/** The block without line numbers. It is removed if its text does not follow its lines, and is then read as lost text. */
function withoutNumbers(
  block: LayoutBlock,
  items: readonly TextItem[],
  numberByItem: ReadonlyMap<TextItem, Word>,
): LayoutBlock[] {
  if (block.bbox === undefined) return [block]
  const box = rectBox(block.bbox)
  const numbers = [...numberByItem.values()].filter(({ bbox }) => isCentreInside(bbox, box, SLACK))
  if (numbers.length === 0) return [block]
  const blockLines = linesOf({ kind: 'paragraph', text: '', bbox: box }, items)
  const lines = blockLines.map(({ text, bbox }) => {
    const number = numbers.find((other) => sameBaseline(other.bbox, bbox))?.text ?? ''
    return { number, letters: lettersOf([{ text }]).slice(number.length) }
  })
  const texts = block.lines ?? [block.text ?? '']
  const textWithoutNumbers = texts.length === 1 ? textOfLines(texts[0] ?? '', lines) : undefined
  if (textWithoutNumbers !== undefined) return [{ ...block, text: textWithoutNumbers }]
  const numberTexts = new Set(numbers.map(({ text }) => text))
  const linesWithoutNumber = texts.map((text) =>
    text.replace(/^\s*(\d{1,4})(?:\s+|$)/, (match, number) => (numberTexts.has(number) ? '' : match)),
  )
  return texts.length > 1 ? [{ ...block, lines: linesWithoutNumber.filter((text) => text !== '') }] : []
}

/** The text of several lines, without their numbers. Undefined if the text has other words than the lines. */
function textOfLines(
  text: string,
  lines: readonly { number: string; letters: string }[],
): string | undefined {
  let joinedLines = ''
  let remainingText = text
  for (const { number, letters } of lines) {
    remainingText = remainingText.trimStart()
    if (!remainingText.startsWith(number)) return undefined
    remainingText = remainingText.slice(number.length).trimStart()
    const end = letters === '' ? 0 : endOf(remainingText, letters)
    if (end === undefined) return undefined
    const line = remainingText.slice(0, end)
    joinedLines = joinedText(joinedLines, line).trim()
    remainingText = remainingText.slice(end)
  }
  return `${joinedLines} ${remainingText}`.trim()
}
