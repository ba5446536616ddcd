// Cuts a document's blocks into chunks that follow its structure. Pure functions.

import { createHash } from 'node:crypto'
import type { ChunkType } from '../../contract/resources.ts'
import { uuid5 } from '../../identity.ts'
import { guessLanguage } from '../../language/guess.ts'
import type { Language } from '../../language/language.ts'
import { isUnspaced, words } from '../../language/words.ts'
import type { BBox, Block, ParsedDocument } from '../../reader/reader.ts'
import { repeatFinder } from './repeats.ts'
import { splitText } from './split.ts'
import { tableParts } from './table-parts.ts'

// The length of a chunk in words. Chunks never cross a page or a heading of level 1 or 2, so most are shorter than the target.
const TARGET_WORDS = 220
const MAX_WORDS = 400
// Limits in characters: for tables (about 4,000 tokens), and for text without spaces.
const MAX_TABLE_CHARACTERS = 12_000
const MAX_TEXT_CHARACTERS = 6_000
// The language of a chunk with fewer words cannot be guessed, so it gets the document's language.
const MIN_GUESS_WORDS = 50
// A chunk with fewer words (a label, a date, a signature) is indexed even if it is a repetition.
const MIN_REPEATED_WORDS = 8

export interface ChunkDraft {
  id: string
  type: ChunkType
  text: string
  html?: string
  /** The heading path, with ' > ' between levels. */
  heading: string
  page: number | null
  boxes: { page: number; bbox: BBox }[]
  language: Language
  /** The text that is indexed, if it differs from `text`: without text that occurred before in the document. */
  indexed?: string
}

interface Part {
  text: string
  wordCount: number
  /** Whether the same text occurred before in the document. */
  isRepeat: boolean
}

/** The chunk that is being collected. */
interface ChunkBuffer {
  parts: Part[]
  wordCount: number
  characters: number
  /** Whether there are only headings so far, which belong to the following text. */
  hasOnlyHeadings: boolean
  heading: string
  page: number | null
  boxes: ChunkDraft['boxes']
}

type Piece = Omit<ChunkDraft, 'id' | 'language'> & { wordCount: number }

/** The document's chunks in reading order. A chunk with the same text keeps its id in a new version. */
export function* chunksOf(documentId: string, document: ParsedDocument): Generator<ChunkDraft> {
  const fallback = documentLanguage(document)
  const occurrences = new Map<string, number>()
  for (const { wordCount, ...piece } of pieces(document.blocks)) {
    const digest = createHash('sha256').update(`${piece.type}\n${piece.text}`).digest('hex')
    const occurrence = occurrences.get(digest) ?? 0
    occurrences.set(digest, occurrence + 1)
    const language = wordCount < MIN_GUESS_WORDS ? fallback : guessLanguage(piece.text, fallback)
    // A chunk with the same text as an earlier one contains nothing new.
    const isRepeat = occurrence > 0 && wordCount >= MIN_REPEATED_WORDS
    yield {
      ...piece,
      ...(isRepeat && { indexed: '' }),
      id: uuid5(documentId, `${digest}:${occurrence}`),
      language,
    }
  }
}

/** The language in which most of a document's text is written. */
export const documentLanguage = (document: ParsedDocument): Language => guessLanguage(sample(document.blocks))

function sample(blocks: Block[]): string {
  let text = ''
  for (const block of blocks) {
    if (text.length > 40_000) break
    text += `${block.text.slice(0, 5000)}\n`
  }
  return text
}

function* pieces(documentBlocks: Block[]): Generator<Piece> {
  const { blocks, asides } = separateAsides(documentBlocks)
  const hasOccurred = repeatFinder()
  const path: string[] = []
  const pendingAsides: Piece[] = []
  let buffer = emptyBuffer(path)
  function* flush(): Generator<Piece> {
    if (buffer.parts.length) yield textPiece(buffer)
    yield* pendingAsides.splice(0)
    buffer = emptyBuffer(path)
  }
  for (const [index, block] of blocks.entries()) {
    const page = block.page ?? null
    for (const note of asides.get(index) ?? [])
      pendingAsides.push(...wholeBlock(note, emptyBuffer(path), path, false))
    if (buffer.parts.length === 0) yield* pendingAsides.splice(0)
    // A heading stays with a following block that has no page.
    const isOtherPage = page !== buffer.page && !(buffer.hasOnlyHeadings && page === null)
    if (buffer.parts.length && isOtherPage) yield* flush()
    if (block.kind !== 'heading' && block.level !== undefined) {
      yield* flush()
      path.splice(block.level - 1)
      buffer = emptyBuffer(path)
    }
    if (isTableCaption(blocks, index)) {
      if (!buffer.hasOnlyHeadings) yield* flush()
      append(buffer, partOf(block.text, hasOccurred(block.text)), block, true)
      continue
    }
    if (block.kind === 'heading') {
      const level = Math.min(Math.max(block.level ?? 2, 1), 6)
      if (!buffer.hasOnlyHeadings && (level <= 2 || buffer.wordCount >= TARGET_WORDS / 2)) yield* flush()
      path.splice(level - 1, path.length, block.text.slice(0, 300))
      if (buffer.hasOnlyHeadings) buffer.heading = headingOf(path)
      append(buffer, partOf(block.text, false), block, true)
      continue
    }
    const isRepeat = hasOccurred(block.text)
    if (block.kind === 'table' || block.kind === 'figure') {
      if (!buffer.hasOnlyHeadings) yield* flush()
      yield* wholeBlock(block, buffer, path, isRepeat)
      yield* pendingAsides.splice(0)
      buffer = emptyBuffer(path)
      continue
    }
    for (const text of textsOf(block)) {
      const part = partOf(text, isRepeat)
      const isFull = buffer.wordCount >= TARGET_WORDS || buffer.wordCount + part.wordCount > MAX_WORDS
      if (!buffer.hasOnlyHeadings && (isFull || buffer.characters + text.length > MAX_TEXT_CHARACTERS))
        yield* flush()
      append(buffer, part, block, false)
    }
  }
  for (const block of asides.get(blocks.length) ?? [])
    pendingAsides.push(...wholeBlock(block, emptyBuffer(path), path, false))
  yield* flush()
}

const FENCE = '```'

/**
 * The text of a block, split if it is too long. Code gets fences, by which readers see that it is code, unless it has fences of its
 * own. Each part gets them, so that no chunk begins or ends inside of code that had none.
 */
function* textsOf({ kind, text }: Block): Generator<string> {
  const isFenced = kind === 'code' && !/^```/m.test(text)
  const before = isFenced ? `${FENCE}\n` : ''
  const after = isFenced ? `\n${FENCE}` : ''
  for (const part of splitText(text, MAX_WORDS, MAX_TEXT_CHARACTERS - before.length - after.length))
    yield part.trim() === '' ? part : `${before}${part}${after}`
}

/** Separates the running text from the blocks beside it (`asides`), by the number of text blocks before each of them. */
function separateAsides(documentBlocks: Block[]): { blocks: Block[]; asides: Map<number, Block[]> } {
  const asides = new Map<number, Block[]>()
  if (!documentBlocks.some((block) => block.aside)) return { blocks: documentBlocks, asides }
  let textBlocks = 0
  for (const block of documentBlocks) {
    if (block.aside) asides.set(textBlocks, [...(asides.get(textBlocks) ?? []), block])
    else textBlocks++
  }
  return { blocks: documentBlocks.filter((block) => !block.aside), asides }
}

// Matches the label of a table's caption: "Table 3:", "Tab. IV".
const TABLE_LABEL =
  /^(?:table|tab\.|tabelle|tableau|tabla|tabella)\s*(?:\d+|[A-Z]\d*|[IVX]+)(?:[.:\s–—-]|$)/iu
const MAX_CAPTION_WORDS = 60

/**
 * Whether the block is part of a table's caption, which becomes part of the table's chunk: a paragraph "Table 3: Costs" directly
 * above the table, or a paragraph "Table 3" and one with the text of the caption.
 */
function isTableCaption(blocks: readonly Block[], index: number): boolean {
  const isOfKind = (i: number, kind: Block['kind']): boolean => blocks[i]?.kind === kind
  const text = blocks[index]?.text ?? ''
  if (!isOfKind(index, 'paragraph') || text.split(' ').length > MAX_CAPTION_WORDS) return false
  const isLabelAlone = (i: number): boolean =>
    isOfKind(i, 'paragraph') && TABLE_LABEL.test(blocks[i]?.text ?? '') && (blocks[i]?.text.length ?? 0) < 15
  if (isOfKind(index + 1, 'table')) return TABLE_LABEL.test(text) || isLabelAlone(index - 1)
  return isLabelAlone(index) && isOfKind(index + 1, 'paragraph') && isOfKind(index + 2, 'table')
}

const headingOf = (path: string[]): string => path.filter(Boolean).join(' > ')

const partOf = (text: string, isRepeat: boolean): Part => ({ text, wordCount: wordCount(text), isRepeat })

const emptyBuffer = (path: string[]): ChunkBuffer => ({
  parts: [],
  wordCount: 0,
  characters: 0,
  hasOnlyHeadings: true,
  heading: headingOf(path),
  page: null,
  boxes: [],
})

function append(buffer: ChunkBuffer, part: Part, block: Block, isHeading: boolean): void {
  if (!part.text.trim()) return
  if (buffer.parts.length === 0) buffer.page = block.page ?? null
  buffer.parts.push(part)
  buffer.wordCount += part.wordCount
  buffer.characters += part.text.length
  buffer.hasOnlyHeadings = buffer.hasOnlyHeadings && isHeading
  if (block.bbox && block.page) buffer.boxes.push({ page: block.page, bbox: block.bbox })
}

const textOf = (parts: readonly Part[]): string => parts.map(({ text }) => text).join('\n\n')

/** Joins the texts of the parts. `indexed` is set if some of them are repetitions. */
function joinParts(parts: readonly Part[]): Pick<Piece, 'text' | 'wordCount' | 'indexed'> {
  const newParts = parts.filter(({ isRepeat }) => !isRepeat)
  return {
    text: textOf(parts),
    wordCount: parts.reduce((sum, { wordCount }) => sum + wordCount, 0),
    ...(newParts.length < parts.length && { indexed: textOf(newParts) }),
  }
}

const textPiece = (buffer: ChunkBuffer): Piece => ({
  type: 'text',
  ...joinParts(buffer.parts),
  heading: buffer.heading,
  page: buffer.page,
  boxes: buffer.boxes,
})

/**
 * The chunks of a table or figure, with the headings directly above it. A large table is cut between rows, with its header
 * repeated.
 */
function wholeBlock(block: Block, buffer: ChunkBuffer, path: string[], isRepeat: boolean): Piece[] {
  const boxes = [
    ...buffer.boxes,
    ...(block.bbox && block.page ? [{ page: block.page, bbox: block.bbox }] : []),
  ]
  const table = block.kind === 'table'
  const parts = table
    ? tableParts(block.text, block.html, MAX_TABLE_CHARACTERS)
    : [...splitText(block.text, MAX_WORDS, MAX_TEXT_CHARACTERS)].map((text) => ({ text, html: undefined }))
  return parts.map(({ text, html }, index) => ({
    type: table ? 'table' : 'figure',
    ...joinParts(index === 0 ? [...buffer.parts, partOf(text, isRepeat)] : [partOf(text, isRepeat)]),
    ...(html === undefined ? {} : { html }),
    heading: headingOf(path),
    page: block.page ?? null,
    boxes,
  }))
}

/** The number of words. In a script without spaces, two characters count as one word. */
export function wordCount(text: string): number {
  let count = 0
  for (const { raw } of words(text)) count += isUnspaced(raw) ? Math.ceil(raw.length / 2) : 1
  return count
}
