// Markdown with tables, front matter and code (mdast) to blocks. Also used for the output of pdf-inspector.

import type { Code, List, Nodes, RootContent, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toString as plainText } from 'mdast-util-to-string'
import { frontmatter } from 'micromark-extension-frontmatter'
import { gfm } from 'micromark-extension-gfm'
import type { Block } from '../../block.ts'
import { withRaised } from '../blocks/raised.ts'
import { markdownTable } from '../blocks/table.ts'
import { textBlocks } from '../blocks/text-blocks.ts'
import { htmlBlocks } from '../html/html.ts'
import { isTooComplex } from './markdown-complexity.ts'

/** The blocks of a Markdown text. */
export function markdownBlocks(text: string): Block[] {
  if (isTooComplex(text)) return [...textBlocks(text)]
  const tree = fromMarkdown(text, {
    extensions: [gfm(), frontmatter(['yaml', 'toml'])],
    mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown(['yaml', 'toml'])],
  })
  return tree.children.flatMap(toBlocks)
}

function toBlocks(node: RootContent): Block[] {
  switch (node.type) {
    case 'heading':
      return [{ kind: 'heading', text: textOf(node), level: node.depth }]
    case 'list':
      return listBlocks(node)
    case 'table':
      return [{ kind: 'table', text: tableText(node) }]
    case 'code':
      return [{ kind: 'code', text: codeText(node) }]
    case 'blockquote':
      return withoutCallout(node.children.flatMap(toBlocks))
    case 'footnoteDefinition':
      return [
        { kind: 'note', text: `[${node.label ?? node.identifier}] ${node.children.map(textOf).join('\n')}` },
      ]
    case 'yaml':
      return matterBlocks(node.value)
    case 'html':
      return htmlBlocks(node.value)
    case 'definition':
    case 'thematicBreak':
      return []
    case 'paragraph':
      return node.children.every(({ type }) => type === 'image')
        ? node.children.map((image) => ({ kind: 'figure', text: textOf(image) }))
        : [{ kind: 'paragraph', text: textOf(node) }]
    default:
      // TOML front matter, whose type is not part of mdast.
      return (node.type as string) === 'toml' && 'value' in node
        ? matterBlocks(String(node.value))
        : [{ kind: 'paragraph', text: textOf(node) }]
  }
}

// "> [!NOTE]" of GitHub, "> [!tip]- A title" of note-taking programs.
const CALLOUT = /^\[!\w+\][+-]?[^\S\n]*(?<title>.*)\n?(?<text>[\s\S]*)$/

/** A quotation without the mark of a callout; the title is a paragraph of its own. */
function withoutCallout(blocks: Block[]): Block[] {
  const [first, ...rest] = blocks
  const { title, text } = CALLOUT.exec(first?.text ?? '')?.groups ?? {}
  if (!first || title === undefined || text === undefined) return blocks
  const parts = [title.trim(), text.trim()].filter(Boolean)
  return [...parts.map((part): Block => ({ ...first, text: part })), ...rest]
}

/** Code keeps its fence if that names a language. */
function codeText({ lang, value }: Code): string {
  return lang ? `\`\`\`${lang}\n${value}\n\`\`\`` : value
}

// Settings of site generators, and the title, which is read separately.
const SITE_SETTINGS =
  /^(title|layout|slug|id|uid|permalink|draft|weight|template|sidebar_\w+|hide_\w+|toc|nav_order|published|redirect_\w+|cssclass(?:es)?)\s*[:=]/i

// "description: >-": prose that continues on the lines below.
const PROSE_BELOW = /(?<=:|^-)\s+[|>][-+\d]{0,2}$/

/** Front matter as a note: author, tags, dates. Each is on one line with its items, because it is not a list of the text. */
function matterBlocks(matter: string): Block[] {
  const keys: string[][] = []
  let isKept = true
  let isProse = false
  for (const addLine of matter.split(/\r?\n/)) {
    if (/^\s*(#|$)/.test(addLine)) continue
    const isItem = /^(?:[\s\]}]|-\s)/.test(addLine)
    if (!isItem) isKept = !SITE_SETTINGS.test(addLine)
    if (!isKept) continue
    const text = addLine.trim()
    const proseText = text.replace(PROSE_BELOW, '')
    const key = isItem ? keys.at(-1) : undefined
    if (key === undefined) {
      keys.push([proseText])
      isProse = proseText !== text
    } else {
      const isMatter = !isProse && /^(?:-\s|[^\s:]+:(?:\s|$))/.test(text)
      const comma = isMatter && !/[:,[{]$/.test(key.at(-1) ?? '') ? ',' : ''
      key.push(comma, ' ', isProse ? text : proseText.replace(/^-\s+/, ''))
    }
  }
  const lines = keys.map((parts) => parts.join(''))
  return lines.length === 0 ? [] : [{ kind: 'note', text: lines.join('\n') }]
}

// "[[Page]]" and "[[Page#Part|what is shown]]" of wikis and note-taking programs; in a table its bar is escaped.
const WIKI_LINK = /!?\[\[(?=[\p{L}\p{N}#][^[\]\n]*\p{L})#?([^[\]|\n]+?)(?:\\?\|([^[\]\n]+))?\]\]/gu

/** The text that these programs show for a link. A picture has no text, and "Page#^block" has no name for the block. */
const wikiLinkText = (link: string, target: string, linkText: string | undefined): string =>
  /^!.*\.(?:svg|png|jpe?g|gif|webp)\b/i.test(link)
    ? ''
    : (linkText ?? target.replace(/#\^.*$/, '').replaceAll('#', ' > '))

/** Plain text with line breaks, without inline HTML tags. */
function textOf(node: Nodes): string {
  if (node.type === 'break') return '\n'
  if (node.type === 'html') return /^<br\b/i.test(node.value) ? '\n' : ''
  if (node.type === 'footnoteReference') return `[${node.label ?? node.identifier}]`
  if (node.type === 'image') return node.alt ?? ''
  if (node.type === 'text') return node.value.replace(WIKI_LINK, wikiLinkText)
  return 'children' in node ? lineOf(node.children) : plainText(node)
}

/** The text of inline nodes; text between <sup> and </sup> is raised. */
function lineOf(nodes: readonly Nodes[]): string {
  let text = ''
  let inner: string | undefined
  for (const node of nodes) {
    const tag = node.type === 'html' ? /^<\/?sup\b/i.exec(node.value)?.[0] : undefined
    if (tag === undefined) {
      if (inner === undefined) text += textOf(node)
      else inner += textOf(node)
    } else if (!tag.startsWith('</')) inner ??= ''
    else {
      text += withRaised(text.slice(-8), inner ?? '')
      inner = undefined
    }
  }
  return text + (inner ?? '')
}

/** A list as one block, split where it contains tables or code. */
function listBlocks(list: List): Block[] {
  const blocks: Block[] = []
  const addLine = (text: string): void => {
    const last = blocks.at(-1)
    if (last?.kind === 'list') last.text += `\n${text}`
    else blocks.push({ kind: 'list', text })
  }
  const addItems = (inner: List, depth: number): void => {
    for (const [i, item] of inner.children.entries()) {
      const mark = inner.ordered === true ? `${(inner.start ?? 1) + i}.` : '-'
      const box = item.checked === true ? '[x] ' : item.checked === false ? '[ ] ' : ''
      const [first, ...rest] = item.children
      const beginsWithText = first?.type === 'paragraph'
      addLine(
        `${'  '.repeat(Math.min(depth, 5))}${mark} ${box}${beginsWithText ? textOf(first) : ''}`.trimEnd(),
      )
      for (const child of beginsWithText ? rest : item.children) {
        if (child.type === 'list') addItems(child, depth + 1)
        else if (child.type === 'paragraph') addLine(textOf(child))
        else blocks.push(...toBlocks(child))
      }
    }
  }
  addItems(list, 0)
  return blocks
}

function tableText(table: Table): string {
  return markdownTable(table.children.map((row) => row.children.map(textOf)))
}
