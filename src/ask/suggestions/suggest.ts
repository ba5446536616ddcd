// Chooses the questions to suggest: the best candidates, each asked first. A question is only suggested if the extractive agent states
// an answer to it from the passage that it was made from.

import type { AnswerLanguage } from '../answer-language.ts'
import { verifyCitations } from '../citations/verify.ts'
import { answerByExtraction, isAnswer } from '../extractive/agent.ts'
import type { Reply, Tools } from '../tools/tools.ts'
import type { Candidate, Form } from './candidate.ts'

export const MAX_SUGGESTIONS = 3
// Asking takes a tenth of a second in a small library, and a second in a very large one.
const MAX_ASKED = 24
// Three questions should show three things: several documents, and several forms of question.
const SAME_DOCUMENT = 1
const SAME_FORM = 0.4
const OTHER_LANGUAGE = 0.5

/** Up to three questions that the documents answer, best first. */
export async function suggestQuestions(
  tools: Tools,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<Candidate[]> {
  const language = mainLanguage(candidates)
  const suggested: Candidate[] = []
  let open = [...candidates]
  // Similar documents lead to the same question, which is asked once. Its answer may come from any of them.
  const replies = new Map<string, Reply>()
  while (open.length > 0 && suggested.length < MAX_SUGGESTIONS) {
    signal.throwIfAborted()
    const best = bestOf(open, suggested, language)
    open = open.filter((candidate) => candidate !== best)
    if (!replies.has(best.question) && replies.size === MAX_ASKED) continue
    const reply = replies.get(best.question) ?? (await replyTo(tools, best.question))
    replies.set(best.question, reply)
    if (!isAnswered(reply, best)) continue
    suggested.push(best)
    open = open.filter(({ question }) => question !== best.question)
  }
  return suggested
}

/** The next candidate to ask, for which the questions before it count. */
function bestOf(
  open: readonly Candidate[],
  suggested: readonly Candidate[],
  language: AnswerLanguage | undefined,
): Candidate {
  const worthOf = ({ score, form, passage, language: own }: Candidate): number =>
    score -
    SAME_DOCUMENT * count(suggested, (other) => other.passage.document_id === passage.document_id) -
    SAME_FORM * count(suggested, (other) => other.form === form) -
    (own === language ? 0 : OTHER_LANGUAGE)
  return open.reduce((best, candidate) => (worthOf(candidate) > worthOf(best) ? candidate : best))
}

const count = <T>(items: readonly T[], has: (item: T) => boolean): number => items.filter(has).length

/** The language of most documents with candidates. */
function mainLanguage(candidates: readonly Candidate[]): AnswerLanguage | undefined {
  const documents = new Map<AnswerLanguage, Set<string>>()
  for (const { language, passage } of candidates)
    documents.set(language, (documents.get(language) ?? new Set()).add(passage.document_id))
  return [...documents].sort(([, a], [, b]) => b.size - a.size)[0]?.[0]
}

const OF_TABLE: ReadonlySet<Form> = new Set(['count', 'extreme'])

/** Whether the answer is stated, and is what the question was made from: the sentence, or else the passage. */
function isAnswered(reply: Reply, { passage, form, statement }: Candidate): boolean {
  if (!isAnswer(reply)) return false
  const { answer, citations, unsupported } = verifyCitations(reply.markdown, reply.passages)
  const [first] = citations
  if (!first || unsupported > 0 || first.document_id !== passage.document_id) return false
  if (!OF_TABLE.has(form) && first.chunk_id !== passage.chunk_id) return false
  return statement === undefined || lettersOf(answer).includes(lettersOf(statement))
}

/** The text without markup, quotation marks and spaces, by which a quotation is compared with its sentence. */
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')

async function replyTo(tools: Tools, question: string): Promise<Reply> {
  const agent = answerByExtraction(tools, { question, topic: '' })
  for (;;) {
    const next = await agent.next()
    if (next.done) return next.value
  }
}
