// F-16: a service that is stopped while uploads arrive and questions are answered: who was being served is served to the end, the
// exit is clean, and what was acknowledged is read after the next start.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { Document, Job, Page, Workspace } from '../../src/contract/resources.ts'
import { makeClient } from '../support/client.ts'
import { migratedDirectory } from '../support/database.ts'
import { thorough } from '../support/full.ts'
import { type Service, startService } from '../support/service.ts'
import { openWire, statusOf, type Wire } from '../support/socket.ts'

const STOPS = 3
// As many as one caller may send at a time.
const UPLOADS = 4

interface Sending {
  wire: Wire
  rest: string
}

/** An upload that the service has asked the body of, of which half has been sent. */
async function halfSent({ origin, token }: Service, workspaceId: string, name: string): Promise<Sending> {
  const text = `# ${name}\n\n${`The tide of ${name} turns in the harbour of Halden. `.repeat(200)}`
  const body = `--b\r\nContent-Disposition: form-data; name="files"; filename="${name}.md"\r\n\r\n${text}\r\n--b--\r\n`
  const wire = await openWire(Number(new URL(origin).port))
  const lines = [
    `POST /v1/workspaces/${workspaceId}/files HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${await token()}`,
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ]
  wire.write(`${lines.join('\r\n')}\r\n\r\n`)
  expect(await wire.read((got) => got.includes('\r\n\r\n'), 60_000)).toMatch(/^HTTP\/1\.1 100 /)
  wire.write(body.slice(0, body.length / 2))
  return { wire, rest: body.slice(body.length / 2) }
}

/** Until nobody new is let in. */
async function untilClosed(origin: string): Promise<void> {
  while (
    await fetch(`${origin}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    )
  )
    await sleep(20)
}

thorough(
  `F-16: SIGTERM under load, ${STOPS} times: every upload that had begun is acknowledged, and read later`,
  async () => {
    const dataDir = await migratedDirectory()
    let service = await startService({ dataDir, temporary: true })
    onTestFinished(() => service.remove())
    const { id } = await makeClient(service.base, service.token).post<Workspace>('/workspaces', {
      name: 'tides',
    })
    const jobs: string[] = []
    const names: string[] = []
    for (let stop = 0; stop < STOPS; stop++) {
      // Some are being read meanwhile.
      const queued = Array.from({ length: 10 }, (_, no) => `Queued ${stop}x${no}`)
      const files = queued.map((name) => ({
        name: `${name}.md`,
        bytes: `# ${name}\n\n${'Spring tide. '.repeat(500)}`,
      }))
      jobs.push((await makeClient(service.base, service.token).upload(id, files)).id)
      const begun = Array.from({ length: UPLOADS }, (_, no) => `Begun ${stop}x${no}`)
      const sendings = await Promise.all(begun.map((name) => halfSent(service, id, name)))
      const stopped = service.stop()
      await untilClosed(service.origin)
      for (const { wire, rest } of sendings) wire.write(rest)
      for (const { wire } of sendings) {
        const text = (await wire.read((got) => got.endsWith('}'), 60_000)).replace(
          /^HTTP\/1\.1 100 .*\r\n\r\n/,
          '',
        )
        expect([statusOf(text), text], text).toEqual([202, expect.stringContaining('"id"')])
        jobs.push((JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as Job).id)
      }
      expect(await stopped).toBe(0)
      names.push(...queued, ...begun)
      service = await startService({ dataDir, temporary: true })
    }
    const client = makeClient(service.base, service.token)
    for (const job of jobs) {
      const { files } = await client.done(job)
      expect(new Set(files.map(({ status }) => status))).toEqual(new Set(['done']))
    }
    const { data } = await client.get<Page<Document>>(`/workspaces/${id}/documents?limit=200`)
    expect(data.map(({ title }) => title).sort()).toEqual(names.sort())
  },
)
