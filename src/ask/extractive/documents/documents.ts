// Questions that are not for a fact: a part of a document, a whole document, a series of things. They are answered by its
// structure, and not by the sentences that share most words with the question.

import { tongueOf } from '../../answer-language.ts'
import type { StepReport, Tools } from '../../tools/tools.ts'
import { questionParts } from '../keywords.ts'
import type { Notes } from '../retrieval.ts'
import { WORDING } from '../wording.ts'
import { quoteSeries, severalAsked } from './listing.ts'
import type { Outline } from './outline.ts'
import { quoteSection, sectionAsked } from './section.ts'
import { quoteSignatures, signedAsked } from './signatures.ts'
import { outlineDocument, summaryAsked } from './summary.ts'

type Reading = Pick<Tools, 'read' | 'late'>

/** The part of a document, or the document, that the question asks to see; undefined for a question for a fact. */
export async function* asDocument(
  tools: Reading,
  notes: Notes,
): AsyncGenerator<StepReport, Outline | undefined> {
  const { text } = notes.question
  const section = sectionAsked(text)
  if (section) {
    const outline = await quoteSection(tools, section, materialFor(notes, section.rest))
    if (outline) yield read('Reading the section', outline)
    if (outline) return outline
  }
  const signed = signedAsked(text)
  if (signed !== undefined) {
    const outline = await quoteSignatures(tools, materialFor(notes, signed))
    if (outline) yield read('Reading the signatures', outline)
    return outline
  }
  const rest = summaryAsked(text)
  if (rest === undefined) return undefined
  const outline = await outlineDocument(tools, materialFor(notes, rest))
  if (outline) yield read('Reading the document', outline)
  return outline
}

/** All things of the kind asked for that a document numbers or lists. */
export async function* asSeries(
  tools: Reading,
  notes: Notes,
): AsyncGenerator<StepReport, Outline | undefined> {
  const several = severalAsked(notes.question.text)
  if (!several || notes.question.comparison) return undefined
  const outline = await quoteSeries(tools, several, materialFor(notes, notes.question.text))
  if (outline) yield read('Reading the document', outline)
  return outline
}

const read = (label: string, { lines }: Outline): StepReport => ({
  type: 'read',
  label,
  result_count: lines.length,
})

/** What was found, best first, and the words that say which document is meant; of a follow-up those of its topic too. */
function materialFor({ question, topic, statistics, pool }: Notes, rest: string) {
  const text = `${rest} ${topic}`
  return {
    found: [...pool.values()].sort((a, b) => b.strength - a.strength),
    parts: questionParts({ text, language: question.language, type: 'any' }, statistics),
    says: WORDING[tongueOf(question.text)],
  }
}
