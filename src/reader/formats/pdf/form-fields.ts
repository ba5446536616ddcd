// Adds the values that were filled into a PDF form, because readers ask about them. PDFium's page text omits some of them.
// For checkboxes and radio buttons it shows neither the state nor the meaning.

import type { FormField, ParsedPage, Rect, TextItem } from '@llamaindex/liteparse'
import type { Block } from '../../block.ts'
import { centreIn, rectBox } from '../../shared/page/layout/boxes.ts'
import { plainWords } from '../../shared/page/layout/words.ts'

// A value may extend beyond its field by this many points.
const SLACK = 3
// The maximum gap between a button and its label, in heights of the button.
const MAX_LABEL_GAP = 1.5

/**
 * The page's blocks, with a line "Name: value" for each ticked button, and for each filled field whose value the page's text
 * lacks. A block with a filled field is not a heading.
 */
export function withFormFields(page: ParsedPage, blocks: readonly Block[]): Block[] {
  const filledFields = (page.formFields ?? []).filter((field) => filledValue(field) !== '')
  if (filledFields.length === 0) return [...blocks]
  const fieldsToAdd = filledFields.filter((field) => isButton(field) || !isPrinted(field, page.textItems))
  const linesByBlock = new Map<Block | undefined, Block[]>()
  for (const field of fieldsToAdd) {
    const block = blocks.findLast((other) => isBesideOrIn(field, other))
    const text = lineOf(field, page.textItems)
    const position = field.rect === undefined ? {} : { bbox: rectBox(field.rect) }
    const lines = linesByBlock.get(block) ?? []
    linesByBlock.set(block, [...lines, { kind: 'paragraph', text, page: page.pageNum, ...position }])
  }
  const blocksWithLines = blocks.flatMap((block) => [
    filledFields.some((field) => isBesideOrIn(field, block)) ? asParagraph(block) : block,
    ...(linesByBlock.get(block) ?? []),
  ])
  return [...blocksWithLines, ...(linesByBlock.get(undefined) ?? [])]
}

/**
 * The line "Name: value" of a field. @param items the page's texts, which contain the label of a button without a readable
 * name
 */
function lineOf(field: FormField, items: readonly TextItem[]): string {
  const value = filledValue(field)
  const readableName = (field.alternateName ?? '').trim()
  const technicalName = (field.name ?? '').replace(/[_.[\]#]+/g, ' ').trim()
  const label = isButton(field) ? labelBeside(field, items) : undefined
  // The value of a button is often a number, and people read the label.
  if (field.type === 'radio')
    return lineFor(readableName || technicalName, isOnLine(field, value, items) ? value : (label ?? value))
  if (isButton(field))
    return lineFor(readableName || (label ?? technicalName), /\p{L}{2}/u.test(value) ? value : '☒')
  return lineFor(readableName || technicalName, value)
}

const lineFor = (name: string, value: string): string => (name === '' ? value : `${name}: ${value}`)

const isButton = ({ type }: FormField): boolean => type === 'radio' || type === 'checkbox'

const asParagraph = ({ level: _, ...block }: Block): Block =>
  block.kind === 'heading' ? { ...block, kind: 'paragraph' } : block

/** Whether the middle of a field is beside or in a block. */
function isBesideOrIn({ rect }: FormField, { bbox }: Block): boolean {
  if (rect === undefined || bbox === undefined) return false
  const middle = rect.y + rect.height / 2
  return middle >= bbox[1] && middle <= bbox[3]
}

/** Whether the page's text inside a field's box contains its value. */
function isPrinted(field: FormField, items: readonly TextItem[]): boolean {
  if (field.rect === undefined) return false
  const box = rectBox(field.rect)
  const words = new Set(
    items.filter((item) => centreIn(item, box, SLACK)).flatMap(({ text }) => plainWords(text)),
  )
  return plainWords(filledValue(field)).every((word) => words.has(word))
}

const textsBeside = (rect: Rect, items: readonly TextItem[]): TextItem[] =>
  items.filter(({ y, height }) => y + height / 2 > rect.y && y + height / 2 < rect.y + rect.height)

/** Whether a value is printed on a button's line, as the label of one of the field's buttons. */
function isOnLine({ rect }: FormField, value: string, items: readonly TextItem[]): boolean {
  if (rect === undefined) return false
  const words = new Set(textsBeside(rect, items).flatMap(({ text }) => plainWords(text)))
  return /\p{L}/u.test(value) && plainWords(value).every((word) => words.has(word))
}

/** The text printed right after a button, or else right before it. */
function labelBeside({ rect }: FormField, items: readonly TextItem[]): string | undefined {
  if (rect === undefined) return undefined
  const maxGap = rect.height * MAX_LABEL_GAP
  const onLine = textsBeside(rect, items).filter(({ text }) => /\p{L}/u.test(text))
  const end = rect.x + rect.width
  const textAfter = onLine.find(({ x }) => x > end - SLACK && x - end < maxGap)
  const textBefore = onLine.findLast(
    ({ x, width }) => x + width < rect.x + SLACK && rect.x - x - width < maxGap,
  )
  return (textAfter ?? textBefore)?.text.trim()
}

function filledValue(field: FormField): string {
  if (/button|signature/i.test(field.type)) return ''
  // A checkbox that is not ticked has no value.
  if (field.checked === false || (field.value === 'Off' && !/text/i.test(field.type))) return ''
  return (field.selectedOptions.length > 0 ? field.selectedOptions.join(', ') : (field.value ?? '')).trim()
}
