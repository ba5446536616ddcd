// A server with `POST /rerank` on a loopback port, in the shapes of Text Embeddings Inference and of Cohere. What it does
// next can be scripted; else a text is worth the times it says `best`.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { closeNow, listenOnLoopback, wholeBody } from './loopback.ts'

export interface RerankingServer {
  url: string
  /** Every request so far. */
  requests: { path: string; body: RerankBody; authorization: string | undefined }[]
  /** What it does with the next requests, one each, before it is itself again. */
  next: Script[]
  close(): Promise<void>
}

interface RerankBody {
  query: string
  model?: string
  texts?: string[]
  documents?: string[]
}

/** Answers by itself, says nothing, or gives this instead of the scores (by index). */
export type Script = { status: number } | 'silence' | { answer: (scores: number[]) => string }

export async function rerankingServer(): Promise<RerankingServer> {
  const server = createServer((request, response) => void answer(request, response, state))
  const state: RerankingServer = {
    url: '',
    requests: [],
    next: [],
    close: () => closeNow(server),
  }
  state.url = await listenOnLoopback(server)
  return state
}

async function answer(request: IncomingMessage, response: ServerResponse, state: RerankingServer) {
  const requestBody = await wholeBody(request)
  if (requestBody === undefined) return
  const body = JSON.parse(requestBody) as RerankBody
  state.requests.push({ path: request.url ?? '', body, authorization: request.headers.authorization })
  const script = state.next.shift()
  if (script === 'silence') return
  if (script && 'status' in script) return void response.writeHead(script.status).end()
  const scores = (body.texts ?? body.documents ?? []).map((text) => text.split('best').length - 1)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(script ? script.answer(scores) : usual(scores, body.texts ? 'score' : 'relevance_score'))
}

/** Best first; Cohere's list stands in `results`. */
function usual(scores: number[], name: 'score' | 'relevance_score'): string {
  const list = scores.map((score, index) => ({ index, [name]: score })).reverse()
  return JSON.stringify(name === 'score' ? list : { id: 'x', results: list, meta: {} })
}
