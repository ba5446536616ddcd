// Fills one space, some versions and a batch of chunks at a time: a crash or the end of the round loses one batch at most.

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
  /** Rows per statement: while it runs the embedded engine serves nobody else. */
  rowsAtOnce: number
  /** Rows for the next chunks that have none, in the order of the versions, a batch at a time; none when all are complete. */
  next(filling: Filling, signal: AbortSignal): Promise<VectorRow[]>
}

/** True when the space holds every live version completely; false when time was up before. */
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
    // All were replaced meanwhile: the versions that replaced them have asked for a round of their own.
    if (ids.length === 0) return true
    const versions = ids.map((id) => ({ id, from: 0 }))
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
    for (let from = 0; from < rows.length; from += writer.rowsAtOnce)
      await insertVectors(db, filling, rows.slice(from, from + writer.rowsAtOnce))
    const unfinished = behind(filling.versions, rows.at(-1))
    const done = filling.versions.filter(({ id }) => !unfinished.some((version) => version.id === id))
    if (done.length)
      await finishVersions(
        db,
        filling,
        done.map(({ id }) => id),
      )
    if (unfinished.length === 0) return true
    // Checked after writing, so that each round makes progress however long it took to begin.
    if (Date.now() > limits.until) return false
    filling = { ...filling, versions: unfinished }
  }
}

/** What is left of the versions behind a chunk of one of them; nothing without one. */
function behind(versions: Filling['versions'], last: VectorRow | undefined): Filling['versions'] {
  if (!last) return []
  const at = versions.findIndex(({ id }) => id === last.version_id)
  return [{ id: last.version_id, from: last.chunk_no + 1 }, ...versions.slice(at + 1)]
}
