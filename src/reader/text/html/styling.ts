// The effect of styles on text: whether an element is separate from the words around it, and checkboxes drawn by
// styles.

import { readSheets, type StyledElement, type StyleSheet, styled } from './css.ts'

export type Placement = 'inline' | 'apart' | 'block'

const inline = new Set(
  'span a b i em strong small label font u s mark cite q time abbr big ins bdi output'.split(' '),
)
// In pixels; smaller gaps are letter spacing.
const LEAST_GAP = 3
const MOST_CHECKBOX_SIDE = 26

/** Whether an element is part of the running line, apart from its neighbours in the line, or on lines of its own. */
export function placement({ name, properties }: StyledElement, parent: StyledElement | undefined): Placement {
  if (!inline.has(name) && !name.includes('-')) return 'inline'
  const { display = 'inline', float = 'none', position = 'static' } = properties
  const above = parent?.properties ?? {}
  if (/^(?:inline-)?(?:flex|grid)/.test(above.display ?? ''))
    return /column/.test(above['flex-direction'] ?? '') ? 'block' : 'apart'
  if (/^(?:left|right)/.test(float) || /^(?:absolute|fixed)/.test(position) || display === 'table-cell')
    return 'apart'
  if (/^(?:block|flex|grid|list-item|table)/.test(display)) return 'block'
  const gaps = ['margin', 'margin-left', 'margin-right']
  const isWide =
    /^inline-/.test(display) &&
    hasAny(properties, ['width', 'min-width', 'padding', 'padding-left', 'border'])
  return isWide || hasAny(properties, gaps) ? 'apart' : 'inline'
}

const hasAny = (properties: StyledElement['properties'], names: readonly string[]): boolean =>
  names.some((name) =>
    name === 'border' ? isDrawn(properties[name]) : widest(properties[name]) >= LEAST_GAP,
  )

const isDrawn = (border: string | undefined): boolean => border !== undefined && !/^(?:0|none)\b/.test(border)

/** Whether an element is a small square with a border. */
export function isCheckbox({ properties }: StyledElement): boolean {
  const { display = '', width, height, border } = properties
  const sides = [widest(width), widest(height)]
  return (
    /^(?:inline-)?(?:block|flex)/.test(display) &&
    isDrawn(border) &&
    sides.every((side) => side > 0 && side <= MOST_CHECKBOX_SIDE)
  )
}

/** The checkbox character for the content of a square; undefined if the content is no mark. */
export function checkboxMark(text: string): string | undefined {
  const mark = text.trim()
  if (mark === '') return '☐'
  if (/^[✗✘×xX]$/u.test(mark)) return '☒'
  return /^[✓✔]$/u.test(mark) ? '☑' : undefined
}

const pixels: Readonly<Record<string, number>> = {
  px: 1,
  pt: 1.33,
  mm: 3.78,
  cm: 37.8,
  in: 96,
  em: 16,
  rem: 16,
  ex: 8,
}

/** The largest length in a value, in pixels. Other units (a percentage of the width) count as wide. */
function widest(value = ''): number {
  const lengths = [...value.matchAll(/(?<![\w.-])(\d*\.?\d+)([a-z%]*)/g)]
  return lengths.reduce(
    (most, [, number, unit = '']) => Math.max(most, Number(number) * (pixels[unit] ?? 50)),
    0,
  )
}

interface Opened {
  element: StyledElement
  placement: Placement
  /** For a checkbox, the position at which its content begins. */
  contentAt?: number
}

/** The style rules and open elements of a page while it is read. */
export interface Styling {
  sheet: StyleSheet
  opened: Opened[]
}

// Larger pages are data.
const MOST_CHARACTERS = 10e6

export const newStyling = (html: string): Styling | undefined =>
  html.length > MOST_CHARACTERS || !/<style|style=/i.test(html)
    ? undefined
    : { sheet: readSheets(html), opened: [] }

/** Opens an element after `length` characters of its paragraph or cell. */
export function openStyled(
  { sheet, opened }: Styling,
  name: string,
  attributes: Record<string, string>,
  length: number,
): { placement: Placement; isRaised: boolean } {
  const element = styled(sheet, name, attributes, opened)
  const own = placement(element, opened.at(-1)?.element)
  opened.push({
    element,
    placement: own,
    ...(own === 'inline' || !isCheckbox(element) ? {} : { contentAt: length }),
  })
  return { placement: own, isRaised: inline.has(name) && element.properties['vertical-align'] === 'super' }
}

/**
 * Closes the last element after `length` characters that end in `tail`. The last `size` of them are a checkbox's
 * content.
 */
export function closeStyled(
  { opened }: Styling,
  length: number,
  tail: string,
): { placement: Placement; checkbox?: { mark: string; size: number } } {
  const { placement: own = 'inline', contentAt = length + 1 } = opened.pop() ?? {}
  const size = length - contentAt
  const mark = size < 0 || size > tail.length ? undefined : checkboxMark(tail.slice(tail.length - size))
  return mark === undefined ? { placement: own } : { placement: own, checkbox: { mark, size } }
}

/** The text of a form field: a checkbox, or its value. */
export function fieldText({ type = 'text', checked, value = '' }: Record<string, string>): string {
  if (/^(?:checkbox|radio)$/i.test(type)) return checked === undefined ? '☐' : '☒'
  return /^(?:text|email|tel|url|number|date|time|month)$/i.test(type) ? value : ''
}

/** Whether separate texts need a space between them; not before punctuation or after a drop cap. */
export function needsSpace(before: string, text: string): boolean {
  if (!/\S$/.test(before) || !/^[\p{L}\p{N}\p{S}([“‘"«+-]/u.test(text)) return false
  return !(/(?:^|\s)\p{Lu}$/u.test(before.slice(-2)) && /^\p{Ll}/u.test(text))
}
