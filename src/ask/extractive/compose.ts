// Writes the extractive reply: a lead sentence, then the quotes, each with its source and its citation marker. Pure.

import type { Passage } from '../../search/passage.ts'
import { windowAround } from '../citations/window.ts'
import type { Change } from './editions/changes.ts'
import { type EarlierStatement, wordsChanged } from './editions/earlier.ts'
import type { Evidence, FoundPassage, ParagraphSentence } from './evidence.ts'
import type { Criteria } from './features.ts'
import { escapeMarkdown, quoteOf } from './quote.ts'
import type { ScoredEvidence } from './ranking.ts'
import type { TextList } from './text-structure.ts'
import { unitAround } from './unit.ts'
import type { Wording } from './wording.ts'

export interface SelectedEvidence {
  criteria: Criteria
  /** Set for a side of a comparison. */
  side?: string
  quotes: ScoredEvidence[]
}

/** found: the quotes answer the question; close: they only come near; absent: the documents do not cover it. */
export type Verdict = 'found' | 'close' | 'absent'

const MAX_TITLE_LENGTH = 90

/** A passage with those units of it that come nearest to the question, in reading order. */
export interface NearPassage {
  found: FoundPassage
  units: Evidence[]
}

export interface Composition {
  verdict: Verdict
  selected: readonly SelectedEvidence[]
  /** What comes nearest, instead of the quotes. */
  near?: readonly NearPassage[]
  /** What an edition before said instead of the first quote. */
  earlier?: EarlierStatement
  /** The editions that were asked for, where the quotes are of another. */
  otherThan?: { titles: readonly string[]; isInForce: boolean }
  /** Words of the question that no document has. */
  unknownWords: readonly string[]
  /** The number a passage is cited by. */
  numberOf: (passage: Passage) => number
  wording: Wording
  asksForSummary?: boolean
}

/** The reply as Markdown. */
export function compose({
  verdict,
  selected,
  near,
  earlier,
  otherThan,
  unknownWords,
  numberOf,
  wording,
  asksForSummary,
}: Composition): string {
  const quotes = selected.flatMap((one) => one.quotes)
  const criteria = selected.map((one) => one.criteria)
  if (near)
    return [
      wording.closest,
      '',
      ...nearLines(near, criteria, { numberOf, wording }),
      ...doubt(unknownWords, wording),
    ].join('\n')
  if (verdict === 'absent' || quotes.length === 0) return absentReply(unknownWords, wording)
  const linesOf = (some: readonly Quoted[]): string[] => quoteLines(some, criteria, { numberOf, wording })
  const isComparison = selected.some((one) => one.side !== undefined)
  const lines = isComparison
    ? selected.flatMap((one) => sideLines(one, linesOf, wording))
    : [
        '',
        ...linesOf(amendmentsFirst(quotes)),
        ...(earlier ? [earlierLine(earlier, { numberOf, wording })] : []),
      ]
  const head = otherThan
    ? wording.otherEdition(otherThan.titles.map(escapeMarkdown), otherThan.isInForce)
    : lead({ verdict, quotes, isComparison, wording })
  const tail = verdict === 'close' ? doubt(unknownWords, wording) : []
  return [asksForSummary ? `${wording.summary} ${head}` : head, ...lines, ...tail].join('\n')
}

export type Quoted = Pick<ScoredEvidence, 'evidence' | 'matchesHeading' | 'isAmended'>

/** Each quote with its source and its citation marker; a sentence with its neighbours, none of which is shown twice. */
export function quoteLines(
  quotes: readonly Quoted[],
  criteria: readonly Criteria[],
  { numberOf, wording }: Pick<Composition, 'numberOf' | 'wording'>,
): string[] {
  const shown = new Set<ParagraphSentence>()
  const lines = quotes.flatMap((one) => {
    const { found, list, paragraph, text } = one.evidence
    const at = paragraph?.findIndex((sentence) => sentence.text === text) ?? -1
    const own = paragraph?.[at]
    if (own && shown.has(own)) return []
    const below = list ? itemLines(list) : ''
    if (one.isAmended) return [amendedLine(one, quotes, { criteria, numberOf, wording })]
    const source = `${sourceOf(found.passage, wording)} [${numberOf(found.passage)}]`
    let [quote, start] = [quoteOf(one, criteria), text]
    if (paragraph && own) {
      const { from, to } = unitAround(paragraph, at, (place) => !shown.has(paragraph[place] ?? own))
      const unit = paragraph.slice(from, to)
      for (const sentence of unit) shown.add(sentence)
      start = unit[0]?.text ?? text
      if (unit.length > 1) quote = `“${escapeMarkdown(verbatim(unit, found.passage.text))}”`
    }
    return `- ${headingOf(one, quotes)}${speakerOf(one.evidence, start)}${quote} — ${source}${below}`
  })
  return [...new Set(lines)]
}

/** Each statement of today with what it replaces; what was left out stands alone. */
export const changeLines = (
  pairs: readonly Change[],
  { numberOf, wording }: Pick<Composition, 'numberOf' | 'wording'>,
): string[] =>
  pairs.flatMap(({ now, before }) => {
    const heading = (now ?? before)?.under
    const name = heading && heading.text !== (now ?? before)?.found.passage.document_title ? heading.text : ''
    const lineOf = (evidence: Evidence, label: string): string =>
      `${label}${quoteOf({ evidence }, [])} — ${sourceOf(evidence.found.passage, wording)} [${numberOf(evidence.found.passage)}]`
    const title = name ? `**${escapeMarkdown(name)}** ` : ''
    return [
      ...(now ? [`- ${title}${lineOf(now, '')}`] : []),
      ...(before ? [`${now ? '  - ' : `- ${title}`}${lineOf(before, `${wording.previously} `)}`] : []),
    ]
  })

/** The text from the first sentence to the last one, with what stands between them, such as a heading in the line. */
function verbatim(unit: readonly ParagraphSentence[], text: string): string {
  const [first, last] = [unit[0], unit.at(-1)]
  return first && last ? text.slice(first.start, last.start + last.text.length) : ''
}

export const earlierLine = (
  { evidence: { found }, text }: EarlierStatement,
  { numberOf, wording }: Pick<Composition, 'numberOf' | 'wording'>,
): string =>
  `- ${wording.previously} “${escapeMarkdown(text)}” — ${sourceOf(found.passage, wording)} [${numberOf(found.passage)}]`

/** What an amendment replaces: the words that are other ones, where it repeats the rest. */
function amendedLine(
  amended: Quoted,
  quotes: readonly Quoted[],
  {
    criteria,
    numberOf,
    wording,
  }: Pick<Composition, 'numberOf' | 'wording'> & { criteria: readonly Criteria[] },
): string {
  const { text, found } = amended.evidence
  const [latest] = quotes
  const changed = latest && wordsChanged(latest.evidence.text, text)
  if (changed !== undefined)
    return earlierLine({ evidence: amended.evidence, text: changed }, { numberOf, wording })
  return `- ${wording.previously} ${quoteOf(amended, criteria)} — ${sourceOf(found.passage, wording)} [${numberOf(found.passage)}]`
}

/** Each passage with its nearest units, its source and its citation marker. */
const nearLines = (
  near: readonly NearPassage[],
  criteria: readonly Criteria[],
  { numberOf, wording }: Pick<Composition, 'numberOf' | 'wording'>,
): string[] =>
  near.map(({ found: { passage }, units }) => {
    const texts = units.map((evidence) => evidence.text)
    const quote = units.some(({ cells }) => cells)
      ? units.map((evidence) => quoteOf({ evidence }, criteria)).join(' / ')
      : `“${escapeMarkdown(texts.join(' '))}”`
    return `- ${quote} — ${sourceOf(passage, wording)} [${numberOf(passage)}]`
  })

/**
 * The heading that asks the question, shown once before the quotes under it (a list shows it anyway), and before each line of a
 * record the name of the record.
 */
function headingOf({ matchesHeading, evidence }: Quoted, quotes: readonly Quoted[]): string {
  const { list, under, found, isOfRecord } = evidence
  if (isOfRecord) return `**${escapeMarkdown(under.text)}** `
  if (!matchesHeading || list || under.text === found.passage.document_title) return ''
  const first = quotes.find((other) => other.matchesHeading && other.evidence.under === under)
  return first?.evidence === evidence ? `**${escapeMarkdown(under.text)}** ` : ''
}

/** Who says it, where the quote does not begin with the name. */
const speakerOf = ({ speaker }: Evidence, quote: string): string =>
  speaker === undefined || quote.includes(speaker) ? '' : `**${escapeMarkdown(speaker)}:** `

// A longer list is truncated: readers can open the passage.
const MAX_ITEMS = 20

function itemLines({ items }: TextList): string {
  const shown = items.slice(0, MAX_ITEMS).map((text) => `\n  - “${escapeMarkdown(text)}”`)
  return `${shown.join('')}${items.length > MAX_ITEMS ? '\n  - …' : ''}`
}

const sideLines = (
  { side, quotes }: SelectedEvidence,
  linesOf: (quotes: readonly Quoted[]) => string[],
  wording: Wording,
): string[] => [
  '',
  `**${escapeMarkdown(side ?? '')}**`,
  '',
  ...(quotes.length ? linesOf(quotes) : [`- ${wording.nothing}`]),
]

const absentReply = (unknownWords: readonly string[], wording: Wording): string =>
  [wording.absent, ...unknownIn(unknownWords, wording), wording.suggestion].join(' ')

/** What the documents do not mention. */
function unknownIn(unknownWords: readonly string[], wording: Wording): string[] {
  const names = unknownWords.slice(0, 3).map((name) => `“${escapeMarkdown(name)}”`)
  return names.length ? [wording.unknown(names)] : []
}

/**
 * That the quotes may not answer the question, below them: they are what the asker looks for, and a doubt above the right passage
 * would keep him from reading it.
 */
const doubt = (unknownWords: readonly string[], wording: Wording): string[] => [
  '',
  [wording.close, ...unknownIn(unknownWords, wording)].join(' '),
]

function lead({
  verdict,
  quotes,
  isComparison,
  wording,
}: Pick<Composition, 'verdict' | 'wording'> & {
  quotes: readonly ScoredEvidence[]
  isComparison: boolean
}): string {
  if (verdict === 'close') return wording.closest
  if (isComparison) return wording.comparison
  const amending = hasAmendment(quotes) && quotes.find((scored) => scored.isAmendment)
  return amending
    ? wording.amendment(escapeMarkdown(amending.evidence.found.passage.document_title))
    : wording.found
}

/** Whether one quote amends a quote of another document. */
function hasAmendment(quotes: readonly ScoredEvidence[]): boolean {
  const others = quotes.filter((scored) => !scored.isAmendment).map(documentOf)
  return quotes.some(
    (scored) => scored.isAmendment && others.some((document) => document !== documentOf(scored)),
  )
}

const documentOf = (scored: ScoredEvidence): string => scored.evidence.found.passage.document_id

const amendmentsFirst = (quotes: ScoredEvidence[]): ScoredEvidence[] =>
  hasAmendment(quotes)
    ? [...quotes.filter((scored) => scored.isAmendment), ...quotes.filter((scored) => !scored.isAmendment)]
    : quotes

export function sourceOf({ document_title: title, page }: Passage, wording: Wording): string {
  const short = title.length > MAX_TITLE_LENGTH ? `${windowAround(title, 0, 0, MAX_TITLE_LENGTH)}…` : title
  return `${escapeMarkdown(short)}${page === null ? '' : `, ${wording.page(page)}`}`
}
