// officeparser's tree to blocks: the second reader of Office files that our own cannot read, the first one of RTF.
// The tree is walked by us: its own Markdown loses spans and notes.

import { readFile } from 'node:fs/promises'
import type { OfficeContentNode, OfficeParserAST } from 'officeparser'
import { type Block, type ParsedDocument, UnreadableFile } from '../block.ts'
import { raised } from '../blocks/raised.ts'
import type { Cell } from '../blocks/table.ts'
import { tableBlocks } from '../blocks/table.ts'
import { chooseTitle } from '../blocks/title.ts'
import type { Parser, ParseTask } from '../task.ts'
import { joinContents } from './contents.ts'
import { type DocRow, rowBlocks, tablesByEdges } from './doc/rows.ts'
import { labelled, withLabels } from './rtf-labels.ts'
import { notesLast, notesPlaced } from './rtf-notes.ts'
import { definedRows, nestedText, placedRow, rowsByNode, tablesOf, withoutNested } from './rtf-rows.ts'
import { withoutHidden } from './rtf-shown.ts'
import { withHeadings } from './rtf-styles.ts'
import { withoutReplacements } from './rtf-unicode.ts'

// The library's default, stated: what unpacks to more is refused before it is unpacked.
const MOST_UNPACKED_BYTES = 500 * 2 ** 20

const officeKinds = ['docx', 'pptx', 'xlsx', 'ods', 'rtf'] as const

/** Any Office Open XML file's blocks by officeparser. */
export const parseOffice: Parser = async (task) => officeDocument(await readTree(task.path, task))

async function readTree(source: string | Buffer, task: ParseTask): Promise<OfficeParserAST> {
  const { OfficeParser } = await import('officeparser')
  try {
    return await OfficeParser.parseOffice(source, {
      fileType: officeKinds.find((kind) => kind === task.kind) ?? null,
      ignoreNotes: false,
      extractAttachments: false,
      outputErrorToConsole: false,
      decompressionLimits: { maxUncompressedBytes: MOST_UNPACKED_BYTES, maxZipEntries: 10_000 },
    })
  } catch (error) {
    if (/password|encrypt/i.test(String(error))) throw new UnreadableFile('encrypted')
    throw error
  }
}

/** RTF's blocks. */
export const parseRtf: Parser = async (task) => {
  // An escaped end of line is a paragraph's: macOS writes no other.
  const ended = (await readFile(task.path))
    .toString('latin1')
    .replace(/\\\\|\\(?:\r\n?|\n)/g, (all) => (all === '\\\\' ? all : '\\par\n'))
  // A last paragraph that nothing ends came before the table above it.
  const plain = withoutReplacements(ended.replace(/\}\s*$/, '\\par}'))
  // What is raised by points alone is a superscript to the eye.
  const seen = withLabels(withHeadings(withoutNested(withoutHidden(plain))))
  const shown = notesLast(seen.replace(/\\\\|\\up(\d+) ?/g, superscript))
  const tree = await readTree(Buffer.from(shown, 'latin1'), task)
  withoutLeaks(tree.content)
  placeCells(tree.content, rowsByNode(tree.content, definedRows(shown)))
  const blocks = joinContents(notesPlaced(joinLists(tree.content.flatMap(pageOf))))
  const stated = /\{\\title ([^{}\\]{1,300})\}/.exec(plain.slice(0, 20_000))?.[1]
  const title = chooseTitle(stated ?? tree.metadata.title, blocks)
  return { blocks, ...(title === undefined ? {} : { title }) }
}

/** A line in large bold type is a heading to the library, and so is all behind it up to the next \\pard. */
function withoutLeaks(content: readonly OfficeContentNode[]): void {
  const isBold = (node: OfficeContentNode): boolean => node.children?.[0]?.formatting?.bold === true
  const levelOf = (node: OfficeContentNode): unknown =>
    node.type === 'heading' ? node.metadata?.level : undefined
  let leaking: unknown
  for (const node of content) {
    const level = levelOf(node)
    if (level === undefined || level !== leaking) leaking = isBold(node) ? level : undefined
    else if (!isBold(node)) node.type = 'paragraph'
  }
}

// Half points.
const LEAST_RAISE = 4

const superscript = (word: string, points?: string): string => {
  if (points === undefined || (Number(points) > 0 && Number(points) < LEAST_RAISE)) return word
  return points === '0' ? '\\nosupersub ' : '\\super '
}

/** The rows of tables whose cells' edges are known, by node: a tree is read with what was found out beside it. */
const placed = new WeakMap<OfficeContentNode, DocRow[][]>()

/** Keeps with each table its rows by the edges of their cells, where those of all are known. */
function placeCells(content: readonly OfficeContentNode[], defined: ReturnType<typeof rowsByNode>): void {
  for (const node of content) {
    if (node.type !== 'table') {
      placeCells(node.children ?? [], defined)
      continue
    }
    const nodes = node.children ?? []
    const rows = nodes.flatMap((row) => {
      const definition = defined.get(row)
      const texts = rowCells(row).map(({ text }) => text)
      return (definition && placedRow(texts, definition)) ?? []
    })
    if (rows.length !== nodes.length) continue
    const all = nodes.map((row) => defined.get(row))
    placed.set(node, tablesOf(rows, all))
  }
}

/** The whole tree as a document: each slide or sheet a page. */
function officeDocument(tree: OfficeParserAST): ParsedDocument {
  const blocks = tree.content.flatMap(pageOf)
  const title = chooseTitle(tree.metadata.title, blocks)
  const pages = tree.content.filter((node) => node.type === 'slide' || node.type === 'sheet').length
  return { ...(title === undefined ? {} : { title }), ...(pages === 0 ? {} : { pages }), blocks }
}

function pageOf(node: OfficeContentNode, index: number): Block[] {
  if (node.type === 'slide') {
    const page = node.metadata?.slideNumber ?? index + 1
    return nodeBlocks(node).map((block) => ({ ...block, page }))
  }
  if (node.type === 'note' && node.metadata?.slideNumber !== undefined) {
    const page = node.metadata.slideNumber
    return nodeBlocks(node).map((block) => ({ ...block, page }))
  }
  if (node.type !== 'sheet') return nodeBlocks(node)
  const heading: Block = { kind: 'heading', text: node.metadata?.sheetName ?? '', level: 1 }
  const rows = sheetRows(node)
  return [heading, ...rows].map((block) => ({ ...block, page: index + 1 }))
}

function sheetRows(sheet: OfficeContentNode): Block[] {
  const rows = (sheet.children ?? []).filter((row) => row.type === 'row').map(rowCells)
  return tableBlocks(rows)
}

/** One node's blocks and those of its notes, in order; of a paragraph or table also the notes of what is in it. */
function nodeBlocks(node: OfficeContentNode): Block[] {
  const own = ownBlocks(node)
  const notes = written.has(node.type) ? notesIn(node) : (node.notes ?? [])
  return [...joinLists(own), ...notes.flatMap((note) => nodeBlocks(note))]
}

const written: ReadonlySet<string> = new Set(['heading', 'list', 'table', 'code', 'paragraph', 'text'])

const notesIn = (node: OfficeContentNode): OfficeContentNode[] => [
  ...(node.notes ?? []),
  ...(node.children ?? []).flatMap(notesIn),
]

/** What stands in the text for a note and before its own: "[1]"; speaker notes have none. */
function markOf({ metadata }: OfficeContentNode): string {
  const { noteId, noteType } = (metadata ?? {}) as { noteId?: string; noteType?: string }
  return noteId !== undefined && noteType !== undefined ? `[${noteId}]` : ''
}

function ownBlocks(node: OfficeContentNode): Block[] {
  const text = textOf(node)
  switch (node.type) {
    case 'heading':
      return [
        {
          kind: 'heading',
          text: withLabel(text),
          level: Math.min(6, Math.max(1, node.metadata?.level ?? 1)),
        },
      ]
    case 'list': {
      const own = labelled(text)
      const counted = node.metadata?.listType === 'ordered' ? `${(node.metadata.itemIndex ?? 0) + 1}.` : '-'
      const mark = own === undefined ? counted : own.label || '-'
      const depth = '  '.repeat(Math.min(5, node.metadata?.indentation ?? 0))
      return [{ kind: 'list', text: `${depth}${mark} ${own?.rest ?? text}` }]
    }
    case 'table': {
      const tables = placed.get(node)
      return (
        tables?.flatMap(tablesByEdges).flatMap(rowBlocks) ?? tableBlocks((node.children ?? []).map(rowCells))
      )
    }
    case 'chart':
      return [{ kind: 'figure', text }]
    case 'image':
      return node.metadata?.altText ? [{ kind: 'figure', text: node.metadata.altText }] : []
    case 'code':
      return [{ kind: 'code', text }]
    case 'note':
      return [{ kind: 'note', text: `${markOf(node)} ${childText(node).trim()}`.trim() }]
    case 'paragraph':
    case 'text': {
      const own = labelled(text)
      return own === undefined
        ? [{ kind: 'paragraph', text }]
        : [{ kind: 'list', text: `${own.label || '-'} ${own.rest}` }]
    }
    case 'header':
    case 'footer':
    case 'slideMaster':
    case 'comment':
    case 'break':
      return []
    default:
      return (node.children ?? []).flatMap((child) => nodeBlocks(child))
  }
}

/** With the number that a list gives it before it: "4.2 Rent". */
function withLabel(text: string): string {
  const own = labelled(text)
  return own === undefined ? text : `${own.label} ${own.rest}`.trim()
}

/** Consecutive items are one list. */
function joinLists(blocks: readonly Block[]): Block[] {
  const joined: Block[] = []
  for (const block of blocks) {
    const last = joined.at(-1)
    if (last?.kind === 'list' && block.kind === 'list') last.text += `\n${block.text}`
    else joined.push({ ...block })
  }
  return joined
}

function textOf(node: OfficeContentNode): string {
  if (node.type === 'break') return '\n'
  const marks = (node.notes ?? []).map(markOf).join('')
  const inner = node.children ?? []
  // A paragraph's own text leaves out where its notes stand, and what is raised: 10³ was 103.
  const own = inner.some((child) => notesIn(child).length > 0 || holdsRaised(child)) ? undefined : node.text
  return `${own || inner.reduce(withText, '')}${marks}`
}

function withText(before: string, node: OfficeContentNode): string {
  const text = textOf(node)
  return before + (isRaised(node) ? raised(before, text) : text)
}

const isRaised = ({ formatting }: OfficeContentNode): boolean => formatting?.superscript === true

const holdsRaised = (node: OfficeContentNode): boolean =>
  isRaised(node) || (node.children ?? []).some(holdsRaised)

function childText(node: OfficeContentNode): string {
  const parts = (node.children ?? [])
    .map((child) => withLabel(textOf(child)))
    .filter((part) => part.trim() !== '')
  return parts.length > 0 ? parts.join('\n') : (node.text ?? '')
}

function rowCells(row: OfficeContentNode): Cell[] {
  return (row.children ?? []).flatMap((cell) => {
    if (cell.type !== 'cell') return []
    const { rowSpan, colSpan } = cell.metadata ?? {}
    return [
      { text: nestedText(childText(cell)), ...(rowSpan ? { rowSpan } : {}), ...(colSpan ? { colSpan } : {}) },
    ]
  })
}
