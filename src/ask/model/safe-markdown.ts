// A model's answer as safe Markdown: no images, links or HTML, and no addresses that a renderer would turn into
// links; an address that occurs in a passage is kept as code. Pure.

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

// Removing one construct may make another appear; nested ones are gone after two rounds.
const MAX_ROUNDS = 6

/**
 * The answer without anything that loads, links or runs. `isInPassages` says whether an address occurs in a passage
 * of this run: then it is kept, as code. An answer that never becomes stable is shown with all markup escaped.
 */
export function safeMarkdown(markdown: string, isInPassages: (address: string) => boolean): string {
  let text = bounded(withoutThoughts(markdown))
    .replace(HIDDEN_TEXT, '')
    // "https&colon;//" is an address to some renderers.
    .replace(/&(?!(?:amp|lt|gt|quot|nbsp);)(?=#?\w{1,32};)/g, '&amp;')
    // After a marker is removed, a fence in the middle of a line would start a code block.
    .replace(/([\]】］])[ \t]*([`~]{3,})/gu, '$1\n$2')
    // Only one kind of bracket, or a marker could become the text of a link.
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

/** In UTF-16 units; 4,000 tokens are about as much. The rest is not shown. */
export const MAX_CHARACTERS = 16_000
// The parser takes quadratic time for unmatched emphasis: 10,000 marks took 15 s.
const MAX_EMPHASIS = 600

function bounded(text: string): string {
  const cut = text.slice(0, MAX_CHARACTERS).toWellFormed()
  return (cut.match(/[*_~]/g)?.length ?? 0) > MAX_EMPHASIS ? cut.replace(/[*_~]/g, '') : cut
}

// "[Passage 2]", "[source 2, 3]", "[#2]", "(passage 2)": other forms in which models cite. Documents have numbers of
// their own.
const NAMED_MARKER =
  /(?<!\\)[[(](?:(?:passages?|sources?|refs?\.?|references?|citations?|Textstellen?|Quellen?|extraits?|pasajes?|fuentes?)[ \u00a0]?#?|#)(\d{1,4}(?:[ \u00a0]?[,;–-][ \u00a0]?\d{1,4}){0,9})[\])](?!\()/giu

// Characters that hide or reorder text; an answer needs none of them.
const HIDDEN_TEXT =
  /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e0fff}]/gu

const GFM = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/** The edits to make, in order and without overlap: an outer node replaces what it contains. */
function editsOf(text: string, isInPassages: (address: string) => boolean): Edit[] {
  const edits: Edit[] = []
  const open: { node: Node; within: Span }[] = [
    { node: fromMarkdown(text, GFM), within: { start: 0, end: 0 } },
  ]
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, within } = next
    const span = spanOf(node)
    const source = text.slice(span?.start, span?.end)
    const replacement = replacementFor(node, source, isInPassages)
    if (replacement === undefined) {
      open.push(
        ...(node.children ?? []).toReversed().map((child) => ({ node: child, within: span ?? within })),
      )
    } else if (span) edits.push({ ...span, text: replacement })
    else if (edits.at(-1)?.start !== within.start)
      // An address that GFM found in running text has no position of its own: the text around it is escaped.
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

/** The replacement for a node that may not stay; undefined for one that may. */
function replacementFor(
  node: Node,
  source: string,
  isInPassages: (address: string) => boolean,
): string | undefined {
  if (node.type === 'image' || node.type === 'imageReference') return plain(node.alt ?? '')
  if (node.type === 'html' || node.type === 'definition') return ''
  // A renderer may draw a code block by its language (mermaid, math …): the language is removed.
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

/** Removing a marker later must not leave text that forms a link, a definition or an address. */
function safeText(source: string, isInPassages: (address: string) => boolean): string | undefined {
  const text = source
    .replace(JOINTS, '$& ')
    .replace(TAGS, '\\<')
    .replace(ADDRESSES, (address) => (isInPassages(address) ? `\`${address}\`` : ADDRESS_REMOVED))
  return text === source ? undefined : text
}

const TAGS = /(?<!\\)<(?=[a-z/!?])/gi
const JOINTS = /[\]】］](?=[(:])/gu
// Bounded, or a long word would take quadratic time. "//host.example" is an address whatever precedes it.
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
