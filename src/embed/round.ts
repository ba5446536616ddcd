// A round of embedding for one workspace: every live chunk gets its vector in the space that serves and in the one that is
// to serve next; when that one is filled it takes over; what is no longer read is swept. Repeatable at any point.

import type { Deps } from '../ports/deps.ts'
import { EmbeddingFailed, modelOf } from '../ports/embedder/embedder.ts'
import { retiredBy } from './decide.ts'
import { selectSpent, selectUnfilled, sweepVectors } from './fill.sql.ts'
import { fill, type SpaceWriter } from './fill.ts'
import {
  deleteSpace,
  hasChunks,
  retireSpaces,
  selectSpaces,
  serveSpace,
  startFilling,
  takeSpace,
  type WorkspaceSpace,
} from './spaces.sql.ts'
import { modelWriter } from './writers.ts'

type Needs = Pick<Deps, 'db' | 'log' | 'embedder'>

/** How long a round may go on: it returns soon after `until`, in milliseconds since the epoch. */
export interface RoundLimits {
  signal: AbortSignal
  until: number
}

/** 'more': time is up and something is left. @throws EmbeddingFailed when the model is away, or the signal's reason */
export async function embedRound(
  deps: Needs,
  workspaceId: string,
  limits: RoundLimits,
): Promise<'done' | 'more'> {
  const { db } = deps
  const spaces = await selectSpaces(db, workspaceId)
  if (spaces.length === 0 && !(await hasChunks(db, workspaceId))) return 'done'
  const target = await chooseSpace(deps, limits.signal)
  await retireSpaces(db, workspaceId, retiredBy(target, spaces))
  const serving = spaces.find(({ state }) => state === 'serving')?.id
  if (target !== undefined && target !== serving && !(await startFilling(db, workspaceId, target)))
    return 'done'
  if (!(await fillAll(deps, workspaceId, limits))) return 'more'
  if (target !== undefined && target !== serving) await change(deps, workspaceId, target)
  return (await sweep(deps, workspaceId, limits)) ? 'done' : 'more'
}

/** The space that is to serve; undefined without an embedder. */
async function chooseSpace(deps: Needs, signal: AbortSignal): Promise<number | undefined> {
  const embedder = await deps.embedder()
  if (embedder.kind === 'none') return undefined
  const dimensions = await embedder.model.dimensions(signal)
  return (await takeSpace(deps.db, embedder.model.id, dimensions)).id
}

/**
 * The serving space first, so that a new upload is soon found by its meaning. True when the last one is filled: a serving model
 * that fails does not keep the next one from taking over.
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

/** Undefined for a space whose model is no longer configured: it serves what it has until the next one is filled. */
async function writerOf({ db, embedder }: Needs, space: WorkspaceSpace): Promise<SpaceWriter | undefined> {
  const model = modelOf(await embedder(), space.embedder)
  return model && modelWriter(db, model, space)
}

async function change({ db, log }: Needs, workspaceId: string, target: number): Promise<void> {
  // Documents published since it was filled come with the next round, which their publishing has asked for.
  const unfilled = await selectUnfilled(db, workspaceId, target)
  await serveSpace(db, workspaceId, target)
  log.info(
    { workspace: workspaceId, space: target, documents_left: unfilled.length },
    'a vector space serves',
  )
}

/** True when nothing is left to sweep. */
async function sweep({ db }: Needs, workspaceId: string, limits: RoundLimits): Promise<boolean> {
  for (;;) {
    const spent = await selectSpent(db, workspaceId)
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
