// Decides which document a file becomes if another document has its name. A revision replaces the document that it revises. Any
// other file is stored beside that document under a new name. The upload may require another decision
// (docs/decisions/0028-name-conflicts.md).

import { setImmediate } from 'node:timers/promises'
import type { Db, Queryable } from '../../ports/db/db.ts'
import type { ParsedDocument } from '../../reader/reader.ts'
import type { SourceRow } from '../jobs.sql.ts'
import { numberedPath } from '../names.ts'
import { documentIdFor } from './document-ids.ts'
import { type Namesake, selectNamesakes, selectTakenPaths, selectTexts } from './place.sql.ts'
import { makeSketcher, revisionShare, type Sketch } from './resemblance.ts'

export interface UploadDestination {
  documentId: string
  path: string
  /** Whether another document has the name, so that the file becomes a new document beside it. */
  isBeside: boolean
  /** A fingerprint of the documents that were compared. Undefined if there was nothing to decide. */
  namesakesKey: string | undefined
}

/** The destination of a file, or `taken` if the upload must fail because another document has the name. */
export async function chooseDestination(
  db: Db,
  { workspaceId, source, parsed }: { workspaceId: string; source: SourceRow; parsed: ParsedDocument },
  signal: AbortSignal,
): Promise<UploadDestination | 'taken'> {
  const { path, on_conflict: onConflict } = source
  if (source.job_kind !== 'upload')
    return { documentId: source.document_id, path, isBeside: false, namesakesKey: undefined }
  const namesakes = await selectNamesakes(db, workspaceId, path)
  const namesakesKey = fingerprint(namesakes)
  const sameName = namesakes.find((document) => document.path === path)
  const sameFile = namesakes.find(
    (document) =>
      document.content_hash === source.content_hash && (document === sameName || onConflict !== 'replace'),
  )
  if (sameFile) return { documentId: sameFile.id, path: sameFile.path, isBeside: false, namesakesKey }
  if (sameName && onConflict === 'fail') return 'taken'
  const revisedDocument = onConflict
    ? undefined
    : await findRevisedDocument(db, { workspaceId, namesakes, parsed }, signal)
  if (revisedDocument)
    return {
      documentId: revisedDocument.id,
      path: revisedDocument.path,
      isBeside: false,
      namesakesKey,
    }
  // The id that the upload got when it arrived may belong to a document that has been moved since then.
  const isBeside = sameName !== undefined && onConflict !== 'replace'
  const newPath = isBeside ? await findFreePath(db, workspaceId, path) : path
  const { documentId } = await documentIdFor(db, workspaceId, newPath)
  return { documentId, path: newPath, isBeside, namesakesKey }
}

/** Whether the same destination would be chosen now. The caller must have locked the workspace. */
export async function isStillDestination(
  tx: Queryable,
  workspaceId: string,
  source: SourceRow,
  destination: UploadDestination,
): Promise<boolean> {
  if (destination.namesakesKey === undefined) return true
  if (fingerprint(await selectNamesakes(tx, workspaceId, source.path)) !== destination.namesakesKey)
    return false
  // The document may have been moved, or another one may have its id or path now.
  const { documentId, isNew } = await documentIdFor(tx, workspaceId, destination.path)
  return documentId === destination.documentId && (isNew || !destination.isBeside)
}

const fingerprint = (namesakes: Namesake[]): string =>
  JSON.stringify(namesakes.map(({ id, version_id }) => [id, version_id]).sort())

/** The document with this name that the file revises. If there are several, the document of which the file keeps most text. */
async function findRevisedDocument(
  db: Db,
  { workspaceId, namesakes, parsed }: { workspaceId: string; namesakes: Namesake[]; parsed: ParsedDocument },
  signal: AbortSignal,
): Promise<Namesake | undefined> {
  if (namesakes.length === 0) return undefined
  const sketch = await sketchOf(parsed, signal)
  let mostSimilar: { namesake: Namesake; share: number } | undefined
  for (const namesake of namesakes) {
    const namesakeSketch = await sketchOfVersion(db, workspaceId, namesake.version_id, signal)
    const share = revisionShare(namesakeSketch, sketch)
    if (share !== undefined && share > (mostSimilar?.share ?? 0)) mostSimilar = { namesake, share }
  }
  return mostSimilar?.namesake
}

// After this many texts, other work of the process gets a turn, because the sketch of a long document takes seconds.
const TEXTS_PER_TURN = 200

async function sketchOf({ blocks }: ParsedDocument, signal: AbortSignal): Promise<Sketch> {
  const sketcher = makeSketcher()
  for (const [blockNumber, { kind, text }] of blocks.entries()) {
    if (kind !== 'figure') sketcher.add(text)
    if (blockNumber % TEXTS_PER_TURN < TEXTS_PER_TURN - 1) continue
    await setImmediate()
    signal.throwIfAborted()
  }
  return sketcher.sketch()
}

async function sketchOfVersion(
  db: Db,
  workspaceId: string,
  versionId: string,
  signal: AbortSignal,
): Promise<Sketch> {
  const sketcher = makeSketcher()
  for (let from = 0; ; ) {
    const rows = await selectTexts(db, workspaceId, versionId, { from, limit: TEXTS_PER_TURN })
    for (const { text } of rows) sketcher.add(text)
    signal.throwIfAborted()
    const lastRow = rows.at(-1)
    if (!lastRow || rows.length < TEXTS_PER_TURN) return sketcher.sketch()
    from = lastRow.chunk_no + 1
  }
}

const NAMES_PER_QUERY = 50

/** The path with the first free number, such as "minutes (2).md". */
export async function findFreePath(db: Queryable, workspaceId: string, path: string): Promise<string> {
  for (let from = 2; ; from += NAMES_PER_QUERY) {
    const names = Array.from({ length: NAMES_PER_QUERY }, (_, no) => numberedPath(path, from + no))
    const takenNames = new Set(await selectTakenPaths(db, workspaceId, names))
    const freePath = names.find((name) => !takenNames.has(name))
    if (freePath !== undefined) return freePath
  }
}
