// Word 6 and Word 95 (.doc before Word 97): text in the code page of its language, headings by style, tables by the marks
// of their cells. The pieces of quick-saved files are put in order.

import iconv from 'iconv-lite'
import type { Block } from '../../../block.ts'
import { UnreadableFile } from '../../../block.ts'
import { encodingOf } from '../../../shared/encodings/encoding.ts'
import {
  addFlatParagraph,
  endCell,
  endRow,
  finishStory,
  openFlatStory,
} from '../../../shared/office/flat-story.ts'
import { paragraphsOf, type RawParagraph } from './paragraphs.ts'

// Western and, behind A6, East Asian versions.
const MAGIC = new Set([0xa5dc, 0xa5ec, 0xa697, 0xa698, 0xa699])
const FIRST = 0x65
const WORD_97 = 0xc1
const PASSWORD = 0x0100
const LENGTHS = 0x34

/** Whether the main stream of a Word file is in the format before Word 97. */
export function isWord95(stream: Buffer): boolean {
  if (stream.length < 0x170 || !MAGIC.has(stream.readUInt16LE(0))) return false
  const version = stream.readUInt16LE(2)
  return version >= FIRST && version < WORD_97
}

/** The blocks of the body, the text boxes and the notes, in this order. */
export function word95Blocks(stream: Buffer): Block[] {
  if ((stream.readUInt16LE(0x0a) & PASSWORD) !== 0) throw new UnreadableFile('encrypted')
  const [body = 0, footnotes = 0, headers = 0, macros = 0, comments = 0, endnotes = 0, boxes = 0] =
    Array.from({ length: 7 }, (_, i) => stream.readUInt32LE(LENGTHS + 4 * i))
  const paragraphs = paragraphsOf(stream)
  const decode = decoderOf(paragraphs)
  const between = (from: number, length: number): RawParagraph[] =>
    paragraphs.filter(({ start }) => start >= from && start < from + length)
  const endnotesStart = body + footnotes + headers + macros + comments
  const notes = [...between(body, footnotes), ...between(endnotesStart, endnotes)].map(
    ({ bytes }): Block => ({ kind: 'note', text: visibleText(decode(bytes)) }),
  )
  return [
    ...storyBlocks(between(0, body), decode),
    ...storyBlocks(between(endnotesStart + endnotes, boxes), decode),
    ...notes.filter(({ text }) => text !== ''),
  ]
}

/** Decodes with the code page that fits the whole text; fonts with different code pages are not distinguished. */
function decoderOf(paragraphs: readonly RawParagraph[]): (bytes: Buffer) => string {
  const letters = Buffer.concat(paragraphs.map(({ bytes }) => bytes)).map((byte) => Math.max(byte, 0x20))
  const detected = encodingOf(Buffer.from(letters))
  const encoding =
    /^(?:utf|ascii)/i.test(detected) || !iconv.encodingExists(detected) ? 'windows-1252' : detected
  return (bytes) => iconv.decode(bytes, encoding)
}

function storyBlocks(paragraphs: readonly RawParagraph[], decode: (bytes: Buffer) => string): Block[] {
  const story = openFlatStory()
  for (const { bytes, level, inTable, isRowEnd, isCellEnd } of paragraphs) {
    if (inTable && isRowEnd) endRow(story, 1, (cells) => ({ cells }))
    else {
      addFlatParagraph(story, { text: visibleText(decode(bytes)), level }, inTable ? 1 : 0, [])
      if (inTable && isCellEnd) endCell(story, 1)
    }
  }
  return finishStory(story)
}

const breaks: Record<string, string> = { '\t': '\t', '\v': '\n', '\u001e': '-' }

/** The text as shown: with the results of fields, without their codes and the marks of pictures and notes. */
function visibleText(text: string): string {
  const fields: boolean[] = []
  let result = ''
  for (const character of text) {
    if (character === '\u0013') fields.push(false)
    else if (character === '\u0014') fields[Math.max(0, fields.length - 1)] = true
    else if (character === '\u0015') fields.pop()
    else if (!fields.includes(false)) result += character < ' ' ? (breaks[character] ?? '') : character
  }
  return result.replace(/ {2,}/g, ' ').trim()
}
