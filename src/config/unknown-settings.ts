// A warning about settings that Kenning does not know: most are typing errors, and the default then applies unnoticed.

/** One sentence that names all of them, each with the known name it resembles; none if all are known. */
export function unknownSettings(names: string[], settings: string[]): string[] {
  const unknown = names.filter((name) => name.startsWith('KENNING_') && !settings.includes(name))
  const lines = unknown.sort().map((name) => {
    const [nearest] = settings
      .map((other) => ({ other, distance: editDistance(name, other) }))
      .filter(({ distance }) => distance <= 3)
      .sort((a, b) => a.distance - b.distance)
    return nearest ? `${name} (did you mean ${nearest.other}?)` : name
  })
  return lines.length ? [`These settings are unknown and have no effect: ${lines.join(', ')}.`] : []
}

/** Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const nextRow = [i]
    for (let j = 1; j <= to.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      nextRow.push(Math.min(substitution, (row[j] ?? 0) + 1, (nextRow[j - 1] ?? 0) + 1))
    }
    row = nextRow
  }
  return row[to.length] ?? 0
}
