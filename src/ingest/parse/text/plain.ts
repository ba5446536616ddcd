// Plain text in any encoding: paragraphs between blank lines. A whole HTML page uploaded as text is read as HTML.

import { readFile } from 'node:fs/promises'
import type { Block } from '../block.ts'
import { joinBroken } from '../blocks/clean.ts'
import { chooseTitle } from '../blocks/title.ts'
import type { Parser } from '../task.ts'
import { decodeText } from './encoding.ts'
import { readHtml } from './html.ts'

// A text without blank lines (a log) becomes pieces of about this size, cut between lines.
const MOST_CHARACTERS = 4000

/** The paragraphs of a text file; titles are only taken from HTML pages. */
export const parseText: Parser = async (task) => {
  const text = decodeText(await readFile(task.path))
  if (/^\s*(<!--[\s\S]{0,2000}?-->\s*)?<(!doctype html|html)[\s>]/i.test(text.slice(0, 4000))) {
    const page = readHtml(text)
    const title = chooseTitle(page.title, page.blocks)
    return { ...(title === undefined ? {} : { title }), blocks: page.blocks }
  }
  return { blocks: [...paragraphs(text.replace(/\r\n?/g, '\n'))] }
}

function* paragraphs(text: string): Generator<Block> {
  let at = 0
  while (at < text.length) {
    const next = text.indexOf('\n\n', at)
    const end = next === -1 ? text.length : next
    for (const piece of pieces(text.slice(at, end))) {
      if (piece.trim() !== '') yield { kind: 'paragraph', text: joinBroken(piece) }
    }
    at = end + 2
  }
}

function* pieces(paragraph: string): Generator<string> {
  let start = 0
  while (paragraph.length - start > MOST_CHARACTERS) {
    const line = paragraph.lastIndexOf('\n', start + MOST_CHARACTERS)
    // A single line longer than a piece stays whole: the chunker knows where to cut words.
    const end = line > start ? line : paragraph.indexOf('\n', start + MOST_CHARACTERS)
    if (end === -1) break
    yield paragraph.slice(start, end)
    start = end + 1
  }
  yield paragraph.slice(start)
}
