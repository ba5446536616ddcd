// The meaning of HTML tags: which texts are HTML pages, which elements are blocks, and which are invisible.

/** Whether a text is a whole HTML page, by its beginning. */
export function isHtmlPage(text: string): boolean {
  return /^\ufeff?\s*(<\?xml[^>]{0,200}>\s*)?(<!--[\s\S]{0,2000}?-->\s*)?<(!doctype html|html)[\s>]/i.test(
    text.slice(0, 4000),
  )
}

// Real pages have fewer open elements.
const MAX_OPEN_ELEMENTS = 10_000

/**
 * Makes the parser forget the outermost open elements if there are too many. htmlparser2 inserts each open element at the beginning
 * of an array (`stack`, a private field), which moves all others: without this, 160,000 `<div>` take 10.8 s of processor time
 * instead of 0.5 s. The end tags of forgotten elements are ignored.
 */
export function forgetOutermost(parser: object): void {
  const openElements: unknown = Reflect.get(parser, 'stack')
  if (Array.isArray(openElements) && openElements.length > MAX_OPEN_ELEMENTS)
    openElements.length = MAX_OPEN_ELEMENTS / 2
}

export const blockTags = new Set(
  'p div section article header footer main aside nav figure figcaption address blockquote dl dt dd form fieldset hr body html caption summary details'.split(
    ' ',
  ),
)
// Includes the pronunciation above East Asian words (rt, rtc, rp), which would otherwise be mixed with the words.
const textlessTags = new Set(
  'script style template noscript svg head nav iframe object button datalist rt rtc rp'.split(' '),
)
// Void elements have no end tag. If they were counted as open hidden elements, they would hide everything after them.
export const voidTags = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

// Classes of elements that are not printed, and classes of the edit buttons and back links of wikis.
const NOT_PRINTED = /(?:^|\s)(?:no-?print|mw-editsection|mw-cite-backlink)(?:\s|$)/

/** Whether an element is left out with its content, because it is not part of the text: scripts, menus, footers. */
export function isLeftOut(name: string, attributes: Record<string, string>, inMain: boolean): boolean {
  if (hasNoText(name) || (name === 'option' && attributes.selected === undefined)) return true
  if (/^(?:navigation|search)$/i.test(attributes.role ?? '') || NOT_PRINTED.test(attributes.class ?? ''))
    return true
  // The footer of the page has the imprint and links, but the footer of an article has its sources.
  return name === 'footer' && !inMain
}

/** Whether an element has no text for readers: scripts, drawings, lists of choices. */
export const hasNoText = (name: string): boolean => textlessTags.has(name)

const FILE_NAME = /^\s*\S+\.(?:png|jpe?g|gif|bmp|webp|svg|tiff?)\s*$/i

/** Whether an alternative text is only a file name, as mail programs write it. */
export const isFileName = (description: string): boolean => FILE_NAME.test(description)

/** Whether a link in a book refers to a note. It is shown as a superscript, even if it is not in <sup>. */
export const isNoteLink = (attributes: Record<string, string>): boolean =>
  /\bnoteref\b/.test(`${attributes['epub:type'] ?? ''} ${attributes.role ?? ''}`)

/** Whether an element contains the main text: `<main>`, `<article>` or `role=main`. */
export const isMain = (name: string, { role }: Record<string, string>): boolean =>
  name === 'main' || name === 'article' || role === 'main'

/** The number of rows or columns that a cell spans, at most 1000, as in browsers for columns. */
export const spanOf = (value: string | undefined): number =>
  Math.min(1000, Math.max(1, Number.parseInt(value ?? '1', 10) || 1))

/** The text without white space at line ends and without leading and trailing blank lines. */
export function trimLines(text: string): string {
  // Line by line, since a pattern for white space at line ends takes quadratic time.
  const lines = text.split('\n').map((line) => line.trimEnd())
  const from = lines.findIndex((line) => line !== '')
  return from === -1 ? '' : lines.slice(from).join('\n').trimEnd()
}
