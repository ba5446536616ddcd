// A worker that runs by itself answers the same two health checks as the API, at the same address and port, because containers and
// Kubernetes check every process in the same way. It does not use the API's server, which would take 45 MB of memory.

import { createServer, type ServerResponse } from 'node:http'
import { askOnce } from '../ports/ask-once.ts'
import type { Db } from '../ports/db/db.ts'
import { ping } from './health.sql.ts'

// A probe gives up after some seconds, but the pool of a worker waits for a connection for a minute.
const MAX_ANSWER_MS = 5_000
// A probe is one short request. By default Node looks for late requests only every 30 seconds, and until then silent connections
// could use up MAX_CONNECTIONS, so that probes fail.
const MAX_REQUEST_MS = 5_000
const CHECK_INTERVAL_MS = 1_000
const MAX_CONNECTIONS = 64

interface WorkerHealth {
  close(): Promise<void>
}

/** Serves `/healthz` and `/readyz`. @param answerMs for tests @throws the error of `listen` */
export async function serveWorkerHealth(
  db: Pick<Db, 'rows'>,
  { host, port, answerMs = MAX_ANSWER_MS }: { host: string; port: number; answerMs?: number },
): Promise<WorkerHealth> {
  // While the database hangs, each probe would otherwise add a query to the pool's queue.
  const isDatabaseReachable = askOnce(() => ping(db), { waitMs: answerMs })
  const server = createServer(
    {
      requestTimeout: MAX_REQUEST_MS,
      headersTimeout: MAX_REQUEST_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    (request, response) => {
      const { method = '', url = '' } = request
      const path = url.split('?')[0]
      if (path !== '/healthz' && path !== '/readyz') return answer(response, 404, NOT_FOUND)
      if (method !== 'GET' && method !== 'HEAD')
        return answer(response, 405, NOT_ALLOWED, { allow: 'GET, HEAD' })
      if (path === '/healthz') return answer(response, 200, { status: 'ok' })
      void isDatabaseReachable().then((pingResult) =>
        pingResult
          ? answer(response, 200, { status: 'ready' })
          : answer(response, 503, DATABASE_UNREACHABLE, { 'retry-after': '5' }),
      )
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, resolve)
  })
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const errorBody = (type: string, message: string) => ({ error: { type, message } })
const NOT_FOUND = errorBody('not_found', 'Not found.')
const NOT_ALLOWED = errorBody('invalid_request', 'Method not allowed: this path supports GET, HEAD.')
const DATABASE_UNREACHABLE = errorBody(
  'unavailable',
  'The database is not reachable at the moment; try again in a few seconds.',
)

function answer(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
    ...headers,
  })
  response.end(JSON.stringify(body))
}
