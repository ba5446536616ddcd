// Fills one space. It works on some versions and a batch of chunks at a time, so that a crash or the end of the round loses one
// batch at most.

import type { Db } from '../ports/db/db.ts'
import {
  type Filling,
  finishVersions,
  insertVectors,
  selectUnfilled,
  startVersions,
  type VectorRow,
} from './fill.sql.ts'

/** Makes the vectors of one space. */
export interface SpaceWriter {
  spaceId: number
  /** The number of rows in one statement. While it runs, the embedded engine runs no other statement. */
  rowsPerStatement: number
  /** The rows for the next batch of chunks that have none, in the order of the versions. Empty if all versions are complete. */
  next(filling: Filling, signal: AbortSignal): Promise<VectorRow[]>
}

/** Fills the space. Returns false if the time was up before every live version had all its vectors. */
export async function fill(
  db: Db,
  workspaceId: string,
  writer: SpaceWriter,
  limits: { signal: AbortSignal; until: number },
): Promise<boolean> {
  const { spaceId } = writer
  for (;;) {
    const unfilled = await selectUnfilled(db, workspaceId, spaceId)
    if (unfilled.length === 0) return true
    const ids = await startVersions(db, { workspaceId, spaceId }, unfilled)
    // All these versions were replaced meanwhile. Another round is queued for the versions that replaced them.
    if (ids.length === 0) return true
    const versions = ids.map((id) => ({ id, firstChunk: 0 }))
    if (!(await fillVersions(db, { workspaceId, spaceId, versions }, writer, limits))) return false
  }
}

async function fillVersions(
  db: Db,
  all: Filling,
  writer: SpaceWriter,
  limits: { signal: AbortSignal; until: number },
): Promise<boolean> {
  for (let filling = all; ; ) {
    limits.signal.throwIfAborted()
    const rows = await writer.next(filling, limits.signal)
    for (let from = 0; from < rows.length; from += writer.rowsPerStatement)
      await insertVectors(db, filling, rows.slice(from, from + writer.rowsPerStatement))
    const unfinished = remainingVersions(filling.versions, rows.at(-1))
    const finished = filling.versions.filter(({ id }) => !unfinished.some((version) => version.id === id))
    if (finished.length)
      await finishVersions(
        db,
        filling,
        finished.map(({ id }) => id),
      )
    if (unfinished.length === 0) return true
    // The time is checked after writing, so that each round makes progress, however long its beginning took.
    if (Date.now() > limits.until) return false
    filling = { ...filling, versions: unfinished }
  }
}

/** The versions that are still to be filled after the chunk that was written last. Empty if no chunk was written. */
function remainingVersions(
  versions: Filling['versions'],
  lastRow: VectorRow | undefined,
): Filling['versions'] {
  if (!lastRow) return []
  const index = versions.findIndex(({ id }) => id === lastRow.version_id)
  return [{ id: lastRow.version_id, firstChunk: lastRow.chunk_no + 1 }, ...versions.slice(index + 1)]
}
