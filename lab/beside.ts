// `npm run bench -- beside`: what another person waits for on the embedded engine while sources are hostile, and while the worker
// stands still. An import of a million rows has a bench of its own (lab/import.ts).

import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Source } from '../src/contract/sources.ts'
import { closeNow } from '../test/support/loopback.ts'
import { startService } from '../test/support/service.ts'
import {
  during,
  failuresOf,
  latenciesOf,
  makeOther,
  type OtherPerson,
  type Others,
  processesOf,
} from './load/others.ts'
import { table } from './report.ts'

const CALM_MS = 20_000
const STALL_MS = 35_000
const SOURCES_MS = 90_000

interface Scenario {
  what: string
  others: Others
  /** What came of it besides. */
  outcome: string
}

export async function benchBeside(): Promise<string> {
  const sites = await Promise.all(HOSTILE.map(listenAt))
  const service = await startService({ env: { KENNING_PRIVATE_NETWORKS: '127.0.0.0/8' } })
  try {
    const other = await makeOther(service)
    const root = service.child.pid ?? 0
    const scenarios: Scenario[] = [
      { what: 'nothing', others: await during(other, () => sleep(CALM_MS)), outcome: '' },
      await besideStall(other, root),
      await besideSources(
        other,
        sites.map(({ address }) => address),
        root,
      ),
    ]
    return report(scenarios)
  } finally {
    await service.remove()
    await Promise.all(sites.map(({ server }) => closeNow(server)))
  }
}

/** The worker is stopped for longer than the 30 s after which a silent one is noticed; a file is uploaded meanwhile. */
async function besideStall(other: OtherPerson, root: number): Promise<Scenario> {
  const worker = processesOf(root).get('worker')
  if (worker === undefined) throw new Error('no worker')
  const others = await during(other, async () => {
    process.kill(worker, 'SIGSTOP')
    await sleep(STALL_MS)
    if (processesOf(root).get('worker') === worker) process.kill(worker, 'SIGCONT')
  })
  const began = performance.now()
  await uploadOne(other, 'stall.md')
  const replaced =
    processesOf(root).get('worker') === worker ? 'the same worker goes on' : 'another worker took over'
  return {
    what: `a worker that stands still for ${STALL_MS / 1000} s`,
    others,
    outcome: `${replaced}; a file is read ${secondsSince(began)} later`,
  }
}

async function besideSources(
  other: OtherPerson,
  addresses: readonly string[],
  root: number,
): Promise<Scenario> {
  const before = processesOf(root)
  const { client, workspaceId } = other
  const sources: Source[] = []
  let read = ''
  const others = await during(other, async () => {
    for (const address of addresses)
      sources.push(
        await client.post<Source>(`/workspaces/${workspaceId}/sources`, {
          kind: 'web',
          addresses: [address],
          every_minutes: null,
        }),
      )
    const began = performance.now()
    await sleep(SOURCES_MS / 3)
    await uploadOne(other, 'sources.md')
    read = secondsSince(began)
    await sleep((SOURCES_MS * 2) / 3)
  })
  const states = await Promise.all(
    sources.map(({ id }) => client.get<Source>(`/workspaces/${workspaceId}/sources/${id}`)),
  )
  const now = processesOf(root)
  const kept = [...before].every(([role, pid]) => now.get(role) === pid)
  for (const { id } of sources) await client.call('DELETE', `/workspaces/${workspaceId}/sources/${id}`)
  return {
    what: 'six hostile sources: a sitemap of 80 MB, robots.txt with rules of 14,000 characters, four sites that never end an answer',
    others,
    outcome: `${kept ? 'no process was replaced' : 'a process was replaced'}; a file sent after ${SOURCES_MS / 3000} s is read after ${read}; ${states.map(({ state }) => state).join(', ')}`,
  }
}

async function uploadOne({ client, workspaceId }: OtherPerson, name: string): Promise<void> {
  const job = await client.upload(workspaceId, [{ name, bytes: `# ${name}\n\nThe quay has ten bollards.\n` }])
  await client.done(job.id)
}

const LINKS = `<title>Links</title><p>Two hundred pages about ropes.</p>${Array.from(
  { length: 200 },
  (_, no) => `<a href="/robots/${'a'.repeat(900)}${no}.html">${no}</a>`,
).join('')}`
// Each is a site of its own, at an address of its own.
const HOSTILE = ['/sitemap.xml', '/robots/index.html', '/slow/1', '/slow/2', '/slow/3', '/slow/4']

async function listenAt(path: string, no: number): Promise<{ server: Server; address: string }> {
  const server = createServer((request, response) => answer(request.url ?? '', response))
  await new Promise<void>((resolve) => server.listen(0, `127.0.0.${no + 2}`, resolve))
  const { address, port } = server.address() as AddressInfo
  return { server, address: `http://${address}:${port}${path}` }
}

const SITEMAP_BYTES = 80e6
const RULE = `Disallow: /${'*a'.repeat(7000)}$\n`

function answer(url: string, response: ServerResponse): void {
  const send = (type: string, body: string): void => {
    response.writeHead(200, { 'content-type': type }).end(body)
  }
  if (url === '/robots.txt') send('text/plain', `User-agent: *\n${RULE.repeat(30)}`)
  else if (url === '/sitemap.xml') sendSitemap(response, response.req.headers.host ?? '')
  else if (url.startsWith('/slow')) response.writeHead(200, { 'content-type': 'text/html' }).flushHeaders()
  else send('text/html', LINKS)
}

function sendSitemap(response: ServerResponse, host: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' })
  response.write('<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">')
  const piece = `<url><loc>http://${host}/pages/${'x'.repeat(60)}.html</loc></url>`.repeat(1000)
  let bytes = 0
  const send = (): void => {
    while (bytes < SITEMAP_BYTES) {
      bytes += piece.length
      if (!response.write(piece)) return void response.once('drain', send)
    }
    response.end('</urlset>')
  }
  send()
}

const secondsSince = (began: number): string => `${((performance.now() - began) / 1000).toFixed(1)} s`

const report = (
  scenarios: readonly Scenario[],
): string => `## Another person's requests beside what is slow or hostile (embedded)

Four requests a second (workspaces, search, documents, me), which wait for no answer. Mark: p99 at most 2 s.

${table(
  ['beside', 'p50 / p99 / longest ms', 'failed', 'outcome'],
  scenarios.map(({ what, others, outcome }) => [what, latenciesOf(others), failuresOf(others), outcome]),
)}
`
