// Writes a conversation as a Word document: questions as headings with their dates, answers with their citation markers, and the
// numbered sources below each answer as links. It uses no library, because a library would be larger than the whole page, and a few
// elements of WordprocessingML are enough.

import type { Nodes, PhrasingContent, RootContent, TableRow } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { sourceLine } from './answer-markdown.ts'
import { dateOf, type Turn } from './markdown.ts'
import { type Quote, quoteOf, type Source, sourcesOf } from './source.ts'
import { zipOf } from './zip.ts'

export function conversationDocx(title: string, turns: readonly Turn[]): Uint8Array<ArrayBuffer> {
  const body = [
    paragraph([run(title)], 'Title'),
    ...turns.flatMap(({ question, answer, citations, created_at }) => [
      paragraph([run(question)], 'Heading1'),
      paragraph([run(dateOf(created_at), '<w:i/>')]),
      ...blocksOf(answer),
      ...sourceBlocks(sourcesOf(citations)),
    ]),
  ]
  return zipOf([
    { name: '[Content_Types].xml', text: CONTENT_TYPES },
    { name: '_rels/.rels', text: RELATIONS },
    { name: 'word/_rels/document.xml.rels', text: DOCUMENT_RELATIONS },
    { name: 'word/styles.xml', text: STYLES },
    {
      name: 'word/document.xml',
      text: `${XML}<w:document xmlns:w="${W}"><w:body>${body.join('')}</w:body></w:document>`,
    },
  ])
}

/** Each source with its quotation. The cited sentences are highlighted. */
const sourceBlocks = (sources: readonly Source[]): string[] =>
  sources.length === 0
    ? []
    : [
        paragraph([run('Sources:')]),
        ...sources.flatMap((source) => [
          ...blocksOf(sourceLine(source)),
          ...(source.text === null ? [] : [paragraph(quoteRuns(quoteOf(source)), 'Normal', 2)]),
        ]),
      ]

function quoteRuns({ text, spans }: Quote): string[] {
  const runs: string[] = []
  let position = 0
  for (const { start, end } of spans) {
    if (end <= position) continue
    const from = Math.max(position, start)
    runs.push(run(text.slice(position, from)), run(text.slice(from, end), '<w:highlight w:val="yellow"/>'))
    position = end
  }
  return [...runs, run(text.slice(position))]
}

const blocksOf = (markdown: string): string[] =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children.flatMap(
    (node) => blockOf(node, 0),
  )

function blockOf(node: RootContent, depth: number): string[] {
  if (node.type === 'heading') return [paragraph(runsOf(node.children), 'Heading2')]
  if (node.type === 'paragraph') return [paragraph(runsOf(node.children), 'Normal', depth)]
  if (node.type === 'code')
    return node.value.split('\n').map((line) => paragraph([run(line)], 'Normal', depth))
  if (node.type === 'blockquote') return node.children.flatMap((child) => blockOf(child, depth + 1))
  if (node.type === 'table') return [`<w:tbl>${TABLE_BORDERS}${node.children.map(rowOf).join('')}</w:tbl>`]
  if (node.type !== 'list') return []
  return node.children.flatMap((item, i) => {
    const mark = node.ordered ? `${(node.start ?? 1) + i}. ` : '• '
    const [first, ...rest] = item.children
    const lead = first?.type === 'paragraph' ? runsOf(first.children) : []
    const others = first && first.type !== 'paragraph' ? [first, ...rest] : rest
    return [
      paragraph([run(mark), ...lead], 'Normal', depth + 1),
      ...others.flatMap((child) => blockOf(child, depth + 1)),
    ]
  })
}

const rowOf = ({ children }: TableRow): string =>
  `<w:tr>${children.map((cell) => `<w:tc>${paragraph(runsOf(cell.children))}</w:tc>`).join('')}</w:tr>`

const runsOf = (nodes: readonly PhrasingContent[], style = ''): string[] =>
  nodes.flatMap((node: Nodes) => {
    if (node.type === 'strong') return runsOf(node.children, `${style}<w:b/>`)
    if (node.type === 'emphasis') return runsOf(node.children, `${style}<w:i/>`)
    if (node.type === 'break') return ['<w:r><w:br/></w:r>']
    if (node.type === 'link') return fieldOfLink(node.url, runsOf(node.children, `${style}${LINK}`))
    if ('children' in node) return runsOf(node.children as PhrasingContent[], style)
    // A line break in Markdown text is a space.
    return 'value' in node ? [run(node.value.replaceAll('\n', ' '), style)] : []
  })

const LINK = '<w:color w:val="0563C1"/><w:u w:val="single"/>'

/** A link as a field, which needs no entry in another part of the file. Only addresses of web pages become links. */
const fieldOfLink = (url: string, runs: readonly string[]): string[] =>
  /^https?:\/\/[^"\s]+$/.test(url)
    ? [`<w:fldSimple w:instr=" HYPERLINK &quot;${escaped(url)}&quot; ">${runs.join('')}</w:fldSimple>`]
    : [...runs]

// In twentieths of a point.
const INDENT = 360

const paragraph = (runs: readonly string[], style = 'Normal', depth = 0): string =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/>${depth > 0 ? `<w:ind w:left="${depth * INDENT}"/>` : ''}</w:pPr>${runs.join('')}</w:p>`

const TEXT = '<w:t xml:space="preserve">'

const run = (text: string, style = ''): string =>
  `<w:r>${style ? `<w:rPr>${style}</w:rPr>` : ''}${TEXT}${escaped(text).replaceAll('\n', `</w:t><w:br/>${TEXT}`)}</w:t></w:r>`

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 does not allow them
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

const CONTENT_TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${WORD}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${WORD}.styles+xml"/></Types>`
const RELATIONS = `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`
const DOCUMENT_RELATIONS = `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`

const style = (id: string, name: string, size: number, outline?: number): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"${id === 'Normal' ? ' w:default="1"' : ''}><w:name w:val="${name}"/><w:pPr><w:spacing w:before="${id === 'Normal' ? 0 : 240}" w:after="120"/>${outline === undefined ? '' : `<w:outlineLvl w:val="${outline}"/>`}</w:pPr><w:rPr>${id === 'Normal' ? '' : '<w:b/>'}<w:sz w:val="${size}"/></w:rPr></w:style>`
const STYLES = `${XML}<w:styles xmlns:w="${W}">${style('Normal', 'Normal', 22)}${style('Title', 'Title', 36)}${style('Heading1', 'heading 1', 28, 0)}${style('Heading2', 'heading 2', 24, 1)}</w:styles>`

const TABLE_BORDERS = `<w:tblPr><w:tblBorders>${['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map((side) => `<w:${side} w:val="single" w:sz="4" w:color="808080"/>`).join('')}</w:tblBorders></w:tblPr>`
