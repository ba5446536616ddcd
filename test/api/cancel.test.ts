// Cancelling leaves nothing behind: before every call to the database, and at random moments while a parser is working. All
// tables, the blobs, the cache and the earlier contents of the workspace are compared; a file that was done before the cancel
// is deleted first.

import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cancelJob, getJob } from '../../src/ingest/jobs.ts'
import { deleteDocument } from '../../src/ingest/remove.ts'
import { removeUnreferencedPages } from '../../src/ingest/sweep.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { makeDocx, wordParagraph } from '../support/files/office.ts'
import { parseBytes } from '../support/files/parse.ts'
import { makePdf, prose } from '../support/files/pdf.ts'
import { EVERY, FULL } from '../support/full.ts'
import { type Holdings, holdings, rowCounts, rowsLeft } from '../support/holdings.sql.ts'
import {
  blobsOf,
  callerOf,
  disturbedBefore,
  drain,
  runDisturbed,
  runWorker,
  settle,
  upload,
  type WorkDeps,
} from '../support/ingest.ts'
import { multipart } from '../support/world.ts'

const FACTS = 'Ingrid Solheim works for Halden Harbour Ltd. Halden Harbour Ltd is based in Norway.'

const KEPT = `# Pumps\n\n${FACTS} Pump BW-1 feeds basin 1.`

let app: TestApp
let owner: Person
let pool: ParserPool
let deps: WorkDeps
let dataDir: string
let workspaceId: string

beforeAll(async () => {
  app = await testApp({ askPerHour: 1000 })
  owner = await app.person()
  dataDir = app.deps.settings.dataDir
  pool = openPool({ size: 2, cacheDir: dataDir, log: app.deps.log })
  deps = { ...app.deps, parser: pool }
  workspaceId = await app.workspace(owner)
  // A neighbour that shares words and names with what is cancelled: their counts must come back to its own.
  await upload(deps, owner, workspaceId, { 'kept.md': KEPT })
  await drain(deps)
})
afterAll(async () => {
  await pool.close()
  await app.close()
})

interface Everything {
  held: Omit<Holdings, 'files'>
  rows: Record<string, number>
  blobs: string[]
  cached: string[]
}

// What happened stays on record, how much was asked this hour, and who owned a workspace that is deleted; the rest must be as before.
const RECORDS = new Set(['job', 'job_file', 'activity', 'asked', 'asker', 'former_workspace'])

async function everything(): Promise<Everything> {
  // Work that waits a second because a document changed under it is not what this is about.
  do await deps.db.rows(sql`UPDATE task SET run_after = now() WHERE lease_until IS NULL`)
  while ((await drain(deps)) > 0)
  await settle(deps, dataDir)
  await removeUnreferencedPages(deps)
  const { files: _, ...held } = await holdings(deps.db, workspaceId)
  const rows = Object.entries(await rowCounts(deps.db)).filter(([table]) => !RECORDS.has(table))
  const cache = join(dataDir, 'cache')
  const entries = existsSync(cache) ? readdirSync(cache, { recursive: true, withFileTypes: true }) : []
  return {
    held,
    rows: Object.fromEntries(rows),
    blobs: blobsOf(dataDir),
    cached: entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name)),
  }
}

/** How the job's one file ended; one that was done before is deleted. */
async function ended(jobId: string): Promise<'cancelled' | 'done'> {
  const { status, files } = await getJob(deps, callerOf(owner), jobId)
  const [file] = files
  expect(status).toBe('done')
  if (file?.status === 'done') {
    await deleteDocument(app.deps, callerOf(owner), { workspaceId, documentId: file.document_id ?? '' })
    await drain(deps)
    return 'done'
  }
  expect(file).toMatchObject({ status: 'failed', error: 'The upload was cancelled.' })
  return 'cancelled'
}

// Bytes of their own each time: else the blob, the cache and the document of the time before would answer.
const contents: [name: string, bytes: (mark: string) => Buffer | Promise<Buffer>][] = [
  [
    'manual.md',
    (mark) =>
      Buffer.from(
        `# Manual ${mark}\n\n${Array.from({ length: 30 }, (_, no) => `## Berth ${no}\n\nPump BW-${no} feeds basin ${no}. ${FACTS}`).join('\n\n')}`,
      ),
  ],
  ['letter.docx', (mark) => makeDocx(wordParagraph(`${FACTS} ${mark}`))],
]

// The parsers themselves, in this process: a child that is killed each time takes seconds to come back.
const here: WorkDeps['parser'] = {
  parse: async ({ path, kind, onProgress }) => {
    onProgress?.(0.5)
    return parseBytes(kind, await readFile(path))
  },
}

test.each(FULL ? contents : contents.slice(0, 1))(
  'cancelled before its calls to the database: %s',
  async (name, bytes) => {
    const before = await everything()
    const ends = { cancelled: 0, done: 0 }
    for (let no = 1; ; no += EVERY) {
      const { id } = await upload(deps, owner, workspaceId, { [name]: await bytes(`no ${no}`) })
      let happened = false
      const db = disturbedBefore(deps.db, no, async () => {
        happened = true
        await cancelJob(deps, callerOf(owner), id)
      })
      await runDisturbed({ ...deps, parser: here }, db, 'cancelled')
      await drain({ ...deps, parser: here })
      ends[await ended(id)]++
      expect(await everything(), `call ${no}`).toEqual(before)
      if (!happened) break
    }
    // A letter is read by eight calls.
    expect(ends.cancelled).toBeGreaterThan(7 / EVERY)
    expect(ends.done).toBeGreaterThanOrEqual(FULL ? 3 : 1)
  },
)

test('cancelled at any moment with real parsers and a real worker', async () => {
  const before = await everything()
  const stop = new AbortController()
  const work = runWorker(deps, { name: 'at work', concurrency: 2, signal: stop.signal })
  let no = 0
  const pages = (mark: string) =>
    Array.from({ length: 40 }, (_, page) => prose([FACTS, `${mark}, page ${page} of the pump log.`]))
  const files = [['log.pdf', (mark: string) => makePdf(pages(mark))], ...contents] as [
    string,
    (mark: string) => Buffer | Promise<Buffer>,
  ][]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...files), fc.nat(400), async ([name, bytes], ms) => {
      const { id } = await upload(deps, owner, workspaceId, { [name]: await bytes(`moment ${no++}`) })
      await sleep(ms)
      await cancelJob(deps, callerOf(owner), id)
      await ended(id)
    }),
    { numRuns: 12 },
  )
  stop.abort()
  await work
  await drain(deps)
  expect(await everything()).toEqual(before)
})

test('F-15: fifty at once delete, upload, ask and read while it is ingested, five times: one delete counts, nothing is left', async () => {
  const token = await app.token(owner)
  const before = await everything()
  const stop = new AbortController()
  const work = runWorker(deps, { name: 'at work', concurrency: 2, signal: stop.signal })
  const deleted: string[] = []
  for (let round = 0; round < 5; round++) {
    const id = await app.workspace(owner)
    deleted.push(id)
    const path = `/v1/workspaces/${id}`
    // What another workspace holds as well must stay there.
    await upload(deps, owner, id, { 'kept.md': KEPT, 'more.md': `${FACTS} Round ${round}.` })
    await sleep(round * 60)
    const asks = [
      () => app.send('DELETE', path, token),
      () => app.send('POST', `${path}/files`, token, multipart([{ name: `${round}.md`, text: FACTS }])),
      () => app.send('POST', `${path}/search`, token, { body: { query: 'pump' } }),
      () =>
        app.send('POST', `${path}/ask`, token, { body: { question: 'Where is Halden Harbour Ltd based?' } }),
      () => app.send('GET', `${path}/documents`, token),
    ]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, no) => asks[(no * 7 + round) % asks.length]?.()),
    )
    const deletes = answers.filter((_, no) => (no * 7 + round) % asks.length === 0)
    expect(deletes.map((answer) => answer?.status).sort()).toEqual([204, ...Array(9).fill(404)])
    // 503: more uploads at once than are taken.
    for (const answer of answers) expect([200, 202, 204, 404, 503]).toContain(answer?.status)
  }
  stop.abort()
  await work
  expect(await everything()).toEqual(before)
  for (const id of deleted) expect(await rowsLeft(deps.db, id)).toEqual({})
})
