// Old Word (.doc, .dot): headings, lists, tables with their spans, notes at their place, text boxes.

import { readFile } from 'node:fs/promises'
import type { Block } from '../../block.ts'
import { raised } from '../../blocks/raised.ts'
import { chooseTitle } from '../../blocks/title.ts'
import type { Parser } from '../../task.ts'
import { joinContents } from '../contents.ts'
import { openOle } from '../ole.ts'
import { rowBlocks, type TableRow, tablesByEdges } from '../table-rows.ts'
import { isWord95, word95Blocks } from '../word-95/word-95.ts'
import { readBinary, type WordBinary } from './binary.ts'
import { type Notes, readNotes, runningNotes } from './notes.ts'
import { summaryTitle } from './summary.ts'

/** An old Word document's blocks. */
export const parseDoc: Parser = async (task) => {
  const stream = openOle(await readFile(task.path))
  const main = stream('WordDocument')
  const found = isWord95(main) ? word95Blocks(main) : docBlocks(readBinary(main, stream))
  const blocks = joinContents(found)
  const title = chooseTitle(summaryTitle(stream('\u0005SummaryInformation')), blocks)
  return { ...(title === undefined ? {} : { title }), blocks }
}

/** Body and text boxes, each note behind the paragraph or table that refers to it; headers and footers around them. */
export function docBlocks(document: WordBinary): Block[] {
  const { stories } = document
  const notes = readNotes(document, plain)
  const { footnotes, headers, macros, comments, endnotes } = stories
  const boxes = stories.body + footnotes + headers + macros + comments + endnotes
  return [
    ...runningNotes(document, 'header', plain),
    ...storyBlocks(document, 0, stories.body, notes),
    ...storyBlocks(document, boxes, boxes + stories.boxes, notes),
    ...runningNotes(document, 'footer', plain),
  ]
}

interface Story {
  blocks: Block[]
  /** The cells of the row being read and the rows before it. */
  cells: string[]
  cell: string
  rows: TableRow[]
  /** Notes of the table being read. */
  pending: Block[]
}

/** Reads the characters from one position to another, paragraph by paragraph. */
function storyBlocks(document: WordBinary, from: number, to: number, notes: Notes): Block[] {
  const story: Story = { blocks: [], cells: [], cell: '', rows: [], pending: [] }
  let start = from
  // A damaged header may promise billions of characters.
  const end = Math.min(to, document.text.length)
  for (let cp = from; cp < end; cp++) {
    const mark = document.text.charCodeAt(cp)
    if (mark !== 0x0d && mark !== 0x07 && mark !== 0x0c && cp < end - 1) continue
    const ends = mark === 0x0d || mark === 0x07 || mark === 0x0c
    const own: Block[] = []
    const text = withNotes(document, start, ends ? cp : cp + 1, notes, own)
    readParagraph(document, cp, mark, { text, notes: own }, story)
    start = cp + 1
  }
  closeTable(story)
  return story.blocks
}

function withNotes(document: WordBinary, from: number, to: number, notes: Notes, pending: Block[]): string {
  let marked = ''
  let up = ''
  const settle = (): void => {
    marked += up === '' ? '' : raised(marked.slice(-8), up)
    up = ''
  }
  for (let cp = from; cp < to; cp++) {
    const note = notes.size === 0 ? undefined : notes.get(cp)
    const character = document.text[cp] ?? ''
    if (note === undefined && document.isRaised(cp)) {
      up += character
      continue
    }
    settle()
    marked += note?.mark ?? character
    if (note && note.note.text !== '') pending.push({ ...note.note })
  }
  settle()
  return plain(marked)
}

function readParagraph(
  document: WordBinary,
  cp: number,
  mark: number,
  { text, notes }: { text: string; notes: readonly Block[] },
  story: Story,
): void {
  const properties = document.paragraphAt(cp)
  const style = document.styleOf(properties.style)
  const [list, listLevel] = [properties.list ?? style.list ?? 0, properties.listLevel ?? style.listLevel ?? 0]
  // Counted without text, too, but not again behind a page break in its paragraph.
  const isCounted = list !== 0 && (text !== '' || document.text.charCodeAt(cp - 1) !== 0x0c)
  const label = isCounted && !properties.rowEnd ? document.labelOf(list, listLevel) : undefined
  if (properties.inTable) {
    story.pending.push(...notes)
    if (properties.rowEnd && properties.depth <= 1) {
      const { edges, continues, isHeader = false } = properties
      story.rows.push({
        cells: story.cells,
        isHeader,
        ...(edges && { edges }),
        ...(continues && { continues }),
      })
      story.cells = []
      story.cell = ''
    } else if (!properties.rowEnd) {
      const line = text === '' || label === undefined ? text : `${label} ${text}`.trimStart()
      story.cell += story.cell === '' || line === '' ? line : `\n${line}`
      // A mark of an inner table's cell is an ordinary paragraph's.
      if (mark === 0x07) {
        story.cells.push(story.cell)
        story.cell = ''
      }
    }
    return
  }
  closeTable(story)
  if (text !== '') {
    const level = properties.outline ?? style.level
    const depth = label === undefined ? (style.contents ?? 1) - 1 : listLevel
    const isItem = label !== undefined || style.contents !== undefined
    pushParagraph(story.blocks, { text, level, depth, isItem, label: label ?? '' })
  }
  story.blocks.push(...notes)
}

interface Paragraph {
  text: string
  level: number
  isItem: boolean
  depth: number
  label: string
}

function pushParagraph(blocks: Block[], { text, level, isItem, depth, label }: Paragraph): void {
  const last = blocks.at(-1)
  const numbered = `${label} ${text}`.trimStart()
  if (level > 0 && text.length <= 500) {
    const heading = (label === '-' ? text : numbered).replace(/\s+/g, ' ')
    blocks.push({ kind: 'heading', text: heading, level: Math.min(6, level) })
  } else if (!isItem) blocks.push({ kind: 'paragraph', text })
  else {
    const line = `${'  '.repeat(Math.min(5, depth))}${numbered}`
    if (last?.kind === 'list') last.text += `\n${line}`
    else blocks.push({ kind: 'list', text: line })
  }
}

function closeTable(story: Story): void {
  if (story.cell !== '') story.cells.push(story.cell)
  if (story.cells.length > 0) story.rows.push({ cells: story.cells })
  story.cells = []
  story.cell = ''
  if (story.rows.length === 0) return
  story.blocks.push(...tablesByEdges(story.rows).flatMap(rowBlocks), ...story.pending.splice(0))
  story.rows = []
}

/** Text as shown: the results of fields, not their codes; no marks of pictures, comments and drawings. */
function plain(text: string): string {
  const shown: string[] = []
  const fields: boolean[] = []
  for (const character of text) {
    const code = character.charCodeAt(0)
    if (code === 0x13) fields.push(false)
    else if (code === 0x14) {
      if (fields.length > 0) fields[fields.length - 1] = true
    } else if (code === 0x15) fields.pop()
    else if (!fields.includes(false)) shown.push(characters[code] ?? (code < 0x20 ? '' : character))
  }
  return shown.join('').replace(/ {2,}/g, ' ').trim()
}

const characters: Record<number, string> = { 9: '\t', 11: '\n', 13: '\n', 7: '\n', 30: '-', 31: '' }
