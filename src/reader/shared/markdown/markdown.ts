// Markdown to blocks, with tables and front matter. Also used for the output of pdf-inspector.

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

/** A quotation without the mark of a callout. The callout's title becomes a paragraph of its own. */
function withoutCallout(blocks: Block[]): Block[] {
  const [first, ...rest] = blocks
  const { title, text } = CALLOUT.exec(first?.text ?? '')?.groups ?? {}
  if (!first || title === undefined || text === undefined) return blocks
  const parts = [title.trim(), text.trim()].filter(Boolean)
  return [...parts.map((part): Block => ({ ...first, text: part })), ...rest]
}

/** The text of a code block. It keeps its fence if the fence states a language. */
function codeText({ lang, value }: Code): string {
  return lang ? `\`\`\`${lang}\n${value}\n\`\`\`` : value
}

// Front matter that is left out: settings of site generators, and the title, which is read separately.
const SITE_SETTINGS =
  /^(title|layout|slug|id|uid|permalink|draft|weight|template|sidebar_\w+|hide_\w+|toc|nav_order|published|redirect_\w+|cssclass(?:es)?)\s*[:=]/i

// Matches " >-" in "description: >-", whose value is prose on the lines below.
const PROSE_BELOW = /(?<=:|^-)\s+[|>][-+\d]{0,2}$/

/** Front matter as a note with one line for each field, such as author, tags and dates. */
function matterBlocks(frontMatter: string): Block[] {
  // The parts of the line of each field.
  const fields: string[][] = []
  let isIncluded = true
  let isProse = false
  for (const line of frontMatter.split(/\r?\n/)) {
    const isBlankOrComment = /^\s*(#|$)/.test(line)
    if (isBlankOrComment) continue
    const continuesField = /^(?:[\s\]}]|-\s)/.test(line)
    if (!continuesField) isIncluded = !SITE_SETTINGS.test(line)
    if (!isIncluded) continue
    const text = line.trim()
    const textWithoutSign = text.replace(PROSE_BELOW, '')
    const field = continuesField ? fields.at(-1) : undefined
    if (field === undefined) {
      fields.push([textWithoutSign])
      isProse = textWithoutSign !== text
    } else {
      // "- item" or "key: value".
      const isItem = !isProse && /^(?:-\s|[^\s:]+:(?:\s|$))/.test(text)
      const comma = isItem && !/[:,[{]$/.test(field.at(-1) ?? '') ? ',' : ''
      field.push(comma, ' ', isProse ? text : textWithoutSign.replace(/^-\s+/, ''))
    }
  }
  const lines = fields.map((parts) => parts.join(''))
  return lines.length === 0 ? [] : [{ kind: 'note', text: lines.join('\n') }]
}

// Links of wikis and note-taking programs: "[[Page]]", "[[Page#Part|link text]]", in a table "[[Page\|link text]]".
const WIKI_LINK = /!?\[\[(?=[\p{L}\p{N}#][^[\]\n]*\p{L})#?([^[\]|\n]+?)(?:\\?\|([^[\]\n]+))?\]\]/gu

/** The text that these programs show for a link. A picture has none, and the id of a block ("Page#^block") is not shown. */
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

/** The text of inline nodes; text between <sup> and </sup> is a superscript. */
function lineOf(nodes: readonly Nodes[]): string {
  let text = ''
  let raisedText: string | undefined
  for (const node of nodes) {
    const tag = node.type === 'html' ? /^<\/?sup\b/i.exec(node.value)?.[0] : undefined
    if (tag === undefined) {
      if (raisedText === undefined) text += textOf(node)
      else raisedText += textOf(node)
    } else if (!tag.startsWith('</')) raisedText ??= ''
    else {
      text += withRaised(text.slice(-8), raisedText ?? '')
      raisedText = undefined
    }
  }
  return text + (raisedText ?? '')
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
