// How much of a text is read, and in which order, against a Markdown truth. Words are runs of letters and digits, compared
// without case after NFKC.

export interface TextScore {
  /** Share of the truth's words that were read. */
  found: number
  /** Share of the words read that are in the truth. */
  right: number
  /** Twice the words in matching runs, longest first, by all words of both; undefined for very long texts. */
  order: number | undefined
  /** F1 of table cells by their words; undefined if the truth has no table. */
  cells: number | undefined
}

// The longest run is searched for again on both sides of each, which takes too long for a book.
const MAX_WORDS = 25_000

export function compareText(truth: string, ours: string): TextScore {
  const [wanted, given] = [wordsOf(plain(truth)), wordsOf(plain(ours))]
  const shared = sharedBy(countOf(wanted), countOf(given))
  const [wantedCells, givenCells] = [cellsOf(truth), cellsOf(ours)]
  return {
    found: shared / Math.max(1, wanted.length),
    right: shared / Math.max(1, given.length),
    order:
      wanted.length < MAX_WORDS
        ? (2 * matchingWords(wanted, given)) / Math.max(1, wanted.length + given.length)
        : undefined,
    cells:
      wantedCells.length === 0
        ? undefined
        : (2 * sharedBy(countOf(wantedCells), countOf(givenCells))) /
          (wantedCells.length + givenCells.length),
  }
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The words of Markdown without comments, pictures, addresses of links, tags and rules of tables. */
const plain = (markdown: string): string =>
  markdown
    .replace(/<!--.*?-->/gs, ' ')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(?:#(\d+)|(\w+));/g, (whole, code, name) =>
      code ? String.fromCodePoint(Number(code)) : (ENTITIES[name] ?? whole),
    )
    .replace(/^\s*\|?[\s|:-]+\|\s*$/gm, '')
    .replaceAll('\\_', '_')

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

function cellsOf(markdown: string): string[] {
  const rows = markdown
    .split('\n')
    .filter((line) => /^\s*\|.*\|\s*$/.test(line) && !/^\s*\|[\s:|-]+\|\s*$/.test(line))
  return [
    ...rows.flatMap((row) =>
      row
        .trim()
        .slice(1, -1)
        .split(/(?<!\\)\|/),
    ),
    ...[...markdown.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, text = '']) => text),
  ]
    .map((text) => wordsOf(plain(text)).join(' '))
    .filter(Boolean)
}

function countOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const sharedBy = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number =>
  [...a].reduce((sum, [value, count]) => sum + Math.min(count, b.get(value) ?? 0), 0)

/** Words in matching runs as Ratcliff and Obershelp count them: the longest one, then on both sides of it. */
function matchingWords(a: readonly string[], b: readonly string[]): number {
  const places = new Map<string, number[]>()
  b.forEach((word, at) => {
    const known = places.get(word)
    if (known === undefined) places.set(word, [at])
    else known.push(at)
  })
  const waiting: [number, number, number, number][] = [[0, a.length, 0, b.length]]
  let total = 0
  for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
    const [fromA, toA, fromB, toB] = range
    const { startA, startB, size } = longestRun(a, places, range)
    if (size === 0) continue
    total += size
    if (fromA < startA && fromB < startB) waiting.push([fromA, startA, fromB, startB])
    if (startA + size < toA && startB + size < toB) waiting.push([startA + size, toA, startB + size, toB])
  }
  return total
}

/** The longest run of the same words; of several the first in `a`, then the first in `b`. */
function longestRun(
  a: readonly string[],
  places: ReadonlyMap<string, number[]>,
  [fromA, toA, fromB, toB]: [number, number, number, number],
): { startA: number; startB: number; size: number } {
  let best = { startA: fromA, startB: fromB, size: 0 }
  let lengths = new Map<number, number>()
  for (let i = fromA; i < toA; i++) {
    const next = new Map<number, number>()
    for (const j of places.get(a[i] ?? '') ?? []) {
      if (j < fromB) continue
      if (j >= toB) break
      const size = (lengths.get(j - 1) ?? 0) + 1
      next.set(j, size)
      if (size > best.size) best = { startA: i - size + 1, startB: j - size + 1, size }
    }
    lengths = next
  }
  return best
}
