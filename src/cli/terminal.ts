// Writes results to standard output and everything else to standard error, so that results can be piped. Bars are shown only
// on a terminal, and so are colours unless FORCE_COLOR is set.

import { stripVTControlCharacters, styleText } from 'node:util'
import { type OnProgress, progressOn } from '../progress-bar.ts'

type Style = Parameters<typeof styleText>[0]

export interface Terminal {
  /** Prints a line of the result. */
  print(text: string): void
  /** Writes a part of the result without a line break. */
  write(text: string): void
  /** Prints a line that is not part of the result: what happens, or what to do next. */
  note(text: string): void
  /** Styles the text if standard output shows colours. */
  paint(style: Style, text: string): string
  table(header: readonly string[], rows: readonly (readonly string[])[]): void
  progress(phase: string): OnProgress
  /** Whether a person can answer questions. */
  readonly isInteractive: boolean
  /** Whether standard output is a terminal. */
  readonly isOutputTerminal: boolean
  readonly columns: number
}

interface Streams {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
}

// Longer lines are hard to read.
const MAX_TEXT_COLUMNS = 100

/** The width at which text is wrapped, in terminal cells. */
export const textColumns = ({ columns }: Pick<Terminal, 'columns'>): number =>
  Math.min(columns, MAX_TEXT_COLUMNS)

/** @param colour `auto`: if standard output is a terminal */
export function openTerminal(
  { stdin, stdout, stderr }: Streams,
  colour: 'auto' | 'always' | 'never',
): Terminal {
  const usesColour = colour === 'always' || (colour === 'auto' && stdout.isTTY === true)
  const paint: Terminal['paint'] = (style, text) =>
    usesColour ? styleText(style, text, { validateStream: false }) : text
  const print = (text: string): void => void stdout.write(`${text}\n`)
  return {
    print,
    paint,
    write: (text) => void stdout.write(text),
    note: (text) => void stderr.write(`${text}\n`),
    table: (header, rows) => {
      for (const line of alignColumns(header, rows, (text) => paint('dim', text))) print(line)
    },
    progress: progressOn(stderr),
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    isOutputTerminal: stdout.isTTY === true,
    columns: stdout.columns || 80,
  }
}

/** The rows as lines of text. Columns are as wide as their widest cell, two spaces apart, and numbers are aligned right. */
export function alignColumns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  paintHeader = (text: string): string => text,
): string[] {
  const safeRows = rows.map((row) => row.map(safe))
  const widths = header.map((name, column) =>
    Math.max(name.length, ...safeRows.map((row) => widthOf(row[column] ?? ''))),
  )
  const isNumber = header.map(
    (_, column) => safeRows.length > 0 && safeRows.every((row) => /^[\d,.%]*$/.test(row[column] ?? '')),
  )
  const rowLine = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const padding = ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)))
        return isNumber[column] ? padding + cell : cell + padding
      })
      .join('  ')
      .trimEnd()
  return [paintHeader(rowLine(header)), ...safeRows.map(rowLine)]
}

/** The text without control characters, which would move the cursor or change the terminal. */
export const safe = (text: string): string =>
  stripVTControlCharacters(text).replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' ')

/** Like `safe`, but keeps line breaks. */
export const safeLines = (text: string): string =>
  text
    .split(/\r\n|\n|\r/)
    .map(safe)
    .join('\n')

// Characters that take two cells, with East Asian punctuation and full-width forms.
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3001-\u303e\uff01-\uff60\uffe0-\uffe6]/u
const NO_WIDTH = /\p{Mn}|\u200b|\u200d|\ufe0f/u

// A line of Chinese or Japanese may end between any two characters, but not before closing or after opening punctuation.
const BREAK_BETWEEN_WIDE =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。，！？；：）」』】》])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}（「『【《])/u

/** The width in terminal cells: East Asian characters take two, combining marks none. */
const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1), 0)

/** Breaks text into lines of at most `width` cells, with `indent` before each. */
export function wrapText(text: string, width: number, indent = ''): string {
  const maxWidth = Math.max(20, width - indent.length)
  return text
    .split('\n')
    .flatMap((paragraph) => {
      const lines: string[] = []
      const [bulletWithIndent = '', bullet = ''] = /^\s*([-*•] +)?/.exec(paragraph) ?? []
      // The later lines of a list item are aligned with its text.
      const hangingIndent = ' '.repeat(widthOf(bulletWithIndent))
      let line = bulletWithIndent.slice(0, bulletWithIndent.length - bullet.length)
      for (const word of paragraph.trim().split(/ +/)) {
        for (const [i, part] of word.split(BREAK_BETWEEN_WIDE).entries()) {
          const extendedLine = line.trim() && i === 0 ? `${line} ${part}` : line + part
          if (line.trim() && widthOf(extendedLine) > maxWidth) {
            lines.push(line)
            line = hangingIndent + part
          } else line = extendedLine
        }
      }
      return [...lines, line]
    })
    .map((line) => `${indent}${line}`.trimEnd())
    .join('\n')
}
