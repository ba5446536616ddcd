// Chooses the questions to suggest. The best candidates are asked, and a question is only suggested if the extractive agent states
// an answer from the passage that it was made from.

import type { AnswerLanguage } from '../answer-language.ts'
import { verifyCitations } from '../citations/verify.ts'
import { answerByExtraction, statesAnswer } from '../extractive/agent.ts'
import type { Reply, Tools } from '../tools/tools.ts'
import type { Candidate, Form } from './candidate.ts'

export const MAX_SUGGESTIONS = 3
// One question takes a tenth of a second in a small workspace and a second in a very large one.
const MAX_QUESTIONS_ASKED = 24
// Subtracted from the score for each question already suggested of the same document or the same form, so that the suggestions
// differ.
const SAME_DOCUMENT_PENALTY = 1
const SAME_FORM_PENALTY = 0.4
// Subtracted for another language than that of most documents.
const OTHER_LANGUAGE_PENALTY = 0.5

/** Up to three questions that the documents answer, best first. */
export async function suggestQuestions(
  tools: Tools,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<Candidate[]> {
  const language = mainLanguage(candidates)
  const suggested: Candidate[] = []
  let remaining = [...candidates]
  // Similar documents may give the same question. It is asked only once, and its answer may be from any of them.
  const replies = new Map<string, Reply>()
  while (remaining.length > 0 && suggested.length < MAX_SUGGESTIONS) {
    signal.throwIfAborted()
    const best = bestOf(remaining, suggested, language)
    remaining = remaining.filter((candidate) => candidate !== best)
    if (!replies.has(best.question) && replies.size === MAX_QUESTIONS_ASKED) continue
    const reply = replies.get(best.question) ?? (await replyTo(tools, best.question))
    replies.set(best.question, reply)
    if (!isAnswered(reply, best)) continue
    suggested.push(best)
    remaining = remaining.filter(({ question }) => question !== best.question)
  }
  return suggested
}

/** The next candidate to ask, in view of the questions already suggested. */
function bestOf(
  remaining: readonly Candidate[],
  suggested: readonly Candidate[],
  language: AnswerLanguage | undefined,
): Candidate {
  const priorityOf = ({ score, form, passage, language: candidateLanguage }: Candidate): number =>
    score -
    SAME_DOCUMENT_PENALTY * count(suggested, (other) => other.passage.document_id === passage.document_id) -
    SAME_FORM_PENALTY * count(suggested, (other) => other.form === form) -
    (candidateLanguage === language ? 0 : OTHER_LANGUAGE_PENALTY)
  return remaining.reduce((best, candidate) => (priorityOf(candidate) > priorityOf(best) ? candidate : best))
}

const count = <T>(items: readonly T[], isCounted: (item: T) => boolean): number =>
  items.filter(isCounted).length

/** The language of most documents with candidates. */
function mainLanguage(candidates: readonly Candidate[]): AnswerLanguage | undefined {
  const documents = new Map<AnswerLanguage, Set<string>>()
  for (const { language, passage } of candidates)
    documents.set(language, (documents.get(language) ?? new Set()).add(passage.document_id))
  return [...documents].sort(([, a], [, b]) => b.size - a.size)[0]?.[0]
}

const TABLE_FORMS: ReadonlySet<Form> = new Set(['count', 'extreme'])

/**
 * Whether the answer is stated and contains the sentence that the question was made from, or cites its passage if there is no
 * sentence.
 */
function isAnswered(reply: Reply, { passage, form, statement }: Candidate): boolean {
  if (!statesAnswer(reply)) return false
  const { answer, citations, unsupported } = verifyCitations(reply.markdown, reply.passages)
  const [first] = citations
  if (!first || unsupported > 0 || first.document_id !== passage.document_id) return false
  if (!TABLE_FORMS.has(form) && first.chunk_id !== passage.chunk_id) return false
  return statement === undefined || lettersOf(answer).includes(lettersOf(statement))
}

/** The letters and digits of a text, by which a quote is compared with its sentence. */
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')

async function replyTo(tools: Tools, question: string): Promise<Reply> {
  const agent = answerByExtraction(tools, { question, topic: '' })
  for (;;) {
    const next = await agent.next()
    if (next.done) return next.value
  }
}
