// Finds the spans of names: runs of capitalised words with their connectors ("University of Toronto", "Ludwig van
// Beethoven", "2002 Winter Olympics") and quoted titles. What they name is decided later.

import { isCommonWord, isFirstName, isModifier, isPlace } from '../../../language/gazetteer.ts'
import {
  BOILERPLATE,
  CALENDAR,
  LAW_CUES,
  LEGAL_FORMS,
  ORGANIZATION_CUES,
  WORK_CUES,
} from '../../../language/gazetteer-cues.ts'
import { isStopWord } from '../../../language/stem.ts'
import { isPostCode, type NameContext, type NameSpan, refineSpan } from './refine.ts'
import type { Token, TokenSentence } from './tokens.ts'

const CONNECTORS = new Set(
  'of de del della di da do dos du des la le von van der den zu zum ibn bin al el'.split(' '),
)
const NAMEABLE: ReadonlySet<string> = new Set(['capital', 'acronym', 'mixed', 'code'])

/** The names of one sentence from left to right, without overlap. In title lines function words separate them. */
export function findNameSpans(sentence: TokenSentence, context: NameContext): NameSpan[] {
  const found: NameSpan[] = []
  const { tokens, title } = sentence
  for (let i = 0; i < tokens.length; ) {
    if (!NAMEABLE.has(tokens[i]?.shape ?? '')) {
      i++
      continue
    }
    const to = title ? beforeFunctionWord(tokens, i, extend(tokens, i, context)) : extend(tokens, i, context)
    for (const span of refineSpan({ sentence, from: i, to, hasTitle: false, quoted: false }, context))
      found.push(span)
    i = to
  }
  return found
}

/** In a line in Title Case, words such as And, Between and With are not part of a name. */
function beforeFunctionWord(tokens: readonly Token[], from: number, to: number): number {
  for (let i = from + 1; i < to; i++) {
    const { shape = 'lower', low = '' } = tokens[i] ?? {}
    if (shape !== 'lower' && isStopWord(low, 'en')) return i
  }
  return to
}

function extend(tokens: readonly Token[], from: number, context: NameContext): number {
  let to = from + 1
  while (to < tokens.length) {
    const next = extendOnce(tokens, from, to, context)
    if (next === to) break
    to = next
  }
  return to
}

/** The new end of a span that can be extended from `to`; `to` itself when it cannot. */
function extendOnce(tokens: readonly Token[], from: number, to: number, context: NameContext): number {
  const token = tokens[to]
  const before = tokens[to - 1]
  if (!token || !before) return to
  // "North America The segment": a capitalised The starts another sentence that the page layout appended.
  if (token.raw === 'The' && token.gap === ' ' && to > from) return to
  if (isPostCode(token, tokens[to + 1]) || isPostCode(before, token) || isPostCode(tokens[to - 2], before))
    return to
  if (
    before.possessive &&
    !(token.shape === 'capital' && to - from <= 2 && NAMED_AFTER_PATRONS.has(token.low))
  )
    return to
  if (NAMEABLE.has(token.shape)) return joinsName(token.gap, before, token) ? to + 1 : nickname(tokens, to)
  if (token.gap !== ' ') return to
  if (token.shape === 'number') return takesNumber(tokens, from, to) ? to + 1 : to
  return overConnectors(tokens, from, to, context)
}

// Words that follow a patron's possessive: St. John's University, Valentine's Day.
const NAMED_AFTER_PATRONS = new Set(
  'university college school hospital church cathedral academy day palace castle cross'.split(' '),
)

function joinsName(gap: string, before: Token, token: Token): boolean {
  if (gap === ' ') return !(CALENDAR.has(before.low) && token.shape === 'number')
  if (gap === '-' || gap === '–') return before.shape !== 'acronym' || token.shape !== 'lower'
  if (gap === '&') return true
  if (gap === ',') return LEGAL_FORMS.has(token.low) && token.low !== 'as' && token.low !== 'co'
  return (
    gap === '.' &&
    /^(?:\p{Lu}|St|Mt|Jr|Sr|Dr|Ft|Mr|Mrs|Ms|Prof|Gen|Col|Capt|Lt|Sgt|(?:\p{L}\.)+\p{L})$/u.test(before.raw)
  )
}

/** Wilfried "Willi" Schneider. */
function nickname(tokens: readonly Token[], at: number): number {
  const token = tokens[at]
  const after = tokens[at + 1]
  const opened = token && /^["“„'‘(]$/.test(token.gap)
  return opened &&
    after &&
    /^["”“'’)]$/.test(after.gap) &&
    after.shape === 'capital' &&
    token.shape === 'capital' &&
    isFirstName(tokens[at - 1]?.low ?? '')
    ? at + 2
    : at
}

/** Apollo 11, Boeing 747; not a year, not Chapter 3, not a date. */
function takesNumber(tokens: readonly Token[], from: number, at: number): boolean {
  const { raw = '' } = tokens[at] ?? {}
  const before = tokens[at - 1]
  if (!/^\d{1,4}$/.test(raw) || /^(?:1[5-9]|20)\d\d$/.test(raw) || !before) return false
  if (CALENDAR.has(before.low) || BOILERPLATE.has(before.low) || before.shape === 'code') return false
  if (at - from === 1 && (isStopLike(before) || isPlace(before.low))) return false
  const after = tokens[at + 1]
  return after?.gap !== ' ' || after.shape !== 'number'
}

const isStopLike = (token: Token): boolean => isModifier(token.low) || token.low.length < 2

/** The end of the span after connectors and the next capitalised word, if it belongs to the same name. */
function overConnectors(tokens: readonly Token[], from: number, at: number, context: NameContext): number {
  const word = tokens[at]?.low ?? ''
  let next = at + 1
  if (word === 'and' || word === 'for' || word === 'on') {
    if (!takesConnector(tokens, from, at, word)) return at
  } else if (!CONNECTORS.has(word) || (word === 'of' && endsBeforeOf(tokens, from, at))) return at
  while (
    next < tokens.length &&
    next - at < 3 &&
    /^(?:the|la|le|der|den|los|las)$/.test(tokens[next]?.low ?? '')
  )
    next++
  const target = tokens[next]
  if (target?.gap !== ' ' || target.shape === 'code' || !NAMEABLE.has(target.shape)) return at
  if (CALENDAR.has(target.low) && word === 'of') return at
  if (context.language === 'de' && word !== 'von' && word !== 'zu' && word !== 'van') return at
  return next + 1
}

/** Whether the name ends before "of": "Jane Roe of Leeds" is two names. */
function endsBeforeOf(tokens: readonly Token[], from: number, at: number): boolean {
  const first = tokens[from]?.low ?? ''
  return (
    at - from > 1 &&
    isFirstName(first) &&
    !ORGANIZATION_CUES.has(tokens[at - 1]?.low ?? '') &&
    !isCommonWord(first)
  )
}

/**
 * Whether a name goes on over "and", "for" or "on", as only names of organizations and laws do: Ministry of Health
 * and Welfare, Center for Disease Control.
 */
function takesConnector(tokens: readonly Token[], from: number, at: number, word: string): boolean {
  let body = false
  for (let i = from; i < at; i++) {
    const { low = '' } = tokens[i] ?? {}
    if (i > from && low === 'and') return false
    if (ORGANIZATION_HEADS.has(low) || (word === 'and' && ORGANIZATION_CUES.has(low)) || LAW_CUES.has(low))
      body = true
  }
  if (word === 'and') {
    if (namesTwoSubjects(tokens, from, at)) return true
    const headed = body && tokens.slice(from, at).some(({ low }) => low === 'of' || low === 'for')
    const after = tokens[at + 1]
    const later = tokens[at + 2]
    return (
      headed &&
      !ORGANIZATION_CUES.has(after?.low ?? '') &&
      !isPlace(after?.low ?? '') &&
      !(later && ORGANIZATION_CUES.has(later.low) && later.gap === ' ' && isPlace(after?.low ?? ''))
    )
  }
  return body
}

/** Two subjects of one organization: "Securities and Exchange Commission", "Food and Drug Administration". */
function namesTwoSubjects(tokens: readonly Token[], from: number, at: number): boolean {
  const [one, two, body] = [tokens[at - 1], tokens[at + 1], tokens[at + 2]]
  const matters = at - from === 1 && one && two && isCommonWord(one.low) && isCommonWord(two.low)
  return Boolean(matters) && body?.gap === ' ' && body.shape === 'capital' && ORGANIZATION_CUES.has(body.low)
}

// Organizations whose names continue with "for" or "on".
const ORGANIZATION_HEADS = new Set(
  (
    'center centre institute society association foundation council committee department office organization ' +
    'organisation agency fund commission conference school college convention symposium board bureau coalition ' +
    'campaign alliance trust union administration academy faculty campaign ministry'
  ).split(' '),
)

const OPEN = /["“„«‘]$/
const CLOSE = /^["”“»’]/
const LONGEST_TITLE = 9
const INTRODUCES = new Set(
  'titled entitled called named song single album film novel book play episode poem track'.split(' '),
)

/**
 * The titles of works in quotation marks in one sentence: "The Sound of Music" is written like a title, or the words
 * around it say so. Anything else in quotation marks is speech or irony.
 */
export function findQuotedTitles(sentence: TokenSentence): NameSpan[] {
  const { tokens } = sentence
  const found: NameSpan[] = []
  for (let from = 0; from < tokens.length; from++) {
    if (!OPEN.test(tokens[from]?.gap ?? '')) continue
    const to = closing(tokens, from)
    if (to === undefined) continue
    if (isTitle(tokens, from, to)) found.push({ sentence, from, to, hasTitle: false, quoted: true })
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
