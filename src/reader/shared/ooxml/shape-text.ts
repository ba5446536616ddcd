// The paragraphs of a shape. Whether a paragraph is a list item is stated by itself, or else by the shape, its layout or its
// master, in this order.

import type { Block } from '../../block.ts'
import { numeral } from '../blocks/numerals.ts'
import { withRaised } from '../blocks/raised.ts'
import { child, elements, textOf, type XmlElement } from '../containers/xml.ts'
import { addParagraph, emptyList } from '../office/paragraphs.ts'
import { latex } from './math.ts'

const MAX_LIST_LEVEL = 5

/** The last number of a level and its numbering scheme. */
interface LevelCount {
  last: number
  scheme: string
}

/** The blocks of a text body; `ancestors` are the list styles that it inherits from, the nearest first. */
export function bodyBlocks(body: XmlElement | undefined, ancestors: readonly XmlElement[]): Block[] {
  const list = emptyList()
  const counts: LevelCount[] = []
  for (const paragraph of elements(body, 'a:p')) {
    const text = paragraphText(paragraph).trim()
    if (text === '') continue
    const depth = Math.min(MAX_LIST_LEVEL, Number(child(paragraph, 'a:pPr')?.attributes.lvl ?? 0) || 0)
    const label = labelOfItem(paragraph, depth, [child(body, 'a:lstStyle'), ...ancestors], counts)
    if (label === undefined) counts.length = 0
    addParagraph(list, { text, level: 0, label, depth })
  }
  return list.blocks
}

/** The text of a paragraph with its fields and equations, without slide numbers. */
export function paragraphText(paragraph: XmlElement): string {
  let text = ''
  for (const inner of elements(paragraph)) text += inlineText(inner, text)
  return text
}

function inlineText(inner: XmlElement, textBefore: string): string {
  switch (inner.name) {
    case 'a:r': {
      const ownText = textOf(child(inner, 'a:t'))
      return Number(child(inner, 'a:rPr')?.attributes.baseline) > 0
        ? withRaised(textBefore.slice(-8), ownText)
        : ownText
    }
    case 'a:fld':
      return inner.attributes.type === 'slidenum' ? '' : textOf(child(inner, 'a:t'))
    case 'a:br':
      return '\n'
    case 'mc:AlternateContent':
      return paragraphText(child(inner, 'mc:Choice') ?? inner)
    case 'm:oMath':
      return `$${latex(inner)}$`
    case 'm:oMathPara':
    case 'a14:m':
      return paragraphText(inner)
    default:
      return ''
  }
}

/** The label of a list item, which is "-" for a bullet. Undefined for other paragraphs. */
function labelOfItem(
  paragraph: XmlElement,
  level: number,
  listStyles: readonly (XmlElement | undefined)[],
  counts: LevelCount[],
): string | undefined {
  const styles = listStyles.map((style) => child(style, `a:lvl${level + 1}pPr`))
  const bullet = [child(paragraph, 'a:pPr'), ...styles].flatMap((properties) =>
    elements(properties).filter(({ name }) => /^a:bu(None|Char|AutoNum|Blip)$/.test(name)),
  )[0]
  if (bullet === undefined || bullet.name === 'a:buNone') return undefined
  if (bullet.name !== 'a:buAutoNum') {
    // A bullet between two numbers restarts the numbering.
    counts.length = Math.min(counts.length, level)
    return '-'
  }
  const { type = 'arabicPeriod', startAt = '1' } = bullet.attributes
  const scheme = `${type} ${startAt}`
  const previousCount = counts[level]
  const last = previousCount?.scheme === scheme ? previousCount.last + 1 : Number(startAt) || 1
  counts[level] = { last, scheme }
  counts.length = level + 1
  return labelOf(last, type)
}

function labelOf(count: number, type: string): string {
  const format = /^alphaLc/.test(type)
    ? 'lowerLetter'
    : /^alphaUc/.test(type)
      ? 'upperLetter'
      : /^romanLc/.test(type)
        ? 'lowerRoman'
        : /^romanUc/.test(type)
          ? 'upperRoman'
          : 'decimal'
  const number = numeral(count, format)
  if (/ParenBoth$/.test(type)) return `(${number})`
  return /ParenR$/.test(type) ? `${number})` : /Plain$/.test(type) ? number : `${number}.`
}
