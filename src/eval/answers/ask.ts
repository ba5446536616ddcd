// Asks a workspace questions over HTTP (POST …/ask), as any client does.

import type { Answer, DocumentContent, ErrorBody, Step } from '../../contract/resources.ts'
import { EvaluationFailed } from '../error.ts'
import type { Client } from '../target/client.ts'
import type { ServedWorkspace } from '../target/target.ts'
import type { ReceivedAnswer } from './measure.ts'

export interface TimedAnswer extends ReceivedAnswer {
  /** Milliseconds until the answer, and until the first step. */
  ms: number
  firstStepMs: number
  /** How many steps the service reported: searches, reading documents and the graph. */
  steps: number
  /** Of the language model, 0 without one; undefined when the service does not report it. */
  tokens: number | undefined
}

/** Asks each question in a new thread, and reads the event stream. */
export function openAsker({
  client,
  id,
  names,
}: ServedWorkspace): (question: string) => Promise<TimedAnswer> {
  const chunkText = chunkReader(client, id)
  const once = async (question: string): Promise<TimedAnswer | 'token expired'> => {
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
      if (event === 'error') return failureOf(JSON.parse(data) as ErrorBody)
      if (event !== 'answer') continue
      const ms = elapsed()
      const { answer, citations } = JSON.parse(data) as Answer
      const received = []
      for (const { number, text, page, document_id, chunk_id } of citations) {
        const whole = await chunkText(document_id ?? '', chunk_id ?? '')
        const documents = names.get(document_id ?? '') ?? []
        received.push({ number, text, page, documents, verbatim: whole?.includes(text) ?? false })
      }
      return { text: answer, citations: received, ms, firstStepMs, steps, tokens }
    }
    throw new EvaluationFailed('The service closed the stream without an answer.')
  }
  return async (question) => {
    // A token may expire before its answer is complete (seen after 1,383 of 2,556 questions); the next request renews it.
    const first = await once(question)
    const outcome = first === 'token expired' ? await once(question) : first
    if (outcome !== 'token expired') return outcome
    throw new EvaluationFailed('The token expires before an answer is complete.')
  }
}

function failureOf({ error }: ErrorBody): 'token expired' {
  if (error.type === 'unauthorized') return 'token expired'
  throw new EvaluationFailed(`The service could not answer: ${error.message}`)
}

const PAGE_CHARACTERS = 60_000

/** Reads the texts of chunks; each document is fetched once. */
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
