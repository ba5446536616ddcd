// Edit distance between words. Pure.

/** How many typos a word may have and still be recognised: 2 from 8 letters on, 1 from 4, otherwise none. */
export const allowedEdits = (word: string): number => (word.length > 7 ? 2 : word.length > 3 ? 1 : 0)

/** Edits between two words (insert, delete, replace, swap of neighbours), counted up to `limit` + 1. */
export function editDistance(a: string, b: string, limit: number): number {
  const charactersA = [...a]
  const charactersB = [...b]
  if (Math.abs(charactersA.length - charactersB.length) > limit) return limit + 1
  let beforePrevious: number[] = []
  let previous = charactersB.map((_, j) => j + 1)
  previous.unshift(0)
  for (let i = 1; i <= charactersA.length; i++) {
    const row = [i]
    for (let j = 1; j <= charactersB.length; j++) {
      const substitution = charactersA[i - 1] === charactersB[j - 1] ? 0 : 1
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + substitution,
      )
      if (
        i > 1 &&
        j > 1 &&
        charactersA[i - 1] === charactersB[j - 2] &&
        charactersA[i - 2] === charactersB[j - 1]
      ) {
        cost = Math.min(cost, (beforePrevious[j - 2] ?? 0) + 1)
      }
      row.push(cost)
    }
    beforePrevious = previous
    previous = row
  }
  return Math.min(previous[charactersB.length] ?? limit + 1, limit + 1)
}
