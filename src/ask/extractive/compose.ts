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
  /** The side of a comparison that the quotes are about. Unset for other questions. */
  side?: string
  quotes: ScoredEvidence[]
}

/**
 * `found`: the quotes answer the question. `close`: they are only near to an answer. `absent`: the documents do not contain an answer.
 */
export type Verdict = 'found' | 'close' | 'absent'

const MAX_TITLE_LENGTH = 90

/** A passage with its sentences or rows that are nearest to the question, in reading order. */
export interface NearPassage {
  found: FoundPassage
  units: Evidence[]
}

export interface Composition {
  verdict: Verdict
  selected: readonly SelectedEvidence[]
  /** The nearest passages, which are shown instead of the quotes. */
  near?: readonly NearPassage[]
  /** What the previous edition said instead of the first quote. */
  earlier?: EarlierStatement
  /** The editions that the question asks for, if the quotes are from another edition. */
  otherThan?: { titles: readonly string[]; isInForce: boolean }
  /** Words of the question that no document contains. */
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
      ...doubtLines(unknownWords, wording),
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
    : leadSentence({ verdict, quotes, isComparison, wording })
  const tail = verdict === 'close' ? doubtLines(unknownWords, wording) : []
  return [asksForSummary ? `${wording.summary} ${head}` : head, ...lines, ...tail].join('\n')
}

export type Quoted = Pick<ScoredEvidence, 'evidence' | 'matchesHeading' | 'isAmended'>

/** Each quote with its source and its citation marker. A sentence is shown with its neighbours, but no sentence is shown twice. */
export function quoteLines(
  quotes: readonly Quoted[],
  criteria: readonly Criteria[],
  { numberOf, wording }: Pick<Composition, 'numberOf' | 'wording'>,
): string[] {
  const shownSentences = new Set<ParagraphSentence>()
  const lines = quotes.flatMap((one) => {
    const { found, list, paragraph, text } = one.evidence
    const index = paragraph?.findIndex((sentence) => sentence.text === text) ?? -1
    const current = paragraph?.[index]
    if (current && shownSentences.has(current)) return []
    const itemsBelow = list ? itemLines(list) : ''
    if (one.isAmended) return [amendedLine(one, quotes, { criteria, numberOf, wording })]
    const source = `${sourceOf(found.passage, wording)} [${numberOf(found.passage)}]`
    let [quote, firstSentence] = [quoteOf(one, criteria), text]
    if (paragraph && current) {
      const { from, to } = unitAround(
        paragraph,
        index,
        (place) => !shownSentences.has(paragraph[place] ?? current),
      )
      const unit = paragraph.slice(from, to)
      for (const sentence of unit) shownSentences.add(sentence)
      firstSentence = unit[0]?.text ?? text
      if (unit.length > 1) quote = `“${escapeMarkdown(verbatim(unit, found.passage.text))}”`
    }
    return `- ${headingOf(one, quotes)}${speakerOf(one.evidence, firstSentence)}${quote} — ${source}${itemsBelow}`
  })
  return [...new Set(lines)]
}

/** Each new statement with the one that it replaces. A removed statement has a line of its own. */
export const changeLines = (
  pairs: readonly Change[],
  { numberOf, wording }: Pick<Composition, 'numberOf' | 'wording'>,
): string[] =>
  pairs.flatMap(({ now, before }) => {
    const heading = (now ?? before)?.headingAbove
    const sectionName =
      heading && heading.text !== (now ?? before)?.found.passage.document_title ? heading.text : ''
    const lineOf = (evidence: Evidence, label: string): string =>
      `${label}${quoteOf({ evidence }, [])} — ${sourceOf(evidence.found.passage, wording)} [${numberOf(evidence.found.passage)}]`
    const title = sectionName ? `**${escapeMarkdown(sectionName)}** ` : ''
    return [
      ...(now ? [`- ${title}${lineOf(now, '')}`] : []),
      ...(before ? [`${now ? '  - ' : `- ${title}`}${lineOf(before, `${wording.previously} `)}`] : []),
    ]
  })

/** The text from the first sentence to the last one, with everything between them, such as a heading within the line. */
function verbatim(unit: readonly ParagraphSentence[], text: string): string {
  const [first, last] = [unit[0], unit.at(-1)]
  return first && last ? text.slice(first.start, last.start + last.text.length) : ''
}

export const earlierLine = (
  { evidence: { found }, text }: EarlierStatement,
  { numberOf, wording }: Pick<Composition, 'numberOf' | 'wording'>,
): string =>
  `- ${wording.previously} “${escapeMarkdown(text)}” — ${sourceOf(found.passage, wording)} [${numberOf(found.passage)}]`

/** The line of a quote that an amendment replaces. If the amendment repeats most of its words, only the different words are shown. */
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
  const [firstQuote] = quotes
  const changedText = firstQuote && wordsChanged(firstQuote.evidence.text, text)
  if (changedText !== undefined)
    return earlierLine({ evidence: amended.evidence, text: changedText }, { numberOf, wording })
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
 * The heading that matches the question, shown once before the quotes below it. A list shows its heading anyway. Before each line of a
 * record its name is shown.
 */
function headingOf({ matchesHeading, evidence }: Quoted, quotes: readonly Quoted[]): string {
  const { list, headingAbove, found, isOfRecord } = evidence
  if (isOfRecord) return `**${escapeMarkdown(headingAbove.text)}** `
  if (!matchesHeading || list || headingAbove.text === found.passage.document_title) return ''
  const first = quotes.find((other) => other.matchesHeading && other.evidence.headingAbove === headingAbove)
  return first?.evidence === evidence ? `**${escapeMarkdown(headingAbove.text)}** ` : ''
}

/** The name of the speaker, unless the quote contains it. */
const speakerOf = ({ speaker }: Evidence, quote: string): string =>
  speaker === undefined || quote.includes(speaker) ? '' : `**${escapeMarkdown(speaker)}:** `

// A longer list is truncated: readers can open the passage.
const MAX_ITEMS = 20

function itemLines({ items }: TextList): string {
  const shownItems = items.slice(0, MAX_ITEMS).map((text) => `\n  - “${escapeMarkdown(text)}”`)
  return `${shownItems.join('')}${items.length > MAX_ITEMS ? '\n  - …' : ''}`
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

/** The sentence that names the words which the documents do not contain. */
function unknownIn(unknownWords: readonly string[], wording: Wording): string[] {
  const quotedWords = unknownWords.slice(0, 3).map((name) => `“${escapeMarkdown(name)}”`)
  return quotedWords.length ? [wording.unknown(quotedWords)] : []
}

/**
 * The lines which say that the quotes may not answer the question. They stand below the quotes, because a doubt above the right passage
 * would keep the reader from reading it.
 */
const doubtLines = (unknownWords: readonly string[], wording: Wording): string[] => [
  '',
  [wording.close, ...unknownIn(unknownWords, wording)].join(' '),
]

function leadSentence({
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
  const otherDocuments = quotes.filter((scored) => !scored.isAmendment).map(documentOf)
  return quotes.some(
    (scored) => scored.isAmendment && otherDocuments.some((document) => document !== documentOf(scored)),
  )
}

const documentOf = (scored: ScoredEvidence): string => scored.evidence.found.passage.document_id

const amendmentsFirst = (quotes: ScoredEvidence[]): ScoredEvidence[] =>
  hasAmendment(quotes)
    ? [...quotes.filter((scored) => scored.isAmendment), ...quotes.filter((scored) => !scored.isAmendment)]
    : quotes

export function sourceOf({ document_title: title, page }: Passage, wording: Wording): string {
  const shortTitle =
    title.length > MAX_TITLE_LENGTH ? `${windowAround(title, 0, 0, MAX_TITLE_LENGTH)}…` : title
  return `${escapeMarkdown(shortTitle)}${page === null ? '' : `, ${wording.page(page)}`}`
}
