// Answers that follow a document's structure: reading documents, naming them by title, and outlines of quotes.

import type { Passage } from '../../../search/passage.ts'
import type { Tools } from '../../tools/tools.ts'
import { sourceOf } from '../compose.ts'
import { type Evidence, evidenceIn, type FoundPassage } from '../evidence.ts'
import { coverage, type Keyword, textTerms } from '../keywords.ts'
import { escapeMarkdown, fullQuote } from '../quote.ts'
import type { Wording } from '../wording.ts'

export type DocumentReader = Pick<Tools, 'readDocument' | 'outOfTime'>

/** What was found for a question, and how to answer it. */
export interface DocumentSearch {
  /** Best first. */
  found: readonly FoundPassage[]
  /** The keywords that may name a document. */
  keywords: readonly Keyword[]
  wording: Wording
}

export interface Line {
  /** Shown in bold before the quote. */
  label?: string
  /** As Markdown. */
  quote: string
  /** Items of a list, as Markdown. */
  items: string[]
  passage: Passage
}

export interface Outline {
  /** The sentence that introduces the lines. */
  lead: string
  lines: Line[]
  /** Whether lines were left out. */
  isTruncated: boolean
}

const MOST_ITEMS = 20

/** A line that quotes a sentence, a table row, or a list with its items. */
export function lineOf(evidence: Evidence, label?: string): Line {
  const quoted = (evidence.list?.items ?? []).slice(0, MOST_ITEMS).map((text) => `“${escapeMarkdown(text)}”`)
  // A list under its own heading starts with its first item, because its lead is that heading.
  const [first, ...others] = quoted
  const needsNoLead = first !== undefined && evidence.list?.lead === label
  return {
    ...(label !== undefined && { label }),
    quote: needsNoLead ? first : fullQuote(evidence),
    items: needsNoLead ? others : quoted,
    passage: evidence.found.passage,
  }
}

/** The outline as Markdown; `numberOf` gives the citation number of a passage. */
export function composeOutline(
  { lead, lines, isTruncated }: Outline,
  wording: Wording,
  numberOf: (passage: Passage) => number,
): string {
  const shown = lines.map(({ label, quote, items, passage }) => {
    const head = label === undefined ? '' : `**${escapeMarkdown(label)}:** `
    const below = items.map((item) => `\n  - ${item}`).join('')
    return `- ${head}${quote} — ${sourceOf(passage, wording)} [${numberOf(passage)}]${below}`
  })
  return [lead, '', ...new Set(shown), ...(isTruncated ? ['- …'] : [])].join('\n')
}

// 250 passages are about a hundred pages of text.
const PASSAGES_A_READ = 50
const MOST_PASSAGES = 250

/** A document's first 250 passages, in reading order. */
export async function readWholeDocument(tools: DocumentReader, documentId: string): Promise<Passage[]> {
  const all: Passage[] = []
  while (all.length < MOST_PASSAGES && !tools.outOfTime()) {
    const page = await tools.readDocument(documentId, { from: all.length }, PASSAGES_A_READ)
    all.push(...page)
    if (page.length < PASSAGES_A_READ) break
  }
  return all
}

// A title that contains this share of the keywords names its document.
export const NAMING_SHARE = 0.5

export interface TitleMatch {
  id: string
  title: string
  /** Weighted share of the keywords in its title, 0 to 1. */
  share: number
}

/**
 * The documents of the passages found, by how much of the keywords their titles contain; of equals the shorter title
 * first.
 */
export function rankByTitle(found: Iterable<FoundPassage>, keywords: readonly Keyword[]): TitleMatch[] {
  const named = new Map<string, TitleMatch>()
  for (const { passage } of found) {
    const { document_id: id, document_title: title, language } = passage
    if (named.has(id)) continue
    named.set(id, {
      id,
      title,
      share: keywords.length ? coverage(keywords, [textTerms(title, language)]) : 0,
    })
  }
  return [...named.values()].sort((a, b) => b.share - a.share || a.title.length - b.title.length)
}

/** The document whose title best matches the keywords; undefined when none matches enough. */
export function documentNamed(
  found: Iterable<FoundPassage>,
  keywords: readonly Keyword[],
): TitleMatch | undefined {
  const [best] = rankByTitle(found, keywords)
  return best && keywords.length > 0 && best.share >= NAMING_SHARE ? best : undefined
}

/** Everything quotable in the passages, in reading order; of a list and its items only the list. */
export function quotableIn(passages: readonly Passage[]): Evidence[] {
  const pieces = evidenceIn(passages.map((passage) => ({ passage, relevance: 1, rank: 0 })))
  const lists = pieces.filter((piece) => piece.list)
  const inList = (piece: Evidence): boolean =>
    !piece.list &&
    lists.some((list) => list.found.passage === piece.found.passage && list.text.includes(piece.text))
  const at = ({ found, text }: Evidence): number => found.passage.text.indexOf(text)
  return pieces
    .filter((piece) => !inList(piece))
    .map((piece, i) => ({ piece, i, place: passages.indexOf(piece.found.passage) }))
    .sort((a, b) => a.place - b.place || at(a.piece) - at(b.piece) || a.i - b.i)
    .map(({ piece }) => piece)
}
