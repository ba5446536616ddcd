// A model's answer as Markdown that can neither load nor lead anywhere: no images, no links, no HTML, no addresses that a
// reader's renderer would make into links unless a passage shows them, and those as code. Pure.

import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toString as textOf } from 'mdast-util-to-string'
import { gfm } from 'micromark-extension-gfm'

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

// Each round may let another appear; nested ones are gone in two.
const MOST_ROUNDS = 6

/**
 * The answer without anything that loads, leads or runs; `isShown` says whether an address stands in a passage of this
 * run: then it stays, as code. What never settles is shown with all its marks escaped.
 */
export function safeMarkdown(markdown: string, isShown: (address: string) => boolean): string {
  let text = bounded(withoutThoughts(markdown))
    .replace(HIDDEN_TEXT, '')
    // "https&colon;//" is an address to some renderers.
    .replace(/&(?!(?:amp|lt|gt|quot|nbsp);)(?=#?\w{1,32};)/g, '&amp;')
    // Behind a marker that goes, marks in the middle of a line would begin a block of code.
    .replace(/([\]】］])[ \t]*([`~]{3,})/gu, '$1\n$2')
    // One kind of bracket, or a marker of ours could become the text of a link.
    .replace(
      /【([\d０-９][^】†\n]{0,80})(?:†[^】\n]{0,40})?】|［([\d０-９][^］\n]{0,80})］/gu,
      (_, a, b) => `[${a ?? b}]`,
    )
    .replace(NAMED_MARKER, (_, numbers: string) => `[${numbers}]`)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const edits = editsOf(text, isShown)
    if (edits.length === 0) return text.trim()
    for (const { start, end, text: instead } of edits.toReversed())
      text = text.slice(0, start) + instead + text.slice(end)
  }
  return escaped(text).trim()
}

// In UTF-16 units; 4,000 tokens are about as much.
const MOST_CHARACTERS = 16_000
// The parser takes quadratic time over emphasis that closes nothing: 10,000 marks took 15 s.
const MOST_EMPHASIS = 600

function bounded(text: string): string {
  const cut = text.slice(0, MOST_CHARACTERS).toWellFormed()
  return (cut.match(/[*_~]/g)?.length ?? 0) > MOST_EMPHASIS ? cut.replace(/[*_~]/g, '') : cut
}

// "[Passage 2]", "[source 2, 3]", "[#2]", "(passage 2)": models know their numbers by other names too. Documents have numbers
// of their own.
const NAMED_MARKER =
  /(?<!\\)[[(](?:(?:passages?|sources?|refs?\.?|references?|citations?|Textstellen?|Quellen?|extraits?|pasajes?|fuentes?)[ \u00a0]?#?|#)(\d{1,4}(?:[ \u00a0]?[,;–-][ \u00a0]?\d{1,4}){0,9})[\])](?!\()/giu

// What hides or reorders text: in an answer there is no need for it.
const HIDDEN_TEXT =
  /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e0fff}]/gu

/** Reasoning that some models write into their answers. */
const withoutThoughts = (text: string): string =>
  text.replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi, '').replace(/^[\s\S]*<\/think(?:ing)?>/i, '')

const GFM = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/** What must change, in order and without overlap: an outer one goes before what it holds. */
function editsOf(text: string, isShown: (address: string) => boolean): Edit[] {
  const edits: Edit[] = []
  const open: { node: Node; within: Span }[] = [
    { node: fromMarkdown(text, GFM), within: { start: 0, end: 0 } },
  ]
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, within } = next
    const span = spanOf(node)
    const source = text.slice(span?.start, span?.end)
    const instead = insteadOf(node, source, isShown)
    if (instead === undefined) {
      open.push(
        ...(node.children ?? []).toReversed().map((child) => ({ node: child, within: span ?? within })),
      )
    } else if (span) edits.push({ ...span, text: instead })
    else if (edits.at(-1)?.start !== within.start)
      // An address that was found in running text has no place of its own: the text around it says it escaped.
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

/** The text for a node that may not stay; undefined for one that may. */
function insteadOf(node: Node, source: string, isShown: (address: string) => boolean): string | undefined {
  if (node.type === 'image' || node.type === 'imageReference') return plain(node.alt ?? '')
  if (node.type === 'html' || node.type === 'definition') return ''
  // A renderer may draw what a block of code says it is (mermaid, math …): it says nothing.
  if (node.type === 'code' && node.lang) return source.replace(/^([`~]{3,})[^\n]*/, '$1')
  if (node.type === 'code' || node.type === 'inlineCode') return insteadOfCode(source, isShown)
  if (node.type === 'link') return insteadOfLink(node, isShown)
  if (node.type === 'linkReference') return plain(textOf(node as Parameters<typeof textOf>[0]))
  if (node.type === 'text') return insteadOfText(source, isShown)
  if (node.type === 'footnoteReference' || node.type === 'footnoteDefinition') return ''
  return undefined
}

const LEFT_OUT = '(address left out)'

function insteadOfCode(source: string, isShown: (address: string) => boolean): string | undefined {
  const text = source.replace(ADDRESSES, (address) => (isShown(address) ? address : LEFT_OUT))
  return text === source ? undefined : text
}

/** A marker that goes later must leave nothing behind that together is a link, a definition or an address. */
function insteadOfText(source: string, isShown: (address: string) => boolean): string | undefined {
  const text = source
    .replace(JOINTS, '$& ')
    .replace(TAGS, '\\<')
    .replace(ADDRESSES, (address) => (isShown(address) ? `\`${address}\`` : LEFT_OUT))
  return text === source ? undefined : text
}

const TAGS = /(?<!\\)<(?=[a-z/!?])/gi
const JOINTS = /[\]】］](?=[(:])/gu
// Bounded, or a long word would take quadratic time. "//host.example" is an address whatever stands before it.
export const ADDRESSES =
  /(?:[^\s()[\]`]{0,40}\/\/(?=[\p{L}\p{N}-]{1,80}[.:])|www\.)[^\s()[\]`]*|[^\s()[\]`@]{1,64}@[^\s()[\]`@]{1,255}\.[^\s()[\]`@.]+/giu

function insteadOfLink(node: Node, isShown: (address: string) => boolean): string {
  const text = textOf(node as Parameters<typeof textOf>[0])
  if (/^\d{1,4}$/.test(text)) return `[${text}]`
  if (!ADDRESS.test(text)) return plain(text)
  return isShown(text) && !text.includes('`') ? `\`${text}\`` : LEFT_OUT
}

const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:|www\.|[^\s@]+@[^\s@]+$)/i

/** Text that is no markup. */
const plain = (text: string): string => text.replace(MARKUP, '\\$&')

const MARKUP = /[\\`*_<>[\]!|~]/g

const escaped = (text: string): string =>
  plain(text.replace(/(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S*|[^\s@]+@[^\s@]+/gi, LEFT_OUT))
