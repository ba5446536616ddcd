// "Summarize the handbook": without a language model nothing is put into other words, so each part of the document is
// shown by its heading and its first statement. English, German, French, Spanish.

import type { Passage } from '../../../search/passage.ts'
import type { Tools } from '../../tools/tools.ts'
import type { Evidence, Found } from '../evidence.ts'
import type { Part } from '../keywords.ts'
import { escapeMarkdown } from '../quote.ts'
import type { Wording } from '../wording.ts'
import {
  documentsNamed,
  headingOf,
  type Line,
  lineOf,
  type Outline,
  readWhole,
  statementsOf,
} from './outline.ts'

const SUMMARY =
  /(?<![\p{L}])(?:summari[sz]e|sum up|(?:an? |the )?(?:(?:short|brief|quick) )?(?:summary|overview|outline|gist)(?: of)?|tl;?dr|fassen?(?= .*(?:zusammen))|(?:eine[nr]? |die )?(?:kurze[nr]? )?(?:zusammenfassung|überblick|übersicht)(?: über| von| zu)?|worum geht es in|wovon handelt|résume[rz]?|(?:un |le )?(?:bref )?résumé d(?:e|u|es)|de quoi (?:parlent?|traitent?)|resum[ea](?:n|r|me)?|(?:un |el )?(?:breve )?resumen del?|de qué tratan?)(?![\p{L}])/iu
const ABOUT = /^what (?:is|are) (.{3,80}) about\s*\?*$/iu
const AROUND =
  /(?<![\p{L}])(?:please|can you|could you|give(?: me)?|write|make|bitte|zusammen|gib(?: mir)?|schreibe?|erstelle|peux-tu|pouvez-vous|donne[rz]?(?:-moi)?|fais|haz(?:me)?|dame|puedes)(?![\p{L}])/giu

/** What is to be summed up, in the question's words; undefined for a question that asks for something else. */
export function summaryAsked(question: string): string | undefined {
  const about = ABOUT.exec(question)?.[1]
  if (about) return about
  if (!SUMMARY.test(question)) return undefined
  return question.replace(SUMMARY, ' ').replace(AROUND, ' ').replace(/\s+/g, ' ').trim()
}

// A document is meant when its title says so much of what was asked.
const NAMED = 0.5
const MOST_LINES = 14

/** The parts of the document that is meant; undefined when no title found says what was asked for. */
export async function outlineDocument(
  tools: Pick<Tools, 'read' | 'late'>,
  { found, parts, says }: { found: readonly Found[]; parts: readonly Part[]; says: Wording },
): Promise<Outline | undefined> {
  const [document] = documentsNamed(found, parts)
  if (!document || parts.length === 0 || document.share < NAMED) return undefined
  const lines = partsOf(await readWhole(tools, document.id), document.title)
  if (lines.length === 0) return undefined
  return {
    lead: `${says.summary} ${says.parts(escapeMarkdown(document.title))}`,
    lines: lines.slice(0, MOST_LINES),
    cut: lines.length > MOST_LINES,
  }
}

/** The first statement under every heading, in reading order. */
function partsOf(passages: readonly Passage[], title: string): Line[] {
  const first = new Map<string, Evidence>()
  for (const piece of statementsOf(passages)) {
    const heading = headingOf(piece.found.passage)
    const before = first.get(heading)
    // A sentence tells more than a row of figures.
    if (!before || (before.cells && !piece.cells)) first.set(heading, piece)
  }
  return [...first].map(([heading, piece]) =>
    firstOnly(lineOf(piece, heading && heading !== title ? heading : undefined)),
  )
}

/** Of a list under a heading its first item. */
const firstOnly = (line: Line): Line => ({ ...line, items: [] })
