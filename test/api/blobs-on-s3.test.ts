// Uploaded files in a bucket: what is kept is whole or not there, whoever is killed, and what is read is what was kept.

import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { writeBackup } from '../../src/backup/write.ts'
import { getJob } from '../../src/ingest/jobs.ts'
import { getOriginal } from '../../src/ingest/originals.ts'
import { readBackup } from '../../src/operator/backup/restore.ts'
import { type Blobs, BlobsAway } from '../../src/ports/blobs/blobs.ts'
import { checkS3, openS3Blobs, type S3Limits } from '../../src/ports/blobs/s3.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { openPool } from '../../src/reader/pool.ts'
import { testApp } from '../support/app.ts'
import { PATIENT, testDatabase } from '../support/database.ts'
import { callerOf, drain, upload } from '../support/ingest.ts'
import { cutAfter, type Place, type S3Server, s3Server } from '../support/s3rver.ts'
import { freePort } from '../support/service.ts'

const LIMITS: S3Limits = { maxCachedBytes: 2 ** 30, minCachedMs: 3_600_000, firstDelayMs: 1 }
const HOUR_MS = 3_600_000

let server: S3Server
beforeAll(async () => {
  server = await s3Server()
})
afterAll(() => server.close())

/** A machine: with a folder of its own, and the bucket. */
async function machine(
  place: Place = server.place,
  limits: Partial<S3Limits> = {},
): Promise<{ blobs: Blobs; root: string }> {
  const root = mkdtempSync(join(tmpdir(), 'kenning-machine-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return { blobs: await openS3Blobs(place, root, { ...LIMITS, ...limits }), root }
}

/** Objects of one test only. */
const ownPrefix = (): Place => ({ ...server.place, prefix: `${randomBytes(4).toString('hex')}/` })

async function keep(blobs: Blobs, bytes: Buffer): Promise<string> {
  const staged = await blobs.stage(Readable.from([bytes], { objectMode: false }), bytes.length)
  try {
    await blobs.keep(staged)
    return staged.hash
  } finally {
    await blobs.discard(staged)
  }
}

const all = async (blobs: Blobs, olderThanMs = 0): Promise<string[]> => {
  const found: string[] = []
  for await (const hash of blobs.storedHashes(olderThanMs)) found.push(hash)
  return found
}

/** Files of the server below a prefix. */
const objectsIn = ({ prefix }: Place): string[] => {
  const folder = join(server.folder, prefix)
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  return names.filter((name) => name.endsWith('_object')).map((name) => join(folder, name))
}

const age = (path: string): void => {
  const old = new Date(Date.now() - 2 * HOUR_MS)
  utimesSync(path, old, old)
}

test('what one machine keeps another one reads, lists, and removes', async () => {
  const place = ownPrefix()
  const [one, other] = [await machine(place), await machine(place)]
  const bytes = randomBytes(100_000)
  const hash = await keep(one.blobs, bytes)
  expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect(readdirSync(join(one.root, 'staging'))).toEqual([])
  const [path, again] = await Promise.all([other.blobs.open(hash), other.blobs.open(hash)])
  expect(readFileSync(path).equals(bytes)).toBe(true)
  expect(again).toBe(path)
  expect(await other.blobs.size(hash)).toBe(bytes.length)
  expect((await buffer(await other.blobs.read(hash))).equals(bytes)).toBe(true)
  const absent = await machine(place)
    .then(({ blobs }) => blobs.open('0'.repeat(64)))
    .catch((error: { code: string }) => error.code)
  expect(absent).toBe('ENOENT')
  expect(await all(other.blobs)).toEqual([hash])
  expect(await all(other.blobs, HOUR_MS)).toEqual([])
  await other.blobs.remove(hash, HOUR_MS)
  expect(await all(other.blobs)).toEqual([hash])
  await other.blobs.remove(hash, 0)
  expect(await all(other.blobs)).toEqual([])
  expect(objectsIn(place)).toEqual([])
})

test('a file that is kept again while its old object is being removed stays', async () => {
  const place = ownPrefix()
  const { blobs } = await machine(place)
  const hash = await keep(blobs, Buffer.from('again'))
  objectsIn(place).map(age)
  await keep(blobs, Buffer.from('again'))
  expect(objectsIn(place)).toHaveLength(2)
  // As the sweeper of a moment ago would do, which has seen the old one alone.
  await blobs.remove(hash, HOUR_MS)
  expect(objectsIn(place)).toHaveLength(1)
  const other = await machine(place)
  expect(readFileSync(await other.blobs.open(hash), 'utf8')).toBe('again')
  // Of two old ones one is enough.
  await keep(blobs, Buffer.from('again'))
  objectsIn(place).map(age)
  expect(await all(blobs, HOUR_MS)).toEqual([hash])
  expect(objectsIn(place)).toHaveLength(1)
})

test('bytes that are not those that were kept are refused; a whole object is found beside a broken one', async () => {
  const place = ownPrefix()
  const { blobs } = await machine(place)
  const hash = await keep(blobs, Buffer.from('as it was kept'))
  const [object = ''] = objectsIn(place)
  writeFileSync(object, 'as it was sent')
  const fresh = await machine(place)
  await expect(fresh.blobs.open(hash)).rejects.toThrow('has other bytes than were uploaded')
  truncateSync(object, 3)
  await keep(blobs, Buffer.from('as it was kept'))
  age(object)
  expect(await all(blobs, HOUR_MS)).toEqual([])
  expect(readFileSync(await fresh.blobs.open(hash), 'utf8')).toBe('as it was kept')
})

test('fetched files make room for others, those opened last stay', async () => {
  const place = ownPrefix()
  const { blobs: keeper } = await machine(place)
  const hashes: string[] = []
  for (let no = 0; no < 3; no++) hashes.push(await keep(keeper, Buffer.alloc(1000, no)))
  const { blobs, root } = await machine(place, { maxCachedBytes: 2500, minCachedMs: 60_000 })
  for (const hash of hashes) await blobs.open(hash)
  await blobs.sweep(0)
  const fetched = (): number =>
    readdirSync(join(root, 'fetched'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
      .length
  // None has been there for a minute.
  expect(fetched()).toBe(3)
  const [first = '', ...others] = hashes
  for (const hash of others) age(join(root, 'fetched', hash.slice(0, 2), hash.slice(2)))
  await blobs.open(first)
  await blobs.sweep(0)
  expect(fetched()).toBe(2)
  await expect(blobs.open(first)).resolves.toContain(root)
})

test('a server killed in the middle of an upload: nothing is acknowledged, nothing half-written is read, nothing is lost', async () => {
  const app = await testApp()
  onTestFinished(() => app.close())
  const pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  onTestFinished(() => pool.close())
  const place = ownPrefix()
  const person = await app.person()
  const workspaceId = await app.workspace(person)
  const { blobs: safe, root } = await machine(place)
  const before = await upload({ ...app.deps, blobs: safe }, person, workspaceId, {
    'before.md': '# Before\n\nIt was there.\n',
  })
  // The first file is whole when the server dies, the second is not.
  const way = await cutAfter(place, 300_000, () => server.kill())
  onTestFinished(() => way.close())
  const large = `# Large\n\n${'Many words about berths. '.repeat(20_000)}`
  const { blobs: cut } = await machine(way.place)
  const files = { 'small.md': '# Small\n\nA berth.\n', 'large.md': large }
  const refused = await upload({ ...app.deps, blobs: cut }, person, workspaceId, files).catch(
    (error: unknown) => error,
  )
  expect(refused).toBeInstanceOf(BlobsAway)
  expect(refused).toMatchObject({ status: 503 })
  const jobs = await app.send('GET', `/v1/workspaces/${workspaceId}/jobs`, await app.token(person))
  expect((jobs.body as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual([before.id])
  // While the server is away, reading waits and does not count as a failure.
  rmSync(join(root, 'fetched'), { recursive: true })
  const { blobs: away } = await machine({ ...place })
  await expect(away.open('0'.repeat(64))).rejects.toBeInstanceOf(BlobsAway)
  await server.start()
  const back = { ...place, endpoint: server.place.endpoint }
  const { blobs } = await machine(back)
  const deps = { ...app.deps, blobs, parser: pool }
  const again = await upload(deps, person, workspaceId, files)
  await drain(deps)
  for (const { id } of [before, again])
    expect((await getJob(deps, callerOf(person), id)).files.map(({ status }) => status)).not.toContain(
      'failed',
    )
  const made = (await getJob(deps, callerOf(person), again.id)).files[1]?.document_id ?? ''
  const other = await machine(back)
  const original = await getOriginal({ ...deps, blobs: other.blobs }, callerOf(person), workspaceId, made)
  expect((await buffer(original.read(0, original.size - 1))).toString()).toBe(large)
})

test('a backup holds the files of a bucket, and is restored into another one', async () => {
  const app = await testApp()
  onTestFinished(() => app.close())
  const { blobs, root } = await machine(ownPrefix())
  const person = await app.person()
  const workspaceId = await app.workspace(person)
  await upload({ ...app.deps, blobs }, person, workspaceId, {
    'a.md': '# A\n\nOne.\n',
    'b.md': '# B\n\nTwo.\n',
  })
  const folder = mkdtempSync(join(tmpdir(), 'kenning-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const manifest = await writeBackup(app.deps.db, { blobs, dataDir: root }, folder)
  expect(manifest.blobs).toHaveLength(2)
  const database = await testDatabase()
  const db = openDb(database.connection, PATIENT)
  onTestFinished(async () => {
    await db.close()
    await database.close()
  })
  const restored = await machine(ownPrefix())
  await readBackup(db, { blobs: restored.blobs, dataDir: restored.root }, folder, manifest)
  expect(await all(restored.blobs)).toEqual(manifest.blobs)
})

test('at the start it is said what is wrong with a bucket', async () => {
  await expect(checkS3(server.place, LIMITS)).resolves.toBeUndefined()
  await expect(checkS3({ ...server.place, bucket: 'absent' }, LIMITS)).rejects.toThrow(
    /cannot list objects of the bucket absent at 127\.0\.0\.1:\d+: there is no such bucket$/,
  )
  const nobody = { ...server.place, endpoint: `http://127.0.0.1:${await freePort()}` }
  await expect(checkS3(nobody, LIMITS)).rejects.toMatchObject({
    message: expect.stringContaining('it cannot be reached'),
    cause: expect.any(BlobsAway),
  })
  // A key that may read only, and a bucket of another region.
  for (const [status, method, why] of [
    [403, 'PUT', /cannot write to .*: the key may not \(403 AccessDenied\)$/],
    [301, 'GET', /cannot list objects of .*: the bucket is in another region/],
  ] as const) {
    const strict = createServer((request, response) => {
      const refused = request.method === method
      const error = '<Error><Code>AccessDenied</Code></Error>'
      const list = '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>'
      request.resume()
      response
        .writeHead(refused ? status : 200, { 'content-type': 'application/xml' })
        .end(refused ? error : list)
    })
    await new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void strict.close())
    const endpoint = `http://127.0.0.1:${(strict.address() as AddressInfo).port}`
    await expect(checkS3({ ...server.place, endpoint }, LIMITS)).rejects.toThrow(why)
  }
})
