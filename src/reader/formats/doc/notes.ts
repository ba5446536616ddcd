// Reads the notes of an old Word file: footnotes and endnotes with their marks, comments with their authors, headers and footers
// ([MS-DOC] 2.3).

import type { Block } from '../../block.ts'
import { commentBlock } from '../../shared/blocks/comment.ts'
import { numeral } from '../../shared/blocks/numerals.ts'
import { markedPageNumber, runningNote } from '../../shared/blocks/running.ts'
import { tableIndexes, type WordBinary } from './binary.ts'

/** Notes by the position of the character that refers to them. */
export type Notes = ReadonlyMap<number, { mark: string; note: Block }>

/** The notes of a document. @param toPlainText turns the characters of a story into text */
export function readNotes(document: WordBinary, toPlainText: (text: string) => string): Notes {
  const { stories } = document
  const notes = new Map<number, { mark: string; note: Block }>()
  const add = (base: number, marks: number, texts: number, format: string): void => {
    const count = Math.floor((document.table(marks).length - 4) / 6)
    eachText(document, { base, marks, texts, count }, (position, i, text) => {
      const mark = `[${numeral(i + 1, format)}]`
      const noteText = toPlainText(text)
      notes.set(position, {
        mark,
        note: { kind: 'note', text: noteText === '' ? '' : `${mark} ${noteText}` },
      })
    })
  }
  const footnotes = stories.body
  const comments = footnotes + stories.footnotes + stories.headers + stories.macros
  const endnotes = comments + stories.comments
  add(footnotes, tableIndexes.footnoteMarks, tableIndexes.footnotes, 'decimal')
  add(endnotes, tableIndexes.endnoteMarks, tableIndexes.endnotes, 'lowerRoman')
  const marks = document.table(tableIndexes.commentMarks)
  const count = Math.floor((marks.length - 4) / (4 + MARK_BYTES))
  const authors = readAuthors(document.table(tableIndexes.commentAuthors))
  const commentTexts = {
    base: comments,
    marks: tableIndexes.commentMarks,
    texts: tableIndexes.comments,
    count,
  }
  eachText(document, commentTexts, (position, i, text) => {
    const author = authors[marks.readUInt16LE(4 * (count + 1) + MARK_BYTES * i + AUTHOR_OFFSET)] ?? ''
    notes.set(position, { mark: '', note: commentBlock(author, toPlainText(text)) })
  })
  return notes
}

const MARK_BYTES = 30
const AUTHOR_OFFSET = 20

interface NoteTexts {
  /** The position at which the texts of the notes begin. */
  base: number
  /** The table with the positions of the marks. */
  marks: number
  /** The table with the positions of the texts. */
  texts: number
  count: number
}

function eachText(
  document: WordBinary,
  { base, marks, texts, count }: NoteTexts,
  onText: (position: number, i: number, text: string) => void,
): void {
  const [markPositions, textStarts] = [document.table(marks), document.table(texts)]
  for (let i = 0; i < count && 4 * (i + 2) <= textStarts.length; i++) {
    const from = base + textStarts.readUInt32LE(4 * i)
    onText(
      markPositions.readUInt32LE(4 * i),
      i,
      document.text.slice(from, base + textStarts.readUInt32LE(4 * i + 4)),
    )
  }
}

/** The authors of comments. The table is a sequence of names, each after its length. */
function readAuthors(table: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at + 2 <= table.length; ) {
    const end = at + 2 + 2 * table.readUInt16LE(at)
    names.push(table.toString('utf16le', at + 2, end))
    at = end
  }
  return names
}

// The table begins with six separators of notes. The headers and footers come after them.
const FIRST_HEADER_INDEX = 6
// For each section: headers of even and odd pages, footers of even and odd pages, header and footer of the first page.
const RUNNING_KINDS = ['header', 'header', 'footer', 'footer', 'header', 'footer'] as const
// A character of the private use area that stands for the page number mark while control characters are removed.
const PAGE_PLACEHOLDER = '\uf8f0'
// biome-ignore lint/suspicious/noControlCharactersInRegex: the marks of fields are control characters
const PAGE_FIELD = /\x13\s*(?:PAGE|NUMPAGES|SECTIONPAGES)\b[^\x13-\x15]*\x14([^\x13-\x15]*)\x15/gi

/** The headers or footers of all sections as one note. */
export function runningNotes(
  document: WordBinary,
  kind: 'header' | 'footer',
  toPlainText: (text: string) => string,
): Block[] {
  const headerPositions = document.table(tableIndexes.headers)
  const base = document.stories.body + document.stories.footnotes
  const stories: string[] = []
  for (let i = FIRST_HEADER_INDEX; 4 * (i + 2) <= headerPositions.length; i++) {
    if (RUNNING_KINDS[(i - FIRST_HEADER_INDEX) % RUNNING_KINDS.length] !== kind) continue
    const [from, to] = [headerPositions.readUInt32LE(4 * i), headerPositions.readUInt32LE(4 * i + 4)]
    if (to <= from || to > document.stories.headers) continue
    const raw = document.text.slice(base + from, base + to)
    const visibleText = toPlainText(
      raw.replace(PAGE_FIELD, (_, number: string) => `${PAGE_PLACEHOLDER}${number}`),
    )
    stories.push(visibleText.replaceAll(PAGE_PLACEHOLDER, markedPageNumber('')))
  }
  return runningNote(stories)
}
