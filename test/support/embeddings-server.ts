// A server of embeddings on a loopback port, in the shapes that OpenAI's API answers with. What it does next can be
// scripted; else it gives each text a vector of its words, so that texts which share words lie near each other.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { closeNow, listenOnLoopback, wholeBody } from './loopback.ts'

export interface EmbeddingsServer {
  /** Ends in `/v1`. */
  url: string
  /** Every request so far. */
  requests: { model: string; input: string[]; authorization: string | undefined }[]
  /** Numbers a vector; may be changed, as a server whose model was replaced does. */
  dimensions: number
  /** What it does with the next requests, one each, before it is itself again. */
  next: Script[]
  close(): Promise<void>
}

/** Answers a request itself, or changes the body of a right answer. */
export type Script =
  | { status: number; headers?: Record<string, string>; body?: string }
  | { change(body: EmbeddingsBody): unknown }
  | 'silence'
  | 'cut'

export interface EmbeddingsBody {
  object: 'list'
  data: { object: 'embedding'; index: number; embedding: (number | null)[] }[]
  model: string
  usage: { prompt_tokens: number; total_tokens: number }
}

export async function embeddingsServer(dimensions = 16): Promise<EmbeddingsServer> {
  const server = createServer((request, response) => void answer(request, response, state))
  const state: EmbeddingsServer = {
    url: '',
    requests: [],
    dimensions,
    next: [],
    close: () => closeNow(server),
  }
  state.url = `${await listenOnLoopback(server)}/v1`
  return state
}

async function answer(request: IncomingMessage, response: ServerResponse, state: EmbeddingsServer) {
  const requestBody = await wholeBody(request)
  if (requestBody === undefined) return
  const { model, input } = JSON.parse(requestBody) as { model: string; input: string[] }
  state.requests.push({ model, input, authorization: request.headers.authorization })
  const script = state.next.shift()
  if (script === 'silence') return
  if (script === 'cut') return void response.destroy()
  if (script && 'status' in script) {
    response.writeHead(script.status, { 'content-type': 'application/json', ...script.headers })
    return void response.end(script.body ?? openaiError)
  }
  const body: EmbeddingsBody = {
    object: 'list',
    data: input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: vectorOf(`${model} `, text, state.dimensions),
    })),
    model,
    usage: { prompt_tokens: input.length * 8, total_tokens: input.length * 8 },
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(script ? script.change(body) : body))
}

const openaiError = JSON.stringify({
  error: { message: 'of the server', type: 'invalid_request_error', param: null, code: null },
})

/** Each word adds 1 at a place that hangs on the model, so that two models disagree. */
function vectorOf(model: string, text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0.01)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 7
    for (const character of model + word) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0
    const place = (hash >>> 7) % dimensions
    vector[place] = (vector[place] ?? 0) + 1
  }
  return vector
}
