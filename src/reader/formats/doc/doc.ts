// Reads old Word files (.doc, .dot): headings, lists, tables with merged cells, notes after the paragraph that refers to
// them, and text boxes.

import { readFile } from 'node:fs/promises'
import type { Backend } from '../../backend.ts'
import type { Block } from '../../block.ts'
import { withRaised } from '../../shared/blocks/raised.ts'
import { chooseTitle } from '../../shared/blocks/title.ts'
import { openOle, summaryTitle } from '../../shared/containers/ole.ts'
import {
  addFlatParagraph,
  endCell,
  endRow,
  type FlatStory,
  finishStory,
  openFlatStory,
} from '../../shared/office/flat-story.ts'
import type { Parser } from '../../task.ts'
import { readBinary, type WordBinary } from './binary.ts'
import { type Notes, readNotes, runningNotes } from './notes.ts'

const CELL_MARK = 0x07
const PAGE_BREAK = 0x0c
const PARAGRAPH_MARK = 0x0d
const FIELD_BEGIN = 0x13
const FIELD_SEPARATOR = 0x14
const FIELD_END = 0x15
const FIRST_PRINTABLE = 0x20

/** The blocks of an old Word document. */
const parseDoc: Parser = async (task) => {
  const stream = openOle(await readFile(task.path))
  const blocks = docBlocks(readBinary(stream('WordDocument'), stream))
  const title = chooseTitle(summaryTitle(stream('\u0005SummaryInformation')), blocks)
  return { ...(title === undefined ? {} : { title }), blocks }
}

export const doc: Backend = { parse: parseDoc }

/** The header, the body, the text boxes and the footer. Each note follows the paragraph or table that refers to it. */
export function docBlocks(document: WordBinary): Block[] {
  const { stories } = document
  const notes = readNotes(document, plainText)
  const { footnotes, headers, macros, comments, endnotes } = stories
  const boxesStart = stories.body + footnotes + headers + macros + comments + endnotes
  return [
    ...runningNotes(document, 'header', plainText),
    ...storyBlocks(document, 0, stories.body, notes),
    ...storyBlocks(document, boxesStart, boxesStart + stories.boxes, notes),
    ...runningNotes(document, 'footer', plainText),
  ]
}

/** Reads the characters from one position to another, paragraph by paragraph. */
function storyBlocks(document: WordBinary, from: number, to: number, notes: Notes): Block[] {
  const story = openFlatStory()
  let start = from
  // A damaged header may state billions of characters.
  const end = Math.min(to, document.text.length)
  for (let position = from; position < end; position++) {
    const mark = document.text.charCodeAt(position)
    const isEnd = mark === PARAGRAPH_MARK || mark === CELL_MARK || mark === PAGE_BREAK
    if (!isEnd && position < end - 1) continue
    const paragraphNotes: Block[] = []
    const text = withNotes(document, [start, isEnd ? position : position + 1], notes, paragraphNotes)
    readParagraph(document, position, { text, notes: paragraphNotes }, story)
    start = position + 1
  }
  return finishStory(story)
}

/** The text from `from` to `to` with the marks of its notes. The notes are added to `pending`. */
function withNotes(
  document: WordBinary,
  [from, to]: readonly [from: number, to: number],
  notes: Notes,
  pending: Block[],
): string {
  let markedText = ''
  let raisedText = ''
  const addRaisedText = (): void => {
    markedText += raisedText === '' ? '' : withRaised(markedText.slice(-8), raisedText)
    raisedText = ''
  }
  for (let position = from; position < to; position++) {
    const note = notes.size === 0 ? undefined : notes.get(position)
    const character = document.text[position] ?? ''
    if (note === undefined && document.isRaised(position)) {
      raisedText += character
      continue
    }
    addRaisedText()
    markedText += note?.mark ?? character
    if (note && note.note.text !== '') pending.push({ ...note.note })
  }
  addRaisedText()
  return plainText(markedText)
}

function readParagraph(
  document: WordBinary,
  position: number,
  { text, notes }: { text: string; notes: readonly Block[] },
  story: FlatStory,
): void {
  const properties = document.paragraphAt(position)
  const { inTable, rowEnd } = properties
  if (inTable && rowEnd && properties.depth <= 1) {
    const { edges, continues, isHeader = false } = properties
    story.blocksAfterTable.push(...notes)
    endRow(story, 1, (cells) => ({
      cells,
      isHeader,
      ...(edges && { edges }),
      ...(continues && { continues }),
    }))
    return
  }
  const style = document.styleOf(properties.style)
  const [list, listLevel] = [properties.list ?? style.list ?? 0, properties.listLevel ?? style.listLevel ?? 0]
  // Empty paragraphs are counted too, except the empty rest of a paragraph after a page break.
  const isCounted = list !== 0 && (text !== '' || document.text.charCodeAt(position - 1) !== PAGE_BREAK)
  const paragraph = {
    text: rowEnd ? '' : text,
    level: properties.outline ?? style.level,
    label: isCounted && !rowEnd ? document.labelOf(list, listLevel) : undefined,
    depth: listLevel,
    contents: style.contents,
  }
  // Tables in cells are not read as tables: the marks of their cells end paragraphs.
  addFlatParagraph(story, paragraph, inTable ? 1 : 0, notes)
  if (inTable && !rowEnd && document.text.charCodeAt(position) === CELL_MARK) endCell(story, 1)
}

/**
 * The text as Word shows it: with the results of fields, without field codes and without the marks of pictures, comments and
 * drawings.
 */
function plainText(text: string): string {
  const visibleParts: string[] = []
  // For each open field, whether its result is being read.
  const isResultOfField: boolean[] = []
  for (const character of text) {
    const code = character.charCodeAt(0)
    if (code === FIELD_BEGIN) isResultOfField.push(false)
    else if (code === FIELD_SEPARATOR) {
      if (isResultOfField.length > 0) isResultOfField[isResultOfField.length - 1] = true
    } else if (code === FIELD_END) isResultOfField.pop()
    else if (!isResultOfField.includes(false))
      visibleParts.push(TEXT_BY_CODE[code] ?? (code < FIRST_PRINTABLE ? '' : character))
  }
  return visibleParts.join('').replace(/ {2,}/g, ' ').trim()
}

const TEXT_BY_CODE: Record<number, string> = { 9: '\t', 11: '\n', 13: '\n', 7: '\n', 30: '-', 31: '' }
