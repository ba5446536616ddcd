// A language model's server that says nothing for a while, and then an answer.

import { createServer } from 'node:http'
import { closeNow, listenOnLoopback, wholeBody } from '../../test/support/loopback.ts'

export async function startSlowModel(afterMs: number): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (incoming, response) => {
    const body = await wholeBody(incoming)
    if (body === undefined) return
    if (!incoming.url?.endsWith('/chat/completions')) {
      response.writeHead(404).end()
      return
    }
    const isStream = (JSON.parse(body) as { stream?: boolean }).stream === true
    const text = 'The documents do not say.'
    const timer = setTimeout(() => {
      response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json')
      const choice = { index: 0, finish_reason: 'stop' }
      const message = { role: 'assistant', content: text }
      response.end(
        isStream
          ? `data: ${JSON.stringify({ choices: [{ ...choice, delta: message }] })}\n\ndata: [DONE]\n\n`
          : JSON.stringify({ choices: [{ ...choice, message }], usage: { total_tokens: 10 } }),
      )
    }, afterMs)
    response.on('close', () => clearTimeout(timer))
  })
  return { url: `${await listenOnLoopback(server)}/v1`, close: () => closeNow(server) }
}
