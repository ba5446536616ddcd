// Fills one space, version by version and batch by batch: a crash or the end of the round loses one batch at most.

import type { Db } from '../ports/db/db.ts'
import {
  type FillKey,
  finishVersion,
  insertVectors,
  selectUnfilled,
  startVersion,
  type VectorRow,
} from './fill.sql.ts'

/** Makes the vectors of one space. */
export interface SpaceWriter {
  spaceId: number
  /** Rows per statement: while it runs the embedded engine serves nobody else. */
  rowsAtOnce: number
  /** Rows for the next chunks of the version that have none, a batch at a time; none when the version is complete. */
  next(key: FillKey, signal: AbortSignal): Promise<VectorRow[]>
}

/** True when the space holds every live version completely; false when time was up before. */
export async function fill(
  db: Db,
  workspaceId: string,
  writer: SpaceWriter,
  limits: { signal: AbortSignal; until: number },
): Promise<boolean> {
  for (;;) {
    const versions = await selectUnfilled(db, workspaceId, writer.spaceId)
    if (versions.length === 0) return true
    let started = 0
    for (const versionId of versions) {
      const key = { workspaceId, versionId, spaceId: writer.spaceId }
      if (!(await startVersion(db, key))) continue
      started += 1
      if (!(await fillVersion(db, key, writer, limits))) return false
    }
    // All were replaced meanwhile: the versions that replaced them have asked for a round of their own.
    if (started === 0) return true
  }
}

async function fillVersion(
  db: Db,
  key: FillKey,
  writer: SpaceWriter,
  limits: { signal: AbortSignal; until: number },
): Promise<boolean> {
  for (;;) {
    limits.signal.throwIfAborted()
    const rows = await writer.next(key, limits.signal)
    if (rows.length === 0) break
    for (let from = 0; from < rows.length; from += writer.rowsAtOnce) {
      await insertVectors(db, key, rows.slice(from, from + writer.rowsAtOnce))
    }
    // Checked after writing, so that each round makes progress however long it took to begin.
    if (Date.now() > limits.until) return false
  }
  await finishVersion(db, key)
  return true
}
