// Encrypts secrets that the service has to use again, such as the password of a source. The key is stored beside the database
// and not in it, so that a copy of the database alone reveals none of them.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sync } from './sync.ts'

export interface Seal {
  /** @param purpose what the secret is used for. It can only be opened with the same purpose. */
  close(secret: string, purpose: string): Buffer
  /** @throws SealBroken when the key or the purpose is a different one */
  open(bytes: Buffer, purpose: string): string
}

export class SealBroken extends Error {
  constructor() {
    super('a sealed secret cannot be opened with the key of this installation')
    this.name = 'SealBroken'
  }
}

const KEY_FILE = 'secret.key'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
// The first byte of a sealed secret says in which format it is.
const FORMAT_VERSION = 1

/** The key of the data folder, created at the first use. Two processes that start at once get the same one. */
export async function openSeal(dataDir: string): Promise<Seal> {
  return sealWith(await keyOf(join(dataDir, KEY_FILE)))
}

/** Encrypts with AES-256-GCM. The key is derived from `root`, so that others can be derived from it for other uses. */
export function sealWith(root: Buffer): Seal {
  const key = Buffer.from(hkdfSync('sha256', root, Buffer.alloc(0), 'kenning sealed secrets', KEY_BYTES))
  return {
    close: (secret, purpose) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([FORMAT_VERSION]), nonce, cipher.getAuthTag(), text])
    },
    open: (bytes, purpose) => {
      try {
        const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
        const tag = bytes.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
        const text = bytes.subarray(1 + NONCE_BYTES + TAG_BYTES)
        if (bytes[0] !== FORMAT_VERSION || tag.length !== TAG_BYTES) throw new SealBroken()
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag)
        return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
      } catch {
        throw new SealBroken()
      }
    },
  }
}

async function keyOf(path: string): Promise<Buffer> {
  const storedKey = await readKey(path)
  if (storedKey) return storedKey
  // The key is written completely under another name first, so that the other process never reads half of it.
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(temporary, { force: true })
  }
  // The folder is synced, too. Without it a power failure could lose the key, and with it all sealed secrets.
  await sync(dirname(path))
  const writtenKey = await readKey(path)
  if (!writtenKey) throw new Error(`${path} was removed while it was being made`)
  return writtenKey
}

async function readKey(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== KEY_BYTES)
    throw new Error(`${path} is not a key of ${KEY_BYTES} bytes in base64: restore it from a backup.`)
  return key
}
