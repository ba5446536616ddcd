// Objects embedded in an OpenDocument file: a chart's own table ([ODF 1.3-3] 11), a formula as it was typed.

import type { Block } from '../../block.ts'
import { markdownTable } from '../../blocks/table.ts'
import { child, descendants, elements, textOf, type XmlElement } from '../ooxml/xml.ts'
import type { EmbeddedObject } from './line.ts'

/** A chart's titles as a figure and its numbers as a table; undefined for another object. */
export function chartObject(part: XmlElement): EmbeddedObject | undefined {
  const chart = child(part, 'office:body', 'office:chart', 'chart:chart')
  if (chart === undefined) return undefined
  const axes = elements(child(chart, 'chart:plot-area'), 'chart:axis')
  const titles = [chart, ...axes]
    .map((one) => shown(child(one, 'chart:title')))
    .filter((title) => title !== '')
  const rows = descendants(child(chart, 'table:table'), 'table:table-row').map((row) =>
    elements(row, 'table:table-cell').map((cell) => shown(cell) || (cell.attributes.value ?? '')),
  )
  const blocks: Block[] = titles.length === 0 ? [] : [{ kind: 'figure', text: titles.join('\n') }]
  const text = markdownTable(rows)
  return { blocks: text === '' ? blocks : [...blocks, { kind: 'table', text }] }
}

const shown = (element: XmlElement | undefined): string =>
  elements(element, 'text:p').map(textOf).join('\n').trim()

/** A formula in the words it was typed in, else the signs of its MathML. */
export function formulaObject(part: XmlElement): EmbeddedObject | undefined {
  if (part.name !== 'math:math') return undefined
  const [typed] = descendants(part, 'math:annotation')
  const formula = (typed === undefined ? textOf(part) : textOf(typed)).replace(/\s+/g, ' ').trim()
  return formula === '' ? undefined : { formula }
}
