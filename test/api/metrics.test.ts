// The figures of the real app: requests by route and never by URL, attempts of tasks, the queue.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildServer } from '../../src/http/server.ts'
import { collectMetrics } from '../../src/ports/metrics/metrics.ts'
import { claimTask, selectQueue } from '../../src/work/queue.sql.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { runTask, upload } from '../support/ingest.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

test('the queue by kind: what waits, what runs, since when; an attempt by its outcome', async () => {
  const metrics = collectMetrics('worker', { queue: () => selectQueue(app.deps.db) })
  const person = await app.person()
  const workspaceId = await app.workspace(person)
  await upload(app.deps, person, workspaceId, { 'a.txt': 'One.', 'b.txt': 'Two.' })
  const task = await claimTask(app.deps.db, 'w')
  if (!task) throw new Error('nothing to claim')
  const [row] = (await selectQueue(app.deps.db)).filter(({ kind }) => kind === 'ingest')
  expect(row).toMatchObject({ waiting: 1, running: 1 })
  expect(row?.oldest_s).toBeGreaterThanOrEqual(0)
  const parser = { settings: '', backlog: () => 0, parse: () => Promise.reject(new Error('no parser')) }
  await runTask({ ...app.deps, metrics, parser } as never, task)
  expect(app.errors.splice(0).map(({ message }) => message)).toEqual(['task failed'])
  const text = (await metrics.text()).replaceAll(/,?role="\w+",?/g, '')
  expect(text).toContain('kenning_queue_waiting{kind="ingest"} 2')
  expect(text).toContain('kenning_task_duration_seconds_count{kind="ingest",outcome="failed"} 1')
})

test('requests by their route: no id, no query of a URL is a label', async () => {
  const metrics = collectMetrics('api')
  const server = await buildServer({ ...app.deps, metrics })
  try {
    const person = await app.person()
    const token = await app.token(person)
    const workspaceId = await app.workspace(person)
    const headers = { authorization: `Bearer ${token}` }
    await server.inject({ url: `/v1/workspaces/${workspaceId}?secret=1`, headers })
    await server.inject({ url: '/v1/me' })
    await server.inject({ url: '/nowhere/secret' })
    const text = (await metrics.text()).replaceAll(/,?role="\w+",?/g, '')
    expect(text).not.toContain('secret')
    expect(text).not.toContain(workspaceId)
    expect(text).toContain('{method="GET",route="/v1/workspaces/:workspace_id",status="200"} 1')
    expect(text).toContain('{method="GET",route="/v1/me",status="401"} 1')
    expect(text).toContain('{method="GET",route="",status="404"} 1')
  } finally {
    await server.close()
  }
})
