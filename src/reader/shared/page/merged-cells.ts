// The cells of a grid of ruling lines. Slots of the grid without a line between them are one cell.

/** A cell whose top left slot is at `row` and `column`, and which covers `rows` times `columns` slots of the grid. */
export interface MergedCell {
  row: number
  column: number
  rows: number
  columns: number
}

/** Whether no line separates a slot from the slot to its right, and from the slot below it. */
export interface OpenSides {
  right: (row: number, column: number) => boolean
  below: (row: number, column: number) => boolean
}

/** The cells in reading order. Undefined if a merged region is not a rectangle, because then the lines are a drawing. */
export function mergedCells(rows: number, columns: number, isOpen: OpenSides): MergedCell[] | undefined {
  // For each slot the region to which it belongs; at first each slot is a region.
  const regions = Array.from({ length: rows * columns }, (_, slot) => slot)
  const merge = (a: number, b: number): void => {
    const [to, from] = [regions[a], regions[b]]
    if (from === undefined || to === undefined || from === to) return
    for (let slot = 0; slot < regions.length; slot++) if (regions[slot] === from) regions[slot] = to
  }
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const slot = row * columns + column
      if (column + 1 < columns && isOpen.right(row, column)) merge(slot, slot + 1)
      if (row + 1 < rows && isOpen.below(row, column)) merge(slot, slot + columns)
    }
  return rectangles(regions, columns)
}

function rectangles(regions: readonly number[], columns: number): MergedCell[] | undefined {
  const boxes = new Map<number, { left: number; right: number; top: number; bottom: number; slots: number }>()
  regions.forEach((region, slot) => {
    const [row, column] = [Math.floor(slot / columns), slot % columns]
    const box = boxes.get(region) ?? { left: column, right: column, top: row, bottom: row, slots: 0 }
    box.left = Math.min(box.left, column)
    box.right = Math.max(box.right, column)
    box.bottom = row
    box.slots++
    boxes.set(region, box)
  })
  const cells: MergedCell[] = []
  for (const { left, right, top, bottom, slots } of boxes.values()) {
    const [height, width] = [bottom - top + 1, right - left + 1]
    if (height * width !== slots) return undefined
    cells.push({ row: top, column: left, rows: height, columns: width })
  }
  return cells
}
