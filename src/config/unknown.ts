// Settings that nobody reads, told with the name that was probably meant. Pure.

/** One sentence for all of them, or nothing: most are a slip of the finger, and then the default rules unnoticed. */
export function unknownSettings(given: string[], known: string[]): string[] {
  const unknown = given.filter((name) => name.startsWith('KENNING_') && !known.includes(name))
  const told = unknown.sort().map((name) => {
    const [nearest] = known
      .map((other) => ({ other, steps: editSteps(name, other) }))
      .filter(({ steps }) => steps <= 3)
      .sort((a, b) => a.steps - b.steps)
    return nearest ? `${name} (did you mean ${nearest.other}?)` : name
  })
  return told.length ? [`These settings are unknown and change nothing: ${told.join(', ')}.`] : []
}

/** How many letters are to be changed, added or removed (Levenshtein). */
function editSteps(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const swap = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
