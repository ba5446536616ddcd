// Decides which client uses the engine's only session. Units run one at a time. While a transaction is open, only units of the
// client that began it run (its owner). If the owner disconnects or stays idle, the transaction is rolled back, so that no other
// client waits for ever.
//
// Between transactions, units of foreground clients (requests) run before those of background clients. If both wait, background
// work gets a fifth of the time. After each answer to a request, background work waits some milliseconds, because the request
// probably sends its next statement. Otherwise each statement of a search would wait for a whole transaction of the worker
// (anticipatory scheduling: Iyer and Druschel, SOSP 2001).

export interface Session<C extends object> {
  /** Whether the client works in the background, so that foreground clients run before it. */
  isBackground(client: C): boolean
  /** Runs one unit for a client and sends it the answer. */
  run(client: C, unit: Buffer): Promise<void>
  inTransaction(): boolean
  rollback(): Promise<void>
  /** Called when the owner has left its transaction idle for too long. It has to disconnect the client and call `leave(client)`. */
  idleTooLong(client: C): void
  /** Called when the engine itself has failed, and not a statement. No more units can be run. */
  onBroken(error: unknown): void
}

export interface Turns<C extends object> {
  enqueue(client: C, unit: Buffer): void
  /** Call this when the client has disconnected. Its waiting units are dropped and its open transaction is rolled back. */
  leave(client: C): void
  /** Runs `work` alone, outside any transaction (housekeeping, shutdown). */
  runAlone<T>(work: () => Promise<T>): Promise<T>
  /**
   * Resolves when the session has shown that it works: either `work` has run, or a transaction is open and no unit runs. In the
   * second case its owner is idle, for which there is another time limit.
   */
  probe(work: () => Promise<void>): Promise<void>
  /** How many units of all clients are waiting. */
  waitingUnits(): number
}

type Task<C extends object> =
  | { client: C; unit: Buffer }
  | { client: undefined; work: () => Promise<void>; skip?: () => void }

/** The state of `createTurns`. */
interface State<C extends object> {
  session: Session<C>
  idleLimitMs: number
  queue: Task<C>[]
  /** The client whose transaction is open. */
  owner: C | undefined
  disconnected: WeakSet<C>
  idleTimer: NodeJS.Timeout | undefined
  now: () => number
  /** When the open transaction, or the running unit, began. */
  usedSince: number
  /** How many milliseconds foreground clients may still use the session before background work runs. */
  foregroundCreditMs: number
  /** Set while the session waits for the next unit of a request. */
  expectTimer: NodeJS.Timeout | undefined
  /** When the session began to wait for that unit, or when background work in between ended. */
  expectingSince: number
  isRunning: boolean
  hasFailed: boolean
}

// Each millisecond of background work gives foreground clients this many milliseconds.
const FOREGROUND_SHARE = 4
// The limit of what foreground clients are given, for background work that ran while none of them waited.
const MAX_FOREGROUND_CREDIT_MS = 1000
// How long the session waits for the next unit of a request.
const MAX_EXPECT_MS = 3

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
    usedSince: 0,
    foregroundCreditMs: 0,
    expectTimer: undefined,
    expectingSince: 0,
    isRunning: false,
    hasFailed: false,
  }
  return {
    enqueue(client, unit) {
      state.queue.push({ client, unit })
      void runQueue(state)
    },
    leave(client) {
      state.disconnected.add(client)
      state.queue = state.queue.filter((task) => task.client !== client)
      if (state.owner === client) clearTimeout(state.idleTimer)
      void runQueue(state)
    },
    runAlone(work) {
      return new Promise((resolve, reject) => {
        state.queue.push({ client: undefined, work: () => work().then(resolve, reject) })
        void runQueue(state)
      })
    },
    probe(work) {
      return new Promise((resolve, reject) => {
        state.queue.push({ client: undefined, work: () => work().then(resolve, reject), skip: resolve })
        void runQueue(state)
      })
    },
    waitingUnits: () => state.queue.filter((task) => !isProbe(task)).length,
  }
}

/** Runs tasks one after the other until no task may run. */
async function runQueue<C extends object>(state: State<C>) {
  if (state.isRunning || state.hasFailed) return
  state.isRunning = true
  try {
    for (;;) {
      if (state.owner !== undefined && state.disconnected.has(state.owner)) await rollBackOwner(state)
      if (state.owner !== undefined) skipProbes(state)
      const task = takeNextTask(state)
      if (!task) break
      await runTask(state, task)
      // The engine answers in microtasks only. Without this pause, no socket or timer of this thread would run while units are
      // queued.
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

function takeNextTask<C extends object>(state: State<C>): Task<C> | undefined {
  const { queue, owner, session } = state
  const takeFirst = (isEligible: (task: Task<C>) => boolean): Task<C> | undefined => {
    const index = queue.findIndex(isEligible)
    return index < 0 ? undefined : queue.splice(index, 1)[0]
  }
  if (owner !== undefined) return takeFirst(({ client }) => client === owner)
  const isBackground = ({ client }: Task<C>): boolean => client !== undefined && session.isBackground(client)
  const backgroundTask = state.foregroundCreditMs > 0 ? undefined : takeFirst(isBackground)
  return (
    backgroundTask ??
    takeFirst((task) => !isBackground(task)) ??
    (state.expectTimer ? undefined : queue.shift())
  )
}

async function runTask<C extends object>(state: State<C>, task: Task<C>) {
  clearTimeout(state.idleTimer)
  if ('work' in task) return await task.work()
  if (state.owner === undefined) state.usedSince = state.now()
  await state.session.run(task.client, task.unit)
  await updateOwner(state, task.client)
  if (state.owner === undefined) countTime(state, task.client)
}

/** Counts the time that a client has used the session, and waits a moment for the next unit of a request. */
function countTime<C extends object>(state: State<C>, client: C) {
  const tookMs = state.now() - state.usedSince
  if (state.session.isBackground(client)) {
    state.foregroundCreditMs = Math.min(
      Math.max(state.foregroundCreditMs, 0) + FOREGROUND_SHARE * tookMs,
      MAX_FOREGROUND_CREDIT_MS,
    )
    state.expectingSince = state.now()
    return
  }
  // The time that the session waited for the next unit of a request also counts as time of foreground clients.
  const expectingMs = state.expectTimer ? state.usedSince - state.expectingSince : 0
  state.foregroundCreditMs -= Math.max(expectingMs, 0) + tookMs
  clearTimeout(state.expectTimer)
  state.expectingSince = state.now()
  state.expectTimer = setTimeout(() => {
    state.expectTimer = undefined
    state.foregroundCreditMs -= MAX_EXPECT_MS
    void runQueue(state)
  }, MAX_EXPECT_MS)
}

/** Call this after a client's unit. Sets the owner of the transaction, and rolls it back if that client has disconnected. */
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
