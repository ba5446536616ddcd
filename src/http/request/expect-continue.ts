// Expect: 100-continue, answered only once a body is wanted: who may not upload is told before sending 2 GB.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { ApiError } from '../../errors.ts'

const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/** Without a listener Node says "100 Continue" before anyone has looked at the request. */
export function holdContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.set(request, response)
    server.emit('request', request, response)
  })
}

const unmet = new WeakSet<IncomingMessage>()

/** Without a listener Node answers an expectation that it does not know with 417 and nothing else. */
export function holdExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => {
    unmet.add(request)
    server.emit('request', request, response)
  })
}

/** @throws ApiError 417 for a request that expects what nobody here can do */
export function checkExpectation(request: IncomingMessage): void {
  if (unmet.has(request)) throw new ApiError(417, 'invalid_request', 'Expect takes 100-continue only.')
}

/** Called by whoever begins to read the body. */
export function letBodyCome(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue()
  waiting.delete(request)
}

/** Whether the client still waits for leave to send: after a refusal its connection cannot be used again. */
export const isWaiting = (request: IncomingMessage): boolean => waiting.has(request)
