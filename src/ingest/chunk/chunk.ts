// Blocks to chunks that follow the document's structure (design/ingestion.md, "Chunking"). Pure.

import { createHash } from 'node:crypto'
import type { ChunkType } from '../../contract/resources.ts'
import { uuid5 } from '../../identity.ts'
import { guessLanguage } from '../../language/guess.ts'
import type { Language } from '../../language/language.ts'
import { isCjk, words } from '../../language/words.ts'
import type { BBox, Block, ParsedDocument } from '../parse/block.ts'
import { splitTable, splitText } from './split.ts'

// In words. Chunks never cross a page or a heading of level 1 or 2, so most are shorter than the target.
const TARGET_WORDS = 220
const MOST_WORDS = 400
// Characters: about 4,000 tokens of a table, and a bound for text without spaces.
const MOST_TABLE = 12_000
const MOST_TEXT = 6_000
// Fewer words than this do not tell a language; the document's own is taken.
const GUESS_WORDS = 50

export interface ChunkDraft {
  id: string
  type: ChunkType
  text: string
  html?: string
  /** Heading path, ' > ' between levels. */
  heading: string
  page: number | null
  boxes: { page: number; bbox: BBox }[]
  language: Language
}

interface Buffer {
  parts: string[]
  words: number
  characters: number
  /** Only headings so far: they go with what follows. */
  bare: boolean
  heading: string
  page: number | null
  boxes: ChunkDraft['boxes']
}

type Piece = Omit<ChunkDraft, 'id' | 'language'>

/** The document's chunks in reading order; ids survive a new version for text that did not change. */
export function chunkDocument(documentId: string, parsed: ParsedDocument): ChunkDraft[] {
  const fallback = guessLanguage(sample(parsed.blocks))
  const seen = new Map<string, number>()
  return pieces(parsed.blocks).map((piece) => {
    const digest = createHash('sha256').update(`${piece.type}\n${piece.text}`).digest('hex')
    const occurrence = seen.get(digest) ?? 0
    seen.set(digest, occurrence + 1)
    const language = wordCount(piece.text) < GUESS_WORDS ? fallback : guessLanguage(piece.text, fallback)
    return { ...piece, id: uuid5(documentId, `${digest}:${occurrence}`), language }
  })
}

/** The language most of a document's text is in. */
export const documentLanguage = (parsed: ParsedDocument): Language => guessLanguage(sample(parsed.blocks))

function sample(blocks: Block[]): string {
  let text = ''
  for (const block of blocks) {
    if (text.length > 40_000) break
    text += `${block.text.slice(0, 5000)}\n`
  }
  return text
}

function pieces(blocks: Block[]): Piece[] {
  const found: Piece[] = []
  const path: string[] = []
  let buffer = emptyBuffer(path)
  const flush = (): void => {
    if (buffer.parts.length) found.push(textPiece(buffer))
    buffer = emptyBuffer(path)
  }
  for (const block of blocks) {
    const page = block.page ?? null
    if (buffer.parts.length && page !== buffer.page && !(buffer.bare && page === null)) flush()
    if (block.kind === 'heading') {
      const level = Math.min(Math.max(block.level ?? 2, 1), 6)
      if (!buffer.bare && (level <= 2 || buffer.words >= TARGET_WORDS / 2)) flush()
      path.splice(level - 1, path.length, block.text.slice(0, 300))
      if (buffer.bare) buffer.heading = headingOf(path)
      append(buffer, block.text, block, true)
    } else if (block.kind === 'table' || block.kind === 'figure') {
      if (!buffer.bare) flush()
      found.push(...whole(block, buffer, path))
      buffer = emptyBuffer(path)
    } else {
      for (const part of splitText(block.text, MOST_WORDS, MOST_TEXT)) {
        const count = wordCount(part)
        const full = buffer.words >= TARGET_WORDS || buffer.words + count > MOST_WORDS
        if (!buffer.bare && (full || buffer.characters + part.length > MOST_TEXT)) flush()
        append(buffer, part, block, false)
      }
    }
  }
  flush()
  return found
}

const headingOf = (path: string[]): string => path.filter(Boolean).join(' > ')

const emptyBuffer = (path: string[]): Buffer => ({
  parts: [],
  words: 0,
  characters: 0,
  bare: true,
  heading: headingOf(path),
  page: null,
  boxes: [],
})

function append(buffer: Buffer, text: string, block: Block, bare: boolean): void {
  if (!text.trim()) return
  if (buffer.parts.length === 0) buffer.page = block.page ?? null
  buffer.parts.push(text)
  buffer.words += wordCount(text)
  buffer.characters += text.length
  buffer.bare = buffer.bare && bare
  if (block.bbox && block.page) buffer.boxes.push({ page: block.page, bbox: block.bbox })
}

const textPiece = (buffer: Buffer): Piece => ({
  type: 'text',
  text: buffer.parts.join('\n\n'),
  heading: buffer.heading,
  page: buffer.page,
  boxes: buffer.boxes,
})

/** A table or figure with the headings that stand right above it; a large table by rows, its header repeated. */
function whole(block: Block, above: Buffer, path: string[]): Piece[] {
  const boxes = [
    ...above.boxes,
    ...(block.bbox && block.page ? [{ page: block.page, bbox: block.bbox }] : []),
  ]
  const parts =
    block.kind === 'table' ? splitTable(block.text, MOST_TABLE) : splitText(block.text, MOST_WORDS, MOST_TEXT)
  return parts.map((part, index) => ({
    type: block.kind === 'table' ? 'table' : 'figure',
    text: index === 0 ? [...above.parts, part].join('\n\n') : part,
    ...(block.html && parts.length === 1 ? { html: block.html } : {}),
    heading: headingOf(path),
    page: block.page ?? null,
    boxes,
  }))
}

/** Words as a reader counts them; two characters of a script without spaces count as one. */
export function wordCount(text: string): number {
  let count = 0
  for (const { raw } of words(text)) count += isCjk(raw) ? Math.ceil(raw.length / 2) : 1
  return count
}
