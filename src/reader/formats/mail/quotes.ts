// The earlier messages that a mail quotes. Lines of a plain text begin with ">" as often as they are quoted ([RFC 3676] 4.5). The
// line that says who wrote an earlier message, or the header that Outlook puts above it, becomes its heading. A quoted text without
// such a heading keeps its marks, so that nobody takes it for the words of the sender. Pure.

import {
  DATE_LINE,
  FROM_LINE,
  isAttribution,
  isDatedAttribution,
  isSeparatorText,
} from '../../../language/attribution.ts'
import type { Block } from '../../block.ts'
import { textBlocks } from '../../shared/blocks/text-blocks.ts'

/** The paragraphs of a plain text, without quote marks, with `quoteDepth`. `withQuoteHeadings` adds marks where they are needed. */
export function* plainTextBlocks(text: string): Generator<Block> {
  if (!/^>/m.test(text)) {
    yield* textBlocks(text)
    return
  }
  for (const { depth, text: paragraph } of paragraphs(text))
    for (const block of textBlocks(paragraph)) yield depth === 0 ? block : { ...block, quoteDepth: depth }
}

interface QuotedLine {
  /** How often the line is quoted; 0 for text of the mail's own. */
  depth: number
  text: string
}

/** The paragraphs of the text, which end at blank lines and where the number of quote marks changes. */
function* paragraphs(text: string): Generator<QuotedLine> {
  const lines = text.split('\n')
  const comparisons = comparisonLines(lines)
  let depth = 0
  let paragraph: string[] = []
  for (const [i, line] of lines.entries()) {
    const { depth: lineDepth, text: words } = comparisons.has(i) ? { depth: 0, text: line } : unquote(line)
    const isBlank = words.trim() === ''
    if (paragraph.length > 0 && (isBlank || lineDepth !== depth)) {
      yield { depth, text: paragraph.join('\n') }
      paragraph = []
    }
    if (isBlank) continue
    depth = lineDepth
    paragraph.push(words)
  }
  if (paragraph.length > 0) yield { depth, text: paragraph.join('\n') }
}

/** The line without its quote marks, which may have spaces between them. */
function unquote(line: string): QuotedLine {
  let depth = 0
  let end = 0
  while (line[end] === '>' || (depth > 0 && line[end] === ' ' && line[end + 1] === '>')) {
    if (line[end] === '>') depth++
    end++
  }
  return { depth, text: line.slice(depth > 0 && line[end] === ' ' ? end + 1 : end) }
}

const COMPARISON = /^> ?(?:[\d€$£]|From )/

/**
 * The indexes of the lines whose sign is probably no quote mark: "> 30 °C: stop the pump", or the sign that mailboxes put before
 * "From ". All lines with a sign that follow each other begin so, and above them is neither an attribution nor a quoted line.
 */
function comparisonLines(lines: readonly string[]): Set<number> {
  const comparisons = new Set<number>()
  // The index after the last line that is not blank.
  let aboveEnd = 0
  for (let start = 0; start < lines.length; start++) {
    if (!lines[start]?.startsWith('>')) {
      if (lines[start]?.trim() !== '') aboveEnd = start + 1
      continue
    }
    let end = start
    while (lines[end]?.startsWith('>')) end++
    const linesAbove = lines.slice(Math.max(0, aboveEnd - MAX_ATTRIBUTION_LINES), aboveEnd)
    const isAfterQuote = linesAbove.at(-1)?.startsWith('>') === true && !comparisons.has(aboveEnd - 1)
    const run = lines.slice(start, end)
    if (!isAfterQuote && run.every((line) => COMPARISON.test(line)) && attributionAtEnd(linesAbove) === 0)
      for (let i = start; i < end; i++) comparisons.add(i)
    aboveEnd = end
    start = end - 1
  }
  return comparisons
}

/** A piece of a mail's body. */
interface Piece {
  block: Block
  depth: number
  /** The heading of an earlier message, if the piece is one, and how often that message is quoted. */
  head?: Head
}

interface Head {
  text: string
  depth: number
}

/**
 * The blocks of a mail's body with the attributions of earlier messages as headings of this level. A block after such a message that
 * is not part of it has the level, too, so that the heading ends there. Text of a message below another one that it quotes has the
 * heading of its message again. A block that is quoted more often than the message of its heading has marks for the difference.
 *
 * If answers stand between the passages of an earlier message, its attribution stays a paragraph, because the answers would
 * otherwise be parted from the questions.
 */
export function withQuoteHeadings(blocks: readonly Block[], level: number): Block[] {
  const pieces = blocks.flatMap((block, i) => piecesOf(block, blocks[i - 1], blocks[i + 1]))
  const interleavedHeads = headsOfInterleaved(pieces)
  // The messages that the text belongs to, each of them quoted in the one before it.
  const openHeads: Head[] = []
  const closeFrom = (depth: number): void => {
    const first = openHeads.findIndex((head) => head.depth >= depth)
    if (first !== -1) openHeads.length = first
  }
  return pieces.flatMap((piece): Block[] => {
    const { quoteDepth: _, ...block } = piece.block
    const headingOf = ({ text }: Head): Block => ({ kind: 'heading', text, level })
    if (piece.head && !interleavedHeads.has(piece)) {
      closeFrom(piece.head.depth)
      openHeads.push(piece.head)
      return [headingOf(piece.head)]
    }
    if (!isVisibleText(block)) return [block]
    const previousHead = openHeads.at(-1)
    closeFrom(piece.depth + 1)
    const head = openHeads.at(-1)
    const markedBlock = withMarks(block, piece.depth - (head?.depth ?? 0))
    if (head) return [...(head === previousHead ? [] : [headingOf(head)]), belowHeading(markedBlock, level)]
    return [previousHead ? { ...markedBlock, level: Math.min(block.level ?? level, level) } : markedBlock]
  })
}

/** The block with its level below that of the heading above it, if it is a heading itself. */
const belowHeading = (block: Block, level: number): Block =>
  block.kind === 'heading' ? { ...block, level: Math.min(6, (block.level ?? 1) + level) } : block

// More marks say nothing more, and a page may have thousands of quotations in each other.
const MAX_MARKS = 9

/** The block with so many quote marks before each line, but not more than MAX_MARKS. Headings, tables and code stay as they are. */
function withMarks(block: Block, count: number): Block {
  if (count === 0 || !(block.kind === 'paragraph' || block.kind === 'list')) return block
  const marks = '>'.repeat(Math.min(count, MAX_MARKS))
  const lines = block.text.split('\n').map((line) => (line.trim() === '' ? line : `${marks} ${line}`))
  return { ...block, text: lines.join('\n') }
}

const depthOf = (block: Block | undefined): number => block?.quoteDepth ?? 0

const isVisibleText = ({ text, hidden }: Block): boolean => text.trim() !== '' && hidden !== true

/** The heads of earlier messages that go on after an answer. */
function headsOfInterleaved(pieces: readonly Piece[]): Set<Piece> {
  const interleavedHeads = new Set<Piece>()
  let headPiece: Piece | undefined
  let isAnswered = false
  for (const piece of pieces) {
    if (piece.head) {
      headPiece = piece
      isAnswered = false
    } else if (headPiece?.head && isVisibleText(piece.block)) {
      if (piece.depth < headPiece.head.depth) isAnswered = true
      else if (isAnswered) interleavedHeads.add(headPiece)
    }
  }
  return interleavedHeads
}

/** A block, split where it has the attribution or the header of an earlier message. */
function piecesOf(block: Block, previous: Block | undefined, next: Block | undefined): Piece[] {
  const depth = depthOf(block)
  if (block.kind !== 'paragraph' || block.hidden) return [{ block, depth }]
  const isBeforeQuote = depthOf(next) > depth
  const isAfterShallower = depth > depthOf(previous)
  // Most paragraphs of a long mail are passed on without a copy of their text.
  if (!isBeforeQuote && !isAfterShallower && !HEADER_BEGINNING.test(block.text)) return [{ block, depth }]
  const lines = block.text.split('\n')
  const endLength = isBeforeQuote ? attributionAtEnd(lines) : 0
  const startLength = isAfterShallower ? attributionAtStart(lines.slice(0, lines.length - endLength)) : 0
  const textLines = lines.slice(startLength, lines.length - endLength)
  const pieceOf = (part: readonly string[], head?: Piece['head']): Piece[] =>
    part.length === 0 ? [] : [{ block: { ...block, text: part.join('\n') }, depth, ...(head && { head }) }]
  const headOf = (part: readonly string[], headDepth: number): Piece[] =>
    pieceOf(part, { text: oneLine(part), depth: headDepth })
  return [
    ...headOf(lines.slice(0, startLength), depth),
    ...headerPieces(textLines, depth, pieceOf),
    ...headOf(lines.slice(lines.length - endLength), depthOf(next)),
  ]
}

const oneLine = (lines: readonly string[]): string => lines.map((line) => line.trim()).join(' ')

const MAX_ATTRIBUTION_LINES = 3
// A longer line without a date is a sentence: "I do not agree with what your colleague from the other office wrote:".
const MAX_UNDATED_CHARACTERS = 80
/** The number of lines of the attribution at the end of a paragraph before quoted text. */
function attributionAtEnd(lines: readonly string[]): number {
  for (let count = 1; count <= Math.min(MAX_ATTRIBUTION_LINES, lines.length); count++)
    if (isDatedAttribution(oneLine(lines.slice(-count)))) return count
  const lastLine = lines.at(-1)?.trim() ?? ''
  return lastLine.length <= MAX_UNDATED_CHARACTERS && isAttribution(lastLine) ? 1 : 0
}

/** The number of lines of the attribution at the beginning of a quoted passage. */
function attributionAtStart(lines: readonly string[]): number {
  for (let count = 1; count <= Math.min(MAX_ATTRIBUTION_LINES, lines.length); count++)
    if (isDatedAttribution(oneLine(lines.slice(0, count))))
      return attributionAtEnd(lines.slice(0, count)) === count ? count : 0
  return 0
}

const SUBJECT_LINE =
  /^\*?(?:Subject|Betreff|Objet|Asunto|Oggetto|Assunto|Onderwerp|Ämne|Emne|Temat|Тема|件名|主题|主旨|제목)\s?[:：]/u
const HEADER_LINE = /^\*?\p{L}[\p{L} -]{0,20}\s?[:：]\*?\s*\S/u
const MAX_HEADER_LINES = 8
const HEADER_BEGINNING = /^[ \t]*(?:-{3,}|_{5,}|\*?\p{L}{2,8}(?: \p{L}{2,8})?\s?[:：])/mu
// "-----Original Message-----", "---------- Forwarded message ---------", or the rule above Outlook's header.
const SEPARATOR = /^(?:-{3,}\s*([^-\s].{0,60}?)\s*-{3,}|_{5,})$/

/** The lines split at the headers of earlier messages in them. A header's other lines are a paragraph below the heading. */
function headerPieces(
  lines: readonly string[],
  depth: number,
  pieceOf: (lines: readonly string[], head?: Piece['head']) => Piece[],
): Piece[] {
  const pieces: Piece[] = []
  let textStart = 0
  for (let i = 0; i < lines.length; i++) {
    const separator = SEPARATOR.exec(lines[i]?.trim() ?? '')
    const start = separator ? i + 1 : i
    const header = headerAt(lines, start, separator !== null)
    const isAlone = header === undefined && isSeparatorText(separator?.[1] ?? '')
    if (header === undefined && !isAlone) continue
    const { from = '', date = '', others = [] } = header ?? {}
    const headLines = [separator?.[1] ?? '', from, date].filter((line) => line !== '')
    pieces.push(
      ...pieceOf(lines.slice(textStart, i)),
      ...pieceOf(headLines, { text: headLines.join(', '), depth }),
      ...pieceOf(others),
    )
    textStart = start + (header?.lineCount ?? 0)
    i = textStart - 1
  }
  return [...pieces, ...pieceOf(lines.slice(textStart))]
}

interface MessageHeader {
  from: string
  date: string
  /** The other lines: receivers, subject. */
  others: string[]
  lineCount: number
}

/**
 * The header of an earlier message whose first line has this index. It has a sender and a date, and a subject, a separator above it
 * or the sender's address, because "From: Hamburg" and "Date: 3 May" may be those of a journey. Below a separator, the sender need
 * not come first.
 */
function headerAt(
  lines: readonly string[],
  start: number,
  isBelowSeparator: boolean,
): MessageHeader | undefined {
  if (!isBelowSeparator && !FROM_LINE.test(lines[start] ?? '')) return undefined
  const following = lines.slice(start, start + MAX_HEADER_LINES).map((line) => line.trim())
  const fromIndex = following.findIndex((line) => FROM_LINE.test(line))
  const end = following.findIndex(
    (line, i) => !HEADER_LINE.test(line) || (i > fromIndex && FROM_LINE.test(line)),
  )
  const header = (end === -1 ? following : following.slice(0, end)).map(withoutBold)
  const from = header[fromIndex]
  const dateIndex = header.findIndex((line) => DATE_LINE.test(line))
  if (from === undefined || dateIndex === -1) return undefined
  const isMessage = isBelowSeparator || from.includes('@') || header.some((line) => SUBJECT_LINE.test(line))
  if (!isMessage) return undefined
  return {
    from,
    date: header[dateIndex] ?? '',
    others: header.filter((_, i) => i !== fromIndex && i !== dateIndex),
    lineCount: header.length,
  }
}

const withoutBold = (line: string): string => line.replace(/^\*([^*]+)\*/, '$1')
