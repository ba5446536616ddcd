// The terminal: width, colours (none without a TTY or with NO_COLOR), and wrapping of text.

import { stripVTControlCharacters, styleText } from 'node:util'

export type Style = 'title' | 'accent' | 'faint' | 'match' | 'good' | 'bad'

export interface Terminal {
  /** Lines can be redrawn. */
  live: boolean
  colour: boolean
  /** Columns for text. */
  width: number
  rows: number
  print(line?: string): void
  /** Writes without a line end; for redrawing. */
  raw(text: string): void
  style(style: Style, text: string): string
}

const formats: Record<Style, Parameters<typeof styleText>[0]> = {
  title: ['bold'],
  accent: ['cyan'],
  faint: ['dim'],
  match: ['bold', 'yellow'],
  good: ['green'],
  bad: ['red'],
}

// Longer lines are hard to read (60 to 75 characters are comfortable; passages are indented by 6).
const WIDEST = 92

/** @param noColour NO_COLOR is set (no-color.org) */
export function openTerminal(out: NodeJS.WriteStream, noColour: boolean): Terminal {
  const live = out.isTTY === true && !noColour
  return {
    live,
    colour: live,
    width: Math.max(40, Math.min(out.columns ?? 80, WIDEST)),
    rows: out.rows ?? 24,
    print: (line = '') => void out.write(`${line}\n`),
    raw: (text) => void out.write(text),
    style: (style, text) => (live ? styleText(formats[style], text) : text),
  }
}

/** Makes text of a document or a server safe to print: without control characters, except line ends. */
export const printable = (text: string): string =>
  text
    .replace(/\t/g, ' ')
    .replace(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, (c) => (c === '\n' ? c : ''))

/** The width of a styled text. */
export const columns = (text: string): number => [...stripVTControlCharacters(text)].length

/** Cuts unstyled text to `width` columns, with an ellipsis. */
export const cut = (text: string, width: number): string =>
  columns(text) <= width ? text : `${[...text].slice(0, Math.max(0, width - 1)).join('')}…`

/** Lines of at most `width` columns, indented by `indent` (the first by `first`). Text may be styled. */
export function wrap(text: string, width: number, indent = '', first = indent): string[] {
  const lines = text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, width - columns(indent)))
  return lines.map((line, no) => ((no === 0 ? first : indent) + line).trimEnd())
}

function wrapParagraph(paragraph: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of paragraph.split(' ').flatMap((word) => pieces(word, width))) {
    if (line && columns(line) + 1 + columns(word) > width) {
      lines.push(line)
      line = word
    } else line = line ? `${line} ${word}` : word
  }
  return [...lines, line]
}

/** Cuts a word longer than a line (an address, a language without spaces). Styled words are short. */
function pieces(word: string, width: number): string[] {
  if (columns(word) <= width || word !== stripVTControlCharacters(word)) return [word]
  const letters = [...word]
  return Array.from({ length: Math.ceil(letters.length / width) }, (_, no) =>
    letters.slice(no * width, (no + 1) * width).join(''),
  )
}
