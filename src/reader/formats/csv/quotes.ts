// Escapes unclosed quotes and inch marks (1,5",bolt). Otherwise everything up to the next quote or the end of the file would be
// one cell by the rules of CSV.

// In files with fewer columns, only a quote that is never closed is stray, because lines of prose may look like rows.
const MIN_CELLS = 3
// If this many lines after an open quote look like rows, the quote is stray.
const MAX_LINES_AHEAD = 50
const MAX_LINE_CHARACTERS = 1_000_000

interface MendedLines {
  text: string
  /** The lines from an open quote on, for which more lines must be read. */
  openLines: string[]
  /** Whether the text ends within quotes. */
  isInQuotes: boolean
}

/**
 * Escapes stray quotes. A quote is open if its line does not close it. An open quote is stray if each line up to the closing
 * quote looks like a row: it has the usual number of cells, and none begins with a space, as after a comma in prose. It is not
 * stray if all these lines together are one row, as when a cell contains "1,5" above "2,5".
 */
export async function* mendQuotes(
  text: AsyncIterable<string>,
  delimiter: string,
  cellCount: number,
): AsyncGenerator<string> {
  let incompleteLine = ''
  let openLines: string[] = []
  let isInQuotes = false
  let hasGivenUp = cellCount < 2
  for await (const piece of text) {
    const end = hasGivenUp ? -1 : piece.lastIndexOf('\n')
    if (hasGivenUp || end < 0) {
      incompleteLine += piece
      hasGivenUp ||= incompleteLine.length > MAX_LINE_CHARACTERS
      if (hasGivenUp) {
        yield openLines.join('') + incompleteLine
        openLines = []
        incompleteLine = ''
      }
      continue
    }
    const completeLines = incompleteLine + piece.slice(0, end + 1)
    incompleteLine = piece.slice(end + 1)
    if (openLines.length === 0 && !isInQuotes && !completeLines.includes('"')) yield completeLines
    else {
      const mended = mendLines([...openLines, ...linesOf(completeLines)], isInQuotes, false)
      isInQuotes = mended.isInQuotes
      openLines = mended.openLines
      yield mended.text
    }
  }
  if (incompleteLine !== '') openLines.push(incompleteLine)
  yield mendLines(openLines, isInQuotes, true).text

  function mendLines(lines: readonly string[], startsInQuotes: boolean, isEnd: boolean): MendedLines {
    const mendedLines: string[] = []
    let isLineInQuotes = startsInQuotes
    for (const [i, line] of lines.entries()) {
      const opensOrClosesQuote = hasOpenQuote(line)
      if (isLineInQuotes || !opensOrClosesQuote) {
        if (opensOrClosesQuote) isLineInQuotes = !isLineInQuotes
        mendedLines.push(line)
        continue
      }
      const following = linesUpToClosing(lines, i + 1)
      if (following === undefined && !isEnd && lines.length - i <= MAX_LINES_AHEAD)
        return { text: mendedLines.join(''), openLines: lines.slice(i), isInQuotes: isLineInQuotes }
      const rows = [line, ...(following ?? lines.slice(i + 1, i + MAX_LINES_AHEAD))]
      const isOneRow = following !== undefined && splitRow(rows.join(''), delimiter).length === cellCount
      const isNeverClosed = following === undefined && isEnd && lines.length - i <= MAX_LINES_AHEAD
      const mayBeRows = cellCount >= MIN_CELLS && rows.length > 1 && !isOneRow
      const isStray = isNeverClosed || (mayBeRows && rows.every((row) => isRow(row, delimiter, cellCount)))
      isLineInQuotes = !isStray
      mendedLines.push(isStray ? withEscapedQuotes(line, delimiter) : line)
    }
    return { text: mendedLines.join(''), openLines: [], isInQuotes: isLineInQuotes }
  }
}

/** The number of cells in most lines. */
export function usualCells(text: string, delimiter: string): number {
  const counts = new Map<number, number>()
  for (const line of linesOf(text).slice(0, 200)) {
    const cells = splitRow(line, delimiter).length
    if (line.trim() !== '') counts.set(cells, (counts.get(cells) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

function hasOpenQuote(line: string): boolean {
  let quotes = 0
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) quotes++
  return quotes % 2 === 1
}

/** The lines up to the one that would close the quote. Undefined if none of the next lines does. */
function linesUpToClosing(lines: readonly string[], from: number): string[] | undefined {
  const sampleLines = lines.slice(from, from + MAX_LINES_AHEAD)
  const closing = sampleLines.findIndex(hasOpenQuote)
  return closing < 0 ? undefined : sampleLines.slice(0, closing + 1)
}

function isRow(line: string, delimiter: string, cellCount: number): boolean {
  const rowCells = splitRow(line, delimiter)
  return rowCells.length === cellCount && rowCells.every((cell) => !cell.startsWith(' '))
}

/** The cells of a line as written. A quote that is not closed before a delimiter is an ordinary character. */
function splitRow(line: string, delimiter: string): string[] {
  const text = line.replace(/\r?\n$/, '')
  const cells: string[] = []
  let from = 0
  while (from <= text.length) {
    const end = endOfCell(text, from, delimiter)
    cells.push(text.slice(from, end))
    from = end + delimiter.length
  }
  return cells
}

function endOfCell(text: string, from: number, delimiter: string): number {
  if (text[from] === '"') {
    const lineEnd = text.indexOf('\n', from)
    // Quotes inside the cell are doubled. A single quote before a delimiter may be an inch mark. Then a quote on a later line does
    // not close the cell.
    let [close, inner, isDoubtful] = [text.indexOf('"', from + 1), 0, false]
    for (; close >= 0; close = text.indexOf('"', close + 1), inner++) {
      if (isDoubtful && lineEnd >= 0 && close > lineEnd) break
      if (close < text.length - 1 && !text.startsWith(delimiter, close + 1)) continue
      if (inner % 2 === 0) return close + 1
      isDoubtful = true
    }
  }
  const next = text.indexOf(delimiter, from)
  return next < 0 ? text.length : next
}

function withEscapedQuotes(line: string, delimiter: string): string {
  const end = /\r?\n$/.exec(line)?.[0] ?? ''
  const cells = splitRow(line, delimiter).map((cell) =>
    hasOpenQuote(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  )
  return cells.join(delimiter) + end
}
