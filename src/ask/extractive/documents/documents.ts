// Questions for a document's structure and not for a fact: a section, a summary. They are answered by the structure of the document and not by the sentences that share most words with the
// question.

import { answerLanguage } from '../../answer-language.ts'
import type { StepReport } from '../../tools/tools.ts'
import { questionKeywords } from '../keywords.ts'
import type { RetrievalState } from '../retrieval.ts'
import { WORDING } from '../wording.ts'
import type { DocumentReader, DocumentSearch, Outline } from './outline.ts'
import { quoteSection, sectionAsked } from './section.ts'
import { outlineDocument, summaryAsked } from './summary.ts'

/** The section or summary that the question asks for; undefined for a question for a fact. */
export async function* answerFromDocument(
  tools: DocumentReader,
  state: RetrievalState,
): AsyncGenerator<StepReport, Outline | undefined> {
  const { text } = state.question
  const section = sectionAsked(text)
  if (section) {
    const outline = await quoteSection(tools, section, inputFor(state, section.rest))
    if (outline) yield stepReport('Reading the section', outline)
    if (outline) return outline
  }
  const rest = summaryAsked(text)
  if (rest === undefined) return undefined
  const outline = await outlineDocument(tools, inputFor(state, rest))
  if (outline) yield stepReport('Reading the document', outline)
  return outline
}

const stepReport = (label: string, { lines }: Outline): StepReport => ({
  type: 'read',
  label,
  result_count: lines.length,
})

/** What was found, best first, and the keywords that may name the document; for a follow-up also those of its topic. */
function inputFor({ question, topic, statistics, found }: RetrievalState, rest: string): DocumentSearch {
  const text = `${rest} ${topic}`
  const keywords = questionKeywords({ text, language: question.language }, statistics)
  return {
    found: [...found.values()].sort((a, b) => b.relevance - a.relevance),
    // An everyday word that no document has names none.
    keywords: keywords.filter(({ isGeneric, isKnown }) => isKnown || !isGeneric),
    wording: WORDING[answerLanguage(question.text)],
  }
}
