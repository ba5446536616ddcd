// How an element in the line stands to the words beside it, by its style.

import { readSheets, type StyledElement, type StyleSheet, styled } from './css.ts'

export type Standing = 'inline' | 'apart' | 'block'

const inline = new Set(
  'span a b i em strong small label font u s mark cite q time abbr big ins bdi output'.split(' '),
)
// Less is the space between letters.
const LEAST_GAP = 3
const MOST_TICK_SIDE = 26

/** Whether it stands in its line, apart from its neighbours there, or on lines of its own. */
export function standing({ name, properties }: StyledElement, parent: StyledElement | undefined): Standing {
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

/** A square with a rule around it, as small as a letter. */
export function isTick({ properties }: StyledElement): boolean {
  const { display = '', width, height, border } = properties
  const sides = [widest(width), widest(height)]
  return (
    /^(?:inline-)?(?:block|flex)/.test(display) &&
    isDrawn(border) &&
    sides.every((side) => side > 0 && side <= MOST_TICK_SIDE)
  )
}

/** What a square shows, by what stands in it; undefined where that is no mark. */
export function tickOf(text: string): string | undefined {
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

/** The largest of the lengths of a value, in pixels; of other units (a share of the width) enough to be seen. */
function widest(value = ''): number {
  const lengths = [...value.matchAll(/(?<![\w.-])(\d*\.?\d+)([a-z%]*)/g)]
  return lengths.reduce(
    (most, [, number, unit = '']) => Math.max(most, Number(number) * (pixels[unit] ?? 50)),
    0,
  )
}

interface Opened {
  element: StyledElement
  standing: Standing
  /** Where the text in a square begins. */
  tickAt?: number
}

/** The elements that are open while a page is read. */
export interface Styling {
  sheet: StyleSheet
  opened: Opened[]
}

// Larger pages are somebody's data.
const MOST_CHARACTERS = 10e6

export const newStyling = (html: string): Styling | undefined =>
  html.length > MOST_CHARACTERS || !/<style|style=/i.test(html)
    ? undefined
    : { sheet: readSheets(html), opened: [] }

/** Opens an element behind `length` characters of its paragraph or cell. */
export function openStyled(
  { sheet, opened }: Styling,
  name: string,
  attributes: Record<string, string>,
  length: number,
): { standing: Standing; isRaised: boolean } {
  const element = styled(sheet, name, attributes, opened)
  const own = standing(element, opened.at(-1)?.element)
  opened.push({ element, standing: own, ...(own === 'inline' || !isTick(element) ? {} : { tickAt: length }) })
  return { standing: own, isRaised: inline.has(name) && element.properties['vertical-align'] === 'super' }
}

/** Closes the last one behind `length` characters that end in `tail`; where it is a square, `size` of them are its mark. */
export function closeStyled(
  { opened }: Styling,
  length: number,
  tail: string,
): { standing: Standing; tick?: { mark: string; size: number } } {
  const { standing: own = 'inline', tickAt = length + 1 } = opened.pop() ?? {}
  const size = length - tickAt
  const mark = size < 0 || size > tail.length ? undefined : tickOf(tail.slice(tail.length - size))
  return mark === undefined ? { standing: own } : { standing: own, tick: { mark, size } }
}

/** What a form's field shows: a box to be ticked, or what is written in it. */
export function fieldText({ type = 'text', checked, value = '' }: Record<string, string>): string {
  if (/^(?:checkbox|radio)$/i.test(type)) return checked === undefined ? '☐' : '☒'
  return /^(?:text|email|tel|url|number|date|time|month)$/i.test(type) ? value : ''
}

/** Whether a space is missing between what stands apart: not before a sign, not behind a large first letter. */
export function needsSpace(before: string, text: string): boolean {
  if (!/\S$/.test(before) || !/^[\p{L}\p{N}\p{S}([“‘"«+-]/u.test(text)) return false
  return !(/(?:^|\s)\p{Lu}$/u.test(before.slice(-2)) && /^\p{Ll}/u.test(text))
}
