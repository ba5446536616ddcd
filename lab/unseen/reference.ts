// Whether a text holds what a reference answer says: its figures, or the key words that its question does not say. Pure.

import { contentTerms } from '../../src/language/analyse.ts'

export interface Reference {
  kind: 'figures' | 'words'
  wanted: ReadonlySet<string>
}

export function referenceOf({ text, answer }: { text: string; answer: string }): Reference {
  const said = withoutSources(answer)
  const figures = figuresOf(said.replace(DATES, '')).filter(tells)
  if (figures.length) return { kind: 'figures', wanted: new Set(figures) }
  const asked = new Set(contentTerms(text, 'en'))
  const words = contentTerms(said, 'en').filter(
    (word) => word.length > 3 && !/^\d+$/.test(word) && !asked.has(word) && !COMMON.has(word),
  )
  return { kind: 'words', wanted: new Set(words) }
}

/** The share of what is wanted that the text has. */
export function shareHeld({ kind, wanted }: Reference, text: string): number {
  const have = new Set(kind === 'figures' ? figuresOf(text) : contentTerms(text, 'en'))
  const held = [...wanted].filter((one) => have.has(one) || (kind === 'figures' && isScaled(one, have)))
  return held.length / Math.max(1, wanted.size)
}

// The list of sources at the end of an answer, and the names of files in it.
const withoutSources = (answer: string): string =>
  answer.replace(/20\d\d Q\d \w+(?:\.pdf)?/g, '').replace(/\(?SOURCE.*?(?:\n|$)/gi, '')

const DATES =
  /(?:January|February|March|April|May|June|July|August|September|October|November|December)\s+\d{1,2},?\s*(?:20\d\d)?/g

const figuresOf = (text: string): string[] =>
  [...text.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([figure]) => {
    const plain = figure.replaceAll(',', '')
    return plain.includes('.') ? plain.replace(/0+$/, '').replace(/\.$/, '') : plain
  })

// Years, and whole numbers of one or two digits, stand in any text.
const tells = (figure: string): boolean =>
  !/^20\d\d$/.test(figure) && (figure.includes('.') || figure.length >= 3)

const SCALES = [1e3, 1e6, 1e-3, 1e-6]
// Rounding to four digits.
const ROUNDING = 0.0005

/** "$1.5 billion" is 1,500 in a table of millions. */
function isScaled(wanted: string, have: ReadonlySet<string>): boolean {
  const value = Number(wanted)
  return [...have].some((other) => {
    const found = Number(other)
    return SCALES.some((scale) => Math.abs(found - value * scale) <= Math.max(ROUNDING * found, 1e-9))
  })
}

// Words of reports and of answers that cite them.
const COMMON = new Set(
  contentTerms(
    'source document provided based company quarter report pdf form period million billion mentioned information section significant following included also may could would related',
    'en',
  ),
)
