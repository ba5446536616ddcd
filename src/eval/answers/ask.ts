// Asks a workspace questions over HTTP (POST …/ask), as any client does.

import { type KenningClient, KenningError, type Output } from '../../client/client.ts'
import { EvaluationFailed } from '../error.ts'
import type { ServedWorkspace } from '../target/target.ts'
import type { ReceivedAnswer } from './measure.ts'

export interface TimedAnswer extends ReceivedAnswer {
  /** Milliseconds until the answer, and until the first step. */
  ms: number
  firstStepMs: number
  /** How many steps the service reported: searches, reading documents and the graph. */
  steps: number
  /** The tokens of the language model, 0 without a model; undefined if the service does not report them. */
  tokens: number | undefined
}

/** Asks each question in a new thread, and reads the event stream. */
export function openAsker({
  client,
  id,
  names,
}: ServedWorkspace): (question: string) => Promise<TimedAnswer> {
  const chunkText = chunkReader(client, id)
  const askWithoutRetry = async (question: string): Promise<TimedAnswer> => {
    const startMs = performance.now()
    const elapsed = (): number => Math.round((performance.now() - startMs) * 10) / 10
    let [steps, firstStepMs] = [0, 0]
    let tokens: number | undefined
    for await (const { event, data } of client.askEvents({ workspace_id: id, question })) {
      if (event === 'step') {
        // Steps with a text are sentences of the answer. They are not counted.
        if (data.text === undefined && steps++ === 0) firstStepMs = elapsed()
        tokens = data.tokens ?? tokens
        continue
      }
      const ms = elapsed()
      const { answer, citations } = data
      const receivedCitations = []
      for (const { number, text, page, document_id, chunk_id } of citations) {
        const chunk = await chunkText(document_id ?? '', chunk_id ?? '')
        const documents = names.get(document_id ?? '') ?? []
        receivedCitations.push({
          number,
          text,
          page: page ?? null,
          documents,
          verbatim: chunk?.includes(text) ?? false,
        })
      }
      return { text: answer, citations: receivedCitations, ms, firstStepMs, steps, tokens }
    }
    throw new EvaluationFailed('The service closed the stream without an answer.')
  }
  return async (question) => {
    // A token may expire before its answer is complete (seen after 1,383 of 2,556 questions); the next request renews it.
    const outcome = await askWithoutRetry(question).catch(expiryOrThrow)
    const retriedOutcome =
      outcome === 'token expired' ? await askWithoutRetry(question).catch(expiryOrThrow) : outcome
    if (retriedOutcome !== 'token expired') return retriedOutcome
    throw new EvaluationFailed('The token expires before an answer is complete.')
  }
}

/**
 * Recognises an expired token in the error of an event stream, which has status 200.
 * @throws EvaluationFailed for other errors of the stream; errors that are not of the stream as they are
 */
function expiryOrThrow(error: unknown): 'token expired' {
  if (!(error instanceof KenningError) || error.status !== 200) throw error
  if (error.type === 'unauthorized') return 'token expired'
  throw new EvaluationFailed(`The service could not answer: ${error.message}`)
}

const PAGE_CHARACTERS = 60_000

/** Reads the texts of chunks; each document is fetched once. */
function chunkReader(client: KenningClient, workspaceId: string) {
  const documents = new Map<string, Promise<Map<string, string>>>()
  const readChunks = async (documentId: string): Promise<Map<string, string>> => {
    const texts = new Map<string, string>()
    const document = { workspace_id: workspaceId, document_id: documentId, max_chars: PAGE_CHARACTERS }
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Output<'readDocument'> = await client.readDocument({ ...document, cursor })
      for (const { id, text } of page.chunks) texts.set(id, text)
      cursor = page.next_cursor
    }
    return texts
  }
  return async (documentId: string, chunkId: string): Promise<string | undefined> => {
    if (!documentId) return undefined
    const texts = documents.get(documentId) ?? readChunks(documentId)
    documents.set(documentId, texts)
    return (await texts).get(chunkId)
  }
}
