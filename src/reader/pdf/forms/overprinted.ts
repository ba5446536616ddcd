// Text that a form prints over its table: a note whose line stands between two rows and runs over cells of both. Read with
// the rows it would tear them; apart it is a paragraph.

import type { TextItem } from '@llamaindex/liteparse'

// A note has so many letters and words; a cell that touches its neighbours has fewer.
const LEAST_LETTERS = 20
const LEAST_WORDS = 4
// Of a cell's height, how much the note covers of those it runs over most, and how far off their foot it ends.
const COVERED = 0.3
const OFF_LINE = 0.2
const LEAST_CELLS = 3

/** The items that run over several others which stand on one line. */
export function overprinted(items: readonly TextItem[]): Set<TextItem> {
  const notes = items.filter(isNote)
  return new Set(notes.filter((note) => items.filter((item) => runsOver(note, item)).length >= LEAST_CELLS))
}

const isNote = ({ text, rotation = 0 }: TextItem): boolean =>
  text.length >= LEAST_LETTERS && text.trim().split(' ').length >= LEAST_WORDS && Math.abs(rotation) < 1

function runsOver(note: TextItem, item: TextItem): boolean {
  if (item.y >= note.y + note.height || note.y >= item.y + item.height) return false
  if (item === note || item.x >= note.x + note.width || note.x >= item.x + item.width) return false
  const height = Math.min(item.height, note.height)
  const shared = Math.min(note.y + note.height, item.y + item.height) - Math.max(note.y, item.y)
  const off = Math.abs(note.y + note.height - item.y - item.height)
  const across = Math.min(note.x + note.width, item.x + item.width) - Math.max(note.x, item.x)
  return (
    shared > height * COVERED && off > height * OFF_LINE && across > Math.min(item.width, note.height) / 2
  )
}
