// Quotes set out under their headings: what is shown of a section, a document, a series of decisions. Pure.

import type { Passage } from '../../../search/passage.ts'
import type { Tools } from '../../tools/tools.ts'
import { source } from '../compose.ts'
import { type Evidence, evidenceOf, type Found } from '../evidence.ts'
import { covered, type Part, profileOf } from '../keywords.ts'
import { escapeMarkdown, wholeQuote } from '../quote.ts'
import type { Wording } from '../wording.ts'

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
  /** What the lines are, in a sentence of ours. */
  lead: string
  lines: Line[]
  /** Whether more of the kind was left out. */
  cut: boolean
}

const MOST_ITEMS = 20

/** A line that quotes a sentence, a row, or a list with its items. */
export function lineOf(evidence: Evidence, label?: string): Line {
  const quoted = (evidence.list?.items ?? []).slice(0, MOST_ITEMS).map((text) => `“${escapeMarkdown(text)}”`)
  // Under its own heading a list needs no other lead than its first item.
  const [first, ...others] = quoted
  const bare = first !== undefined && evidence.list?.lead === label
  return {
    ...(label !== undefined && { label }),
    quote: bare ? first : wholeQuote(evidence),
    items: bare ? others : quoted,
    passage: evidence.found.passage,
  }
}

/** The outline as Markdown; `numberOf` gives the number that a passage is cited by. */
export function composeOutline(
  { lead, lines, cut }: Outline,
  says: Wording,
  numberOf: (passage: Passage) => number,
): string {
  const shown = lines.map(({ label, quote, items, passage }) => {
    const head = label === undefined ? '' : `**${escapeMarkdown(label)}:** `
    const below = items.map((item) => `\n  - ${item}`).join('')
    return `- ${head}${quote} — ${source(passage, says)} [${numberOf(passage)}]${below}`
  })
  return [lead, '', ...new Set(shown), ...(cut ? ['- …'] : [])].join('\n')
}

// Whole documents, read passage after passage, for questions that are about a document or a part of it and not about a fact.

// A hundred pages of text are some 250 passages.
const PAGE = 50
const MOST_PASSAGES = 250

/** A document's passages in reading order, as far as they fit. */
export async function readWhole(tools: Pick<Tools, 'read' | 'late'>, documentId: string): Promise<Passage[]> {
  const all: Passage[] = []
  while (all.length < MOST_PASSAGES && !tools.late()) {
    const page = await tools.read(documentId, { from: all.length }, PAGE)
    all.push(...page)
    if (page.length < PAGE) break
  }
  return all
}

export interface Named {
  id: string
  title: string
  /** Share of the words asked for that its title holds, 0 to 1. */
  share: number
}

/** The documents among the passages found, those first whose title says most of the words; of equals the shorter title. */
export function documentsNamed(found: Iterable<Found>, parts: readonly Part[]): Named[] {
  const named = new Map<string, Named>()
  for (const { passage } of found) {
    const { document_id: id, document_title: title, language } = passage
    if (named.has(id)) continue
    named.set(id, { id, title, share: parts.length ? covered(parts, [profileOf(title, language)]) : 0 })
  }
  return [...named.values()].sort((a, b) => b.share - a.share || a.title.length - b.title.length)
}

/** The heading that a passage stands under, without those above it. */
export const headingOf = ({ heading }: Passage): string => heading.split(' > ').at(-1)?.trim() ?? ''

/** What can be quoted of passages, in reading order; of a list and its items the list. */
export function statementsOf(passages: readonly Passage[]): Evidence[] {
  const pieces = evidenceOf(passages.map((passage) => ({ passage, strength: 1 })))
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
