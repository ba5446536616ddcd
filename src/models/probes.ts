// One short request to each kind of server, in the form that Kenning uses. No text of the documents is sent.

import type { Deps } from '../ports/deps.ts'
import { EmbeddingFailed, type EmbeddingModel } from '../ports/embedder/embedder.ts'
import { openaiModel } from '../ports/embedder/openai.ts'
import { openChatModel } from '../ports/llm/llm.ts'
import { ocrServer } from '../ports/ocr/ocr-server.ts'
import { OutboundFailed } from '../ports/outbound/outbound.ts'
import { scoreTexts } from '../ports/rerank/rerank.ts'
import { fetchFor } from './reach.ts'
import type { NamedServer } from './servers.ts'

type ProbeDeps = Pick<Deps, 'mayConnect'>

// A server may need half a minute to load a model first.
export const PROBE_MS = 60_000

/** An embedding model that waits until the server has loaded it, and does not repeat a failed request. */
export const embeddingModel = (
  deps: ProbeDeps,
  { url, key }: NamedServer,
  model: string,
  queryTimeoutMs = PROBE_MS,
): EmbeddingModel =>
  openaiModel({
    url,
    key,
    model,
    fetch: fetchFor(deps, 'embeddings', url),
    passageTimeoutMs: PROBE_MS,
    queryTimeoutMs,
    passageAttempts: 1,
  })

/** The failure of the server that caused an error, with the status that the advice depends on. @throws any other error */
export function serverFailure(error: unknown): OutboundFailed {
  if (error instanceof OutboundFailed) return error
  if (!(error instanceof EmbeddingFailed)) throw error
  return error.cause instanceof OutboundFailed
    ? new OutboundFailed(error.message, error.cause.status)
    : new OutboundFailed(error.message, 200)
}

/** How many passages a search sends to the reranker. */
export const RERANKED_PASSAGES = 50

const HARBOUR_QUERY = 'When does the harbour close at night?'
/** The text at index 1 answers the query. */
const HARBOUR_TEXTS = [
  'Invoices are paid within thirty days of their date.',
  'Ships enter until eleven in the evening; after that the port is shut until morning.',
  'The canteen serves soup on Mondays.',
]

/** Whether the reranker puts the passage that answers the query first. @throws OutboundFailed */
export async function ranksAnswerFirst(
  deps: ProbeDeps,
  { url, key }: NamedServer,
  model: string | undefined,
  signal?: AbortSignal,
): Promise<boolean> {
  const server = { url, key, model, timeoutMs: PROBE_MS, fetch: fetchFor(deps, 'reranker', url) }
  const scores = await scoreTexts(server, HARBOUR_QUERY, HARBOUR_TEXTS, signal)
  return scores.indexOf(Math.max(...scores)) === 1
}

/** How long the reranker takes for the passages of one search. @throws OutboundFailed */
export async function measureReranking(
  deps: ProbeDeps,
  { url, key }: NamedServer,
  model: string | undefined,
  signal?: AbortSignal,
): Promise<number> {
  const server = { url, key, model, timeoutMs: PROBE_MS, fetch: fetchFor(deps, 'reranker', url) }
  const startedAt = performance.now()
  await scoreTexts(server, HARBOUR_QUERY, samplePassages(RERANKED_PASSAGES), signal)
  return performance.now() - startedAt
}

/** The lines that the server reads in an image with the words HARBOUR 4711. @throws OutboundFailed */
export async function recogniseSample(
  deps: ProbeDeps,
  { url, key }: NamedServer,
  signal?: AbortSignal,
): Promise<string> {
  const recognise = ocrServer({
    url,
    key,
    fetch: fetchFor(deps, 'ocr', url),
    timeoutMs: PROBE_MS,
    attempts: 1,
  })
  return (await recognise(HARBOUR_IMAGE, 'eng', signal)).map(({ text }) => text).join(' ')
}

/** Requests one word from the model. @throws OutboundFailed */
export async function requireAnswer(
  deps: ProbeDeps,
  { url, key }: NamedServer,
  { model, contextTokens }: { model: string; contextTokens: number | undefined },
): Promise<void> {
  const fetch = fetchFor(deps, 'language', url)
  const chat = openChatModel({ url, key, model, contextTokens, fetch, timeoutMs: PROBE_MS })
  await chat.converse(
    { messages: [{ role: 'user', content: 'Say “yes”.' }], tools: [], mayCall: false, maxTokens: 500 },
    AbortSignal.timeout(PROBE_MS),
  )
}

/** Different texts that are as long as a chunk (220 words). */
export const samplePassages = (count: number): string[] =>
  Array.from({ length: count }, (_, i) =>
    Array.from(
      { length: 22 },
      (_, line) =>
        `On quay ${(i * 7 + line) % 97} some ${(i * 31 + line * 11) % 400} crates were counted before noon.`,
    ).join(' '),
  )

// The words HARBOUR 4711 in black on white, 360 by 72 pixels.
const HARBOUR_IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAWgAAABIAgAAAAC05SgqAAAC1klEQVR42u3WPY6cMBQA4AdolgJFLlNygogjwBH2JjlBhI+QIkdIlyJHgCNwBOqtKEYRszI478eAV7s7WIlSxaMVM8P4fXjfezaA/WcviHSkIx3pSEc60n9AP/38G3oqrV0y/DAWeNCQfLbWAFw6/DYDtDhCWbum9grwcQ/CAMAX/vKNpe9wjx5ypiFlGty33KfpQvwadnoEkuT4Lt1ngmE80QmehssjvKCVC9KOLu0QQuuUDt0KlTW5veEVroldod5pnGK2RcuHvrbDA9MPzT06aZi2gyKawzD7vfJok0rMcnF0a59Y+mXv0WvWd0xPQg+V7Sv8OffoNZEY80Hoptule/SS4RyIvhZMj5Vt8MScefQWNX3KDuScNsVYMz3nG01jTPIGPXxhWv6Jc3pWUyW0zHqoOXKFN+ieiyMlCqCnkmKPhPT1kspAL9cuKhXUhNLVrLwOuUHnIjuvQ6SMSy70tTihqfUzSgDNVXfPuA4MnxK68eivUj2jhJ5UGN23NJ5WY810+YrGk4WEVEKPZRitMYVMJ9YtdKG1T1ccMtZCD3VYroH/NM8MU7NC+8asXYO43ugD6ZQnrrtbYt1qfJ1rXUuDOFp3QfTC6abRumV6Un6HLExL3dbsRUef0pReLCA1H+982Fl+X+MIaj5pZyW021FO6Rm4Ssf2NBf+ahRaLmZc4ZcsjL7Kzn4sdNxKeA+RFW6yY6FvtAmk6Y0K1VGEJGTb+eZip7lwGz0XYTT1KIoYi80gZdz2a5odXohoaTeXCynqOU1BaNC0QJpPbXeZBXM+KqbHyqNlMZ7TZOJ8Nd9peMlUdpJ7I64e25RMu4m6R4AqjOafEqb7mrPZyh2drpU80k1Y7el1jwC12yeUO75Dg1ya6LEkmvqs4XLRo0Bit0Y5aK7pOb2msnJpOK5D4IcoanZ6W6gtmd7uu0yDPaFDnvmef8SH4EhHOtKRjnSk/zf6N05B30cKoIotAAAAAElFTkSuQmCC',
  'base64',
)
