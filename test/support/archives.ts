// Archives of workspaces, made by hand: whole ones, and such as no export makes.

import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  FORMAT,
  MANIFEST,
  ORIGINALS,
  PART_NAMES,
  type Part,
  partFile,
  VERSION,
} from '../../src/archive/format.ts'
import { packZip } from '../../src/archive/zip.ts'

export const AT = '2026-01-31T12:00:00.000001Z'

export const hashOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

export interface Contents {
  workspaceId?: string
  rows?: Partial<Record<Part, readonly object[]>>
  originals?: Record<string, Buffer>
  /** Changes the files by name before they are packed; those without bytes are left out. */
  files?: Record<string, Buffer | undefined>
  manifest?: object
}

export async function zipOf(files: Record<string, Buffer | undefined>): Promise<Buffer> {
  const packed = Object.entries(files).flatMap(([name, bytes]) =>
    bytes
      ? [{ name, bytes: bytes.length, open: async () => Readable.from([bytes], { objectMode: false }) }]
      : [],
  )
  return buffer((await packZip(packed)).read())
}

export function archiveOf({
  workspaceId,
  rows = {},
  originals = {},
  files,
  manifest,
}: Contents): Promise<Buffer> {
  const parts = PART_NAMES.map((part) => {
    const lines = rows[part] ?? []
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return { name: partFile(part), lines, bytes }
  })
  const total = Object.values(originals).reduce((sum, bytes) => sum + bytes.length, 0)
  const said = {
    format: FORMAT,
    version: VERSION,
    workspace: { id: workspaceId ?? randomUUID(), name: 'Imported', description: '', created_at: AT },
    files: parts.map(({ name, lines, bytes }) => ({
      name,
      rows: lines.length,
      bytes: bytes.length,
      sha256: hashOf(bytes),
    })),
    originals: { files: Object.keys(originals).length, bytes: total },
    ...manifest,
  }
  return zipOf({
    [MANIFEST]: Buffer.from(JSON.stringify(said)),
    ...Object.fromEntries(parts.map(({ name, bytes }) => [name, bytes])),
    ...Object.fromEntries(Object.entries(originals).map(([hash, bytes]) => [ORIGINALS + hash, bytes])),
    ...files,
  })
}

/** A document with its version, and its original. */
export function documentOf(path: string, text: string, more: object = {}) {
  const bytes = Buffer.from(text)
  const sha256 = hashOf(bytes)
  const id = randomUUID()
  const document = {
    id,
    path,
    uploaded_as: null,
    title: path,
    kind: 'markdown',
    sha256,
    uploaded_at: AT,
    created_at: AT,
  }
  const version = {
    document_id: id,
    sha256,
    filename: path,
    kind: 'markdown',
    bytes: bytes.length,
    uploaded_at: AT,
    uploaded_by: null,
    forced: false,
    replaced_at: null,
  }
  return { id, document: { ...document, ...more }, version, originals: { [sha256]: bytes } }
}

/** The files of an archive whose files are stored, by their names. */
export function filesOf(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  // Entries of the directory: their sizes, and where their own headers are.
  for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 4)) {
    const name = zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28))
    const local = zip.readUInt32LE(at + 42)
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    files.set(name, zip.toString('utf8', begin, begin + zip.readUInt32LE(at + 20)))
  }
  return files
}
