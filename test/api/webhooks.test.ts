// Webhooks: a receiver on this machine is told of jobs that are done, signed, again when it fails, until it is given up.

import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Page } from '../../src/contract/resources.ts'
import type { Webhook, WebhookCreated, WebhookDelivery } from '../../src/contract/webhooks.ts'
import { deleteDocument } from '../../src/ingest/remove.ts'
import { queueEndCheck } from '../../src/webhooks/notice.sql.ts'
import { claimNetworkBound } from '../../src/work/queue.sql.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { callerOf, drain, runTask, upload, type WorkDeps } from '../support/ingest.ts'
import { closeNow, listenOnLoopback, wholeBody } from '../support/loopback.ts'
import { openEnds, tryNow } from '../support/sources.sql.ts'
import { inProcess, textOf } from '../support/sources.ts'

let app: TestApp
let owner: Person
let token: string
let deps: WorkDeps
let receiver: Server
let address = ''
let answers: number[] = []
let received: { headers: IncomingHttpHeaders; body: string }[] = []
let workspaceId = ''
let base = ''

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  token = await app.token(owner)
  deps = { ...app.deps, embedder: async () => ({ kind: 'none' as const }), parser: inProcess }
  receiver = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: (await wholeBody(request)) ?? '' })
    const status = answers.shift() ?? 200
    response.writeHead(status, status === 302 ? { location: `${address}elsewhere` } : {}).end('thanks')
  })
  address = `${await listenOnLoopback(receiver)}/`
})
beforeEach(async () => {
  received = []
  answers = []
  workspaceId = await app.workspace(owner)
  base = `/v1/workspaces/${workspaceId}/webhooks`
})
afterAll(async () => {
  await closeNow(receiver)
  await app.close()
})

const create = async (url = address): Promise<WebhookCreated> =>
  bodyOf(await app.send('POST', base, token, { body: { url } }))
const deliveries = async ({ id }: Webhook): Promise<WebhookDelivery[]> =>
  bodyOf<Page<WebhookDelivery>>(await app.send('GET', `${base}/${id}/deliveries`, token)).data
const webhook = async (id: string): Promise<Webhook | undefined> =>
  bodyOf<Page<Webhook>>(await app.send('GET', base, token)).data.find((one) => one.id === id)

/** Files are read, and what is due of webhooks is sent. */
async function settle(): Promise<void> {
  await drain(deps)
  for (;;) {
    const task = await claimNetworkBound(deps.db, 'outside')
    if (!task) return
    await runTask(deps, task)
  }
}

/** As if the pause before the next attempt were over. */
async function again(): Promise<void> {
  await tryNow(deps.db, workspaceId)
  await settle()
}

test('one event for each job, signed with the secret that was shown once', async () => {
  const made = await create()
  expect(made.secret).toMatch(/^whsec_/)
  expect(JSON.stringify(await webhook(made.id))).not.toContain(made.secret.slice(6))
  const job = await upload(deps, owner, workspaceId, {
    'a.md': textOf('anchors'),
    'b.pdf': '%PDF-1.7\nnothing\n',
  })
  await settle()
  // The same bytes again: a job that is done when it is made.
  const same = await upload(deps, owner, workspaceId, { 'a.md': textOf('anchors') })
  await settle()
  expect(received).toHaveLength(2)
  const [first, second] = received.map(({ body }) => JSON.parse(body))
  expect(first).toMatchObject({
    type: 'job.done',
    data: {
      workspace_id: workspaceId,
      job_id: job.id,
      kind: 'upload',
      file_count: 2,
      done_count: 1,
      failed_count: 1,
    },
  })
  expect(second.data).toMatchObject({ job_id: same.id, file_count: 1, done_count: 1 })
  expect(JSON.stringify(received)).not.toContain('anchors')
  for (const { headers, body } of received) {
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers
    const key = Buffer.from(made.secret.slice('whsec_'.length), 'base64')
    const expected = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
    expect(signature).toBe(`v1,${expected}`)
    expect(Math.abs(Number(at) - Date.now() / 1000)).toBeLessThan(300)
  }
  const sent = await deliveries(made)
  expect(sent.map(({ job_id, state, attempts, status }) => [job_id, state, attempts, status])).toEqual([
    [same.id, 'delivered', 1, 200],
    [job.id, 'delivered', 1, 200],
  ])
  expect(sent.map(({ id }) => id).sort()).toEqual(received.map(({ headers }) => headers['webhook-id']).sort())
})

test('cancelled jobs end too; a workspace without webhooks waits for nothing', async () => {
  await upload(deps, owner, workspaceId, { 'a.md': textOf('anchors') })
  expect(await openEnds(deps.db, workspaceId)).toBe(0)
  await settle()
  const made = await create()
  const job = await upload(deps, owner, workspaceId, { 'b.md': textOf('buoys') })
  expect((await app.send('DELETE', `/v1/jobs/${job.id}`, token)).status).toBe(204)
  await settle()
  expect((await deliveries(made)).map(({ job_id }) => job_id)).toEqual([job.id])
  const [document] = bodyOf<Page<{ id: string }>>(
    await app.send('GET', `/v1/workspaces/${workspaceId}/documents`, token),
  ).data
  await upload(deps, owner, workspaceId, { 'a.md': textOf('more anchors') }, { onConflict: 'replace' })
  await deleteDocument(app.deps, callerOf(owner), { workspaceId, documentId: document?.id ?? '' })
  await settle()
  expect(await deliveries(made)).toHaveLength(2)
  expect(await openEnds(deps.db, workspaceId)).toBe(0)
  // Noticed once more, whatever the reason: nothing is sent twice.
  await queueEndCheck(deps.db, workspaceId, [job.id])
  await settle()
  expect(received).toHaveLength(2)
})

test('it is tried again, the same event with a new time; a redirect is not followed', async () => {
  const made = await create()
  answers = [500, 302]
  await app.send('POST', `${base}/${made.id}/test`, token)
  await settle()
  expect(await deliveries(made)).toMatchObject([
    {
      type: 'webhook.test',
      state: 'waiting',
      attempts: 1,
      status: 500,
      error: expect.stringContaining('500'),
    },
  ])
  expect((await deliveries(made))[0]?.next_attempt_at).not.toBeNull()
  await settle()
  expect(received).toHaveLength(1)
  await again()
  expect(await deliveries(made)).toMatchObject([{ state: 'waiting', attempts: 2, status: 302 }])
  await again()
  expect(await deliveries(made)).toMatchObject([
    { state: 'delivered', attempts: 3, status: 200, error: null, next_attempt_at: null },
  ])
  expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('it is given up after ten attempts; after five of these the webhook is paused and says so', async () => {
  const made = await create()
  for (let event = 1; event <= 5; event++) {
    answers = Array.from({ length: 10 }, () => 503)
    await app.send('POST', `${base}/${made.id}/test`, token)
    await settle()
    for (let attempt = 2; attempt <= 10; attempt++) await again()
    expect((await deliveries(made))[0]).toMatchObject({ state: 'given_up', attempts: 10, status: 503 })
    expect((await webhook(made.id))?.paused).toBe(event === 5)
  }
  expect(await webhook(made.id)).toMatchObject({
    paused: true,
    error: expect.stringContaining('5 events in a row'),
  })
  const job = await upload(deps, owner, workspaceId, { 'a.md': textOf('anchors') })
  await settle()
  expect((await deliveries(made)).map(({ job_id }) => job_id)).not.toContain(job.id)
  const on = await app.send('PATCH', `${base}/${made.id}`, token, { body: { paused: false } })
  expect(bodyOf<Webhook>(on)).toMatchObject({ paused: false, error: null })
  answers = [410]
  await app.send('POST', `${base}/${made.id}/test`, token)
  await settle()
  expect((await deliveries(made))[0]).toMatchObject({ state: 'given_up', attempts: 1, status: 410 })
  expect(await webhook(made.id)).toMatchObject({ paused: true, error: expect.stringContaining('gone') })
})

test('only addresses that may be asked, and nothing after it was deleted', async () => {
  for (const url of ['ftp://example.org/', 'https://me:secret@example.org/', 'nonsense'])
    expect((await app.send('POST', base, token, { body: { url } })).status).toBe(422)
  const { port } = new URL(address)
  const inside = await create(`http://127.0.0.2:${port}/`)
  const away = await create()
  for (const { id } of [inside, away]) await app.send('POST', `${base}/${id}/test`, token)
  expect((await app.send('DELETE', `${base}/${away.id}`, token)).status).toBe(204)
  await settle()
  expect(received).toEqual([])
  expect(await deliveries(inside)).toMatchObject([
    { state: 'waiting', status: null, error: expect.stringContaining('not on the public internet') },
  ])
})

test('tests have a limit for the workspace, which a webhook made anew does not lift', async () => {
  const first = await create()
  const statuses: number[] = []
  for (let i = 0; i < 9; i++)
    statuses.push((await app.send('POST', `${base}/${first.id}/test`, token)).status)
  await app.send('DELETE', `${base}/${first.id}`, token)
  const second = await create()
  const results = await Promise.all(
    Array.from({ length: 4 }, () => app.send('POST', `${base}/${second.id}/test`, token)),
  )
  expect(statuses).toEqual(Array(9).fill(202))
  expect(results.map(({ status }) => status).sort()).toEqual([202, 429, 429, 429])
  const refusal = results.find(({ status }) => status === 429)
  expect(refusal?.body).toMatchObject({ error: { type: 'rate_limited' } })
  const seconds = Number(refusal?.headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(600)
})
