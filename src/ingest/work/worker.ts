// The worker: claims tasks, holds them, sorts their failures.

import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { sweepSignIns } from '../../accounts/sessions.ts'
import { sweepKeys } from '../../idempotency/idempotency.sql.ts'
import { sweepGrants } from '../../oauth/tokens.ts'
import { isDiskFull, isUnavailable } from '../../ports/db/postgres.ts'
import { OutOfTurn, UnreadableFile } from '../../reader/reader.ts'
import { type Failure, failureSentence, MISSING_GRAPH } from '../failures.ts'
import { finishFile } from '../jobs.sql.ts'
import { deleteUnnamedPictures, insertWarning } from '../pictures/pictures.sql.ts'
import { readPictures } from '../pictures/pictures.ts'
import { MOST_READ, UNREAD_PICTURES } from '../pictures/words.ts'
import { deleteOldVersions } from '../versions/versions.sql.ts'
import { keepLeases, type LeaseKeeper } from './leases/beat.ts'
import { ingestFile } from './pipeline.ts'
import {
  claimTask,
  excuseTask,
  finishTask,
  insertEmbeds,
  leaveTurn,
  releaseTask,
  releaseWorker,
  selectLost,
  type Task,
  type TaskKind,
  takeBackFailure,
  type Wanted,
} from './queue.sql.ts'
import { makeTextRoom, mayBegin, placeIn, type TextRoom } from './room.ts'
import {
  embedWorkspace,
  foldWorkspace,
  graphDocument,
  purgeWorkspace,
  removeUnnamedBlobs,
  removeUnnamedPages,
  tidyRound,
} from './tidy.ts'
import { persist, type TaskHandler, TaskLost, TaskStale, type WorkDeps } from './work.ts'

// A cancelled task is noticed so soon, and its parser killed: within a second of the call.
const WATCH_MS = 400
const IDLE_MS = 250
// One look for work costs the embedded engine 5 to 25 ms: a fifth of its time while files were read, at four a second.
const NEWCOMER_MS = 500
// A third file is begun only below it: a parsed text of 100 MB takes 280 MB of heap until it is written.
const MOST_HEAP_BYTES = 300e6
// Of all parsed texts at once, as they come from the parsers. What is begun while the heap is small comes back together: with
// four parsers eight texts of 100 MB in two bytes a character took 1,128 MB of a heap of 1,024; now 823.
const MOST_TEXT_BYTES = 300e6
const TIDY_EVERY_MS = 60_000
const ATTEMPTS = 3
// Whatever the reasons, a task claimed so often does harm: a statement that takes the engine down each time looks
// like a database that is away.
const MOST_CLAIMS = 20
// A round reads one picture at least.
const MOST_ROUNDS = MOST_CLAIMS + MOST_READ
// Somebody has to make room first: 20 s, twice as long each time, five minutes at most. A file whose result does not fit
// would otherwise fill what is left of the disk three times a minute.
const fullDiskSeconds = ({ subject: { excused = 0 } }: Task): number => Math.min(20 * 2 ** excused, 300)
// Seconds before a failed attempt is tried again: 2, 8, 32 … 3600.
const backoff = (failures: number): number => Math.min(2 * 4 ** failures, 3600)

const handlers: Record<TaskKind, TaskHandler> = {
  ingest: ingestFile,
  graph: graphDocument,
  fold: foldWorkspace,
  purge: purgeWorkspace,
  embed: embedWorkspace,
  pictures: readPictures,
}

export interface WorkerOptions {
  /** The same name after a restart by the supervisor: leases of the dead process are free at once. */
  name: string
  /** Tasks at a time: one parses while others write. The last begins nothing while those before it hold much. */
  concurrency: number
  /** So many more while files that were parsed are being written (room.ts); none without it. */
  behind?: number
  /**
   * The parser of slots that take only short files of workspaces that no worker is at: else a person's small file waits
   * behind the large ones of others until one of those is done. It gives each file its turn and no more.
   */
  newcomers?: WorkDeps['parser']
  /** Whether the last one and those behind may be begun (default: while the heap is small enough). */
  hasRoom?: () => boolean
  /** Keeps the leases of what is held; without one this event loop does. */
  leases?: LeaseKeeper
  signal: AbortSignal
}

const heapHasRoom = (): boolean => getHeapStatistics().used_heap_size < MOST_HEAP_BYTES

/** What this process is at, with how to stop it. */
export type Held = Map<string, { task: Task; lost: AbortController }>

/** What the slots of a worker share. */
interface Line {
  held: Held
  leases: LeaseKeeper
  /** Those of `held` whose file was parsed and is being written. */
  parsed: Set<string>
  /** Slots that are asking for a task right now. */
  asking: number
  /** The parser for newcomers, and those of `held` that were taken for it. */
  spare: WorkDeps['parser'] | undefined
  newcomers: Set<string>
  texts: TextRoom
}

/** Works until the signal; what is under way then is given back untried. */
export async function runWorker(deps: WorkDeps, options: WorkerOptions): Promise<void> {
  const { name, concurrency, behind = 0, newcomers, hasRoom = heapHasRoom, signal } = options
  const leases = options.leases ?? keepLeasesHere(deps)
  await persist(deps, signal, () => releaseWorker(deps.db, name))
  await persist(deps, signal, () => insertEmbeds(deps.db))
  const held: Held = new Map()
  const texts = makeTextRoom(MOST_TEXT_BYTES)
  const fresh = new Set<string>()
  const line: Line = {
    held,
    leases,
    parsed: new Set(),
    asking: 0,
    spare: newcomers,
    newcomers: fresh,
    texts,
  }
  const begun = (): number => held.size - fresh.size
  const isWritten = (id: string): boolean => line.parsed.has(id)
  const isFree = (asking: number): boolean => {
    const written = [...line.parsed].filter((id) => !fresh.has(id)).length
    return mayBegin(begun() + asking, written, { concurrency, behind, hasRoom })
  }
  // While there is nothing to do one slot looks for work, not all: the next looks once those before it are busy.
  const slots = Array.from({ length: concurrency + behind }, (_, no) =>
    slot(deps, line, { name, newcomers: false, when: () => begun() >= no && isFree(line.asking) }, signal),
  )
  if (newcomers) {
    for (let no = 0; no <= behind; no++) {
      // No other slot would take it: all are busy, or the next waits for room. The parser reads one file at a time.
      const when = (): boolean => !isFree(0) && fresh.size >= no && [...fresh].every(isWritten)
      slots.push(slot(deps, line, { name, newcomers: true, when }, signal))
    }
  }
  await Promise.all([...slots, tidy(deps, signal), watch(deps, held, signal)])
  await leases.close()
}

const keepLeasesHere = (deps: WorkDeps): LeaseKeeper =>
  keepLeases(deps.db, (error) => deps.log.warn({ err: error }, 'heartbeat failed'))

async function slot(
  deps: WorkDeps,
  line: Line,
  wanted: Wanted & { name: string; when: () => boolean },
  signal: AbortSignal,
): Promise<void> {
  const { held, leases, parsed } = line
  const claim = async (): Promise<Task | undefined> => {
    const filesFirst = [...held.values()].some(({ task }) => task.kind === 'ingest')
    const mine = [...held.keys()]
    return claimTask(deps.db, wanted.name, { newcomers: wanted.newcomers, filesFirst, mine })
  }
  const keep = (): void => leases.hold([...held.values()].map(({ task }) => task))
  const ask = async (): Promise<Task | undefined> => {
    if (!wanted.when()) return undefined
    line.asking++
    const task = await claim().catch((error: unknown) => {
      deps.log.warn({ err: error }, 'could not look for work')
      return undefined
    })
    line.asking--
    return task
  }
  while (!signal.aborted) {
    const task = await ask()
    if (task) {
      const { enter, leave } = placeIn(line.texts, task.workspace_id)
      if (wanted.newcomers) line.newcomers.add(task.id)
      const running = runTask({ ...deps, parser: parserOf(task, deps, line), enter }, held, task, signal)
      keep()
      await running
      leave()
      parsed.delete(task.id)
      line.newcomers.delete(task.id)
      keep()
    } else await sleep(wanted.newcomers ? NEWCOMER_MS : IDLE_MS, undefined, { signal }).catch(() => undefined)
  }
}

/**
 * The parser of a task; it tells when it is through with the file. A short file of a workspace that nothing is held of goes
 * to the one for newcomers where that is free sooner: behind a text of 100 MB a small file waited for two minutes, though
 * a slot was free to take it. Only there: else all but the first of several workspaces waited in line for one parser.
 * Where its turn there ends before it is read it goes on to the usual ones, from its own slot or by way of the queue.
 */
function parserOf(
  task: Task,
  { parser }: WorkDeps,
  { held, parsed, spare, newcomers }: Line,
): WorkDeps['parser'] {
  const isNewcomer = newcomers.has(task.id)
  const isNew = [...held.values()].every(
    ({ task: { kind, workspace_id } }) => kind !== 'ingest' || workspace_id !== task.workspace_id,
  )
  const backlogOf = ({ backlog }: WorkDeps['parser']): number => backlog?.() ?? 0
  const other = task.kind === 'ingest' && isNew && !task.subject.long ? spare : undefined
  const chosen = () => (other && (isNewcomer || backlogOf(other) < backlogOf(parser)) ? other : parser)
  return {
    ...parser,
    parse: (job) =>
      chosen()
        .parse(job)
        .catch((error: unknown) => {
          if (error instanceof OutOfTurn && !isNewcomer) return parser.parse(job)
          throw error
        })
        .finally(() => parsed.add(task.id)),
    get pictures() {
      return chosen().pictures
    },
  }
}

/** Stops what was cancelled or taken over: one small statement for all that is held. */
async function watch(deps: WorkDeps, held: Held, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(WATCH_MS, undefined, { signal }).catch(() => undefined)
    if (held.size === 0) continue
    const entries = [...held.values()]
    const tasks = entries.map(({ task }) => task)
    // A database that is away is the heartbeat's business.
    const gone = await selectLost(deps.db, tasks).catch((): string[] => [])
    // The attempt that was asked about: another may have been begun here meanwhile, which is not lost with it.
    for (const { task, lost } of entries) if (gone.includes(task.id)) lost.abort(new TaskLost())
  }
}

async function tidy(deps: WorkDeps, signal: AbortSignal): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    const work = tidyRound(deps).then(() => (round % 60 === 0 ? hourly(deps) : undefined))
    await work.catch((error: unknown) => deps.log.warn({ err: error }, 'tidying failed'))
    await sleep(TIDY_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function hourly(deps: WorkDeps): Promise<void> {
  await deleteOldVersions(deps.db)
  await removeUnnamedBlobs(deps)
  await removeUnnamedPages(deps)
  await deleteUnnamedPictures(deps.db)
  await sweepSignIns(deps)
  await sweepGrants(deps)
  await sweepKeys(deps.db)
}

/** Runs a claimed task to its end, whatever that is: done, given up, given back, or lost to another. Never throws. */
export async function runTask(deps: WorkDeps, held: Held, task: Task, signal: AbortSignal): Promise<void> {
  const lost = new AbortController()
  held.set(task.id, { task, lost })
  const started = performance.now()
  try {
    if (isHopeless(task)) await giveUp(deps, task, 'gave_up')
    else await handlers[task.kind](deps, task, AbortSignal.any([signal, lost.signal]))
  } catch (error) {
    await settle(deps, task, error, { stopping: signal.aborted, lost: lost.signal.aborted })
  } finally {
    if (held.get(task.id)?.lost === lost) held.delete(task.id)
    const ms = Math.round(performance.now() - started)
    deps.log.debug({ task: task.id, kind: task.kind, attempt: task.attempt, ms }, 'task ended')
  }
}

/** Folding and purging are never given up: they hold no file of a person, and somebody must tidy in the end. */
const isHopeless = (task: Task): boolean =>
  (task.kind === 'ingest' || task.kind === 'graph' || task.kind === 'pictures') &&
  (task.failures >= ATTEMPTS ||
    task.attempt - (task.subject.excused ?? 0) > (task.kind === 'pictures' ? MOST_ROUNDS : MOST_CLAIMS))

async function settle(
  deps: WorkDeps,
  task: Task,
  error: unknown,
  state: { stopping: boolean; lost: boolean },
): Promise<void> {
  const fields = { task: task.id, kind: task.kind, attempt: task.attempt }
  const signal = AbortSignal.timeout(30_000)
  if (error instanceof TaskLost || state.lost) {
    deps.log.info(fields, 'task lost')
    return persist(deps, signal, () => takeBackFailure(deps.db, task))
  }
  if (state.stopping) return persist(deps, signal, () => releaseTask(deps.db, task, 0, false))
  if (error instanceof UnreadableFile) {
    deps.log.info({ ...fields, reason: error.reason }, 'file cannot be read')
    return persist(deps, signal, () => giveUp(deps, task, error.reason))
  }
  // Twenty claims, a second apart, were over in half a minute: every file was set aside.
  if (isDiskFull(error)) {
    deps.log.warn({ ...fields, err: error }, 'no room on the disk: the task waits')
    return persist(deps, signal, () => excuseTask(deps.db, task, fullDiskSeconds(task)))
  }
  if (error instanceof OutOfTurn) {
    deps.log.info(fields, 'its turn is over: the task stands in line with large files')
    return persist(deps, signal, () => leaveTurn(deps.db, task))
  }
  // A database that is away is not the file's fault, nor is a document that changed meanwhile.
  if (isUnavailable(error) || error instanceof TaskStale) {
    return persist(deps, signal, () => releaseTask(deps.db, task, 1, false))
  }
  deps.log.error({ ...fields, err: error }, 'task failed')
  if (isHopeless({ ...task, failures: task.failures + 1 })) {
    return persist(deps, signal, () => giveUp(deps, task, 'gave_up'))
  }
  await persist(deps, signal, () => releaseTask(deps.db, task, backoff(task.failures), true))
}

/** Ends the task for good; a file says why, or what of it was not read. */
async function giveUp(deps: WorkDeps, task: Task, failure: Failure): Promise<void> {
  deps.log.warn({ task: task.id, kind: task.kind, failure }, 'given up')
  await deps.db.tx(async (tx) => {
    if (!(await finishTask(tx, task))) return
    if (task.kind === 'ingest')
      await finishFile(tx, task, { status: 'failed', error: failureSentence[failure] })
    if (task.kind === 'pictures') await insertWarning(tx, task, UNREAD_PICTURES)
    if (task.kind === 'graph') await insertWarning(tx, task, MISSING_GRAPH)
  })
}
