// Writes the reply: a short lead that says it is evidence, then the quotes, each with its source and its marker. Pure.

import type { Passage } from '../../search/passage.ts'
import { windowAround } from '../citations/window.ts'
import type { Scored, Wanted } from './choose.ts'
import { escapeMarkdown, quoteOf } from './quote.ts'

export interface Finding {
  wanted: Wanted
  /** The side of a comparison. */
  side?: string
  chosen: Scored[]
}

/** found: answered by quotes; close: only near it; absent: the documents do not speak of it. */
export type Verdict = 'found' | 'close' | 'absent'

const LONGEST_TITLE = 90

/** The reply as Markdown; `numberOf` gives the number a passage is cited by, `unknown` names nobody mentions. */
export function compose(
  verdict: Verdict,
  findings: readonly Finding[],
  unknown: readonly string[],
  numberOf: (passage: Passage) => number,
): string {
  const chosen = findings.flatMap((finding) => finding.chosen)
  if (verdict === 'absent' || chosen.length === 0) return absent(unknown)
  const needs = findings.map((finding) => finding.wanted)
  const item = (scored: Scored): string => {
    const { passage } = scored.evidence.found
    return `- ${quoteOf(scored, needs)} — ${source(passage)} [${numberOf(passage)}]`
  }
  const compares = findings.some((finding) => finding.side !== undefined)
  const lines = compares
    ? findings.flatMap((finding) => sideLines(finding, item))
    : ['', ...new Set(changesFirst(chosen).map(item))]
  return [lead(verdict, chosen, compares), ...lines].join('\n')
}

const sideLines = ({ side, chosen }: Finding, item: (scored: Scored) => string): string[] => [
  '',
  `**${escapeMarkdown(side ?? '')}**`,
  '',
  ...(chosen.length ? new Set(chosen.map(item)) : ['- Nothing found.']),
]

function absent(unknown: readonly string[]): string {
  const names = unknown.slice(0, 3).map((name) => `“${escapeMarkdown(name)}”`)
  const missing = names.length ? ` They do not mention ${names.join(' or ')}.` : ''
  return `I did not find this in the documents.${missing} Try other words, or add a document that covers it.`
}

function lead(verdict: Verdict, chosen: readonly Scored[], compares: boolean): string {
  if (verdict === 'close') return 'The documents do not answer this directly. The closest passages are:'
  if (compares) return 'I quote what the documents say on each side:'
  const changing = changed(chosen) && chosen.find((scored) => scored.changes)
  if (changing) {
    const title = escapeMarkdown(changing.evidence.found.passage.document_title)
    return `I quote the documents. “${title}” changes an earlier text, so it comes first:`
  }
  return 'I quote what the documents say:'
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

function source({ document_title: title, page }: Passage): string {
  const short = title.length > LONGEST_TITLE ? `${windowAround(title, 0, 0, LONGEST_TITLE)}…` : title
  return `${escapeMarkdown(short)}${page === null ? '' : `, page ${page}`}`
}
