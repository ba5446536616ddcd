// What another person asks for while something else happens: a request every quarter of a second, which waits for no answer.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Workspace } from '../../src/contract/resources.ts'
import { type Client, makeClient } from '../../test/support/client.ts'
import { processTree, type Service } from '../../test/support/service.ts'
import { quantile } from '../report.ts'
import { roleOf } from '../start.ts'

const EVERY_MS = 250

export interface Others {
  /** Milliseconds. */
  latencies: number[]
  /** Why requests failed. */
  failed: string[]
}

export interface OtherPerson {
  client: Client
  workspaceId: string
}

/** Somebody with a workspace of one document, which is searchable. */
export async function makeOther(service: Service): Promise<OtherPerson> {
  const client = makeClient(service.base, service.token)
  const { id } = await client.post<Workspace>('/workspaces', { name: 'Others' })
  const job = await client.upload(id, [
    { name: 'cleats.md', bytes: '# Cleats\n\nThe pier has forty cleats.\n' },
  ])
  await client.done(job.id)
  await client.ready(id)
  return { client, workspaceId: id }
}

/** What the other person's requests took while the work was done. */
export async function during(other: OtherPerson, work: () => Promise<unknown>): Promise<Others> {
  const over = new AbortController()
  const asking = askSteadily(other, over.signal)
  await work().finally(() => over.abort())
  return asking
}

/** Asks until the signal, however long the answers take. */
async function askSteadily({ client, workspaceId }: OtherPerson, signal: AbortSignal): Promise<Others> {
  const others: Others = { latencies: [], failed: [] }
  const open = new Set<Promise<void>>()
  const requests: (() => Promise<unknown>)[] = [
    () => client.get('/workspaces'),
    () => client.post(`/workspaces/${workspaceId}/search`, { query: 'how many cleats' }),
    () => client.get(`/workspaces/${workspaceId}/documents`),
    () => client.get('/me'),
  ]
  for (let no = 0; !signal.aborted; no++) {
    const began = performance.now()
    const one = (requests[no % requests.length] as () => Promise<unknown>)()
      .then(
        () => void others.latencies.push(performance.now() - began),
        (error: unknown) => void others.failed.push(String(error).slice(0, 200)),
      )
      .finally(() => open.delete(one))
    open.add(one)
    await sleep(EVERY_MS)
  }
  await Promise.all(open)
  return others
}

/** `12 / 80 / 95`: p50, p99 and the longest, in milliseconds. */
export const latenciesOf = ({ latencies }: Others): string =>
  [0.5, 0.99, 1].map((share) => Math.round(quantile(latencies, share))).join(' / ')

export const failuresOf = ({ failed, latencies }: Others): string =>
  `${failed.length} of ${failed.length + latencies.length}`

/** The processes of a service by role, its parsers apart: they come and go. */
export const processesOf = (root: number): Map<string, number> =>
  new Map(
    processTree(root).flatMap((row): [string, number][] => {
      const role = roleOf(row, root)
      return role === 'parser' ? [] : [[role, row.pid]]
    }),
  )
