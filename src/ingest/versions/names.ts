// Which document a file becomes where its name is taken: a revision replaces the document it revises, anything else is kept
// beside it under a name of its own, unless the upload says what it wants (docs/decisions/0028-name-conflicts.md).

import { setImmediate } from 'node:timers/promises'
import { uuid5 } from '../../identity.ts'
import type { Db, Queryable } from '../../ports/db/db.ts'
import type { ParsedDocument } from '../../reader/reader.ts'
import type { SourceRow } from '../jobs.sql.ts'
import { numbered } from '../path.ts'
import { isFree, type Namesake, selectNamesakes, selectTaken, selectTexts } from './names.sql.ts'
import { asRevision, makeSketcher, type Sketch } from './resemblance.ts'

/** The document of a path is the same for ever, so that a new version keeps its id. */
export const documentIdOf = (workspaceId: string, path: string): string =>
  uuid5(workspaceId, `upload\0${path}`)

export interface Place {
  documentId: string
  path: string
  /** The name is another document's: this one is new, beside it. */
  beside: boolean
  /** The documents that were compared, as they were; undefined where nothing was to be decided. */
  among: string | undefined
}

/** `taken`: the name is, and the upload wants to fail then. What was found is looked at again when it is published. */
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

/** Under the workspace's lock: whether the place is still the one that would be chosen. */
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

/** The one of them that the file revises; of several the one that most of is in it. */
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
    const kept = asRevision(before, after)
    if (kept !== undefined && kept > (best?.kept ?? 0)) best = { namesake, kept }
  }
  return best?.namesake
}

// Between two of so many the heartbeat and the other tasks have their turn: of a long text there are seconds of work.
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

/** "minutes (2).md", or the first number that is nobody's. */
async function freeName(db: Db, workspaceId: string, path: string): Promise<string> {
  for (let from = 2; ; from += NAMES_AT_ONCE) {
    const names = Array.from({ length: NAMES_AT_ONCE }, (_, no) => numbered(path, from + no))
    const taken = new Set(await selectTaken(db, workspaceId, names))
    const free = names.find((name) => !taken.has(name))
    if (free !== undefined) return free
  }
}
