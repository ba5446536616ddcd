// A worker that is killed, stalls, or loses its workspace, before each of its calls to the database in turn (F-01, F-10, F-15
// in test/faults.md; cancel.test.ts does the same with cancelling). Acknowledged work is completed as if
// nothing had happened; abandoned work leaves nothing behind.

import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import type { SearchResults } from '../../src/contract/resources.ts'
import { getJob } from '../../src/ingest/jobs.ts'
import { deleteDocument } from '../../src/ingest/remove.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { deleteWorkspace } from '../../src/workspaces/workspaces.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { EVERY, FULL } from '../support/full.ts'
import { expireLeases, type Holdings, holdings, rowsLeft } from '../support/holdings.sql.ts'
import {
  callerOf,
  counted,
  disturbedBefore,
  drain,
  killedBefore,
  rememberingParser,
  runDisturbed,
  samples,
  settle,
  upload,
  type WorkDeps,
} from '../support/ingest.ts'

let app: TestApp
let owner: Person
let pool: ParserPool
let deps: WorkDeps
let dataDir: string
const files = await samples()

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  dataDir = app.deps.settings.dataDir
  pool = openPool({ size: 1, cacheDir: dataDir, log: app.deps.log })
  deps = { ...app.deps, parser: rememberingParser(pool) }
})
afterAll(async () => {
  await pool.close()
  await app.close()
})

interface Started {
  workspaceId: string
  jobId: string
}

async function start(name: string, bytes: Buffer): Promise<Started> {
  const workspaceId = await app.workspace(owner)
  const job = await upload(deps, owner, workspaceId, { [name]: bytes })
  return { workspaceId, jobId: job.id }
}

/** What a search of the workspace finds, by its ids. */
async function foundIn(workspaceId: string): Promise<unknown[]> {
  const answer = await app.send('POST', `/v1/workspaces/${workspaceId}/search`, await app.token(owner), {
    body: { query: 'pump basin Halden Harbour', limit: 20 },
  })
  return bodyOf<SearchResults>(answer).data
}

/** What an undisturbed worker makes of the file, and with how many calls. */
async function calm(name: string, bytes: Buffer): Promise<{ wanted: Holdings; calls: number }> {
  const { workspaceId } = await start(name, bytes)
  const { db, calls } = counted(deps.db)
  await runDisturbed(deps, db, 'calm')
  await drain(deps)
  await settle(deps, dataDir)
  const wanted = await holdings(deps.db, workspaceId)
  expect(wanted.tasks).toEqual([])
  expect(wanted.documents.length).toBe(1)
  expect(wanted.versions).toEqual([{ state: 'live', folded: true, settled: true }])
  return { wanted, calls: calls() }
}

/**
 * One worker stands still before its call `first` until another, which took its task over, stands still before its call
 * `second`; the first goes on to its end, and then the other.
 */
async function atOnce(first: number, second: number): Promise<void> {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let other: Promise<void> = Promise.resolve()
  const stalled = disturbedBefore(deps.db, first, async () => {
    await expireLeases(deps.db, 'first')
    await new Promise<void>((halted) => {
      const held = disturbedBefore(deps.db, second, () => {
        halted()
        return ended
      })
      other = runDisturbed(deps, held, 'second').finally(halted)
    })
  })
  await runDisturbed(deps, stalled, 'first')
  end()
  await other
}

/** Calls 1 to one behind the last, every `step`-th; kinds and rounds begin at different ones, and meet more of them together. */
const points = (kind: number, { task }: TestContext, calls: number, step: number): number[] =>
  Array.from({ length: calls + 1 }, (_, no) => no + 1).filter(
    (no) => (no + kind + (task.result?.repeatCount ?? 0)) % step === 0,
  )
// Asked for at each commit: two at each of nine stages, of four kinds.
const WANTED_KILLS = 72
const kills: number[] = []

describe.each(files.map(([name, bytes], kind) => ({ name, bytes, kind })))(
  '$name',
  ({ name, bytes, kind }) => {
    let wanted: Holdings
    let calls: number
    beforeAll(async () => {
      const undisturbed = await calm(name, bytes)
      wanted = undisturbed.wanted
      calls = undisturbed.calls
      expect(calls).toBeGreaterThan(15)
    })

    test('F-01: killed before any call: another worker finishes with the same result', async (context) => {
      for (const no of points(kind, context, calls, 2)) {
        kills.push(no)
        const { workspaceId, jobId } = await start(name, bytes)
        await runDisturbed(deps, killedBefore(deps.db, no), 'killed')
        await drain(deps)
        await settle(deps, dataDir)
        expect(await holdings(deps.db, workspaceId), `call ${no}`).toEqual(wanted)
        expect((await getJob(deps, callerOf(owner), jobId)).status).toBe('done')
      }
    })

    test('F-10: stalled before any call until another has taken over: its later writes have no effect', async (context) => {
      for (const no of points(kind, context, calls, 3 * EVERY)) {
        const { workspaceId } = await start(name, bytes)
        const stalled = disturbedBefore(deps.db, no, async () => {
          await expireLeases(deps.db, 'stalled')
          await drain(deps)
        })
        await runDisturbed(deps, stalled, 'stalled')
        await drain(deps)
        await settle(deps, dataDir)
        expect(await holdings(deps.db, workspaceId), `call ${no}`).toEqual(wanted)
      }
    })

    test('F-10: stalled before any call until another has finished and the document was deleted: it stays deleted', async (context) => {
      for (const no of points(kind, context, calls, 3 * EVERY)) {
        const { workspaceId, jobId } = await start(name, bytes)
        let happened = false
        const stalled = disturbedBefore(deps.db, no, async () => {
          happened = true
          await expireLeases(deps.db, 'stalled')
          await drain(deps)
          const { files: done } = await getJob(deps, callerOf(owner), jobId)
          await deleteDocument(app.deps, callerOf(owner), {
            workspaceId,
            documentId: done[0]?.document_id ?? '',
          })
        })
        await runDisturbed(deps, stalled, 'stalled')
        await drain(deps)
        await settle(deps, dataDir)
        const { documents, chunks, terms, entities, versions } = await holdings(deps.db, workspaceId)
        const left = [documents, chunks, terms, entities, versions]
        // Behind its last call nobody was disturbed; how many there are hangs on how long it took, by its reports.
        if (happened) expect(left, `call ${no}`).toEqual([[], [], [], [], []])
      }
    })

    test('F-10: two workers on one task, the first resuming while the other is in the middle: it is done once', async (context) => {
      for (const no of points(kind, context, calls, 3 * EVERY)) {
        const { workspaceId, jobId } = await start(name, bytes)
        await atOnce(no, 2 + ((no * 5) % 11))
        await drain(deps)
        await settle(deps, dataDir)
        expect(await holdings(deps.db, workspaceId), `call ${no}`).toEqual(wanted)
        expect((await getJob(deps, callerOf(owner), jobId)).status).toBe('done')
      }
    })

    test('F-15: its workspace deleted before any call, three times at once: one delete counts, no row is left', async (context) => {
      // The same file in another workspace stays as it is, whatever happens to this one's.
      const other = await start(name, bytes)
      await drain(deps)
      const found = await foundIn(other.workspaceId)
      expect(found.length).toBeGreaterThan(0)
      for (const no of points(kind, context, calls, 3 * EVERY)) {
        const { workspaceId } = await start(name, bytes)
        let happened = false
        const deleted = disturbedBefore(deps.db, no, async () => {
          happened = true
          const all = await Promise.allSettled(
            Array.from({ length: 3 }, () => deleteWorkspace(app.deps, callerOf(owner), workspaceId)),
          )
          expect(all.filter(({ status }) => status === 'fulfilled').length).toBe(1)
        })
        await runDisturbed(deps, deleted, 'deleted')
        await drain(deps)
        await settle(deps, dataDir)
        if (happened) expect(await rowsLeft(deps.db, workspaceId), `call ${no}`).toEqual({})
      }
      expect(await holdings(deps.db, other.workspaceId)).toEqual(wanted)
      expect(await foundIn(other.workspaceId)).toEqual(found)
    })
  },
)

test(`F-01: at least ${WANTED_KILLS} kills in total`, () => {
  if (FULL) console.log(`killed ${kills.length} times`)
  expect(kills.length).toBeGreaterThanOrEqual(WANTED_KILLS)
})
