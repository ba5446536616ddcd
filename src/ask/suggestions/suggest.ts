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
  for (
    let attempts = 0;
    attempts < MAX_ASKED && open.length > 0 && suggested.length < MAX_SUGGESTIONS;
    attempts++
  ) {
    signal.throwIfAborted()
    const best = bestOf(open, suggested, language)
    open = open.filter((candidate) => candidate !== best)
    if (await isAnswered(tools, best)) suggested.push(best)
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
async function isAnswered(tools: Tools, { question, passage, form, statement }: Candidate): Promise<boolean> {
  const reply = await replyTo(tools, question)
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
