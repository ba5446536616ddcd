// What HTML's marks mean: which page begins with them (asked in the API as in the parser), what opens a block, what no
// reader sees.

/** Whether a text begins as a whole page does. */
export function isHtmlPage(text: string): boolean {
  return /^\ufeff?\s*(<\?xml[^>]{0,200}>\s*)?(<!--[\s\S]{0,2000}?-->\s*)?<(!doctype html|html)[\s>]/i.test(
    text.slice(0, 4000),
  )
}

// No page of people opens so many without closing them.
const MOST_OPEN = 10_000

/**
 * Lets the library forget the outermost of what is open, beyond that many. It keeps the innermost first in an array, so
 * that each tag moves all of them: 80,000 `<div>` took 2.8 s of a processor and 160,000 10.8 (now .5). The ends of those that
 * are forgotten are passed over.
 */
export function forgetOutermost(parser: object): void {
  const open: unknown = Reflect.get(parser, 'stack')
  if (Array.isArray(open) && open.length > MOST_OPEN) open.length = MOST_OPEN / 2
}

export const blockTags = new Set(
  'p div section article header footer main aside nav figure figcaption address blockquote dl dt dd form fieldset hr body html caption summary details'.split(
    ' ',
  ),
)
const skipped = new Set(
  'script style template noscript svg head nav iframe object select button textarea'.split(' '),
)
// Void elements open nothing: counting them as hidden would hide all that follows.
export const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

// What a page itself leaves out on paper, and the buttons that wikis write into their text.
const UNPRINTED = /(?:^|\s)(?:no-?print|mw-editsection|mw-cite-backlink)(?:\s|$)/

/** Whether an element is left out with all that is in it. */
export function isUnseen(name: string, attributes: Record<string, string>, inMain: boolean): boolean {
  if (skipped.has(name) || 'hidden' in attributes) return true
  if (/^(?:navigation|search)$/i.test(attributes.role ?? '') || UNPRINTED.test(attributes.class ?? ''))
    return true
  // The page's own footer: imprint and links. An article's holds its sources.
  if (name === 'footer' && !inMain) return true
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.style ?? '')
}

const FILE_NAME = /^\s*\S+\.(?:png|jpe?g|gif|bmp|webp|svg|tiff?)\s*$/i

/** What mail programs write as a picture's description where nobody described it. */
export const isFileName = (description: string): boolean => FILE_NAME.test(description)

/** A link to a note in a book: raised by its style, where it is not in <sup>. */
export const isNoteLink = (attributes: Record<string, string>): boolean =>
  /\bnoteref\b/.test(`${attributes['epub:type'] ?? ''} ${attributes.role ?? ''}`)

export const isMain = (name: string, { role }: Record<string, string>): boolean =>
  name === 'main' || name === 'article' || role === 'main'

/** How many rows or columns a cell covers. */
export const spanOf = (value: string | undefined): number =>
  Math.min(1000, Math.max(1, Number.parseInt(value ?? '1', 10) || 1))

/** Without white space at the ends of lines and without blank lines around them. */
export function trimmedLines(text: string): string {
  // Line by line: a pattern for white space at a line's end takes the square of its length.
  const lines = text.split('\n').map((line) => line.trimEnd())
  const from = lines.findIndex((line) => line !== '')
  return from === -1 ? '' : lines.slice(from).join('\n').trimEnd()
}
