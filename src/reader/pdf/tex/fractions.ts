// Fractions: text above and below a rule that is as long as the longer of the two, next to other text of its line.

import { RULE_END } from '../../page/tolerance.ts'
import type { PlacedWord, Run } from './lines.ts'
import { isOn } from './lines.ts'
import { isMathFont } from './signs.ts'
import { spellRow } from './spelling.ts'

interface Rule {
  x1: number
  x2: number
  y1: number
  y2: number
}

interface Part {
  words: PlacedWord[]
  runs: Run[]
}

/** A page's runs and words; `gone` are the words that became part of others. */
export interface Fractions extends Part {
  gone: PlacedWord[]
}

// Points: the distance of the rule to its parts, and to the text next to it.
const NEAR = [-2.5, 5] as const
const BESIDE = 12
const LEAST_LENGTH = 3

/** The page's words with each fraction as one word: "(p × r)/(p + r)". */
export function withFractions(
  runs: readonly Run[],
  words: readonly PlacedWord[],
  rules: readonly Rule[],
): Fractions {
  const flat = rules.filter(
    ({ x1, x2, y1, y2 }) => Math.abs(y1 - y2) <= 0.5 && Math.abs(x2 - x1) >= LEAST_LENGTH,
  )
  const gone: PlacedWord[] = []
  if (flat.length === 0) return { runs: [...runs], words: [...words], gone }
  const all = {
    runs: inBands(runs, ({ baseline, size }) => ({ top: baseline - size, bottom: baseline + size })),
    words: inBands(words, ({ y, height }) => ({ top: y, bottom: y + height })),
  }
  for (const rule of flat) {
    const near: Part = { words: all.words.near(rule), runs: all.runs.near(rule) }
    const parts = partsOf(rule, near)
    const read = parts && fractionOf(rule, parts, near)
    if (parts === undefined || read === undefined) continue
    for (const part of parts) {
      all.words.remove(part.words)
      all.runs.remove(part.runs)
      gone.push(...part.words)
    }
    all.words.add(read.word)
    all.runs.add(read.run)
  }
  return { runs: all.runs.left(), words: all.words.left(), gone }
}

// Points: parts of a fraction are in its rule's band or the next one.
const BAND = 24
// The most bands of one piece: higher ones are not part of a fraction.
const MOST_BANDS = 8

interface Placed {
  x: number
  width: number
}

interface Bands<Piece> {
  /** The pieces near the rule, in order. */
  near: (rule: Rule) => Piece[]
  add: (piece: Piece) => void
  remove: (pieces: readonly Piece[]) => void
  left: () => Piece[]
}

/** Pieces by their place down the page: a page of 1,667 fractions took 15 s when each was compared with all words. */
function inBands<Piece extends Placed>(
  pieces: readonly Piece[],
  spanOf: (piece: Piece) => { top: number; bottom: number },
): Bands<Piece> {
  const all = new Map<Piece, number>()
  const bands = new Map<number, Set<Piece>>()
  let count = 0
  const bandOf = (y: number): number => Math.floor(y / BAND)
  const bandsOf = (piece: Piece): number[] => {
    const { top, bottom } = spanOf(piece)
    const most = Math.min(MOST_BANDS, bandOf(bottom) - bandOf(top) + 1)
    return Array.from({ length: most }, (_, i) => bandOf(top) + i)
  }
  const add = (piece: Piece): void => {
    all.set(piece, count++)
    for (const band of bandsOf(piece)) bands.set(band, (bands.get(band) ?? new Set()).add(piece))
  }
  pieces.forEach(add)
  return {
    near: ({ x1, x2, y1 }) => {
      const found = new Set<Piece>()
      for (const off of [-1, 0, 1])
        for (const piece of bands.get(bandOf(y1) + off) ?? [])
          if (piece.x < x2 + BESIDE && piece.x + piece.width > x1 - BESIDE) found.add(piece)
      return [...found].sort((a, b) => (all.get(a) ?? 0) - (all.get(b) ?? 0))
    },
    add,
    remove: (gone) => {
      for (const piece of gone) {
        for (const band of bandsOf(piece)) bands.get(band)?.delete(piece)
        all.delete(piece)
      }
    },
    left: () => [...all.keys()],
  }
}

/** The parts above and below the rule. */
function partsOf({ x1, x2, y1 }: Rule, { words, runs }: Part): [Part, Part] | undefined {
  const inside = ({ x, width }: { x: number; width: number }): boolean =>
    x > x1 - RULE_END && x + width < x2 + RULE_END
  const isNear = (gap: number): boolean => gap > NEAR[0] && gap < NEAR[1]
  const own = words.filter(inside)
  const over = own.filter(({ y, height }) => isNear(y1 - y - height) && y + height / 2 < y1)
  const under = own.filter(({ y, height }) => isNear(y - y1) && y + height / 2 > y1)
  if (over.length === 0 || under.length === 0) return undefined
  const spans = [over, under].map((part) => spanOf(part))
  const longest = Math.max(...spans.map(({ width }) => width))
  if (
    Math.abs(longest - (x2 - x1)) > RULE_END ||
    spans.some(({ middle }) => Math.abs(middle - (x1 + x2) / 2) > RULE_END)
  )
    return undefined
  const runsOf = (part: readonly PlacedWord[]): Run[] =>
    runs.filter((run) => inside(run) && part.some((word) => isOn(word, run)))
  const parts: [Part, Part] = [
    { words: over, runs: runsOf(over) },
    { words: under, runs: runsOf(under) },
  ]
  return parts.some((part) => part.runs.some(({ font }) => isMathFont(font))) ? parts : undefined
}

function spanOf(words: readonly PlacedWord[]): { width: number; middle: number } {
  const [left, right] = [
    Math.min(...words.map(({ x }) => x)),
    Math.max(...words.map(({ x, width }) => x + width)),
  ]
  return { width: right - left, middle: (left + right) / 2 }
}

/** The two parts as one word of the rule's line, and its run; undefined if they cannot be spelled. */
function fractionOf(
  { x1, x2, y1 }: Rule,
  [over, under]: [Part, Part],
  near: Part,
): { word: PlacedWord; run: Run } | undefined {
  const own = new Set([...over.words, ...under.words])
  const beside = near.words.find(
    (word) =>
      !own.has(word) &&
      word.y < y1 &&
      word.y + word.height > y1 &&
      (Math.abs(x1 - word.x - word.width) < BESIDE || Math.abs(word.x - x2) < BESIDE),
  )
  const base = beside && near.runs.find((run) => isOn(beside, run))
  const [above, below] = [over, under].map(spellRow)
  if (beside === undefined || base === undefined || above === undefined || below === undefined)
    return undefined
  const text = `${partText(above)}/${partText(below)}`
  const place = { x: x1, width: x2 - x1, text }
  return {
    word: { ...beside, ...place, spaced: true, grown: true },
    run: { ...base, ...place, font: 'CMMI10' },
  }
}

/** A space in a word, until it is part of its item's text. */
export const BLANK = '\ue001'

const partText = (words: readonly PlacedWord[]): string => {
  const text = words.map((word, i) => (i > 0 && word.spaced ? BLANK : '') + word.text).join('')
  return text.includes(BLANK) ? `(${text})` : text
}
