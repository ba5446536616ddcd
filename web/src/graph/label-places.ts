// Finds places for names on the canvas: beside their nodes, and so that no name covers another.

export interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

interface Label {
  /** The middle of the node. */
  x: number
  y: number
  /** The radius of the node. */
  size: number
  /** The size of the name. */
  width: number
  height: number
}

const GAP = 3

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

const boxAt = (x: number, { y, width, height }: Label): Box => ({
  left: x,
  right: x + width,
  top: y - height / 2,
  bottom: y + height / 2,
})

/**
 * The place to the right of the node, or to its left if the right one is occupied, or if the name would end outside of the canvas
 * there. The place is added to `occupiedBoxes`.
 * @param canvasWidth in the unit of the label
 * @returns undefined if both places are occupied
 */
export function placeFor(label: Label, occupiedBoxes: Box[], canvasWidth: number): Box | undefined {
  const { x, size, width } = label
  const freeBoxes = [boxAt(x + size + GAP, label), boxAt(x - size - GAP - width, label)].filter(
    (box) => !occupiedBoxes.some((one) => overlap(one, box)),
  )
  const freeBox = freeBoxes.find(({ left, right }) => left >= 0 && right <= canvasWidth) ?? freeBoxes[0]
  if (freeBox) occupiedBoxes.push(freeBox)
  return freeBox
}
