// Clients of a service whose processes are replaced while they use it, as behind a proxy: each request goes to one of those in
// service, in turn. One that is refused with 503 and Retry-After is sent again, and counted; anything else that goes wrong fails.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Document, Job, Page } from '../../src/contract/resources.ts'
import type { Service } from './service.ts'
import { type Ledger, titleOf, uploadOf } from './set.ts'

export const KINDS = ['upload', 'job', 'search', 'ask', 'list', 'delete'] as const
export type Kind = (typeof KINDS)[number]

export interface Traffic {
  /** It gets requests from now on. */
  putIn(service: Service): void
  /** It gets no more; resolves once those that it has got are answered. */
  takeOut(service: Service): Promise<void>
  /** How many requests of the kind it has answered. */
  answered(service: Service, kind: Kind): number
  /** How many of those about jobs were about one that another process had acknowledged. */
  jobsOfOthers(service: Service): number
  /** Which process acknowledged a job. */
  acknowledgedBy(jobId: string): Service | undefined
  /** Of documents that were there, and were deleted. */
  deleted: string[]
  refused(): number
  /** Until it is over. */
  run(isOver: () => boolean): Promise<void>
}

interface Place {
  service: Service
  counts: Record<Kind, number>
  jobsOfOthers: number
  underWay: Set<Promise<unknown>>
}

const UPLOADERS = 2
// Of documents that are to be deleted.
const DELETER = 90
const PAUSE_MS = 100
// An answer to a question takes 118 s at most.
const LIMIT_MS = 180_000
// A token is good for 15 minutes.
const TOKEN_MS = 300_000

export function openTraffic(workspaceId: string, ledger: Ledger): Traffic {
  const all: Place[] = []
  const inService: Place[] = []
  const acknowledgedPlaces = new Map<string, Place>()
  const deletedIds: string[] = []
  let refusedCount = 0
  let turn = 0
  let cachedBearer: { bearer: Promise<string>; at: number } | undefined

  const placeOf = (service: Service): Place => {
    const found = all.find((place) => place.service === service)
    if (!found) throw new Error('it was never in service')
    return found
  }

  /** One for all: whoever signed in at one process is signed in at all. */
  function bearer(): Promise<string> {
    const [first] = inService
    if (!first) throw new Error('nothing is in service')
    if (!cachedBearer || Date.now() - cachedBearer.at > TOKEN_MS)
      cachedBearer = { bearer: first.service.token(), at: Date.now() }
    return cachedBearer.bearer
  }

  /** Sends it until it is not refused. */
  async function send<Body>(
    kind: Kind,
    path: string,
    init: () => RequestInit = () => ({}),
  ): Promise<{ body: Body; by: Place }> {
    for (;;) {
      const authorization = `Bearer ${await bearer()}`
      const place = inService[turn++ % inService.length]
      if (!place) throw new Error('nothing is in service')
      const { headers, ...rest } = init()
      const request = async () => {
        const answer = await fetch(`${place.service.base}${path}`, {
          ...rest,
          headers: { ...(headers as Record<string, string>), authorization },
          signal: AbortSignal.timeout(LIMIT_MS),
        })
        return { answer, text: await answer.text() }
      }
      const pendingRequest = request()
      place.underWay.add(pendingRequest)
      const { answer, text } = await pendingRequest.finally(() => place.underWay.delete(pendingRequest))
      if (answer.ok) {
        place.counts[kind]++
        return { body: (text ? JSON.parse(text) : undefined) as Body, by: place }
      }
      const wait = answer.headers.get('retry-after')
      expect([answer.status, wait], `${kind} at ${place.service.base}: ${text}`).toEqual([
        503,
        expect.stringMatching(/^\d+$/),
      ])
      refusedCount++
      await sleep(Number(wait) * 1000)
    }
  }

  const at = `/workspaces/${workspaceId}`
  const posting = (body: object) => () => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  })

  async function upload(title: string): Promise<string> {
    const { body, by } = await send<Job>('upload', `${at}/files`, () => uploadOf(title))
    acknowledgedPlaces.set(body.id, by)
    return body.id
  }

  async function jobOf(id: string): Promise<Job> {
    const { body, by } = await send<Job>('job', `/jobs/${id}`)
    expect(body.id).toBe(id)
    if (by !== acknowledgedPlaces.get(id)) by.jobsOfOthers++
    return body
  }

  const clients: Record<string, (no: number) => Promise<void>> = {
    search: async () => {
      await send('search', `${at}/search`, posting({ query: 'the mark of an entry', limit: 5 }))
    },
    ask: async () => {
      await send('ask', `${at}/ask`, posting({ question: `What is the mark of ${titleOf(0, 0)}?` }))
    },
    /** From its first page to the last, each from another process. */
    list: async () => {
      const seenIds: string[] = []
      let cursor: string | null = ''
      do {
        const path: string = `${at}/documents?limit=50${cursor ? `&cursor=${cursor}` : ''}`
        const { body } = await send<Page<Document>>('list', path)
        seenIds.push(...body.data.map(({ id }) => id))
        cursor = body.next_cursor
      } while (cursor)
      expect(new Set(seenIds).size, 'a list shows something twice').toBe(seenIds.length)
    },
    delete: async (no) => {
      const title = titleOf(DELETER, no)
      const id = await upload(title)
      let job = await jobOf(id)
      for (; job.status !== 'done'; job = await jobOf(id)) await sleep(PAUSE_MS)
      const [file] = job.files
      expect(file?.status).toBe('done')
      await send('delete', `${at}/documents/${file?.document_id}`, () => ({ method: 'DELETE' }))
      deletedIds.push(title)
    },
  }
  for (let client = 0; client < UPLOADERS; client++)
    clients[`upload ${client}`] = async (no) => {
      const title = titleOf(client, no)
      const id = await upload(title)
      ledger.acknowledged.set(title, id)
      await jobOf(id)
    }

  return {
    putIn: (service) => {
      const counts = { upload: 0, job: 0, search: 0, ask: 0, list: 0, delete: 0 }
      const place = { service, counts, jobsOfOthers: 0, underWay: new Set<Promise<unknown>>() }
      all.push(place)
      inService.push(place)
    },
    takeOut: async (service) => {
      const place = placeOf(service)
      inService.splice(inService.indexOf(place), 1)
      await Promise.allSettled(place.underWay)
    },
    answered: (service, kind) => placeOf(service).counts[kind],
    jobsOfOthers: (service) => placeOf(service).jobsOfOthers,
    acknowledgedBy: (jobId) => acknowledgedPlaces.get(jobId)?.service,
    deleted: deletedIds,
    refused: () => refusedCount,
    run: async (isOver) => {
      const loop = async (client: (no: number) => Promise<void>): Promise<void> => {
        for (let no = 0; !isOver(); no++) {
          await client(no)
          await sleep(PAUSE_MS)
        }
      }
      await Promise.all(Object.values(clients).map(loop))
    },
  }
}
