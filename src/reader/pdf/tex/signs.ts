// TeX's mathematical fonts, whose signs have the codes of letters: a program that does not know them reads ⟨ as h, ∄ as @ and
// a prime
// as 0. pdf-inspector knows most signs of CMSY by their glyph names; those of MSAM and MSBM come as codes.

import { isOn, type PlacedWord, type Row, type Run } from './lines.ts'

const MATH = /^(?:[A-Z]{6}\+)?(?:CM(?:SY|MI|EX|BSY|MIB)|MS[AB]M|LASY)\d/

/** Whether a font holds letters and signs of formulas. */
export const isMathFont = (name = ''): boolean => MATH.test(name)

// TeX's text fonts; those of other programs have letters with accents.
const TEXT = /^(?:[A-Z]{6}\+)?(?:CM(?:R|B|TI|BX|CSC|SL|SS|TT)|SF[A-Z]{2}|Nimbus)/

/** Whether a font holds TeX's text. */
export const isTextFont = (name = ''): boolean => TEXT.test(name)

// By code, from 0x21 on; a space has no sign or needs none.
const SYMBOLS = [
  '→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽\ue000 ∀∃¬∅ℜℑ⊤⊥ℵ',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ∪∩⊎∧∨',
  '⊢⊣⌊⌋⌈⌉{}⟨⟩|∥↕⇕\\≀√⨿∇∫⊔⊓⊑⊒§†‡¶♣♢♡',
].join('')
const MSAM = [
  '↭↫↬≗≿≳⪆⊸∴∵≑≜≾≲⪅⪕⪖⋞⋟≼≦⩽≶‵ ≓≒≽≧⩾≷',
  '⊏⊐▷◁⊵⊴★≬▾▸◂  △▴▽≖⋚⋛⪋⪌¥⇛⇚✓⊻⊼⩞∠∡∢∝',
  '⌣⌢⋐⋑⋓⋒⋏⋎⋋⋌⫅⫆≏≎⋘⋙⌜⌝®Ⓢ⋔∔∽⋍⌞⌟✠∁⊺⊚⊛⊝',
].join('')
const MSBM = [
  '⊋⊈⊉⫋⫌⫋⫌⊊⊋⊈⊉∦∤∤∦⊬⊮⊭⊯⋭⋬⋪⋫↚↛⇍⇏⇎↮⋇∅',
  '∄𝔸𝔹ℂ𝔻𝔼𝔽𝔾ℍ𝕀𝕁𝕂𝕃𝕄ℕ𝕆ℙℚℝ𝕊𝕋𝕌𝕍𝕎𝕏𝕐ℤ     ',
  'Ⅎ⅁    ℧ð≂ℶℷℸ⋖⋗⋉⋊∣∥∖∼≈≊⪸⪷↶↷ϝϰ𝕜ℏℏ∍',
].join('')
const FIRST = 0x21

const TABLES: readonly [RegExp, readonly string[], RegExp][] = [
  [/MSAM/, [...MSAM], /[!-~]/],
  [/MSBM/, [...MSBM], /[!-~]/],
  // Capitals of CMSY are letters, and other signs are already known by name.
  [/CMB?SY/, [...SYMBOLS], /[a-z0-9]/],
]

const NEGATED: Record<string, string> = {
  '∈': '∉',
  '∋': '∌',
  '=': '≠',
  '⊂': '⊄',
  '⊃': '⊅',
  '≡': '≢',
  '∼': '≁',
}

/**
 * The text of a run. Only its first sign is certain to have the run's font: pdf-inspector joins runs.
 */
export function readRun(font: string, text: string): string {
  const [first = '', ...rest] = [...text]
  const table = TABLES.find(([name]) => name.test(font))
  const code = first.codePointAt(0) ?? 0
  const sign = table?.[2].test(first) ? table[1][code - FIRST]?.trim() : undefined
  return [sign || first, ...rest].join('').replace(/〈/g, '⟨').replace(/〉/g, '⟩')
}

/** Negated signs: TeX draws the stroke (the 6 of CMSY) and the sign on top of each other. */
export const withNegated = (text: string): string =>
  text.replace(/\ue000\s?([∈∋=⊂⊃≡∼])/gu, (all, sign: string) => NEGATED[sign] ?? all)

// Signs that pdf-inspector puts into a run of text or leaves out. The boxes of liteparse's words reveal them: a box around a
// letter has a height of its own in each font.

/** A sign that liteparse reads as a letter, with the box of its font. */
interface KnownSign extends Box {
  letter: string
  sign: string
}

interface Box {
  /** Shares of the line's type: the height, and the top above the baseline. */
  height: number
  rise: number
}

// Boxes of letters of one font differ by less than this, those of two fonts by more.
const BOX_ROUNDING = 0.01

const boxOf = ({ y, height }: PlacedWord, { baseline, size }: Run): Box => ({
  height: height / size,
  rise: (baseline - y) / size,
})

/** The signs that are alone in a word and a run: "C" of a font whose C is ◁. */
export function knownSigns(rows: readonly Row[]): KnownSign[] {
  return rows.flatMap(({ words, runs }) =>
    words
      .filter(({ text }) => isLetter(text))
      .flatMap((word) => {
        const run = runs.find((each) => isOn(word, each) && Math.abs(each.x - word.x) < word.width / 2)
        const [sign] = run?.text ?? ''
        return run === undefined || sign === undefined || sign === word.text
          ? []
          : [{ letter: word.text, sign, ...boxOf(word, run) }]
      }),
  )
}

const isLetter = (text: string): boolean => /^[A-Za-z]$/.test(text)

// TeX's signs with the codes of ligatures: liteparse reads them as ligatures, pdf-inspector omits them.
const AS_LIGATURE = new Map([
  ['ff', '⊃'],
  ['fi', '≪'],
  ['fl', '≫'],
  ['ffi', '≺'],
  ['ffl', '≻'],
])

/** The line with such signs in its words and runs. */
export function withSigns(row: Row, known: readonly KnownSign[]): Row {
  let read = row
  const letters = new Set(known.map(({ letter }) => letter))
  for (const word of row.words) {
    if (!AS_LIGATURE.has(word.text) && !letters.has(word.text)) continue
    const run = read.runs.find((each) => isOn(word, each))
    const found = run && (leftOut(word, run) ?? mistaken(word, run, known))
    if (found === undefined) continue
    const { sign, text } = found
    read = {
      words: read.words.map((each) => (each === word ? { ...word, text: sign } : each)),
      runs: read.runs.map((each) => (each === run ? { ...run, text } : each)),
    }
  }
  return read
}

interface Found {
  sign: string
  /** The run's text with it. */
  text: string
}

/** A sign in the place of a ligature, if the run has neither the ligature nor the sign. */
function leftOut(word: PlacedWord, run: Run): Found | undefined {
  const sign = run.text.includes('f') ? undefined : AS_LIGATURE.get(word.text)
  if (sign === undefined) return undefined
  if (run.text.includes(sign)) return { sign, text: run.text }
  const at = placeIn(run, word, (place) => run.text[place] === ' ')
  return at === undefined
    ? undefined
    : { sign, text: `${run.text.slice(0, at)} ${sign}${run.text.slice(at)}` }
}

/** A sign in the place of a single letter. */
function mistaken(word: PlacedWord, run: Run, known: readonly KnownSign[]): Found | undefined {
  const sign = word.text.length === 1 ? signOf(word, run, known) : undefined
  if (sign === undefined) return undefined
  const isLone = (place: number): boolean =>
    run.text[place] === word.text && !/\S/.test((run.text[place - 1] ?? '') + (run.text[place + 1] ?? ''))
  const at = placeIn(run, word, isLone)
  return at === undefined ? undefined : { sign, text: run.text.slice(0, at) + sign + run.text.slice(at + 1) }
}

function signOf(word: PlacedWord, run: Run, known: readonly KnownSign[]): string | undefined {
  const { height, rise } = boxOf(word, run)
  return known.find(
    (each) =>
      each.letter === word.text &&
      Math.abs(each.height - height) < BOX_ROUNDING &&
      Math.abs(each.rise - rise) < BOX_ROUNDING,
  )?.sign
}

/** The word's position in the run's text: the possible one nearest to its share of the run's width. */
function placeIn(run: Run, { x }: PlacedWord, isPlace: (at: number) => boolean): number | undefined {
  const expected = ((x - run.x) / run.width) * run.text.length
  let best: number | undefined
  for (let at = 0; at < run.text.length; at++)
    if (isPlace(at) && (best === undefined || Math.abs(at - expected) < Math.abs(best - expected))) best = at
  return best
}
