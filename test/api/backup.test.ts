// A backup of a library in use, restored to an empty database of either kind: every row is equal, every file is there, and the
// restored library answers. What is damaged, in use or of another version is refused, and nothing is written.

import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WorkDeps } from '../../src/app.ts'
import { problemsOf } from '../../src/backup/check.ts'
import { blobFile, type Manifest, readManifest, tableFile } from '../../src/backup/manifest.ts'
import { inOrder } from '../../src/backup/tables.sql.ts'
import { writeBackup } from '../../src/backup/write.ts'
import { readBackup } from '../../src/operator/backup/restore.ts'
import { openDiskBlobs } from '../../src/ports/blobs/disk.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { openSeal } from '../../src/ports/seal.ts'
import { startEngine } from '../../src/processes/engine.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { findPassages } from '../../src/search/search.ts'
import { createWorkspace } from '../../src/workspaces/workspaces.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { migratedDirectory, PATIENT, testDatabase, testLog } from '../support/database.ts'
import { everyRow } from '../support/every-row.ts'
import { callerOf, drain, upload, uploaded } from '../support/ingest.ts'

let app: TestApp
let owner: Person
let pool: ParserPool
let deps: WorkDeps
let workspaceId: string
let folder: string
let manifest: Manifest

const filesOf = ({ deps: { blobs, settings } }: TestApp) => ({ blobs, dataDir: settings.dataDir })
const filesIn = async (dataDir: string) => ({ blobs: await openDiskBlobs(dataDir), dataDir })

const FILES = {
  'Port/rules.md': '# Rules\n\nHalden Harbour AS has twelve berths. Maria Lind keeps them. Größe: 3 µm.\n',
  'prices.csv': 'item,price\nberth,12\npump,7\n',
}

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  workspaceId = await app.workspace(owner)
  pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  deps = { ...app.deps, parser: pool }
  await uploaded(deps, owner, workspaceId, FILES)
  // One more version, a file that still waits, a question: what is under way is in the backup too.
  await upload(deps, owner, workspaceId, { 'prices.csv': 'item,price\nberth,13\npump,7\n' })
  await drain(deps)
  const token = await app.token(owner)
  await app.send('POST', `/v1/workspaces/${workspaceId}/ask`, token, {
    body: { question: 'How many berths?' },
  })
  await upload(deps, owner, workspaceId, { 'late.txt': 'Not yet read.' })
  await openSeal(app.deps.settings.dataDir)
  folder = mkdtempSync(join(tmpdir(), 'kenning-backup-'))
  manifest = await writeBackup(app.deps.db, filesOf(app), folder)
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await pool.close()
  await app.close()
})

/** An empty database and data folder for the time of a test. */
async function inEmpty(
  kind: 'same' | 'embedded',
  work: (db: Db, dataDir: string) => Promise<void>,
): Promise<void> {
  const dataDir =
    kind === 'same' ? mkdtempSync(join(tmpdir(), 'kenning-restored-')) : await migratedDirectory()
  const database = kind === 'same' ? await testDatabase() : undefined
  const engine = database ? undefined : await startEngine({ dataDir, log: testLog })
  const db = openDb(database?.connection ?? { socketDir: engine?.socketDir ?? '' }, PATIENT)
  try {
    await work(db, dataDir)
  } finally {
    await db.close()
    await (database?.close() ?? engine?.stop())
    rmSync(dataDir, { recursive: true, force: true })
  }
}

test('F-19: every row and every file comes back, and what was restored works on', async () => {
  expect(await problemsOf(folder)).toEqual([])
  await inEmpty('same', async (db, dataDir) => {
    await readBackup(db, await filesIn(dataDir), folder, manifest)
    expect(await everyRow(db)).toEqual(await everyRow(app.deps.db))
    for (const name of manifest.blobs)
      expect(readFileSync(join(dataDir, blobFile(name)))).toEqual(readFileSync(join(folder, blobFile(name))))
    const keyOf = (place: string) => readFileSync(join(place, 'secret.key'), 'utf8')
    expect(keyOf(dataDir)).toBe(keyOf(app.deps.settings.dataDir))
    const restored = { ...deps, db }
    const found = await findPassages(restored, callerOf(owner), workspaceId, {
      query: 'twelve berths',
      limit: 1,
    })
    expect(found[0]?.text).toContain('Halden Harbour AS has twelve berths.')
    // New rows get new numbers: the counters went on behind those of the backup, or the activity log would refuse it.
    const made = await createWorkspace(restored, callerOf(owner), {
      name: 'Another',
      description: '',
    })
    expect(made.name).toBe('Another')
  })
})

test.runIf(process.env.DATABASE_URL !== undefined)(
  'from a server to the embedded database and back',
  async () => {
    await inEmpty('embedded', async (embedded, embeddedDir) => {
      await readBackup(embedded, await filesIn(embeddedDir), folder, manifest)
      const again = mkdtempSync(join(tmpdir(), 'kenning-backup-'))
      const back = await writeBackup(embedded, await filesIn(embeddedDir), again)
      await inEmpty('same', async (db, dataDir) => {
        // The very key may be there as a file that nobody may write, from a secret of Kubernetes.
        const key = join(dataDir, 'secret.key')
        cpSync(join(again, 'secret.key'), key)
        utimesSync(key, 1, 1)
        await readBackup(db, await filesIn(dataDir), again, back)
        expect(statSync(key).mtimeMs).toBe(1000)
        expect((await everyRow(db)).chunk).toEqual((await everyRow(embedded)).chunk)
        expect(await everyRow(db)).toEqual(await everyRow(embedded))
      })
      rmSync(again, { recursive: true, force: true })
    })
  },
)

test('a database that is in use is left alone', async () => {
  await expect(readBackup(app.deps.db, filesOf(app), folder, manifest)).rejects.toThrow(
    /The database is in use: its table \w+ has rows/,
  )
})

/** A copy of the backup, changed. */
async function withCopy(
  change: (copy: string) => void,
  then: (copy: string) => Promise<void>,
): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'kenning-backup-'))
  try {
    cpSync(folder, copy, { recursive: true })
    change(copy)
    await then(copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

test('what is missing or damaged is said by name', async () => {
  const [blob = ''] = manifest.blobs
  await withCopy(
    (copy) => {
      rmSync(join(copy, blobFile(blob)))
      const path = join(copy, tableFile('workspace'))
      writeFileSync(
        path,
        gzipSync(
          gunzipSync(readFileSync(path))
            .toString()
            .replace(/"name"/, '"nome"'),
        ),
      )
    },
    async (copy) =>
      expect(await problemsOf(copy)).toEqual([
        `${tableFile('workspace')} is damaged: its bytes are not those that were written.`,
        `${blobFile(blob)} is missing.`,
      ]),
  )
  await withCopy(
    (copy) => rmSync(join(copy, 'manifest.json')),
    async (copy) =>
      expect((await problemsOf(copy))[0]).toMatch(/is not a whole backup: it has no manifest\.json/),
  )
})

test('a backup of a later version is refused before anything is written', async () => {
  const later = {
    ...(await readManifest(folder)),
    migrations: [...manifest.migrations, { version: 9999, name: '9999_later.sql', checksum: 'a'.repeat(64) }],
  }
  await inEmpty('same', async (db, dataDir) => {
    await expect(readBackup(db, await filesIn(dataDir), folder, later)).rejects.toThrow(
      /made by a later version.*9999_later\.sql/,
    )
  })
})

test('tables come after those they refer to', () => {
  const table = (name: string, ...referencedTables: string[]) => ({
    name,
    referencedTables,
    columns: [],
    identityColumns: [],
  })
  const names = inOrder([table('chunk', 'version'), table('version', 'document'), table('document')]).map(
    ({ name }) => name,
  )
  expect(names).toEqual(['document', 'version', 'chunk'])
  expect(() => inOrder([table('a', 'b'), table('b', 'a')])).toThrow(/refer to each other: a, b/)
})
