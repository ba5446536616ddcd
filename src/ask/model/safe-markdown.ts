// Makes a model's answer safe Markdown: without images, links and HTML, and without addresses that a renderer would turn into
// links. An address that occurs in a passage is kept as code. Pure.

import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toString as textOf } from 'mdast-util-to-string'
import { gfm } from 'micromark-extension-gfm'
import { withoutThoughts } from '../../ports/llm/thoughts.ts'

interface Node {
  type: string
  url?: string | undefined
  alt?: string | null | undefined
  lang?: string | null | undefined
  value?: string | undefined
  children?: Node[]
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined
}

interface Edit extends Span {
  text: string
}

// Removing one construct may create another. Nested constructs are gone after two rounds.
const MAX_ROUNDS = 6

/**
 * The answer without anything that loads, links or runs. An address is kept as code if `isInPassages` is true for it. If the answer
 * is not safe after MAX_ROUNDS, all of its markup is escaped.
 */
export function safeMarkdown(markdown: string, isInPassages: (address: string) => boolean): string {
  let text = bounded(withoutThoughts(markdown))
    .replace(HIDDEN_TEXT, '')
    // Some renderers take "https&colon;//" for an address.
    .replace(/&(?!(?:amp|lt|gt|quot|nbsp);)(?=#?\w{1,32};)/g, '&amp;')
    // A fence after a marker gets a line of its own, because it would start a code block when the marker is removed.
    .replace(/([\]】］])[ \t]*([`~]{3,})/gu, '$1\n$2')
    // All markers get one kind of bracket. Otherwise a marker could become the text of a link.
    .replace(
      /【([\d０-９][^】†\n]{0,80})(?:†[^】\n]{0,40})?】|［([\d０-９][^］\n]{0,80})］/gu,
      (_, a, b) => `[${a ?? b}]`,
    )
    .replace(NAMED_MARKER, (_, numbers: string) => `[${numbers}]`)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const edits = editsOf(text, isInPassages)
    if (edits.length === 0) return text.trim()
    for (const { start, end, text: replacement } of edits.toReversed())
      text = text.slice(0, start) + replacement + text.slice(end)
  }
  return escaped(text).trim()
}

/** In UTF-16 units, about 4,000 tokens. A longer answer is cut. */
export const MAX_CHARACTERS = 16_000
// The parser takes quadratic time for unmatched emphasis: 10,000 marks took 15 s.
const MAX_EMPHASIS = 600

function bounded(text: string): string {
  const beginning = text.slice(0, MAX_CHARACTERS).toWellFormed()
  const emphasisCount = beginning.match(/[*_~]/g)?.length ?? 0
  return emphasisCount > MAX_EMPHASIS ? beginning.replace(/[*_~]/g, '') : beginning
}

// Matches other forms in which models cite: "[Passage 2]", "[source 2, 3]", "[#2]", "(passage 2)". Not "[document 2]", because
// documents have other numbers.
const NAMED_MARKER =
  /(?<!\\)[[(](?:(?:passages?|sources?|refs?\.?|references?|citations?|Textstellen?|Quellen?|extraits?|pasajes?|fuentes?)[ \u00a0]?#?|#)(\d{1,4}(?:[ \u00a0]?[,;–-][ \u00a0]?\d{1,4}){0,9})[\])](?!\()/giu

// Characters that hide or reorder text. An answer does not need them.
const HIDDEN_TEXT =
  /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e0fff}]/gu

const GFM = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/** The edits in order and without overlap. An edit of a node replaces the nodes in it too. */
function editsOf(text: string, isInPassages: (address: string) => boolean): Edit[] {
  const edits: Edit[] = []
  const stack: { node: Node; within: Span }[] = [
    { node: fromMarkdown(text, GFM), within: { start: 0, end: 0 } },
  ]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, within } = next
    const span = spanOf(node)
    const source = text.slice(span?.start, span?.end)
    const replacement = replacementFor(node, source, isInPassages)
    if (replacement === undefined) {
      stack.push(
        ...(node.children ?? []).toReversed().map((child) => ({ node: child, within: span ?? within })),
      )
    } else if (span) edits.push({ ...span, text: replacement })
    else if (edits.at(-1)?.start !== within.start)
      // An address that GFM finds in running text has no position. The text around it is escaped instead.
      edits.push({ ...within, text: escaped(text.slice(within.start, within.end)) })
  }
  return edits
}

interface Span {
  start: number
  end: number
}

function spanOf({ position }: Node): Span | undefined {
  const [start, end] = [position?.start.offset, position?.end.offset]
  return start === undefined || end === undefined ? undefined : { start, end }
}

/** The replacement for an unsafe node. Undefined for a node that may stay. */
function replacementFor(
  node: Node,
  source: string,
  isInPassages: (address: string) => boolean,
): string | undefined {
  if (node.type === 'image' || node.type === 'imageReference') return plain(node.alt ?? '')
  if (node.type === 'html' || node.type === 'definition') return ''
  // The language of a code block is removed, because a renderer may draw the block by it (mermaid, math).
  if (node.type === 'code' && node.lang) return source.replace(/^([`~]{3,})[^\n]*/, '$1')
  if (node.type === 'code' || node.type === 'inlineCode') return safeCode(source, isInPassages)
  if (node.type === 'link') return safeLink(node, isInPassages)
  if (node.type === 'linkReference') return plain(textOf(node as Parameters<typeof textOf>[0]))
  if (node.type === 'text') return safeText(source, isInPassages)
  if (node.type === 'footnoteReference' || node.type === 'footnoteDefinition') return ''
  return undefined
}

const ADDRESS_REMOVED = '(address removed)'

function safeCode(source: string, isInPassages: (address: string) => boolean): string | undefined {
  const text = source.replace(ADDRESSES, (address) => (isInPassages(address) ? address : ADDRESS_REMOVED))
  return text === source ? undefined : text
}

/** The text without addresses and tags, changed so that it forms no link or definition when a marker is removed later. */
function safeText(source: string, isInPassages: (address: string) => boolean): string | undefined {
  const text = source
    .replace(JOINTS, '$& ')
    .replace(TAGS, '\\<')
    .replace(ADDRESSES, (address) => (isInPassages(address) ? `\`${address}\`` : ADDRESS_REMOVED))
  return text === source ? undefined : text
}

const TAGS = /(?<!\\)<(?=[a-z/!?])/gi
// Matches the bracket of "[1](" and "[1]:".
const JOINTS = /[\]】］](?=[(:])/gu
// Matches "https://host.example/a", "//host.example", "www.host.example" and "ines@host.example". The lengths are limited, because
// a long word would take quadratic time.
export const ADDRESSES =
  /(?:[^\s()[\]`]{0,40}\/\/(?=[\p{L}\p{N}-]{1,80}[.:])|www\.)[^\s()[\]`]*|[^\s()[\]`@]{1,64}@[^\s()[\]`@]{1,255}\.[^\s()[\]`@.]+/giu

function safeLink(node: Node, isInPassages: (address: string) => boolean): string {
  const text = textOf(node as Parameters<typeof textOf>[0])
  if (/^\d{1,4}$/.test(text)) return `[${text}]`
  if (!ADDRESS.test(text)) return plain(text)
  return isInPassages(text) && !text.includes('`') ? `\`${text}\`` : ADDRESS_REMOVED
}

const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:|www\.|[^\s@]+@[^\s@]+$)/i

/** The text with its markup escaped. */
const plain = (text: string): string => text.replace(MARKUP, '\\$&')

const MARKUP = /[\\`*_<>[\]!|~]/g

const escaped = (text: string): string =>
  plain(text.replace(/(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S*|[^\s@]+@[^\s@]+/gi, ADDRESS_REMOVED))
