// Writes the extractive reply: a lead sentence, then the quotes, each with its source and its citation marker. Pure.

import type { Passage } from '../../search/passage.ts'
import { windowAround } from '../citations/window.ts'
import { messageHeadingOf } from '../passage.ts'
import type { Change } from './editions/changes.ts'
import { changedWords, type EarlierStatement } from './editions/earlier.ts'
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

/** A passage with those of its sentences or rows that are nearest to the question, in reading order. */
export interface NearPassage {
  foundPassage: FoundPassage
  units: Evidence[]
}

export interface Composition {
  verdict: Verdict
  selected: readonly SelectedEvidence[]
  /** The nearest passages, which are shown instead of the quotes. */
  nearPassages?: readonly NearPassage[]
  /** What the previous edition said instead of the first quote. */
  earlierStatement?: EarlierStatement
  /** The editions that the question asks for, if the quotes are from another edition. */
  requestedEditions?: { titles: readonly string[]; isInForce: boolean }
  /** Words of the question that no document contains. */
  unknownWords: readonly string[]
  /** Returns the number by which a passage is cited. */
  citationNumberOf: (passage: Passage) => number
  wording: Wording
  asksForSummary?: boolean
}

/** The reply as Markdown. */
export function compose({
  verdict,
  selected,
  nearPassages,
  earlierStatement,
  requestedEditions,
  unknownWords,
  citationNumberOf,
  wording,
  asksForSummary,
}: Composition): string {
  const quotes = selected.flatMap((selection) => selection.quotes)
  const criteria = selected.map((selection) => selection.criteria)
  if (nearPassages)
    return [
      wording.closest,
      '',
      ...nearLines(nearPassages, criteria, { citationNumberOf, wording }),
      ...doubtLines(unknownWords, wording),
    ].join('\n')
  if (verdict === 'absent' || quotes.length === 0) return absentReply(unknownWords, wording)
  const linesOf = (sideQuotes: readonly Quote[]): string[] =>
    quoteLines(sideQuotes, criteria, { citationNumberOf, wording })
  const isComparison = selected.some((selection) => selection.side !== undefined)
  const lines = isComparison
    ? selected.flatMap((selection) => sideLines(selection, linesOf, wording))
    : [
        '',
        ...linesOf(amendmentsFirst(quotes)),
        ...(earlierStatement ? [earlierLine(earlierStatement, { citationNumberOf, wording })] : []),
      ]
  const head = requestedEditions
    ? wording.otherEdition(requestedEditions.titles.map(escapeMarkdown), requestedEditions.isInForce)
    : leadSentence({ verdict, quotes, isComparison, wording })
  const tail = verdict === 'close' ? doubtLines(unknownWords, wording) : []
  return [asksForSummary ? `${wording.summary} ${head}` : head, ...lines, ...tail].join('\n')
}

export type Quote = Pick<ScoredEvidence, 'evidence' | 'matchesHeading' | 'isAmended'>

/** Each quote with its source and its citation marker. A sentence is shown with its neighbours, but no sentence is shown twice. */
export function quoteLines(
  quotes: readonly Quote[],
  criteria: readonly Criteria[],
  { citationNumberOf, wording }: Pick<Composition, 'citationNumberOf' | 'wording'>,
): string[] {
  const shownSentences = new Set<ParagraphSentence>()
  const lines = quotes.flatMap((quoted) => {
    const { foundPassage, list, paragraph, text } = quoted.evidence
    const index = paragraph?.findIndex((sentence) => sentence.text === text) ?? -1
    const current = paragraph?.[index]
    if (current && shownSentences.has(current)) return []
    const itemsBelow = list ? itemLines(list) : ''
    if (quoted.isAmended) return [amendedLine(quoted, quotes, { criteria, citationNumberOf, wording })]
    const source = `${sourceOf(foundPassage.passage, wording)} [${citationNumberOf(foundPassage.passage)}]`
    let [quote, firstSentence] = [quoteOf(quoted, criteria), text]
    if (paragraph && current) {
      const { from, to } = unitAround(paragraph, index, (at) => !shownSentences.has(paragraph[at] ?? current))
      const unit = paragraph.slice(from, to)
      for (const sentence of unit) shownSentences.add(sentence)
      firstSentence = unit[0]?.text ?? text
      if (unit.length > 1) quote = `“${escapeMarkdown(verbatim(unit, foundPassage.passage.text))}”`
    }
    return `- ${headingOf(quoted, quotes)}${speakerOf(quoted.evidence, firstSentence)}${quote} — ${source}${itemsBelow}`
  })
  return [...new Set(lines)]
}

/** Each new statement with the statement that it replaces below it. A removed statement has a line of its own. */
export const changeLines = (
  pairs: readonly Change[],
  { citationNumberOf, wording }: Pick<Composition, 'citationNumberOf' | 'wording'>,
): string[] =>
  pairs.flatMap(({ current, previous }) => {
    const heading = (current ?? previous)?.headingAbove
    const sectionName =
      heading && heading.text !== (current ?? previous)?.foundPassage.passage.document_title
        ? heading.text
        : ''
    const lineOf = (evidence: Evidence, label: string): string =>
      `${label}${quoteOf({ evidence }, [])} — ${sourceOf(evidence.foundPassage.passage, wording)} [${citationNumberOf(evidence.foundPassage.passage)}]`
    const title = sectionName ? `**${escapeMarkdown(sectionName)}** ` : ''
    return [
      ...(current ? [`- ${title}${lineOf(current, '')}`] : []),
      ...(previous
        ? [`${current ? '  - ' : `- ${title}`}${lineOf(previous, `${wording.previously} `)}`]
        : []),
    ]
  })

/** The text of the passage from the first sentence to the last, with everything between them, such as a heading within the line. */
function verbatim(unit: readonly ParagraphSentence[], text: string): string {
  const [first, last] = [unit[0], unit.at(-1)]
  return first && last ? text.slice(first.start, last.start + last.text.length) : ''
}

export const earlierLine = (
  { evidence: { foundPassage }, text }: EarlierStatement,
  { citationNumberOf, wording }: Pick<Composition, 'citationNumberOf' | 'wording'>,
): string =>
  `- ${wording.previously} ${writerOf(foundPassage.passage)}“${escapeMarkdown(text)}” — ${sourceOf(foundPassage.passage, wording)} [${citationNumberOf(foundPassage.passage)}]`

/** The line of a quote that an amendment replaces. If the amendment repeats most of it, only the words that differ are shown. */
function amendedLine(
  amended: Quote,
  quotes: readonly Quote[],
  {
    criteria,
    citationNumberOf,
    wording,
  }: Pick<Composition, 'citationNumberOf' | 'wording'> & { criteria: readonly Criteria[] },
): string {
  const { text, foundPassage } = amended.evidence
  const [firstQuote] = quotes
  const changedText = firstQuote && changedWords(firstQuote.evidence.text, text)
  if (changedText !== undefined)
    return earlierLine({ evidence: amended.evidence, text: changedText }, { citationNumberOf, wording })
  return `- ${wording.previously} ${writerOf(foundPassage.passage)}${quoteOf(amended, criteria)} — ${sourceOf(foundPassage.passage, wording)} [${citationNumberOf(foundPassage.passage)}]`
}

/** Each passage with its nearest units, its source and its citation marker. */
const nearLines = (
  near: readonly NearPassage[],
  criteria: readonly Criteria[],
  { citationNumberOf, wording }: Pick<Composition, 'citationNumberOf' | 'wording'>,
): string[] =>
  near.map(({ foundPassage: { passage }, units }) => {
    const texts = units.map((evidence) => evidence.text)
    const quote = units.some(({ cells }) => cells)
      ? units.map((evidence) => quoteOf({ evidence }, criteria)).join(' / ')
      : `“${escapeMarkdown(texts.join(' '))}”`
    return `- ${writerOf(passage)}${quote} — ${sourceOf(passage, wording)} [${citationNumberOf(passage)}]`
  })

/**
 * The heading that matches the question, once before the quotes below it. A list shows its heading itself. Each attribute of a
 * record gets the name of the record, and each quote from an earlier message in a mail the line that says who wrote it.
 */
function headingOf({ matchesHeading, evidence }: Quote, quotes: readonly Quote[]): string {
  const { list, headingAbove, foundPassage, isOfRecord } = evidence
  const writer = writerOf(foundPassage.passage)
  const heading = `**${escapeMarkdown(headingAbove.text)}** `
  if (isOfRecord && heading !== writer) return `${writer}${heading}`
  if (writer !== '') return writer
  if (!matchesHeading || list || headingAbove.text === foundPassage.passage.document_title) return ''
  const first = quotes.find((other) => other.matchesHeading && other.evidence.headingAbove === headingAbove)
  return first?.evidence === evidence ? `**${escapeMarkdown(headingAbove.text)}** ` : ''
}

/** The line that says who wrote the passage, if it is from an earlier message in a mail. */
function writerOf(passage: Passage): string {
  const heading = messageHeadingOf(passage)
  return heading === undefined ? '' : `**${escapeMarkdown(heading)}** `
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
  linesOf: (quotes: readonly Quote[]) => string[],
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
 * The lines below the quotes, which say that the quotes may not answer the question. Above the right passage, a doubt would keep
 * the reader from reading it.
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
  const amendment = hasAmendment(quotes) && quotes.find((scored) => scored.isAmendment)
  return amendment
    ? wording.amendment(escapeMarkdown(amendment.evidence.foundPassage.passage.document_title))
    : wording.found
}

/** Whether a quote amends a quote of another document. */
function hasAmendment(quotes: readonly ScoredEvidence[]): boolean {
  const otherDocuments = quotes.filter((scored) => !scored.isAmendment).map(documentOf)
  return quotes.some(
    (scored) => scored.isAmendment && otherDocuments.some((document) => document !== documentOf(scored)),
  )
}

const documentOf = (scored: ScoredEvidence): string => scored.evidence.foundPassage.passage.document_id

const amendmentsFirst = (quotes: ScoredEvidence[]): ScoredEvidence[] =>
  hasAmendment(quotes)
    ? [...quotes.filter((scored) => scored.isAmendment), ...quotes.filter((scored) => !scored.isAmendment)]
    : quotes

export function sourceOf({ document_title: title, page }: Passage, wording: Wording): string {
  const shortTitle =
    title.length > MAX_TITLE_LENGTH ? `${windowAround(title, 0, 0, MAX_TITLE_LENGTH)}…` : title
  return `${escapeMarkdown(shortTitle)}${page === null ? '' : `, ${wording.page(page)}`}`
}
