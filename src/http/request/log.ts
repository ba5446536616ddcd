// The log of one request: each of its lines contains the id of the request, whatever part of the code writes it.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Deps, Log } from '../../ports/deps.ts'

// The caller may send the id that its own logs use. An id with spaces or line ends is ignored, since it would break up a log line.
const CALLER_ID = /^[\w.:-]{1,128}$/

/** The `x-request-id` of the caller, or a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const requestId = headers['x-request-id']
  return typeof requestId === 'string' && CALLER_ID.test(requestId) ? requestId : randomUUID()
}

/** The same dependencies, with a log that adds the id of the request to each line. */
export const withRequestLog = <D extends Pick<Deps, 'log'>>(
  deps: D,
  { id }: Pick<FastifyRequest, 'id'>,
): D => ({
  ...deps,
  log: logWithRequestId(deps.log, id),
})

const logWithRequestId = (log: Log, requestId: string): Log => ({
  debug: (fields, message) => log.debug({ requestId, ...fields }, message),
  info: (fields, message) => log.info({ requestId, ...fields }, message),
  warn: (fields, message) => log.warn({ requestId, ...fields }, message),
  error: (fields, message) => log.error({ requestId, ...fields }, message),
})
