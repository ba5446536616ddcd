// The format of a backup: a folder with `manifest.json`, one compressed file of rows for each table, the uploaded files by their
// hash, and the key that decrypts sealed secrets.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'

export const FORMAT = 1
export const MANIFEST = 'manifest.json'
export const KEY_FILE = 'secret.key'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const Manifest = z.object({
  format: z.literal(FORMAT, 'was made by another version of Kenning'),
  made_at: z.string(),
  migrations: z.array(z.object({ version: z.int(), name: z.string(), checksum: hash })),
  tables: z.array(z.object({ name: z.string().regex(/^\w+$/), rows: z.int().min(0), sha256: hash })),
  /** The hashes of the uploaded files to which rows refer. */
  blobs: z.array(hash),
})
export type Manifest = z.output<typeof Manifest>

export class BadBackup extends Error {}

export const tableFile = (name: string): string => join('tables', `${name}.ndjson.gz`)
export const blobFile = (name: string): string => join('blobs', name.slice(0, 2), name.slice(2))

/** @throws BadBackup if the folder is not a complete backup */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => undefined)
  if (text === undefined)
    throw new BadBackup(`${folder} is not a whole backup: it has no ${MANIFEST}, which is written last.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new BadBackup(`${join(folder, MANIFEST)} is damaged: it is not JSON.`)
  }
  const parsed = Manifest.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new BadBackup(`${join(folder, MANIFEST)} is damaged: ${issue?.path.join('.')} ${issue?.message}.`)
}

/** The SHA-256 of a file in hex. Undefined if the file does not exist. @throws the reason of the signal */
export async function digestOf(path: string, signal?: AbortSignal): Promise<string | undefined> {
  const digest = createHash('sha256')
  try {
    await pipeline(createReadStream(path), digest, { signal })
  } catch (error) {
    signal?.throwIfAborted()
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return digest.digest('hex')
}
