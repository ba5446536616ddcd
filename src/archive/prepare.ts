// Checks a whole archive and writes its rows with the ids of the new workspace, one file for each part. The worker then inserts
// them in batches. The same archive always gives the same files, so an interrupted import can use them or write them again.

import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { uuid } from '../contract/fields.ts'
import { type Archive, openArchive } from './check.ts'
import { type Line, MAX_MERGE_CHAIN, MAX_ROWS, Manifest, PART_NAMES, type Part, partFile } from './format.ts'
import { type Ids, newIds, sameIds } from './ids.ts'
import { BadArchive, withArchive } from './zip.ts'

export interface Preparation {
  /** The paths of the archive's pieces, in order. */
  pieces: readonly string[]
  /** The folder to which the files of rows are written. */
  folder: string
  /** The id of the copy. Null if the archive's own ids are used. */
  copyId: string | null
}

/** The result of the child. The parent checks it with this schema, because a hostile archive may have taken over the child. */
export const PreparedArchive = z.object({
  workspaceId: uuid,
  workspace: Manifest.shape.workspace,
  /** The number of lines of each part of the archive. */
  lines: z.partialRecord(z.enum(PART_NAMES), z.int().min(0).max(MAX_ROWS)),
  /** The number and size of the originals. */
  originals: z.object({ files: z.int().min(0), bytes: z.int().min(0) }),
})
export type PreparedArchive = z.output<typeof PreparedArchive>

/** The rows of each part that are written, with the ids of the new workspace. */
export interface Rows {
  documents: Line<'documents'> & { bytes: number }
  versions: Line<'versions'>
  scopes: Line<'scopes'>
  'graph-corrections': Line<'graph-corrections'> & { root: string }
  threads: Line<'threads'>
  turns: Line<'turns'>
  'evaluation-questions': Line<'evaluation-questions'>
  /** `documents`: how many documents the source has created. */
  sources: Line<'sources'> & { documents: number }
  'source-files': Line<'source-files'>
}
export const ROW_PARTS = [
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
export type RowPart = (typeof ROW_PARTS)[number]

export const rowsFile = (folder: string, part: RowPart): string => join(folder, partFile(part))

/** @param report is called with the share that is done, 0 to 1 @throws BadArchive */
export const prepareArchive = (
  { pieces, folder, copyId }: Preparation,
  report: (share: number) => void = () => {},
): Promise<PreparedArchive> =>
  withArchive(pieces, async (zip, archiveBytes) => {
    // Some parts are read twice, so the share is limited to 1.
    let readBytes = 0
    const archive = await openArchive(zip, archiveBytes, (bytes) => {
      readBytes += bytes
      report(Math.min(1, readBytes / archiveBytes))
    })
    const { workspace } = archive.manifest
    const ids = copyId === null ? sameIds(workspace.id) : newIds(workspace.id, copyId)
    const openOutput: OpenOutput = (part) => openRowsFile(rowsFile(folder, part))
    const { originals, documents } = await prepareDocuments(archive, ids, openOutput)
    await prepareScopes(archive, ids, documents, openOutput)
    await prepareMerges(archive, openOutput)
    await prepareConversations(archive, ids, openOutput)
    await prepareSources(archive, ids, openOutput)
    for (const hash of originals) await archive.checkOriginal(hash)
    if (archive.originals.size > originals.size)
      throw new BadArchive('it has originals that no document names')
    return {
      workspaceId: ids.workspaceId,
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
type OpenOutput = <P extends RowPart>(part: P) => Output<Rows[P]>

const BUFFERED_CHARACTERS = 1 << 18

function openRowsFile<Row>(path: string): Output<Row> {
  const file = openSync(path, 'w', 0o600)
  let batch = ''
  const flush = (): void => {
    // A write may write only part of the bytes.
    for (let bytes = Buffer.from(batch); bytes.length > 0; ) bytes = bytes.subarray(writeSync(file, bytes))
    batch = ''
  }
  return {
    write: (row) => {
      batch += `${JSON.stringify(row)}\n`
      if (batch.length >= BUFFERED_CHARACTERS) flush()
    },
    close: () => {
      flush()
      closeSync(file)
    },
  }
}

interface DocumentFile {
  hash: string
  /** The bytes of the current version, or 1 if they are not known. */
  bytes: number
}

/** Checks and writes documents and versions. @returns the hashes of their files as `originals` */
async function prepareDocuments(
  { each }: Archive,
  ids: Ids,
  openOutput: OpenOutput,
): Promise<{ originals: Set<string>; documents: Map<string, DocumentFile> }> {
  const originals = new Set<string>()
  const documents = new Map<string, DocumentFile>()
  const paths = new Set<string>()
  await each('documents', ({ id, path, sha256: hash }) => {
    requireUnique(documents, id)
    requireUnique(paths, path)
    documents.set(id, { hash, bytes: 1 })
    paths.add(path)
    originals.add(hash)
    ids.addDocument(id, path)
  })
  const versions = new Set<string>()
  const versionRows = openOutput('versions')
  await each('versions', (row) => {
    const { document_id: documentId, sha256: hash, replaced_at, bytes } = row
    const document = documents.get(documentId)
    if (!document) throw notInArchive(documentId)
    requireUnique(versions, `${documentId} ${hash}`)
    if ((replaced_at === null) !== (document.hash === hash))
      throw new BadArchive(`of ${documentId} not the current version alone is current`)
    versions.add(`${documentId} ${hash}`)
    originals.add(hash)
    if (replaced_at === null && bytes) document.bytes = bytes
    versionRows.write(withNewDocumentId(ids, row))
  })
  versionRows.close()
  const documentRows = openOutput('documents')
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
  openOutput: OpenOutput,
): Promise<void> {
  const scopes = new Set<string>()
  const rows = openOutput('scopes')
  await each('scopes', (row) => {
    requireUnique(scopes, row.name)
    scopes.add(row.name)
    for (const id of row.document_ids) if (!documents.has(id)) throw notInArchive(id)
    rows.write({ ...row, document_ids: row.document_ids.map(ids.document) })
  })
  rows.close()
}

/**
 * Checks and writes merges: each name may be merged into at most one name, and chains of merges may have at most MAX_MERGE_CHAIN.
 */
async function prepareMerges({ each }: Archive, openOutput: OpenOutput): Promise<void> {
  const pairs = new Set<string>()
  const mergedInto = new Map<string, string>()
  await each('graph-corrections', (row) => {
    const pair = JSON.stringify([row.from, row.into])
    requireUnique(pairs, pair)
    pairs.add(pair)
    if (row.from === row.into) throw new BadArchive(`${row.from} is merged into itself`)
    if (row.decision === 'different') return
    requireUnique(mergedInto, row.from)
    mergedInto.set(row.from, row.into)
  })
  const roots = rootsOf(mergedInto)
  const rows = openOutput('graph-corrections')
  await each('graph-corrections', (row) => {
    const root = row.decision === 'same' ? roots.get(row.from) : row.into
    if (root === undefined) throw new BadArchive(`${row.from} is merged in a circle`)
    if (root === CHAIN_TOO_LONG)
      throw new BadArchive(`${row.from} is merged by a chain of more than ${MAX_MERGE_CHAIN} merges`)
    rows.write({ ...row, root })
  })
  rows.close()
}

const CHAIN_TOO_LONG = Symbol('too long')

/**
 * For each name, the end of its chain of merges. Names in circles are omitted. Goes backwards from the ends, so each merge is
 * visited once.
 */
function rootsOf(mergedInto: ReadonlyMap<string, string>): Map<string, string | typeof CHAIN_TOO_LONG> {
  const mergedFrom = new Map<string, string[]>()
  for (const [name, target] of mergedInto) {
    const sources = mergedFrom.get(target)
    if (sources) sources.push(name)
    else mergedFrom.set(target, [name])
  }
  const roots = new Map<string, string | typeof CHAIN_TOO_LONG>()
  for (const root of mergedFrom.keys()) {
    if (mergedInto.has(root)) continue
    let names = mergedFrom.get(root) ?? []
    for (let step = 1; names.length > 0; step++) {
      for (const name of names) roots.set(name, step > MAX_MERGE_CHAIN ? CHAIN_TOO_LONG : root)
      names = names.flatMap((name) => mergedFrom.get(name) ?? [])
    }
  }
  return roots
}

async function prepareConversations({ each }: Archive, ids: Ids, openOutput: OpenOutput): Promise<void> {
  await each('passages', (passage) => ids.addPassage(passage))
  ids.matchPassages()
  const turnCounts = new Map<string, number>()
  const threads = openOutput('threads')
  await each('threads', (row) => {
    requireUnique(turnCounts, row.id)
    turnCounts.set(row.id, 0)
    threads.write(row)
  })
  threads.close()
  const turns = openOutput('turns')
  await each('turns', (row) => {
    const turnCount = turnCounts.get(row.thread_id)
    if (turnCount === undefined) throw notInArchive(row.thread_id)
    if (row.number !== turnCount + 1) throw new BadArchive(`the turns of ${row.thread_id} are not in order`)
    turnCounts.set(row.thread_id, row.number)
    turns.write({ ...row, citations: row.citations.map((citation) => withNewIds(ids, citation)) })
  })
  turns.close()
  const questions = openOutput('evaluation-questions')
  await each('evaluation-questions', (row) => questions.write(withNewIds(ids, row)))
  questions.close()
}

async function prepareSources({ each }: Archive, ids: Ids, openOutput: OpenOutput): Promise<void> {
  const documentsBySource = new Map<number, Set<string>>()
  await each('sources', ({ number }) => {
    if (number !== documentsBySource.size + 1) throw new BadArchive('the numbers of sources have a gap')
    documentsBySource.set(number, new Set())
  })
  const paths = new Set<string>()
  const files = openOutput('source-files')
  await each('source-files', ({ source, path, kept: { document_id: documentId, ...state } }) => {
    const documents = documentsBySource.get(source)
    if (!documents) throw notInArchive(String(source))
    requireUnique(paths, `${source} ${path}`)
    paths.add(`${source} ${path}`)
    if (documentId !== undefined && state.state !== 'theirs') documents.add(documentId)
    files.write({
      source,
      path,
      kept: documentId === undefined ? state : { ...state, document_id: ids.document(documentId) },
    })
  })
  files.close()
  const rows = openOutput('sources')
  await each('sources', (row) =>
    rows.write({ ...row, documents: documentsBySource.get(row.number)?.size ?? 0 }),
  )
  rows.close()
}

const withNewDocumentId = <T extends { document_id: string }>(ids: Ids, row: T): T => ({
  ...row,
  document_id: ids.document(row.document_id),
})

const withNewIds = <T extends { document_id: string; chunk_id: string | null }>(ids: Ids, row: T): T => ({
  ...withNewDocumentId(ids, row),
  chunk_id: row.chunk_id === null ? null : ids.chunk(row.chunk_id),
})

const requireUnique = (previousKeys: { has(key: string): boolean }, key: string): void => {
  if (previousKeys.has(key)) throw new BadArchive(`${key.slice(0, 200)} is in it twice`)
}

const notInArchive = (id: string): BadArchive => new BadArchive(`${id.slice(0, 200)} is not in the archive`)
