// Fractions: what stands over and under a rule that is as long as the longer of the two, beside other text of its line.

import { isOn } from './lines.ts'
import { type PlacedWord, type Run, spellRow } from './rows.ts'
import { isMathFont } from './signs.ts'

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

/** A page's runs and words, `gone` the words that are in others now. */
export interface Fractions extends Part {
  gone: PlacedWord[]
}

// Points: how far off the rule its parts begin and end, by which its length and theirs and their middles differ, to the text beside.
const NEAR = [-2.5, 5] as const
const SAME = 3
const BESIDE = 12
const LEAST_LENGTH = 3

/** The page's words with each fraction as one of them: "(p × r)/(p + r)". */
export function withFractions(
  runs: readonly Run[],
  words: readonly PlacedWord[],
  rules: readonly Rule[],
): Fractions {
  let found: Fractions = { runs: [...runs], words: [...words], gone: [] }
  for (const rule of rules) {
    if (Math.abs(rule.y1 - rule.y2) > 0.5 || Math.abs(rule.x2 - rule.x1) < LEAST_LENGTH) continue
    const parts = partsOf(rule, found)
    const read = parts && fractionOf(rule, parts, found)
    if (read !== undefined) found = read
  }
  return found
}

/** What stands over the rule and under it. */
function partsOf({ x1, x2, y1 }: Rule, { words, runs }: Fractions): [Part, Part] | undefined {
  const inside = ({ x, width }: { x: number; width: number }): boolean =>
    x > x1 - SAME && x + width < x2 + SAME
  const isNear = (gap: number): boolean => gap > NEAR[0] && gap < NEAR[1]
  const own = words.filter(inside)
  const over = own.filter(({ y, height }) => isNear(y1 - y - height) && y + height / 2 < y1)
  const under = own.filter(({ y, height }) => isNear(y - y1) && y + height / 2 > y1)
  if (over.length === 0 || under.length === 0) return undefined
  const spans = [over, under].map((part) => spanOf(part))
  const longest = Math.max(...spans.map(({ width }) => width))
  if (
    Math.abs(longest - (x2 - x1)) > SAME ||
    spans.some(({ middle }) => Math.abs(middle - (x1 + x2) / 2) > SAME)
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

/** The page with the two parts as one word of the line that the rule stands on; undefined where they do not read. */
function fractionOf(
  { x1, x2, y1 }: Rule,
  [over, under]: [Part, Part],
  found: Fractions,
): Fractions | undefined {
  const gone = [...over.words, ...under.words]
  const rest = found.words.filter((word) => !gone.includes(word))
  const beside = rest.find(
    ({ x, y, width, height }) =>
      y < y1 && y + height > y1 && (Math.abs(x1 - x - width) < BESIDE || Math.abs(x - x2) < BESIDE),
  )
  const base = beside && found.runs.find((run) => isOn(beside, run))
  const [above, below] = [over, under].map((part) => spellRow(part.words, part.runs))
  if (beside === undefined || base === undefined || above === undefined || below === undefined)
    return undefined
  const text = `${partText(above)}/${partText(below)}`
  const place = { x: x1, width: x2 - x1, text }
  const word: PlacedWord = { ...beside, ...place, spaced: true, grown: true }
  const run: Run = { ...base, ...place, font: 'CMMI10' }
  const runs = found.runs.filter((each) => !over.runs.includes(each) && !under.runs.includes(each))
  return { words: [...rest, word], runs: [...runs, run], gone: [...found.gone, ...gone] }
}

/** A space in a word, until it is part of its item's text. */
export const BLANK = '\ue001'

const partText = (words: readonly PlacedWord[]): string => {
  const text = words.map((word, i) => (i > 0 && word.spaced ? BLANK : '') + word.text).join('')
  return text.includes(BLANK) ? `(${text})` : text
}
