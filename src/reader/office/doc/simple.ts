// The second reader of old Word files (.doc), by word-extractor: text, footnotes and text boxes. Tables come as lines
// with tabs, headings as paragraphs.

import { readFile } from 'node:fs/promises'
import { type Block, UnreadableFile } from '../../block.ts'
import { markdownTable } from '../../blocks/table.ts'
import type { Parser } from '../../task.ts'
import { rewrittenOle } from '../ole.ts'

interface WordDocument {
  getBody: () => string
  getFootnotes: () => string
  getEndnotes: () => string
  getTextboxes: (options: { includeHeadersAndFooters: boolean }) => string
}

type WordExtractor = new () => { extract: (source: Buffer) => Promise<WordDocument> }

/** The paragraphs, tables and notes of an old Word document. */
export const parseDocSimply: Parser = async (task) => {
  const bytes = await readFile(task.path)
  if (isEncrypted(bytes)) throw new UnreadableFile('encrypted')
  // The library has neither types nor an ES module.
  const library = (await import('word-extractor' as string)) as { default: WordExtractor }
  const document = await new library.default().extract(rewrittenOle(bytes))
  const notes = `${document.getFootnotes()}\n${document.getEndnotes()}`
  return {
    blocks: [
      ...textBlocks(document.getBody()),
      ...textBlocks(document.getTextboxes({ includeHeadersAndFooters: false })),
      ...lines(notes).map((text): Block => ({ kind: 'note', text })),
    ],
  }
}

/** The WordDocument stream starts at a sector with the file information block; bit 8 of its flags means encrypted. */
function isEncrypted(bytes: Buffer): boolean {
  for (let at = 512; at + 12 <= bytes.length; at += 512) {
    if (bytes.readUInt16LE(at) === 0xa5ec) return (bytes.readUInt16LE(at + 10) & 0x0100) !== 0
  }
  return false
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

/** Two or more consecutive lines that end in a tab are the rows of a table; all others are paragraphs. */
export function textBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let rows: string[] = []
  const flush = (): void => {
    if (rows.length > 1) {
      blocks.push({
        kind: 'table',
        text: markdownTable(rows.map((row) => row.replace(/\t$/, '').split('\t'))),
      })
    } else for (const row of rows) blocks.push({ kind: 'paragraph', text: row.replace(/\t+/g, ' ') })
    rows = []
  }
  for (const line of lines(text)) {
    if (line.endsWith('\t')) {
      rows.push(line)
      continue
    }
    flush()
    blocks.push({ kind: 'paragraph', text: line.replace(/\t+/g, ' ') })
  }
  flush()
  return blocks
}
