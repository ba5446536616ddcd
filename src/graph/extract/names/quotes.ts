// Titles in quotation marks: "The Sound of Music" is a work when it is written like a title, or when the words around
// it say so. Anything else in quotes is speech or irony.

import { WORK_CUES } from '../../../language/gazetteer-cues.ts'
import { isStopWord } from '../../../language/stem.ts'
import type { Run } from './refine.ts'
import type { Token, TokenSentence } from './tokens.ts'

const OPEN = /["“„«‘]$/
const CLOSE = /^["”“»’]/
const LONGEST_TITLE = 9
const INTRODUCES = new Set(
  'titled entitled called named song single album film novel book play episode poem track'.split(' '),
)

/** Runs of quoted titles in one sentence. */
export function findQuotedTitles(sentence: TokenSentence): Run[] {
  const { tokens } = sentence
  const found: Run[] = []
  for (let from = 0; from < tokens.length; from++) {
    if (!OPEN.test(tokens[from]?.gap ?? '')) continue
    const to = closing(tokens, from)
    if (to === undefined) continue
    if (isTitle(tokens, from, to)) found.push({ sentence, from, to, person: false, quoted: true })
    from = to - 1
  }
  return found
}

function closing(tokens: readonly Token[], from: number): number | undefined {
  for (let to = from + 1; to < tokens.length && to - from <= LONGEST_TITLE; to++) {
    if (CLOSE.test(tokens[to]?.gap ?? '')) return to
  }
  return undefined
}

function isTitle(tokens: readonly Token[], from: number, to: number): boolean {
  const inside = tokens.slice(from, to)
  const first = inside[0]
  if (!first || first.shape === 'lower' || first.shape === 'other') return false
  const written = inside.every(
    ({ shape, low }) => shape !== 'lower' || isStopWord(low, 'en') || low.length < 4,
  )
  const told =
    INTRODUCES.has(tokens[from - 1]?.low ?? '') ||
    WORK_CUES.has(tokens[to]?.low ?? '') ||
    (WORK_CUES.has(tokens[to + 1]?.low ?? '') && tokens[to]?.low !== 'the')
  if (inside.length === 1) return told
  return written || told
}
