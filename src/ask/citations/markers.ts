// Finds the citation markers of a markdown text: [1], [1, 2], [1-3], [[1]], 【1】 and their runs.
// Code, links and escaped brackets are not markers; what is code or link is decided by a CommonMark parser.

import { fromMarkdown } from 'mdast-util-from-markdown'

/** A run of markers without anything but spaces between them. */
export interface MarkerGroup {
  /** Offsets in UTF-16 units of the whole run. */
  start: number
  end: number
  /** In order, each once. */
  numbers: number[]
}

const LIST = String.raw`\d{1,4}(?:\s?[-–—]\s?\d{1,4})?(?:\s?[,;&]\s?\d{1,4}(?:\s?[-–—]\s?\d{1,4})?){0,19}`
const MARKER = String.raw`(?:\[\[${LIST}\]\]|\[${LIST}\]|【${LIST}(?:†[^】\n]{0,40})?】)`
// An odd number of backslashes before a bracket escapes it.
const RUN = new RegExp(String.raw`(?<!(?<!\\)(?:\\\\)*\\)${MARKER}(?:[ \t]?${MARKER})*`, 'gu')
const WIDEST_RANGE = 20

/** The marker groups of a markdown text in reading order. */
export function findMarkers(markdown: string): MarkerGroup[] {
  const groups: MarkerGroup[] = []
  for (const { start, end } of proseOf(markdown)) {
    const slice = markdown.slice(start, end)
    for (const match of slice.matchAll(RUN)) {
      const numbers = numbersIn(match[0])
      const at = start + match.index
      groups.push({ start: at, end: at + match[0].length, numbers })
    }
  }
  return groups
}

/** `[1]: https://…` lines would turn every `[1]` into a link: they go, with a list of sources made of them. */
export function withoutDefinitions(markdown: string): string {
  const found: Span[] = []
  walk(fromMarkdown(markdown), (node) => {
    if (node.type === 'definition' && node.label && /^\d+$/.test(node.label)) found.push(spanOf(node))
    return true
  })
  return found.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), markdown)
}

interface Span {
  start: number
  end: number
}

/** The parts of mdast this file needs. */
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

const OPAQUE = new Set(['link', 'linkReference', 'image', 'imageReference', 'definition'])

/** Where running text stands: everything but code, links, images and HTML. */
function proseOf(markdown: string): Span[] {
  const found: Span[] = []
  walk(fromMarkdown(markdown), (node) => {
    if (node.type === 'text') found.push(spanOf(node))
    return !OPAQUE.has(node.type)
  })
  return found
}

/** Visits nodes in reading order without recursion: nested quotes go as deep as their author likes. */
function walk(root: Node, enter: (node: Node) => boolean): void {
  const open: Node[] = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    if (enter(node) && node.children) open.push(...node.children.toReversed())
  }
}

function numbersIn(run: string): number[] {
  const numbers = new Set<number>()
  const bare = run.replace(/†[^】]*/g, '')
  for (const match of bare.matchAll(/(\d+)(?:\s?[-–—]\s?(\d+))?/g)) {
    const from = Number(match[1])
    const to = Math.min(Number(match[2] ?? from), from + WIDEST_RANGE)
    for (let n = from; n <= Math.max(from, to); n++) numbers.add(n)
  }
  return [...numbers]
}
