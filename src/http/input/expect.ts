// Expect: 100-continue, answered only once a body is wanted: who may not upload is told before sending 2 GB.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'

const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/** Without a listener Node says "100 Continue" before anyone has looked at the request. */
export function holdContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.set(request, response)
    server.emit('request', request, response)
  })
}

/** Called by whoever begins to read the body. */
export function letBodyCome(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue()
  waiting.delete(request)
}

/** Whether the client still waits for leave to send: after a refusal its connection cannot be used again. */
export const isWaiting = (request: IncomingMessage): boolean => waiting.has(request)
