// A round of embedding for one workspace. Every live chunk gets its vector in the serving space and in the space that is to
// serve next. When the next space is filled, it becomes the serving space. Vectors that are no longer read are swept. A round
// can be repeated at any point.

import type { Deps } from '../ports/deps.ts'
import { EmbeddingFailed, modelOf } from '../ports/embedder/embedder.ts'
import { retiredBy } from './decide.ts'
import { selectUnfilled, selectUnusedVectors, sweepVectors } from './fill.sql.ts'
import { fill, type SpaceWriter } from './fill.ts'
import {
  deleteSpace,
  findOrCreateSpace,
  hasChunks,
  retireSpaces,
  selectSpaces,
  serveSpace,
  startFilling,
  type WorkspaceSpace,
} from './spaces.sql.ts'
import { modelWriter } from './writers.ts'

type Needs = Pick<Deps, 'db' | 'log' | 'embedder'>

/** The time limit of a round. It returns soon after `until`, which is in milliseconds since the epoch. */
export interface RoundLimits {
  signal: AbortSignal
  until: number
}

/**
 * Runs a round. Returns 'more' if the time was up before all work was done. @throws EmbeddingFailed if the model is not
 * available, or the signal's reason
 */
export async function embedRound(
  deps: Needs,
  workspaceId: string,
  limits: RoundLimits,
): Promise<'done' | 'more'> {
  const { db } = deps
  const spaces = await selectSpaces(db, workspaceId)
  if (spaces.length === 0 && !(await hasChunks(db, workspaceId))) return 'done'
  const targetId = await chooseSpace(deps, limits.signal)
  await retireSpaces(db, workspaceId, retiredBy(targetId, spaces))
  const servingId = spaces.find(({ state }) => state === 'serving')?.id
  if (targetId !== undefined && targetId !== servingId && !(await startFilling(db, workspaceId, targetId)))
    return 'done'
  if (!(await fillAll(deps, workspaceId, limits))) return 'more'
  if (targetId !== undefined && targetId !== servingId) await serveTarget(deps, workspaceId, targetId)
  return (await sweep(deps, workspaceId, limits)) ? 'done' : 'more'
}

/** The id of the space that is to serve. Undefined if there is no embedder. */
async function chooseSpace(deps: Needs, signal: AbortSignal): Promise<number | undefined> {
  const embedder = await deps.embedder()
  if (embedder.kind === 'none') return undefined
  const dimensions = await embedder.model.dimensions(signal)
  return (await findOrCreateSpace(deps.db, embedder.model.id, dimensions)).id
}

/**
 * Fills the serving space first, so that a new upload is soon found by its meaning, and then the next space. Returns false if
 * the time was up. If the serving model fails, the next space is filled nevertheless and can take over.
 */
async function fillAll(deps: Needs, workspaceId: string, limits: RoundLimits): Promise<boolean> {
  const spaces = await selectSpaces(deps.db, workspaceId)
  const next = spaces.find(({ state }) => state === 'filling')
  for (const space of [spaces.find(({ state }) => state === 'serving'), next]) {
    const writer = space && (await writerOf(deps, space))
    if (!writer) continue
    try {
      if (!(await fill(deps.db, workspaceId, writer, limits))) return false
    } catch (error) {
      if (!(error instanceof EmbeddingFailed) || !next || space === next) throw error
      deps.log.warn(
        { err: error, workspace: workspaceId },
        'the serving model failed; the next one is filled',
      )
    }
  }
  return true
}

/**
 * The writer of a space. Undefined if its model is no longer configured. Such a space serves the vectors that it has until the
 * next space is filled.
 */
async function writerOf({ db, embedder }: Needs, space: WorkspaceSpace): Promise<SpaceWriter | undefined> {
  const model = modelOf(await embedder(), space.embedder)
  return model && modelWriter(db, model, space)
}

async function serveTarget({ db, log }: Needs, workspaceId: string, targetId: number): Promise<void> {
  // Documents that were published after the space was filled get their vectors in the next round, which publishing them queues.
  const unfilled = await selectUnfilled(db, workspaceId, targetId)
  await serveSpace(db, workspaceId, targetId)
  log.info(
    { workspace: workspaceId, space: targetId, documents_left: unfilled.length },
    'a vector space serves',
  )
}

/** Sweeps vectors that are no longer read, and deletes retired spaces. Returns true when no vectors are left to sweep. */
async function sweep({ db }: Needs, workspaceId: string, limits: RoundLimits): Promise<boolean> {
  for (;;) {
    const spent = await selectUnusedVectors(db, workspaceId)
    if (spent.length === 0) break
    for (const { version_id: versionId, space_id: spaceId } of spent) {
      while (!(await sweepVectors(db, { workspaceId, versionId, spaceId }))) {
        limits.signal.throwIfAborted()
      }
      if (Date.now() > limits.until) return false
    }
  }
  const retired = (await selectSpaces(db, workspaceId)).filter(({ state }) => state === 'retired')
  for (const { id } of retired) await deleteSpace(db, workspaceId, id)
  return true
}
