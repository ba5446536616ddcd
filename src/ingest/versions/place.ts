// Decides which document a file becomes when its name is taken. A revision replaces the document that it revises. Anything else
// is stored beside it under a new name. The upload may say otherwise (docs/decisions/0028-name-conflicts.md).

import { setImmediate } from 'node:timers/promises'
import type { Db, Queryable } from '../../ports/db/db.ts'
import type { ParsedDocument } from '../../reader/reader.ts'
import type { SourceRow } from '../jobs.sql.ts'
import { documentIdOf, numbered } from '../names.ts'
import { isFree, type Namesake, selectNamesakes, selectTaken, selectTexts } from './place.sql.ts'
import { asRevision, makeSketcher, type Sketch } from './resemblance.ts'

export interface Place {
  documentId: string
  path: string
  /** Another document has the name, so this one is new and stored beside it. */
  beside: boolean
  /** A fingerprint of the compared documents. Undefined when there was nothing to decide. */
  among: string | undefined
}

/** `taken`: the upload must fail when the name is taken, and it is. `isStillPlace` checks the result when it is published. */
export async function choosePlace(
  db: Db,
  workspaceId: string,
  source: SourceRow,
  parsed: ParsedDocument,
  signal: AbortSignal,
): Promise<Place | 'taken'> {
  const { document_id: documentId, path, on_conflict: onConflict } = source
  if (source.job_kind !== 'upload') return { documentId, path, beside: false, among: undefined }
  const namesakes = await selectNamesakes(db, workspaceId, path)
  const among = fingerprint(namesakes)
  const own = namesakes.find((document) => document.path === path)
  if (own && onConflict === 'fail') return 'taken'
  const revised = onConflict ? undefined : await revisedBy(db, workspaceId, namesakes, parsed, signal)
  if (revised) return { documentId: revised.id, path: revised.path, beside: false, among }
  if (!own || onConflict === 'replace')
    return { documentId: own?.id ?? documentId, path, beside: false, among }
  const free = await freeName(db, workspaceId, path)
  return { documentId: documentIdOf(workspaceId, free), path: free, beside: true, among }
}

/** Whether the same place would be chosen now. Call it under the workspace's lock. */
export async function isStillPlace(
  tx: Queryable,
  workspaceId: string,
  source: SourceRow,
  place: Place,
): Promise<boolean> {
  if (place.among === undefined) return true
  if (fingerprint(await selectNamesakes(tx, workspaceId, source.path)) !== place.among) return false
  return !place.beside || isFree(tx, workspaceId, place.path)
}

const fingerprint = (namesakes: Namesake[]): string =>
  JSON.stringify(namesakes.map(({ id, version_id }) => [id, version_id]).sort())

/** The document of this name that the file revises. If there are several, the one that keeps most of its text in the file. */
async function revisedBy(
  db: Db,
  workspaceId: string,
  namesakes: Namesake[],
  parsed: ParsedDocument,
  signal: AbortSignal,
): Promise<Namesake | undefined> {
  if (namesakes.length === 0) return undefined
  const after = await sketchOf(parsed, signal)
  let best: { namesake: Namesake; kept: number } | undefined
  for (const namesake of namesakes) {
    const before = await sketchOfVersion(db, workspaceId, namesake.version_id, signal)
    const revision = asRevision(before, after)
    if (revision !== undefined && revision > (best?.kept ?? 0)) best = { namesake, kept: revision }
  }
  return best?.namesake
}

// After this many texts other tasks get the event loop, because sketching a long document takes seconds.
const AT_ONCE = 200

async function sketchOf({ blocks }: ParsedDocument, signal: AbortSignal): Promise<Sketch> {
  const sketcher = makeSketcher()
  for (const [no, { kind, text }] of blocks.entries()) {
    if (kind !== 'figure') sketcher.add(text)
    if (no % AT_ONCE < AT_ONCE - 1) continue
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
    const rows = await selectTexts(db, workspaceId, versionId, { from, limit: AT_ONCE })
    for (const { text } of rows) sketcher.add(text)
    signal.throwIfAborted()
    const last = rows.at(-1)
    if (!last || rows.length < AT_ONCE) return sketcher.sketch()
    from = last.chunk_no + 1
  }
}

const NAMES_AT_ONCE = 50

/** "minutes (2).md", or the name with the first free number. */
async function freeName(db: Db, workspaceId: string, path: string): Promise<string> {
  for (let from = 2; ; from += NAMES_AT_ONCE) {
    const names = Array.from({ length: NAMES_AT_ONCE }, (_, no) => numbered(path, from + no))
    const takenNames = new Set(await selectTaken(db, workspaceId, names))
    const free = names.find((name) => !takenNames.has(name))
    if (free !== undefined) return free
  }
}
