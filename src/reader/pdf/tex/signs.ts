// TeX's mathematical fonts, whose signs have letters' codes: a program that does not know them reads ⟨ as h, ∄ as @ and a
// prime as 0. pdf-inspector names most signs of CMSY by their glyphs; those of MSAM and MSBM come as their codes.

const MATH = /^(?:[A-Z]{6}\+)?(?:CM(?:SY|MI|EX|BSY|MIB)|MS[AB]M|LASY)\d/

/** Whether a font holds letters and signs of formulas. */
export const isMathFont = (name = ''): boolean => MATH.test(name)

// What TeX sets its text in; those of other programs have letters with their accents.
const TEXT = /^(?:[A-Z]{6}\+)?(?:CM(?:R|B|TI|BX|CSC|SL|SS|TT)|SF[A-Z]{2}|Nimbus)/

/** Whether a font holds TeX's text. */
export const isTextFont = (name = ''): boolean => TEXT.test(name)

// By code, from 0x21 on; a blank has no sign or needs none.
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
  // Capitals of CMSY are letters, and what is no letter was named already.
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
 * A run of a font as it reads. Only its first sign is surely of that font, the next ones may be of another: pdf-inspector
 * puts runs together.
 */
export function readRun(font: string, text: string): string {
  const [first = '', ...rest] = [...text]
  const table = TABLES.find(([name]) => name.test(font))
  const code = first.codePointAt(0) ?? 0
  const sign = table?.[2].test(first) ? table[1][code - FIRST]?.trim() : undefined
  return [sign || first, ...rest].join('').replace(/〈/g, '⟨').replace(/〉/g, '⟩')
}

/** Signs struck through: TeX draws the stroke (the 6 of CMSY) and the sign one over the other. */
export const withNegated = (text: string): string =>
  text.replace(/\ue000\s?([∈∋=⊂⊃≡∼])/gu, (all, sign: string) => NEGATED[sign] ?? all)
