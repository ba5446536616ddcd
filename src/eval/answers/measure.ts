// Measures an answer against the known one. An answer without citations counts as a refusal, because Kenning cites each
// statement. Pure.

import type { Citation } from '../../contract/resources.ts'
import type { KnownQuestion } from './questions.ts'

/** In the order of reports. Each is 0 to 1 for one question, and absent where it does not apply. */
export const ANSWER_METRICS = [
  'answered',
  'refused',
  'answer in reply',
  'answer cited',
  'evidence recall',
  'facts cited',
  'citation precision',
  'page cited',
  'citations hold',
] as const
export type AnswerMetric = (typeof ANSWER_METRICS)[number]
export type AnswerScores = Partial<Record<AnswerMetric, number>>

/** An answer and its citations: the set's names of their documents, and whether their text is verbatim in the chunk. */
export interface ReceivedAnswer {
  text: string
  citations: (Pick<Citation, 'number' | 'text' | 'page'> & {
    documents: readonly string[]
    verbatim: boolean
  })[]
}

export function measureAnswer(question: KnownQuestion, reply: ReceivedAnswer): AnswerScores {
  const hasCitations = reply.citations.length > 0 ? 1 : 0
  const commonScores = { 'citations hold': citationsHold(reply) ? 1 : 0 }
  if (question.documents.size === 0) return { refused: 1 - hasCitations, ...commonScores }
  return {
    answered: hasCitations,
    ...answerScores(question, reply),
    ...evidenceScores(question, reply),
    ...commonScores,
  }
}

function answerScores({ answers }: KnownQuestion, { text, citations }: ReceivedAnswer): AnswerScores {
  if (answers.length === 0) return {}
  const acceptedAnswers = answers.map(normalizedText).filter(Boolean)
  const containsFact = (haystack: string): boolean => {
    const paddedText = ` ${normalizedText(haystack)} `
    return acceptedAnswers.some((answer) => paddedText.includes(` ${answer} `))
  }
  return {
    'answer in reply': containsFact(text) ? 1 : 0,
    'answer cited': citations.some((citation) => containsFact(citation.text)) ? 1 : 0,
  }
}

// Readers open about this many citations.
const FIRST_CITATIONS = 5

function evidenceScores(
  { documents, facts, pages }: KnownQuestion,
  { citations }: ReceivedAnswer,
): AnswerScores {
  const citedDocuments = new Set(citations.flatMap((citation) => citation.documents))
  const expectedFacts = [...new Set(facts.map(withoutSpace))]
  const factsByCitation = citations.map((citation) =>
    expectedFacts.filter((fact) => withoutSpace(citation.text).includes(fact)),
  )
  const supports = citations.map((citation, i) =>
    expectedFacts.length
      ? (factsByCitation[i]?.length ?? 0) > 0
      : citation.documents.some((name) => documents.has(name)),
  )
  const citesPage = citations
    .slice(0, FIRST_CITATIONS)
    .some((citation) =>
      pages.some(({ document, page }) => citation.documents.includes(document) && citation.page === page),
    )
  return {
    'evidence recall': [...documents].filter((name) => citedDocuments.has(name)).length / documents.size,
    ...(expectedFacts.length && {
      'facts cited': new Set(factsByCitation.flat()).size / expectedFacts.length,
    }),
    ...(citations.length && { 'citation precision': supports.filter(Boolean).length / citations.length }),
    ...(pages.length && { 'page cited': citesPage ? 1 : 0 }),
  }
}

/** The numbers are 1 to k, the text cites each of them and no other, and every cited text is verbatim in its chunk. */
export function citationsHold({ text, citations }: ReceivedAnswer): boolean {
  const markers = new Set(markersIn(text))
  return (
    citations.every(({ number, verbatim }, i) => number === i + 1 && verbatim && markers.has(number)) &&
    markers.size === citations.length
  )
}

/** The `[N]` markers of a Markdown text, without those in code, links and escaped brackets. */
const markersIn = (markdown: string): number[] =>
  [
    ...markdown
      .replace(/```[\s\S]*?(?:```|$)/g, '')
      .replace(/(`+)[^`][\s\S]*?\1/g, '')
      .matchAll(/(?<!\\)\[(\d{1,4})\](?!\()/g),
  ].map((match) => Number(match[1]))

/** Words and figures for comparison: without case, thousands separators, punctuation and articles. */
const normalizedText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/[^\p{L}\p{N}.%]+|\.(?!\d)/gu, ' ')
    .replace(/\b(?:the|a|an)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const withoutSpace = (text: string): string => text.replace(/\s+/g, '')
