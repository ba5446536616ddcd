// Blobs in a bucket of an S3 server, as <prefix>ab/cdef…/<random> (docs/decisions/0035-blobs-on-s3.md). Uploads are first written
// to a local folder. Fetched files are in another folder, which is a cache and may be deleted at any time.
//
// Each upload makes a new object, even for the same bytes. So removing an old object never removes a newer one; S3 has no way to
// remove an object only if it is unchanged.

import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ListObject, S3mini } from 's3mini'
import { isDiskFull } from '../db/db-errors.ts'
import { send } from '../outbound/send.ts'
import { type Blobs, BlobsAway, type StagedFile } from './blobs.ts'
import { isOlder, openStaging } from './staging.ts'

export interface S3Place {
  /** The origin of the server. */
  endpoint: string
  region: string
  bucket: string
  /** Empty, or ends with a slash. */
  prefix: string
  keyId: string
  secret: string
}

export interface S3Limits {
  /** The limit of the folder of fetched files. */
  maxCachedBytes: number
  /** How long a fetched file stays after it was opened. */
  minCachedMs: number
  /** The pause before the second attempt, which doubles with each further one. */
  firstDelayMs: number
}

const DEFAULT_LIMITS: S3Limits = { maxCachedBytes: 5 * 2 ** 30, minCachedMs: 3_600_000, firstDelayMs: 500 }

const MAX_ATTEMPTS = 4
const ANSWER_MS = 30_000
// The slowest accepted connection, 80 kbit/s, as for uploads.
const MIN_BYTES_PER_MS = 10
const OBJECTS_PER_PAGE = 1000

/** Creates the folders if necessary, without a request to the server. @param root the data directory */
export async function openS3Blobs(
  location: S3Place,
  root: string,
  limits: S3Limits = DEFAULT_LIMITS,
): Promise<Blobs> {
  const stagingArea = await openStaging(root)
  const cache = join(root, 'fetched')
  await mkdir(cache, { recursive: true, mode: 0o700 })
  const bucket = openBucket(location, limits)
  const folderOf = (hash: string): string => `${location.prefix}${hash.slice(0, 2)}/${hash.slice(2)}/`
  const pathOf = (hash: string): string => join(cache, hash.slice(0, 2), hash.slice(2))
  const fetches = new Map<string, Promise<string>>()
  let bytesSinceEviction = 0

  /** The objects of a hash, the best first. @throws ENOENT */
  async function objectsOf(hash: string): Promise<ListObject[]> {
    const objects: ListObject[] = []
    for await (const object of bucket.list(folderOf(hash))) objects.push(object)
    if (objects.length === 0) throw noSuchFile(hash)
    return objects.sort(bestFirst)
  }

  async function open(hash: string): Promise<string> {
    const path = pathOf(hash)
    if (await markAsOpened(path)) return path
    const fetching = fetches.get(hash) ?? fetchBlob(hash).finally(() => fetches.delete(hash))
    fetches.set(hash, fetching)
    return fetching
  }

  async function fetchBlob(hash: string): Promise<string> {
    let damagedObjects = 0
    for (const { Key, Size } of await objectsOf(hash)) {
      const body = await bucket.get(Key, Size)
      // The object was removed after the listing, because there is a newer one.
      if (!body) continue
      const stagedFile = await stagingArea.stage(body, Size).catch((error: unknown) => {
        throw isDiskFull(error) ? error : new BlobsAway(error)
      })
      if (stagedFile.hash === hash) {
        await moveTo(stagedFile, pathOf(hash)).catch(async (error: unknown) => {
          await stagingArea.discard(stagedFile)
          throw error
        })
        bytesSinceEviction += stagedFile.size
        if (bytesSinceEviction > limits.maxCachedBytes / 8) {
          bytesSinceEviction = 0
          await evict(cache, limits)
        }
        return pathOf(hash)
      }
      damagedObjects++
      await stagingArea.discard(stagedFile)
    }
    if (damagedObjects === 0) throw noSuchFile(hash)
    throw new Error(
      `The object of ${hash} in the bucket ${location.bucket} has other bytes than were uploaded.`,
    )
  }

  return {
    ...stagingArea,
    keep: async (stagedFile) => {
      await bucket.put(folderOf(stagedFile.hash) + randomUUID(), stagedFile)
      await moveTo(stagedFile, pathOf(stagedFile.hash))
    },
    open,
    read: async (hash) => createReadStream(await open(hash)),
    size: async (hash) =>
      (await stat(pathOf(hash)).catch(() => undefined))?.size ?? (await objectsOf(hash))[0]?.Size ?? 0,
    storedHashes: (olderThanMs) => listObjects(bucket, location.prefix, olderThanMs),
    remove: async (hash, olderThanMs) => {
      const objects = await objectsOf(hash).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
        throw error
      })
      for (const object of objects) if (isOlderObject(object, olderThanMs)) await bucket.remove(object.Key)
    },
    sweep: async (olderThanMs) => {
      await evict(cache, limits)
      return stagingArea.sweep(olderThanMs)
    },
  }
}

/**
 * Writes, lists, reads and removes a small object. Kenning uses no other operations.
 * @throws Error that says which step failed and what to check; its cause is a BlobsAway if a later try may succeed
 */
export async function checkS3(location: S3Place, limits: S3Limits = DEFAULT_LIMITS): Promise<void> {
  const bucket = openBucket(location, limits)
  const bucketName = `the bucket ${location.bucket} at ${new URL(location.endpoint).host}`
  const key = `${location.prefix}check/${randomUUID()}`
  const step = async (action: string, work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) => {
      const message = `Kenning cannot ${action} ${bucketName}: ${reasonOf(error)}`
      throw new Error(message, { cause: error })
    })
  }
  await step('list objects of', async () => {
    for await (const _ of bucket.list(`${location.prefix}check/`)) break
  })
  await step('write to', () => bucket.putText(key, 'Kenning was here.'))
  await step('read from', async () => {
    for await (const _ of (await bucket.get(key, 100)) ?? []);
  })
  await step('delete from', () => bucket.remove(key))
}

interface Bucket {
  /** The objects in the order of their keys. */
  list(prefix: string): AsyncGenerator<ListObject>
  put(key: string, stagedFile: StagedFile): Promise<void>
  putText(key: string, text: string): Promise<void>
  /** Undefined when the object does not exist. */
  get(key: string, bytes: number): Promise<Readable | undefined>
  remove(key: string): Promise<void>
}

function openBucket(location: S3Place, { firstDelayMs }: S3Limits): Bucket {
  const client = (bytes = 0): S3mini =>
    new S3mini({
      endpoint: `${location.endpoint.replace(/\/+$/, '')}/${location.bucket}`,
      region: location.region,
      accessKeyId: location.keyId,
      secretAccessKey: location.secret,
      fetch: (url, init) =>
        // A redirect is not followed: it would send the stored bytes to another server.
        send(url as string | URL, {
          ...(init as Parameters<typeof send>[1]),
          signal: AbortSignal.timeout(ANSWER_MS + Math.ceil(bytes / MIN_BYTES_PER_MS)),
        }),
    })
  const smallRequests = client()
  const withRetry = <T>(work: () => Promise<T>): Promise<T> => withRetries(work, firstDelayMs)
  return {
    async *list(prefix) {
      for (let token: string | undefined; ; ) {
        const page = await withRetry(() =>
          smallRequests.listObjectsPaged('/', prefix, OBJECTS_PER_PAGE, token),
        )
        if (!page)
          throw Object.assign(new Error('no such bucket'), { status: 404, serviceCode: 'NoSuchBucket' })
        yield* page.objects ?? []
        token = page.nextContinuationToken
        if (token === undefined) return
      }
    },
    put: async (key, { path, size }) => {
      const sum = await md5Of(path)
      await withRetry(async () => {
        // Content-MD5 is the oldest header for checking what arrives, and all servers know it.
        const headers = { 'content-md5': sum } as Record<string, string>
        await client(size).putObject(key, await openAsBlob(path), undefined, undefined, headers, size)
      })
    },
    putText: (key, text) => withRetry(async () => void (await smallRequests.putObject(key, text))),
    get: async (key, bytes) => {
      const response = await withRetry(() => client(bytes).getObjectResponse(key))
      if (!response) return undefined
      return response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([])
    },
    remove: (key) => withRetry(async () => void (await smallRequests.deleteObject(key))),
  }
}

/** Retries while the server is busy or cannot be reached. @throws BlobsAway when all attempts fail */
async function withRetries<T>(work: () => Promise<T>, firstDelayMs: number): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const { status } = error as { status?: number }
      const isRefusal = status !== undefined && status < 500 && status !== 429 && status !== 408
      if (isRefusal) throw error
      if (attempt >= MAX_ATTEMPTS) throw new BlobsAway(error)
      await sleep(firstDelayMs * 2 ** (attempt - 1))
    }
  }
}

function reasonOf(error: unknown): string {
  const { status, serviceCode } = error as { status?: number; serviceCode?: string }
  if (error instanceof BlobsAway) return reasonOf(error.extras.cause)
  if (serviceCode === 'NoSuchBucket') return 'there is no such bucket'
  if (status === 301 || status === 307) return 'the bucket is in another region (KENNING_S3_REGION)'
  if (status === 403) return `the key may not (403 ${serviceCode ?? ''})`.replace(' )', ')')
  if (status !== undefined) return `it answers ${status} ${serviceCode ?? ''}`.trim()
  const { code, cause, message } = error as { code?: string; cause?: { code?: string }; message?: string }
  const errorCode = code ?? cause?.code
  return errorCode ? `it cannot be reached (${errorCode})` : String(message)
}

async function md5Of(path: string): Promise<string> {
  const sum = createHash('md5')
  await pipeline(createReadStream(path), sum)
  return sum.digest('base64')
}

const noSuchFile = (hash: string): Error =>
  Object.assign(new Error(`There is no file ${hash}.`), { code: 'ENOENT' })

/** The largest object first, because a server that was killed may have stored only a part of another. Then the newest. */
const bestFirst = (a: ListObject, b: ListObject): number =>
  b.Size - a.Size || b.LastModified.getTime() - a.LastModified.getTime()

const isOlderObject = ({ LastModified }: ListObject, ms: number): boolean =>
  Date.now() - LastModified.getTime() >= ms

/**
 * The hashes of which all objects are old. If a hash has several objects, the old ones except the best are removed, because they
 * have the same bytes.
 */
async function* listObjects(bucket: Bucket, prefix: string, olderThanMs: number): AsyncGenerator<string> {
  let hash: string | undefined
  let objects: ListObject[] = []
  /** Removes old duplicates among `objects`. Returns whether all were old. */
  const removeDuplicates = async (): Promise<boolean> => {
    const [bestObject, ...duplicates] = objects.sort(bestFirst)
    for (const duplicate of duplicates)
      if (isOlderObject(duplicate, olderThanMs)) await bucket.remove(duplicate.Key)
    return bestObject !== undefined && objects.every((one) => isOlderObject(one, olderThanMs))
  }
  for await (const object of bucket.list(prefix)) {
    const [, folderName, hashRest] =
      /^([0-9a-f]{2})\/([0-9a-f]{62})\/[\w-]+$/.exec(object.Key.slice(prefix.length)) ?? []
    if (!folderName || !hashRest) continue
    if (folderName + hashRest !== hash) {
      if (hash !== undefined && (await removeDuplicates())) yield hash
      hash = folderName + hashRest
      objects = []
    }
    objects.push(object)
  }
  if (hash !== undefined && (await removeDuplicates())) yield hash
}

async function moveTo(stagedFile: StagedFile, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await rename(stagedFile.path, path)
  await markAsOpened(path)
}

/** Marks the file as opened now, so that it stays for a while. Resolves to false when it does not exist. */
const markAsOpened = (path: string): Promise<boolean> => {
  const now = new Date()
  return utimes(path, now, now).then(
    () => true,
    () => false,
  )
}

/** Removes the files that were opened longest ago, until the rest is small enough. */
async function evict(cache: string, { maxCachedBytes, minCachedMs }: S3Limits): Promise<void> {
  const files: { path: string; size: number; openedAt: number }[] = []
  for (const entry of await readdir(cache, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const stats = await stat(path).catch(() => undefined)
    if (stats) files.push({ path, size: stats.size, openedAt: stats.mtimeMs })
  }
  let bytes = files.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size } of files.sort((a, b) => a.openedAt - b.openedAt)) {
    if (bytes <= maxCachedBytes) return
    if (await isOlder(path, minCachedMs)) {
      await rm(path, { force: true })
      bytes -= size
    }
  }
}
