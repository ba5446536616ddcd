// Computes the automatic labels of list items and headings, which are not part of the text: "4.2", "(a)", "Article IV"
// ([ECMA-376-1] 17.9). For Word, old Word and OpenDocument.

import { numeral } from '../blocks/numerals.ts'

export interface Level {
  /** The format of its number, as Word calls it: "decimal", "lowerRoman". */
  format: string
  /** The label, in which "%2" is the number of the second level. */
  text: string
  start: number
  /** Whether all numbers of the label are decimal, as in legal documents. */
  legal: boolean
  /** The count restarts after an item whose level is below this number; 0 for never. By default, after any level above its own. */
  restart?: number
  /** The paragraph style tied to the level (.docx). */
  style?: string
}

/** A list to which paragraphs belong. Lists with the same scheme share their counters. */
export interface Numbering {
  scheme: string
  /** The first number of a level, if this list overrides it. */
  starts: ReadonlyMap<number, number>
  levels: ReadonlyMap<number, Level>
}

export interface Numberer {
  /** The label of the next item: "2.", "(b)", "-" for a bullet, '' where no number is shown. */
  next: (id: string, level: number) => string
  /** The level of a list to which a heading style belongs. */
  levelOfStyle: (id: string, style: string) => number | undefined
}

/** Counts the items of a document's lists, by list id. */
export function countLists(lists: ReadonlyMap<string, Numbering>): Numberer {
  const counters = new Map<string, (number | undefined)[]>()
  const startedLists = new Set<string>()
  return {
    levelOfStyle: (id, style) =>
      [...(lists.get(id)?.levels ?? [])].find(([, level]) => level.style === style)?.[0],
    next: (id, at) => {
      const list = lists.get(id)
      const level = list?.levels.get(at)
      if (list === undefined || level === undefined) return '-'
      const counts = counters.get(list.scheme) ?? []
      counters.set(list.scheme, counts)
      if (!startedLists.has(id)) for (const start of list.starts.keys()) counts[start] = undefined
      startedLists.add(id)
      const start = (k: number): number => list.starts.get(k) ?? list.levels.get(k)?.start ?? 1
      for (let k = 0; k < at; k++) counts[k] ??= start(k)
      const count = counts[at]
      counts[at] = count === undefined ? start(at) : count + 1
      for (let k = at + 1; k < counts.length; k++)
        if (at < (list.levels.get(k)?.restart ?? counts.length)) counts[k] = undefined
      return labelOf(level, list.levels, counts)
    },
  }
}

function labelOf(
  level: Level,
  levels: ReadonlyMap<number, Level>,
  counts: readonly (number | undefined)[],
): string {
  if (level.format === 'bullet') return '-'
  if (level.format === 'none' && !/%/.test(level.text)) return level.text.trim()
  return level.text
    .replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1
      const format = levels.get(at)?.format ?? 'decimal'
      // Word's own scheme "Article I. / Section 1.01" is legal and has the zero.
      return numeral(counts[at] ?? 1, level.legal && format !== 'decimalZero' ? 'decimal' : format)
    })
    .trim()
}
