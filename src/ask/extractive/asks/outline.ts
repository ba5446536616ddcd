// Quotes set out under their headings: what is shown of a section, a document, a series of decisions. Pure.

import type { Passage } from '../../../search/passage.ts'
import { source } from '../compose.ts'
import type { Evidence } from '../pieces/evidence.ts'
import { escapeMarkdown, wholeQuote } from '../quote.ts'
import type { Wording } from '../speech/wording.ts'

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
