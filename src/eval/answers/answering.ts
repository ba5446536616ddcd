// What is asked for answers: a workspace behind POST …/ask, over HTTP whoever serves it, since that is what is promised.

import type { Answer, DocumentContent, ErrorBody, Step } from '../../contract/resources.ts'
import { EvaluationFailed } from '../error.ts'
import type { Client } from '../target/client.ts'
import type { ServedWorkspace } from '../target/target.ts'
import type { Given } from './measure.ts'

export interface Answered extends Given {
  /** Until the answer, and until the first step, in milliseconds. */
  ms: number
  firstStepMs: number
  /** Searches, looks at documents and at the graph. */
  steps: number
  /** Of the language model, 0 without one; undefined when the service does not say. */
  tokens: number | undefined
}

/** Asks over the event stream, each question in a thread of its own. */
export function answerer({ client, id, names }: ServedWorkspace): (question: string) => Promise<Answered> {
  const chunkText = chunkReader(client, id)
  const once = async (question: string): Promise<Answered | 'token ended'> => {
    const started = performance.now()
    const elapsed = (): number => Math.round((performance.now() - started) * 10) / 10
    let [steps, firstStepMs] = [0, 0]
    let tokens: number | undefined
    for await (const { event, data } of client.events(`/workspaces/${id}/ask`, {
      question,
      stream: true,
    })) {
      if (event === 'step') {
        if (steps++ === 0) firstStepMs = elapsed()
        tokens = (JSON.parse(data) as Step).tokens ?? tokens
      }
      if (event === 'error') return whyFailed(JSON.parse(data) as ErrorBody)
      if (event !== 'answer') continue
      const ms = elapsed()
      const { answer, citations } = JSON.parse(data) as Answer
      const given = []
      for (const { number, text, page, document_id, chunk_id } of citations) {
        const whole = await chunkText(document_id ?? '', chunk_id ?? '')
        const documents = names.get(document_id ?? '') ?? []
        given.push({ number, text, page, documents, verbatim: whole?.includes(text) ?? false })
      }
      return { text: answer, citations: given, ms, firstStepMs, steps, tokens }
    }
    throw new EvaluationFailed('The service ended a stream without an answer.')
  }
  return async (question) => {
    // A token may end while its answer is under way; the next request renews it. Seen after 1,383 of 2,556 questions.
    const first = await once(question)
    const answered = first === 'token ended' ? await once(question) : first
    if (answered !== 'token ended') return answered
    throw new EvaluationFailed('The token ends sooner than an answer takes.')
  }
}

function whyFailed({ error }: ErrorBody): 'token ended' {
  if (error.type === 'unauthorized') return 'token ended'
  throw new EvaluationFailed(`The service could not answer: ${error.message}`)
}

const PAGE_CHARACTERS = 60_000

/** The texts of chunks; a document is read once. */
function chunkReader(client: Client, workspaceId: string) {
  const documents = new Map<string, Promise<Map<string, string>>>()
  const read = async (documentId: string): Promise<Map<string, string>> => {
    const texts = new Map<string, string>()
    let cursor = ''
    for (;;) {
      const page: DocumentContent = await client.json(
        'GET',
        `/workspaces/${workspaceId}/documents/${documentId}?max_chars=${PAGE_CHARACTERS}${cursor}`,
      )
      for (const { id, text } of page.chunks) texts.set(id, text)
      if (!page.next_cursor) return texts
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
    }
  }
  return async (documentId: string, chunkId: string): Promise<string | undefined> => {
    if (!documentId) return undefined
    const texts = documents.get(documentId) ?? read(documentId)
    documents.set(documentId, texts)
    return (await texts).get(chunkId)
  }
}
