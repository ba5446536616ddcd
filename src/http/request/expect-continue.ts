// `Expect: 100-continue` is answered when the body is about to be read, so that a rejected client does not send 2 GB first.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { ApiError } from '../../errors.ts'

const waitingResponses = new WeakMap<IncomingMessage, ServerResponse>()

/** Without a listener Node would send "100 Continue" before the request has been checked. */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waitingResponses.set(request, response)
    server.emit('request', request, response)
  })
}

const unsupportedRequests = new WeakSet<IncomingMessage>()

/** Without a listener Node would respond to an unknown expectation itself, with a 417 that has no body. */
export function acceptExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => {
    unsupportedRequests.add(request)
    server.emit('request', request, response)
  })
}

/** @throws ApiError 417 for an unknown expectation */
export function checkExpectation(request: IncomingMessage): void {
  if (unsupportedRequests.has(request))
    throw new ApiError(
      417,
      'invalid_request',
      'The only supported value of the Expect header is 100-continue.',
    )
}

/** To be called before the body is read. */
export function sendContinue(request: IncomingMessage): void {
  waitingResponses.get(request)?.writeContinue()
  waitingResponses.delete(request)
}

/** Whether the client is still waiting for "100 Continue"; its connection then cannot be reused. */
export const isWaitingForContinue = (request: IncomingMessage): boolean => waitingResponses.has(request)
