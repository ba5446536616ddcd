// An archive checked as a whole, and its rows written as those of its new workspace, a file for each part, from which the worker
// takes them in batches. The same archive gives the same files: an import that is cut off goes on with them, or makes them anew.

import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { uuid } from '../contract/fields.ts'
import { type Archive, openArchive } from './check.ts'
import { type Line, MAX_MERGE_CHAIN, MAX_ROWS, Manifest, PART_NAMES, type Part, partFile } from './format.ts'
import { type Ids, newIds, sameIds } from './ids.ts'
import { BadArchive, withArchive } from './zip.ts'

export interface Preparation {
  /** Of the archive, as paths, in order. */
  pieces: readonly string[]
  /** Where the files of rows are written. */
  folder: string
  /** Of the copy; null: the archive's own ids are kept. */
  copyId: string | null
}

/** Checked again where it is read: it comes from a process that has read a stranger's bytes. */
export const Prepared = z.object({
  workspaceId: uuid,
  workspace: Manifest.shape.workspace,
  /** Lines of each part of the archive, as counted. */
  lines: z.partialRecord(z.enum(PART_NAMES), z.int().min(0).max(MAX_ROWS)),
  /** As counted. */
  originals: z.object({ files: z.int().min(0), bytes: z.int().min(0) }),
})
export type Prepared = z.output<typeof Prepared>

/** The rows that are written, by part, with ids as they are in the new workspace. Parts are written in this order. */
export interface Rows {
  documents: Line<'documents'> & { bytes: number }
  versions: Line<'versions'>
  scopes: Line<'scopes'>
  'graph-corrections': Line<'graph-corrections'> & { root: string }
  threads: Line<'threads'>
  turns: Line<'turns'>
  'evaluation-questions': Line<'evaluation-questions'>
  /** `documents`: how many it has made. */
  sources: Line<'sources'> & { documents: number }
  'source-files': Line<'source-files'>
}
export const WRITTEN_PARTS = [
  'documents',
  'versions',
  'scopes',
  'graph-corrections',
  'threads',
  'turns',
  'evaluation-questions',
  'sources',
  'source-files',
] as const satisfies readonly Part[]
export type WrittenPart = (typeof WRITTEN_PARTS)[number]

export const rowsFile = (folder: string, part: WrittenPart): string => join(folder, partFile(part))

/** @param report called with the share that is done, 0 to 1 @throws BadArchive */
export const prepareArchive = (
  { pieces, folder, copyId }: Preparation,
  report: (share: number) => void = () => {},
): Promise<Prepared> =>
  withArchive(pieces, async (zip, archiveBytes) => {
    // Documents and merges are read twice.
    let read = 0
    const archive = await openArchive(zip, archiveBytes, (bytes) => {
      read += bytes
      report(Math.min(1, read / archiveBytes))
    })
    const { workspace } = archive.manifest
    const ids = copyId === null ? sameIds(workspace.id) : newIds(workspace.id, copyId)
    const writer: Writer = (part) => openRows(rowsFile(folder, part))
    const { originals, documents } = await prepareDocuments(archive, ids, writer)
    await prepareScopes(archive, ids, documents, writer)
    await prepareMerges(archive, writer)
    await prepareConversations(archive, ids, writer)
    await prepareSources(archive, ids, writer)
    for (const hash of originals) await archive.checkOriginal(hash)
    if (archive.originals.size > originals.size)
      throw new BadArchive('it has originals that no document names')
    return {
      workspaceId: ids.workspace,
      workspace,
      lines: archive.lines,
      originals: {
        files: archive.originals.size,
        bytes: [...archive.originals.values()].reduce(
          (sum, { uncompressedSize }) => sum + uncompressedSize,
          0,
        ),
      },
    }
  })

interface Output<Row> {
  write(row: Row): void
  close(): void
}
type Writer = <P extends WrittenPart>(part: P) => Output<Rows[P]>

const WRITTEN_AT_ONCE = 1 << 18

function openRows<Row>(path: string): Output<Row> {
  const file = openSync(path, 'w', 0o600)
  let batch = ''
  const flush = (): void => {
    // A write may be cut short, by a full disk for one.
    for (let bytes = Buffer.from(batch); bytes.length > 0; ) bytes = bytes.subarray(writeSync(file, bytes))
    batch = ''
  }
  return {
    write: (row) => {
      batch += `${JSON.stringify(row)}\n`
      if (batch.length >= WRITTEN_AT_ONCE) flush()
    },
    close: () => {
      flush()
      closeSync(file)
    },
  }
}

interface DocumentFile {
  hash: string
  /** Of the current version; 1, which is not nothing, where nobody knows. */
  bytes: number
}

/** `originals`: what documents and versions name. */
async function prepareDocuments(
  { each }: Archive,
  ids: Ids,
  writer: Writer,
): Promise<{ originals: Set<string>; documents: Map<string, DocumentFile> }> {
  const originals = new Set<string>()
  const documents = new Map<string, DocumentFile>()
  const paths = new Set<string>()
  await each('documents', ({ id, path, sha256: hash }) => {
    unique(documents, id)
    unique(paths, path)
    documents.set(id, { hash, bytes: 1 })
    paths.add(path)
    originals.add(hash)
    ids.learnDocument(id, path)
  })
  const versions = new Set<string>()
  const versionRows = writer('versions')
  await each('versions', (row) => {
    const { document_id: id, sha256: hash, replaced_at, bytes } = row
    const document = documents.get(id)
    if (!document) throw notInArchive(id)
    unique(versions, `${id} ${hash}`)
    if ((replaced_at === null) !== (document.hash === hash))
      throw new BadArchive(`of ${id} not the current version alone is current`)
    versions.add(`${id} ${hash}`)
    originals.add(hash)
    if (replaced_at === null && bytes) document.bytes = bytes
    versionRows.write(ofDocument(ids, row))
  })
  versionRows.close()
  const documentRows = writer('documents')
  await each('documents', (row) => {
    documentRows.write({ ...row, id: ids.document(row.id), bytes: documents.get(row.id)?.bytes ?? 1 })
  })
  documentRows.close()
  return { originals, documents }
}

async function prepareScopes(
  { each }: Archive,
  ids: Ids,
  documents: ReadonlyMap<string, unknown>,
  writer: Writer,
): Promise<void> {
  const scopes = new Set<string>()
  const rows = writer('scopes')
  await each('scopes', (row) => {
    unique(scopes, row.name)
    scopes.add(row.name)
    for (const id of row.document_ids) if (!documents.has(id)) throw notInArchive(id)
    rows.write({ ...row, document_ids: row.document_ids.map(ids.document) })
  })
  rows.close()
}

/** A name is the same as at most one other, and following them ends soon. */
async function prepareMerges({ each }: Archive, writer: Writer): Promise<void> {
  const pairs = new Set<string>()
  const into = new Map<string, string>()
  await each('graph-corrections', (row) => {
    const pair = JSON.stringify([row.from, row.into])
    unique(pairs, pair)
    pairs.add(pair)
    if (row.from === row.into) throw new BadArchive(`${row.from} is merged into itself`)
    if (row.decision === 'different') return
    unique(into, row.from)
    into.set(row.from, row.into)
  })
  const roots = rootsOf(into)
  const rows = writer('graph-corrections')
  await each('graph-corrections', (row) => {
    const root = row.decision === 'same' ? roots.get(row.from) : row.into
    if (root === undefined) throw new BadArchive(`${row.from} is merged in a circle`)
    if (root === TOO_LONG)
      throw new BadArchive(`${row.from} is merged by a chain of more than ${MAX_MERGE_CHAIN} merges`)
    rows.write({ ...row, root })
  })
  rows.close()
}

const TOO_LONG = Symbol('too long')

/** Where each chain ends; those that end nowhere are not in it. From the ends backwards, so each merge is looked at once. */
function rootsOf(into: ReadonlyMap<string, string>): Map<string, string | typeof TOO_LONG> {
  const from = new Map<string, string[]>()
  for (const [one, other] of into) {
    const before = from.get(other)
    if (before) before.push(one)
    else from.set(other, [one])
  }
  const roots = new Map<string, string | typeof TOO_LONG>()
  for (const root of from.keys()) {
    if (into.has(root)) continue
    let names = from.get(root) ?? []
    for (let step = 1; names.length > 0; step++) {
      for (const name of names) roots.set(name, step > MAX_MERGE_CHAIN ? TOO_LONG : root)
      names = names.flatMap((name) => from.get(name) ?? [])
    }
  }
  return roots
}

async function prepareConversations({ each }: Archive, ids: Ids, writer: Writer): Promise<void> {
  await each('passages', (passage) => ids.learnPassage(passage))
  ids.matchPassages()
  const turnsOf = new Map<string, number>()
  const threads = writer('threads')
  await each('threads', (row) => {
    unique(turnsOf, row.id)
    turnsOf.set(row.id, 0)
    threads.write(row)
  })
  threads.close()
  const turns = writer('turns')
  await each('turns', (row) => {
    const before = turnsOf.get(row.thread_id)
    if (before === undefined) throw notInArchive(row.thread_id)
    if (row.number !== before + 1) throw new BadArchive(`the turns of ${row.thread_id} are not in order`)
    turnsOf.set(row.thread_id, row.number)
    turns.write({ ...row, citations: row.citations.map((one) => cited(ids, one)) })
  })
  turns.close()
  const questions = writer('evaluation-questions')
  await each('evaluation-questions', (row) => questions.write(cited(ids, row)))
  questions.close()
}

async function prepareSources({ each }: Archive, ids: Ids, writer: Writer): Promise<void> {
  const documentsOf = new Map<number, Set<string>>()
  await each('sources', ({ number }) => {
    if (number !== documentsOf.size + 1) throw new BadArchive('the numbers of sources have a gap')
    documentsOf.set(number, new Set())
  })
  const paths = new Set<string>()
  const files = writer('source-files')
  await each('source-files', ({ source, path, kept: { document_id: id, ...state } }) => {
    const documents = documentsOf.get(source)
    if (!documents) throw notInArchive(String(source))
    unique(paths, `${source} ${path}`)
    paths.add(`${source} ${path}`)
    if (id !== undefined && state.state !== 'theirs') documents.add(id)
    files.write({
      source,
      path,
      kept: id === undefined ? state : { ...state, document_id: ids.document(id) },
    })
  })
  files.close()
  const rows = writer('sources')
  await each('sources', (row) => rows.write({ ...row, documents: documentsOf.get(row.number)?.size ?? 0 }))
  rows.close()
}

const ofDocument = <T extends { document_id: string }>(ids: Ids, row: T): T => ({
  ...row,
  document_id: ids.document(row.document_id),
})

const cited = <T extends { document_id: string; chunk_id: string | null }>(ids: Ids, row: T): T => ({
  ...ofDocument(ids, row),
  chunk_id: row.chunk_id === null ? null : ids.chunk(row.chunk_id),
})

const unique = (before: { has(key: string): boolean }, key: string): void => {
  if (before.has(key)) throw new BadArchive(`${key.slice(0, 200)} is in it twice`)
}

const notInArchive = (id: string): BadArchive => new BadArchive(`${id.slice(0, 200)} is not in the archive`)
