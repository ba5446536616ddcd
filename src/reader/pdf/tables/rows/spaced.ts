// Rows that stand further apart than the lines within them, as in tables made for the web and by word processors.

import { isFigure } from '../lines.ts'
import { filled, isLabelOnly, joinRows, label, type Row } from './row.ts'

// Times the closest pitch of the table: rows stand off by more.
const OFF = 1.2
const LEAST_ROWS = 3
const LEAST_WRAPPED = 2
// Of the lines with figures so many have one in the column of sums.
const MOST_HAVE = 0.6
// Titles of groups.
const MOST_OTHERS = 0.25

/** The lines as rows by the space between them, where each row then has one line with a sum, or each of its lines one. */
export function spacedRows(lines: readonly Row[]): Row[] | undefined {
  const steps = lines.slice(1).map((line, i) => middle(line) - middle(lines[i] ?? line))
  const closest = Math.min(...steps)
  const groups: Row[][] = []
  lines.forEach((line, i) => {
    const last = groups.at(-1)
    if (last === undefined || (steps[i - 1] ?? 0) > closest * OFF) groups.push([line])
    else last.push(line)
  })
  const sums = sumsColumn(lines)
  const hasSum = (line: Row): boolean => isFigureIn(line, sums)
  const isRow = (group: readonly Row[]): boolean => group.filter(hasSum).length === 1 && !holdsLabel(group)
  const others = groups.filter((group) => !group.some(hasSum))
  const wrapped = groups.filter((group) => group.length > 1 && isRow(group))
  if (wrapped.length < LEAST_WRAPPED || groups.length - others.length < LEAST_ROWS) return undefined
  if (others.length > groups.length * MOST_OTHERS || !others.every(isTitle)) return undefined
  if (!groups.every((group) => isRow(group) || group.every(hasSum) || group.length === 1)) return undefined
  return groups.flatMap((group) => (isRow(group) ? [group.reduce(joinRows)] : group))
}

const middle = ({ top, bottom }: Row): number => (top + bottom) / 2

const isFigureIn = ({ cells }: Row, column: number): boolean =>
  column > 0 && (cells[column]?.length ?? 0) > 0 && isFigure(cells[column]?.join(' ') ?? '')

/** The last column in which most lines with figures have one. */
function sumsColumn(lines: readonly Row[]): number {
  const columns = (lines[0]?.cells ?? []).map((_, i) => i)
  const numeric = lines.filter((line) => columns.some((column) => isFigureIn(line, column)))
  return (
    columns.findLast(
      (column) => numeric.filter((line) => isFigureIn(line, column)).length > numeric.length * MOST_HAVE,
    ) ?? 0
  )
}

/** One line, a label alone or words in other columns: beside a label they are a row with its sum to come. */
const isTitle = ([line, ...more]: readonly Row[]): boolean =>
  line !== undefined && more.length === 0 && (isLabelOnly(line) || !filled(line, 0))

/** Whether a label stands alone on a line: the rest of the one above or the title of what follows, unless it ends a code. */
const holdsLabel = (group: readonly Row[]): boolean =>
  group.length > 1 && group.some((line, i) => isLabelOnly(line) && !/-$/.test(label(group[i - 1] ?? line)))
