import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { closeNow, listenOnLoopback } from '../../../test/support/loopback.ts'
import { freePort } from '../../../test/support/service.ts'
import { collectMetrics, serveMetrics } from '../../ports/metrics/metrics.ts'
import { checkMetrics, checkService } from './machine.ts'

const host = '127.0.0.1'

test('figures: served, not served by what runs, not served yet, and a port of another program', async () => {
  expect(await checkMetrics({ metrics: undefined, role: 'all' }, true)).toBeUndefined()
  const server = await serveMetrics({ host, port: 0 }, collectMetrics('api'))
  onTestFinished(() => server.close())
  const { port } = server
  expect(await checkMetrics({ metrics: { host, port }, role: 'api' }, true)).toEqual({
    check: 'metrics',
    status: 'ok',
    message: `are served by the api on port ${port}`,
  })
  // Of a worker they are on the next port.
  expect(await checkMetrics({ metrics: { host, port: port - 1 }, role: 'worker' }, false)).toMatchObject({
    status: 'ok',
    message: `are served by the worker on port ${port}`,
  })
  const free = await freePort()
  const metrics = { host, port: free }
  expect(await checkMetrics({ metrics, role: 'api' }, false)).toMatchObject({
    status: 'ok',
    message: `will be served by the api on port ${free}`,
  })
  expect(await checkMetrics({ metrics, role: 'api' }, true)).toMatchObject({
    status: 'problem',
    message: expect.stringContaining(`are not served by the api on port ${free}: see its log`),
  })
})

test('figures: another program on their port', async () => {
  const other = createServer((_, response) => response.writeHead(404).end())
  const port = Number(new URL(await listenOnLoopback(other)).port)
  onTestFinished(() => closeNow(other))
  expect(await checkMetrics({ metrics: { host, port }, role: 'api' }, false)).toMatchObject({
    status: 'problem',
    message: expect.stringMatching(/another program answers on port \d+: set KENNING_METRICS_PORT/),
  })
})

test('a service that runs and is not ready, as without its database, is not taken for another program', async () => {
  const kenning = createServer((request, response) => {
    const [status, body] = request.url === '/healthz' ? [200, { status: 'ok' }] : [503, { error: {} }]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const port = Number(new URL(await listenOnLoopback(kenning)).port)
  onTestFinished(() => closeNow(kenning))
  const config = { host, port, dataDir: '/nowhere', databaseUrl: 'postgres://x/x' }
  expect(await checkService(config)).toEqual({
    check: 'service',
    status: 'problem',
    message: `something that answers like Kenning on port ${port} is not ready (503): see its log, and the check 'database' below`,
    isRunning: true,
  })
})
