// An archive of so many small rows, made on disk: merges of names, conversations with their cited passages, and a few documents.

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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
import { uuid5 } from '../../src/identity.ts'

const AT = '2026-01-31T12:00:00.000001Z'
const WORKSPACE = '6f1a2b8e-6f0e-4d53-9d59-0a8a7f6d2c11'
const DOCUMENTS = 100
// Shares of the rows; the rest are threads.
const SHARES = { 'graph-corrections': 0.45, turns: 0.3, passages: 0.2 }
const TURNS_A_THREAD = 6
const NAMES_A_ROOT = 20
const LINES_AT_ONCE = 1000

const idOf = (name: string): string => uuid5(WORKSPACE, name)
const sha256Of = (bytes: string): string => createHash('sha256').update(bytes).digest('hex')
const documentText = (no: number): string =>
  `# Berth ${no}\n\nBerth ${no} has ${no + 3} bollards and a crane.\n`

/** @returns the path of the archive, in the folder */
export async function makeLargeArchive(folder: string, rows: number): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const counts: Partial<Record<Part, number>> = { documents: DOCUMENTS, versions: DOCUMENTS }
  for (const [part, share] of Object.entries(SHARES)) counts[part as Part] = Math.round(rows * share)
  counts.threads = Math.ceil((counts.turns ?? 0) / TURNS_A_THREAD)
  const files = []
  for (const part of PART_NAMES) files.push(await writePart(folder, part, counts[part] ?? 0))
  const originals = Array.from({ length: DOCUMENTS }, (_, no) => Buffer.from(documentText(no)))
  const bytes = originals.reduce((sum, original) => sum + original.length, 0)
  const manifest = Buffer.from(
    JSON.stringify({
      format: FORMAT,
      version: VERSION,
      workspace: { id: WORKSPACE, name: 'Large', description: '', created_at: AT },
      files,
      originals: { files: DOCUMENTS, bytes },
    }),
  )
  const { read } = await packZip([
    { name: MANIFEST, bytes: manifest.length, open: async () => Readable.from([manifest]) },
    ...files.map(({ name, bytes }) => ({
      name,
      bytes,
      open: async () => createReadStream(join(folder, name)),
    })),
    ...originals.map((original) => ({
      name: ORIGINALS + sha256Of(String(original)),
      bytes: original.length,
      open: async () => Readable.from([original]),
    })),
  ])
  const path = join(folder, 'large.zip')
  await pipeline(read(), createWriteStream(path))
  return path
}

async function writePart(folder: string, part: Part, rows: number) {
  const digest = createHash('sha256')
  let bytes = 0
  function* pieces(): Generator<Buffer> {
    for (let from = 0; from < rows; from += LINES_AT_ONCE) {
      let text = ''
      for (let no = from; no < Math.min(rows, from + LINES_AT_ONCE); no++)
        text += `${JSON.stringify(rowOf(part, no))}\n`
      const piece = Buffer.from(text)
      digest.update(piece)
      bytes += piece.length
      yield piece
    }
  }
  const path = join(folder, partFile(part))
  if (rows === 0) writeFileSync(path, '')
  else await pipeline(Readable.from(pieces(), { objectMode: false }), createWriteStream(path))
  return { name: partFile(part), rows, bytes, sha256: digest.digest('hex') }
}

function rowOf(part: Part, no: number): object {
  const document = { id: idOf(`document ${no}`), path: `berths/${no}.md`, kind: 'markdown' }
  const thread = idOf(`thread ${Math.floor(no / TURNS_A_THREAD)}`)
  switch (part) {
    case 'documents':
      return {
        ...document,
        uploaded_as: null,
        title: `Berth ${no}`,
        sha256: sha256Of(documentText(no)),
        uploaded_at: AT,
        created_at: AT,
      }
    case 'versions':
      return {
        document_id: document.id,
        sha256: sha256Of(documentText(no)),
        filename: document.path,
        kind: 'markdown',
        bytes: documentText(no).length,
        uploaded_at: AT,
        uploaded_by: null,
        forced: false,
        replaced_at: null,
      }
    case 'graph-corrections':
      return {
        from: `name ${no}`,
        into: `root ${Math.floor(no / NAMES_A_ROOT)}`,
        decision: 'same',
        reason: '',
      }
    case 'passages':
      return {
        id: idOf(`passage ${no}`),
        document_id: idOf(`document ${no % DOCUMENTS}`),
        sha256: sha256Of(`${no}`),
      }
    case 'threads':
      return { id: idOf(`thread ${no}`), title: `Thread ${no}`, created_at: AT, updated_at: AT }
    default:
      return {
        thread_id: thread,
        number: (no % TURNS_A_THREAD) + 1,
        question: `How many bollards has berth ${no}?`,
        answer: `It has ${no + 3} [1].`,
        citations: [],
        created_at: AT,
        feedback: null,
      }
  }
}
