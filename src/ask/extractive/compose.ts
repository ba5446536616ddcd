// Writes the reply: a short lead that says it is evidence, then the quotes, each with its source and its marker. Pure.

import type { Passage } from '../../search/passage.ts'
import { windowAround } from '../citations/window.ts'
import { escapeMarkdown, quoteOf } from './quote.ts'
import type { Scored, Wanted } from './ranking.ts'
import { type Difference, differenceOf } from './tables/difference.ts'
import type { TextList } from './text-structure.ts'
import type { Wording } from './wording.ts'

export interface Finding {
  wanted: Wanted
  /** The side of a comparison. */
  side?: string
  chosen: Scored[]
}

/** found: answered by quotes; close: only near it; absent: the documents do not speak of it. */
export type Verdict = 'found' | 'close' | 'absent'

const LONGEST_TITLE = 90

export interface Composition {
  verdict: Verdict
  findings: readonly Finding[]
  /** Names of the question that nobody mentions. */
  unknown: readonly string[]
  /** The number a passage is cited by. */
  numberOf: (passage: Passage) => number
  says: Wording
  /** A summary was asked for. */
  summary?: boolean
}

/** The reply as Markdown. */
export function compose({ verdict, findings, unknown, numberOf, says, summary }: Composition): string {
  const chosen = findings.flatMap((finding) => finding.chosen)
  if (verdict === 'absent' || chosen.length === 0) return absent(unknown, says)
  const needs = findings.map((finding) => finding.wanted)
  const item = (scored: Scored): string => {
    const { found, list } = scored.evidence
    const below = list ? itemLines(list) : ''
    return `- ${headingOf(scored, chosen)}${quoteOf(scored, needs)} — ${source(found.passage, says)} [${numberOf(found.passage)}]${below}`
  }
  const compares = findings.some((finding) => finding.side !== undefined)
  const lines = compares
    ? findings.flatMap((finding) => sideLines(finding, item, says))
    : ['', ...new Set(changesFirst(chosen).map(item))]
  const head = lead(verdict, chosen, compares, says)
  const apart = compares && differenceOf(findings)
  const difference = apart
    ? [
        '',
        `${differenceLine(apart, says)} ${apart.passages.map((passage) => `[${numberOf(passage)}]`).join('')}`,
      ]
    : []
  return [summary ? `${says.summary} ${head}` : head, ...difference, ...lines].join('\n')
}

/** The heading that says what is asked, once before what is quoted from below it; a list shows it anyway. */
function headingOf({ headed, evidence }: Scored, chosen: readonly Scored[]): string {
  const { list, under, found } = evidence
  if (!headed || list || under.heading === found.passage.document_title) return ''
  const first = chosen.find((other) => other.headed && other.evidence.under === under)
  return first?.evidence === evidence ? `**${escapeMarkdown(under.heading)}** ` : ''
}

function differenceLine({ column, higher, difference }: Difference, says: Wording): string {
  const name = escapeMarkdown(column)
  return `**${higher === undefined ? says.equal(name) : says.higher(escapeMarkdown(higher), name, difference)}.**`
}

// A longer list is cut: the passage itself is one click away.
const MOST_ITEMS = 20

function itemLines({ items }: TextList): string {
  const shown = items.slice(0, MOST_ITEMS).map((text) => `\n  - “${escapeMarkdown(text)}”`)
  return `${shown.join('')}${items.length > MOST_ITEMS ? '\n  - …' : ''}`
}

const sideLines = ({ side, chosen }: Finding, item: (scored: Scored) => string, says: Wording): string[] => [
  '',
  `**${escapeMarkdown(side ?? '')}**`,
  '',
  ...(chosen.length ? new Set(chosen.map(item)) : [`- ${says.nothing}`]),
]

function absent(unknown: readonly string[], says: Wording): string {
  const names = unknown.slice(0, 3).map((name) => `“${escapeMarkdown(name)}”`)
  return [says.absent, ...(names.length ? [says.unknown(names)] : []), says.advice].join(' ')
}

function lead(verdict: Verdict, chosen: readonly Scored[], compares: boolean, says: Wording): string {
  if (verdict === 'close') return says.close
  if (compares) return says.compares
  const changing = changed(chosen) && chosen.find((scored) => scored.changes)
  return changing ? says.changes(escapeMarkdown(changing.evidence.found.passage.document_title)) : says.found
}

/** Whether one quote changes what a quote of another document says. */
function changed(chosen: readonly Scored[]): boolean {
  const unchanging = chosen.filter((scored) => !scored.changes).map(documentOf)
  return chosen.some(
    (scored) => scored.changes && unchanging.some((document) => document !== documentOf(scored)),
  )
}

const documentOf = (scored: Scored): string => scored.evidence.found.passage.document_id

const changesFirst = (chosen: Scored[]): Scored[] =>
  changed(chosen)
    ? [...chosen.filter((scored) => scored.changes), ...chosen.filter((scored) => !scored.changes)]
    : chosen

export function source({ document_title: title, page }: Passage, says: Wording): string {
  const short = title.length > LONGEST_TITLE ? `${windowAround(title, 0, 0, LONGEST_TITLE)}…` : title
  return `${escapeMarkdown(short)}${page === null ? '' : `, ${says.page(page)}`}`
}
