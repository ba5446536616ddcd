// Fairness of parsers: a small file becomes searchable however many files of other workspaces hang.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Job } from '../../src/contract/resources.ts'
import { parserLimits } from '../../src/reader/limits.ts'
import { openPool } from '../../src/reader/pool.ts'
import { bodyOf, testApp } from '../support/app.ts'
import { claimedLong } from '../support/holdings.sql.ts'
import { type Files, runWorker, upload } from '../support/ingest.ts'
import { program } from '../support/program.ts'

test('F-12: a small file does not wait for files of four other workspaces whose parsers hang', async () => {
  const app = await testApp()
  const owner = await app.person()
  const token = await app.token(owner)
  const stop = new AbortController()
  const open = (timeSliceMs: number) =>
    openPool({
      size: 1,
      cacheDir: app.deps.settings.dataDir,
      log: app.deps.log,
      program: fileURLToPath(program('poison-parser')),
      limits: { baseMs: parserLimits.capMs, pollMs: 20, timeSliceMs },
    })
  const [parser, fairnessParser] = [open(Number.POSITIVE_INFINITY), open(500)]
  const { cache: _, ...rest } = app.deps
  const deps = { ...rest, embedder: async () => ({ kind: 'none' as const }), parser, fairnessParser }
  const jobOf = async (id: string): Promise<Job> => bodyOf(await app.send('GET', `/v1/jobs/${id}`, token))
  const send = async (files: Files) => {
    const workspace = await app.workspace(owner)
    return { workspace, id: (await upload(deps, owner, workspace, files)).id }
  }
  const until = async (holds: () => Promise<boolean>) => {
    while (!(await holds())) await sleep(50)
  }
  const hostile = [
    await send({ 'silent.txt': 'one', 'loops.txt': 'two' }),
    await send({ 'silent.txt': 'three' }),
  ]
  const work = runWorker(deps, {
    name: randomUUID(),
    concurrency: 2,
    extraSlots: 1,
    fairnessSlots: true,
    signal: stop.signal,
  })
  try {
    const isRunning = async ({ id }: { id: string }) => (await jobOf(id)).status === 'running'
    await until(async () => (await Promise.all(hostile.map(isRunning))).every(Boolean))
    // Both slots are held; those that come now stand before the small one in the line for the others.
    for (const text of ['four', 'five']) hostile.push(await send({ 'silent.txt': text }))
    const small = await send({ 'fine.txt': 'A fine day.' })
    await until(async () => (await jobOf(small.id)).status === 'done')
    expect((await jobOf(small.id)).files.map(({ status }) => status)).toEqual(['done'])
    const found = await app.send('POST', `/v1/workspaces/${small.workspace}/search`, token, {
      body: { query: 'fine' },
    })
    expect(bodyOf<{ data: object[] }>(found).data).toHaveLength(1)
    // Those that had their turn are not lost, and those that hold the slots hold them still.
    expect(await claimedLong(app.deps.db)).toHaveLength(2)
    const states = await Promise.all(hostile.map(async ({ id }) => (await jobOf(id)).files))
    expect(states.flat().map(({ status }) => status)).not.toContain('done')
    expect(states.flat().map(({ status }) => status)).not.toContain('failed')
  } finally {
    stop.abort()
    await parser.close()
    await fairnessParser.close()
    await work
    await app.close()
  }
})
