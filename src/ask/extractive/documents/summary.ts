// Summaries ("Summarize the handbook"): without a language model nothing is paraphrased, so each part of the document
// is shown by its heading and its first statement. English, German, French, Spanish.

import type { Passage } from '../../../search/passage.ts'
import { innermostHeading } from '../../passage.ts'
import type { Evidence } from '../evidence.ts'
import { escapeMarkdown } from '../quote.ts'
import {
  type DocumentReader,
  type DocumentSearch,
  documentNamed,
  type Line,
  lineOf,
  type Outline,
  quotableIn,
  readWholeDocument,
} from './outline.ts'

const SUMMARY =
  /(?<![\p{L}])(?:summari[sz]e|sum up|(?:an? |the )?(?:(?:short|brief|quick) )?(?:summary|overview|outline|gist)(?: of)?|tl;?dr|fassen?(?= .*(?:zusammen))|(?:eine[nr]? |die )?(?:kurze[nr]? )?(?:zusammenfassung|überblick|übersicht)(?: über| von| zu)?|worum geht es in|wovon handelt|résume[rz]?|(?:un |le )?(?:bref )?résumé d(?:e|u|es)|de quoi (?:parlent?|traitent?)|resum[ea](?:n|r|me)?|(?:un |el )?(?:breve )?resumen del?|de qué tratan?)(?![\p{L}])/iu
const ABOUT = /^what (?:is|are) (.{3,80}) about\s*\?*$/iu
const AROUND =
  /(?<![\p{L}])(?:please|can you|could you|give(?: me)?|write|make|bitte|zusammen|gib(?: mir)?|schreibe?|erstelle|peux-tu|pouvez-vous|donne[rz]?(?:-moi)?|fais|haz(?:me)?|dame|puedes)(?![\p{L}])/giu

/** What to summarize, in the question's words; undefined for a question that asks for something else. */
export function summaryAsked(question: string): string | undefined {
  const about = ABOUT.exec(question)?.[1]
  if (about) return about
  if (!SUMMARY.test(question)) return undefined
  return question.replace(SUMMARY, ' ').replace(AROUND, ' ').replace(/\s+/g, ' ').trim()
}

const MOST_LINES = 14

/** The parts of the document named; undefined when no document is named. */
export async function outlineDocument(
  tools: DocumentReader,
  { found, keywords, wording }: DocumentSearch,
): Promise<Outline | undefined> {
  const document = documentNamed(found, keywords)
  if (!document) return undefined
  const lines = firstStatements(await readWholeDocument(tools, document.id), document.title)
  if (lines.length === 0) return undefined
  return {
    lead: `${wording.summary} ${wording.parts(escapeMarkdown(document.title))}`,
    lines: lines.slice(0, MOST_LINES),
    isTruncated: lines.length > MOST_LINES,
  }
}

/** The first statement under every heading, in reading order. */
function firstStatements(passages: readonly Passage[], title: string): Line[] {
  const first = new Map<string, Evidence>()
  for (const piece of quotableIn(passages)) {
    const heading = innermostHeading(piece.found.passage)
    const before = first.get(heading)
    // A sentence says more than a row of figures.
    if (!before || (before.cells && !piece.cells)) first.set(heading, piece)
  }
  return [...first].map(([heading, piece]) =>
    withoutItems(lineOf(piece, heading && heading !== title ? heading : undefined)),
  )
}

/** A list under a heading is represented by its first item. */
const withoutItems = (line: Line): Line => ({ ...line, items: [] })
