// Finds the citation markers in a Markdown text: [1], [1, 2], [1-3], [[1]], 【1】, ［１］ and runs of them. Code, links and escaped
// brackets are not markers. A CommonMark parser recognises code and links.

import { fromMarkdown } from 'mdast-util-from-markdown'

/** A run of markers with only spaces between them. */
export interface MarkerGroup {
  /** Offsets of the whole run, in UTF-16 units. */
  start: number
  end: number
  /** In order, each once. */
  numbers: number[]
}

const NUMBER = '[\\d０-９]{1,4}'
const RANGE = String.raw`${NUMBER}(?:\s?[-–—]\s?${NUMBER})?`
const LIST = String.raw`${RANGE}(?:\s?[,;&，、]\s?${RANGE}){0,19}`
const MARKER = String.raw`(?:\[\[${LIST}\]\]|\[${LIST}\]|【${LIST}(?:†[^】\n]{0,40})?】|［${LIST}］)`
// An odd number of backslashes before a bracket escapes it.
const RUN = new RegExp(String.raw`(?<!(?<!\\)(?:\\\\)*\\)${MARKER}(?:[ \t]?${MARKER})*`, 'gu')
const MAX_RANGE_DIFFERENCE = 20

/** The marker groups of a markdown text in reading order. */
export function findMarkers(markdown: string): MarkerGroup[] {
  const groups: MarkerGroup[] = []
  for (const { start, end } of textSpans(markdown)) {
    const slice = markdown.slice(start, end)
    for (const match of slice.matchAll(RUN)) {
      const numbers = numbersIn(match[0])
      const groupStart = start + match.index
      groups.push({ start: groupStart, end: groupStart + match[0].length, numbers })
    }
  }
  return groups
}

/** Removes `[1]: https://…` lines, which would turn every `[1]` into a link. */
export function removeNumericDefinitions(markdown: string): string {
  const spans: Span[] = []
  walk(fromMarkdown(markdown), (node) => {
    if (node.type === 'definition' && node.label && /^\d+$/.test(node.label)) spans.push(spanOf(node))
    return true
  })
  return spans.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), markdown)
}

export interface Span {
  start: number
  end: number
}

const BLOCKS = new Set(['paragraph', 'heading', 'code', 'html', 'definition', 'thematicBreak'])

export interface MarkdownBlock extends Span {
  type: string
  /** Inline code, links, images and inline HTML. No marker may be inserted there. */
  opaqueSpans: Span[]
}

/**
 * The blocks in reading order: paragraphs (also those in list items and quotes), headings, code, HTML, link definitions and
 * thematic breaks.
 */
export function blocksOf(markdown: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  walk(fromMarkdown(markdown), (node) => {
    const span = spanOf(node)
    // The type `html` is that of blocks and of tags within a paragraph.
    const isInBlock = span.start < (blocks.at(-1)?.end ?? 0)
    if (BLOCKS.has(node.type) && !isInBlock) blocks.push({ ...span, type: node.type, opaqueSpans: [] })
    else if (OPAQUE_INLINE.has(node.type)) blocks.at(-1)?.opaqueSpans.push(span)
    return !OPAQUE_INLINE.has(node.type)
  })
  return blocks
}

/** The fields of mdast nodes that this file needs. */
interface Node {
  type: string
  label?: string | null | undefined
  children?: Node[]
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined
}

const spanOf = (node: Node): Span => ({
  start: node.position?.start.offset ?? 0,
  end: node.position?.end.offset ?? 0,
})

const OPAQUE_INLINE = new Set(['inlineCode', 'html', 'link', 'linkReference', 'image', 'imageReference'])
const NO_MARKERS_IN = new Set(['link', 'linkReference', 'image', 'imageReference', 'definition'])

/** The running text: everything but code, links, images and HTML. */
function textSpans(markdown: string): Span[] {
  const spans: Span[] = []
  walk(fromMarkdown(markdown), (node) => {
    if (node.type === 'text') spans.push(spanOf(node))
    return !NO_MARKERS_IN.has(node.type)
  })
  return spans
}

/**
 * Visits nodes in reading order. `enter` returns whether the children are visited. There is no recursion, because quotes may be
 * nested to any depth.
 */
function walk(root: Node, enter: (node: Node) => boolean): void {
  const stack: Node[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (enter(node) && node.children) stack.push(...node.children.toReversed())
  }
}

function numbersIn(group: string): number[] {
  const numbers = new Set<number>()
  const withoutSourceNames = group.replace(/†[^】]*/g, '').normalize('NFKC')
  for (const match of withoutSourceNames.matchAll(/(\d+)(?:\s?[-–—]\s?(\d+))?/g)) {
    const from = Number(match[1])
    const to = Math.min(Number(match[2] ?? from), from + MAX_RANGE_DIFFERENCE)
    // A range that runs backwards counts as its first number.
    numbers.add(from)
    for (let n = from + 1; n <= to; n++) numbers.add(n)
  }
  return [...numbers]
}
