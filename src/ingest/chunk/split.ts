// Cutting what is too long for one chunk: text at sentences, tables at rows with their header repeated. Pure.

import { sentences } from '../../language/sentences.ts'
import { words } from '../../language/words.ts'

/** Pieces of at most `mostWords` words and `mostCharacters` characters, cut at sentences where there are any. */
export function splitText(text: string, mostWords: number, mostCharacters: number): string[] {
  if (fits(text, mostWords, mostCharacters)) return [text]
  const pieces: string[] = []
  let piece = ''
  for (const sentence of sentences(text)) {
    for (const part of fits(sentence.text, mostWords, mostCharacters)
      ? [sentence.text]
      : cut(sentence.text, mostCharacters / 4)) {
      const longer = piece ? `${piece} ${part}` : part
      if (piece && !fits(longer, mostWords, mostCharacters)) {
        pieces.push(piece)
        piece = part
      } else piece = longer
    }
  }
  return piece ? [...pieces, piece] : pieces
}

function fits(text: string, mostWords: number, mostCharacters: number): boolean {
  if (text.length > mostCharacters) return false
  if (text.length < mostWords) return true
  let count = 0
  for (const _ of words(text)) if (++count > mostWords) return false
  return true
}

/** Pieces of about `size` characters, cut at a space where one is near and never inside a surrogate pair. */
function cut(text: string, size: number): string[] {
  const pieces: string[] = []
  let start = 0
  while (start < text.length) {
    let end = Math.min(start + size, text.length)
    if (end < text.length) {
      const space = text.lastIndexOf(' ', end)
      if (space > start + size / 2) end = space + 1
      else if (/[\uD800-\uDBFF]/.test(text[end - 1] ?? '')) end--
    }
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

const RULE = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$/

/** A Markdown table in tables of at most `most` characters, each under the same header; rows stay whole. */
export function splitTable(markdown: string, most: number): string[] {
  if (markdown.length <= most) return [markdown]
  const lines = markdown.split('\n')
  const rule = lines.findIndex((line) => RULE.test(line))
  const header = lines.slice(0, rule + 1).join('\n')
  if (rule < 0 || header.length > most / 2) return cut(markdown, most)
  const pieces: string[] = []
  let rows: string[] = []
  let size = header.length
  const flush = (): void => {
    if (rows.length) pieces.push([header, ...rows].join('\n'))
    rows = []
    size = header.length
  }
  for (const row of lines.slice(rule + 1)) {
    // A monstrous row goes on under the same header, cut where cells or words end.
    for (const part of row.length > most / 2 ? cut(row, most / 2) : [row]) {
      if (size + part.length > most) flush()
      rows.push(part)
      size += part.length + 1
    }
  }
  flush()
  return pieces
}
