// Reads the texts of an old PowerPoint file: their kinds, and their paragraphs with the level of list items.

import type { Block } from '../../block.ts'
import { addParagraph, emptyList } from '../../shared/office/paragraphs.ts'
import { type PptRecord, recordTypes } from './records.ts'

export interface SlideText {
  /** 0 is a title, 1 the body, 2 notes, 4 other text, 5 a subtitle, 6 a centred title, 7 half of a body, 8 a quarter of a body. */
  kind: number
  paragraphs: readonly Paragraph[]
}

interface Paragraph {
  text: string
  level: number
  isItem: boolean
}

const MAX_LEVEL = 5
const BODY_KINDS = new Set([1, 7, 8])
export const isTitle = ({ kind }: SlideText): boolean => kind === 0 || kind === 6
export const isNotes = ({ kind }: SlideText): boolean => kind === 2

/** The texts in a sequence of records: a header with the kind of each text, followed by its characters and formatting. */
export function textsOf(records: readonly PptRecord[]): SlideText[] {
  const groups: PptRecord[][] = []
  for (const record of records) {
    if (record.type === recordTypes.textHeader) groups.push([record])
    else groups.at(-1)?.push(record)
  }
  return groups.map(readText)
}

function readText(records: readonly PptRecord[]): SlideText {
  const dataOfType = (type: number): Buffer | undefined =>
    records.find((record) => record.type === type)?.data
  const head = dataOfType(recordTypes.textHeader)
  const kind = head && head.length >= 4 ? head.readUInt32LE(0) : 4
  const letters =
    dataOfType(recordTypes.textChars)?.toString('utf16le') ??
    dataOfType(recordTypes.textBytes)?.toString('latin1') ??
    ''
  const visibleText = withoutFields(letters, records)
  const runs = readFormatting(dataOfType(recordTypes.textStyle) ?? Buffer.alloc(0), letters.length)
  let position = 0
  let runIndex = 0
  const paragraphs = visibleText.split('\r').map((text): Paragraph => {
    while (runIndex + 1 < runs.length && position >= (runs[runIndex]?.end ?? 0)) runIndex++
    const { level = 0, isItem = BODY_KINDS.has(kind) } = runs[runIndex] ?? {}
    position += text.length + 1
    return { text: text.replaceAll('\0', '').replaceAll('\v', '\n').trim(), level, isItem }
  })
  return { kind, paragraphs: paragraphs.filter(({ text }) => text !== '') }
}

/**
 * Replaces the placeholders of dates, footers and slide numbers, which are asterisks in the text, by NUL characters. So the
 * positions of the text after them do not change. The NUL characters are removed later.
 */
function withoutFields(text: string, records: readonly PptRecord[]): string {
  const fields = records.filter(
    ({ type, data }) => type >= recordTypes.slideNumber && type <= recordTypes.footer && data.length >= 4,
  )
  const positions = new Set(fields.map(({ data }) => data.readUInt32LE(0)))
  return positions.size === 0
    ? text
    : text.replace(/\*/g, (star, index: number) => (positions.has(index) ? '\0' : star))
}

interface Formatting {
  /** The position after the last character of the run. */
  end: number
  level: number
  isItem?: boolean
}

/** The bit of the mask that says whether the flags have the bullet's bit. */
const BULLET_MASK = 1
/** The bit of the flags that says whether there is a bullet. */
const BULLET_FLAG = 1
/** The sizes of the optional fields before the tabs, in order ([MS-PPT] 2.9.20). */
const FIELDS_BEFORE_TABS: readonly (readonly [mask: number, bytes: number])[] = [
  [0x80, 2],
  [0x10, 2],
  [0x40, 2],
  [0x20, 4],
  [0x800, 2],
  [0x1000, 2],
  [0x2000, 2],
  [0x4000, 2],
  [0x100, 2],
  [0x400, 2],
  [0x8000, 2],
]
const HAS_TABS = 0x100000
const FIELDS_AFTER_TABS: readonly (readonly [mask: number, bytes: number])[] = [
  [0x10000, 2],
  [0xe0000, 2],
  [0x200000, 2],
]

/** The level of each run of paragraphs, and whether they are list items if the file states this. */
function readFormatting(style: Buffer, length: number): Formatting[] {
  const runs: Formatting[] = []
  let end = 0
  let offset = 0
  while (end <= length && offset + 10 <= style.length) {
    end += style.readUInt32LE(offset)
    const level = Math.min(MAX_LEVEL, style.readUInt16LE(offset + 4))
    const mask = style.readUInt32LE(offset + 6)
    offset += 10
    const hasFlags = (mask & 0xf) !== 0
    if (offset + 2 > style.length) break
    const isItem = (style.readUInt16LE(offset) & BULLET_FLAG) !== 0
    runs.push({ end, level, ...((mask & BULLET_MASK) !== 0 && { isItem }) })
    offset += hasFlags ? 2 : 0
    for (const [bit, bytes] of FIELDS_BEFORE_TABS) if ((mask & bit) !== 0) offset += bytes
    if ((mask & HAS_TABS) !== 0) offset += offset + 2 <= style.length ? 2 + 4 * style.readUInt16LE(offset) : 2
    for (const [bit, bytes] of FIELDS_AFTER_TABS) if ((mask & bit) !== 0) offset += bytes
  }
  return runs
}

/** The blocks of a text. A title is a heading. */
export function textBlocks(text: SlideText): Block[] {
  if (isTitle(text)) {
    const title = plainText(text).replace(/\s+/g, ' ')
    return title === '' ? [] : [{ kind: 'heading', text: title, level: 1 }]
  }
  const list = emptyList()
  for (const { text: words, level, isItem } of text.paragraphs)
    addParagraph(list, { text: words, level: 0, label: isItem ? '-' : undefined, depth: level })
  return list.blocks
}

export const plainText = ({ paragraphs }: SlideText): string => paragraphs.map(({ text }) => text).join('\n')
