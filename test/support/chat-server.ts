// A server that speaks OpenAI's /chat/completions by a script: each request takes the next reply, the last one stays.

import { createServer, type IncomingMessage } from 'node:http'
import { closeNow, listenOnLoopback } from './loopback.ts'

export interface ScriptedReply {
  status?: number
  headers?: Record<string, string>
  /** The message's content; an object is sent as JSON. */
  content?: unknown
  /** The whole body instead. */
  body?: string
  tokens?: number
  /** Says nothing, until the client goes. */
  silent?: true
}

export interface ChatServer {
  url: string
  requests: { messages: { role: string; content: string }[]; response_format?: unknown }[]
  script: ScriptedReply[]
  close(): Promise<void>
}

export async function chatServer(): Promise<ChatServer> {
  const requests: ChatServer['requests'] = []
  const script: ScriptedReply[] = []
  const server = createServer(async (request, response) => {
    requests.push(JSON.parse(await textOf(request)))
    const reply = (script.length > 1 ? script.shift() : script[0]) ?? { content: '' }
    if (reply.silent) return
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
    response.end(reply.body ?? completion(reply))
  })
  return {
    url: `${await listenOnLoopback(server)}/v1`,
    requests,
    script,
    close: () => closeNow(server),
  }
}

const completion = ({ content, tokens }: ScriptedReply): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: {
          role: 'assistant',
          content: typeof content === 'string' ? content : JSON.stringify(content),
        },
      },
    ],
    ...(tokens === undefined
      ? {}
      : { usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens } }),
  })

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}
