// Decides which client uses the engine's only session. Units run one at a time, and while a transaction is open only its
// owner's units run. An owner that disconnects or stays idle is rolled back, so that no other client waits for ever.
//
// Between transactions, clients for which a user waits come before background work, which gets a fifth of the time if both
// wait. A request sends its next statement a moment after the answer to the previous one. For that moment background work is
// held back. Otherwise each statement of a search would wait for a whole transaction of the worker (anticipatory scheduling:
// Iyer and Druschel, SOSP 2001).

export interface Session<C extends object> {
  /** Whether the client works in the background, so that others come before it. */
  isBackground(client: C): boolean
  /** Runs one unit for a client and sends it the answer. */
  run(client: C, unit: Buffer): Promise<void>
  inTransaction(): boolean
  rollback(): Promise<void>
  /** The owner left its transaction idle for too long. The session is expected to call `leave(client)`. */
  idleTooLong(client: C): void
  /** The engine itself failed, not a statement. Nothing more can be run. */
  onBroken(error: unknown): void
}

export interface Turns<C extends object> {
  enqueue(client: C, unit: Buffer): void
  /** The client has disconnected. Its waiting units are dropped and its open transaction is rolled back. */
  leave(client: C): void
  /** Runs `work` alone, outside any transaction (housekeeping, shutdown). */
  runAlone<T>(work: () => Promise<T>): Promise<T>
  /**
   * Resolves when the session proves that it works: `work` has run, or a transaction is open and no unit runs. A client that
   * keeps a transaction idle is not the session's fault, and has a limit of its own.
   */
  probe(work: () => Promise<void>): Promise<void>
  /** How many units of all clients are waiting. */
  waitingUnits(): number
}

type Task<C extends object> =
  | { client: C; unit: Buffer }
  | { client: undefined; work: () => Promise<void>; skip?: () => void }

/** The units that wait, and the client whose transaction is open. */
interface State<C extends object> {
  session: Session<C>
  idleLimitMs: number
  queue: Task<C>[]
  owner: C | undefined
  disconnected: WeakSet<C>
  idleTimer: NodeJS.Timeout | undefined
  now: () => number
  /** When the open transaction, or the running unit, began. */
  since: number
  /** How many milliseconds other clients have before background work is next. */
  owedMs: number
  /** Runs while the next unit of a request is expected. */
  expectTimer: NodeJS.Timeout | undefined
  /** When that waiting began, or when background work in between ended. */
  expectingSince: number
  isRunning: boolean
  hasFailed: boolean
}

// For each millisecond of background work, others get this many before the next, if both wait. Of the work done while nobody
// else waited, at most a second counts.
const FOREGROUND_SHARE = 4
const MAX_OWED_MS = 1000
const EXPECT_MS = 3

/**
 * @param idleLimitMs how long an open transaction may wait for its owner's next unit
 * @param now milliseconds of a monotonic clock
 */
export function createTurns<C extends object>(
  session: Session<C>,
  idleLimitMs: number,
  now: () => number = () => performance.now(),
): Turns<C> {
  const state: State<C> = {
    session,
    idleLimitMs,
    queue: [],
    owner: undefined,
    disconnected: new WeakSet(),
    idleTimer: undefined,
    now,
    since: 0,
    owedMs: 0,
    expectTimer: undefined,
    expectingSince: 0,
    isRunning: false,
    hasFailed: false,
  }
  return {
    enqueue(client, unit) {
      state.queue.push({ client, unit })
      void pump(state)
    },
    leave(client) {
      state.disconnected.add(client)
      state.queue = state.queue.filter((task) => task.client !== client)
      if (state.owner === client) clearTimeout(state.idleTimer)
      void pump(state)
    },
    runAlone(work) {
      return new Promise((resolve, reject) => {
        state.queue.push({ client: undefined, work: () => work().then(resolve, reject) })
        void pump(state)
      })
    },
    probe(work) {
      return new Promise((resolve, reject) => {
        state.queue.push({ client: undefined, work: () => work().then(resolve, reject), skip: resolve })
        void pump(state)
      })
    },
    waitingUnits: () => state.queue.filter((task) => !isProbe(task)).length,
  }
}

/** Runs units one after the other until none may run. */
async function pump<C extends object>(state: State<C>) {
  if (state.isRunning || state.hasFailed) return
  state.isRunning = true
  try {
    for (;;) {
      if (state.owner !== undefined && state.disconnected.has(state.owner)) await rollBackOwner(state)
      if (state.owner !== undefined) skipProbes(state)
      const task = next(state)
      if (!task) break
      await step(state, task)
      // The engine answers in microtasks only, so without this no socket or timer is served while units are queued. In 3 s of
      // 62,551 awaited `select 1`, a timer of 50 ms never fired.
      await new Promise((resolve) => setImmediate(resolve))
    }
  } catch (error) {
    state.hasFailed = true
    state.session.onBroken(error)
  } finally {
    state.isRunning = false
  }
}

const isProbe = <C extends object>(task: Task<C>): boolean => 'skip' in task

function skipProbes<C extends object>(state: State<C>) {
  const probes = state.queue.filter(isProbe)
  if (probes.length === 0) return
  state.queue = state.queue.filter((task) => !isProbe(task))
  for (const task of probes) if ('skip' in task) task.skip?.()
}

function next<C extends object>(state: State<C>): Task<C> | undefined {
  const { queue, owner, session } = state
  const takeNext = (isEligible: (task: Task<C>) => boolean): Task<C> | undefined => {
    const index = queue.findIndex(isEligible)
    return index < 0 ? undefined : queue.splice(index, 1)[0]
  }
  if (owner !== undefined) return takeNext(({ client }) => client === owner)
  const isBackground = ({ client }: Task<C>): boolean => client !== undefined && session.isBackground(client)
  const backgroundTask = state.owedMs > 0 ? undefined : takeNext(isBackground)
  return (
    backgroundTask ??
    takeNext((task) => !isBackground(task)) ??
    (state.expectTimer ? undefined : queue.shift())
  )
}

async function step<C extends object>(state: State<C>, task: Task<C>) {
  clearTimeout(state.idleTimer)
  if ('work' in task) return await task.work()
  if (state.owner === undefined) state.since = state.now()
  await state.session.run(task.client, task.unit)
  await updateOwner(state, task.client)
  if (state.owner === undefined) countTime(state, task.client)
}

/** Counts for how long a client has used the session. */
function countTime<C extends object>(state: State<C>, client: C) {
  const tookMs = state.now() - state.since
  if (state.session.isBackground(client)) {
    state.owedMs = Math.min(Math.max(state.owedMs, 0) + FOREGROUND_SHARE * tookMs, MAX_OWED_MS)
    state.expectingSince = state.now()
    return
  }
  // Waiting for its next unit counts as time of a request, too.
  const expectingMs = state.expectTimer ? state.since - state.expectingSince : 0
  state.owedMs -= Math.max(expectingMs, 0) + tookMs
  clearTimeout(state.expectTimer)
  state.expectingSince = state.now()
  state.expectTimer = setTimeout(() => {
    state.expectTimer = undefined
    state.owedMs -= EXPECT_MS
    void pump(state)
  }, EXPECT_MS)
}

/** After a client's unit: notes who owns the transaction, and rolls it back if that client has disconnected. */
async function updateOwner<C extends object>(state: State<C>, client: C) {
  state.owner = state.session.inTransaction() ? client : undefined
  if (state.owner !== undefined && state.disconnected.has(client)) await rollBackOwner(state)
  if (state.owner === undefined) return
  state.idleTimer = setTimeout(() => state.session.idleTooLong(client), state.idleLimitMs).unref()
}

async function rollBackOwner<C extends object>(state: State<C>) {
  await state.session.rollback()
  state.owner = undefined
}
