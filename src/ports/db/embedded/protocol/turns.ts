// Decides which client uses the engine's only session. Units run one at a time, in the order of arrival; while a transaction
// is open only its owner's units run. An owner that disconnects or stays idle is rolled back, so that nobody waits for ever.

export interface Session<C extends object> {
  /** Runs one unit for a client and sends it the answer. */
  run(client: C, unit: Buffer): Promise<void>
  inTransaction(): boolean
  rollback(): Promise<void>
  /** The owner left its transaction idle for too long; the session is expected to call `leave(client)`. */
  idleTooLong(client: C): void
  /** The engine itself failed, not a statement: nothing more can be run. */
  failed(error: unknown): void
}

export interface Turns<C extends object> {
  enqueue(client: C, unit: Buffer): void
  /** The client has disconnected: its waiting units are dropped and its open transaction is rolled back. */
  leave(client: C): void
  /** Runs `work` alone, outside any transaction (housekeeping, shutdown). */
  between<T>(work: () => Promise<T>): Promise<T>
  /** How many units wait, of all clients. */
  waiting(): number
}

type Task<C extends object> = { client: C; unit: Buffer } | { client: undefined; work: () => Promise<void> }

/** The units that wait, and the client whose transaction is open. */
interface State<C extends object> {
  session: Session<C>
  idleLimitMs: number
  queue: Task<C>[]
  owner: C | undefined
  gone: WeakSet<C>
  idleTimer: NodeJS.Timeout | undefined
  running: boolean
  failed: boolean
}

/** @param idleLimitMs how long an open transaction may wait for its owner's next unit */
export function takeTurns<C extends object>(session: Session<C>, idleLimitMs: number): Turns<C> {
  const state: State<C> = {
    session,
    idleLimitMs,
    queue: [],
    owner: undefined,
    gone: new WeakSet(),
    idleTimer: undefined,
    running: false,
    failed: false,
  }
  return {
    enqueue(client, unit) {
      state.queue.push({ client, unit })
      void pump(state)
    },
    leave(client) {
      state.gone.add(client)
      state.queue = state.queue.filter((task) => task.client !== client)
      if (state.owner === client) clearTimeout(state.idleTimer)
      void pump(state)
    },
    between(work) {
      return new Promise((resolve, reject) => {
        state.queue.push({ client: undefined, work: () => work().then(resolve, reject) })
        void pump(state)
      })
    },
    waiting: () => state.queue.length,
  }
}

/** Runs units one after the other until none may run. */
async function pump<C extends object>(state: State<C>) {
  if (state.running || state.failed) return
  state.running = true
  try {
    for (;;) {
      if (state.owner !== undefined && state.gone.has(state.owner)) await rollBackOwner(state)
      const task = next(state)
      if (!task) break
      await step(state, task)
      // The engine answers in microtasks only: without this no socket or timer is served while units are queued (in 3 s,
      // during 62,551 awaited `select 1`, a timer of 50 ms never fired).
      await new Promise((resolve) => setImmediate(resolve))
    }
  } catch (error) {
    state.failed = true
    state.session.failed(error)
  } finally {
    state.running = false
  }
}

function next<C extends object>(state: State<C>): Task<C> | undefined {
  if (state.owner === undefined) return state.queue.shift()
  const index = state.queue.findIndex((task) => task.client === state.owner)
  return index < 0 ? undefined : state.queue.splice(index, 1)[0]
}

async function step<C extends object>(state: State<C>, task: Task<C>) {
  clearTimeout(state.idleTimer)
  if ('work' in task) return await task.work()
  await state.session.run(task.client, task.unit)
  await settle(state, task.client)
}

/** After a client's unit: notes who owns the transaction, and rolls it back if that client is gone. */
async function settle<C extends object>(state: State<C>, client: C) {
  state.owner = state.session.inTransaction() ? client : undefined
  if (state.owner !== undefined && state.gone.has(client)) await rollBackOwner(state)
  if (state.owner === undefined) return
  state.idleTimer = setTimeout(() => state.session.idleTooLong(client), state.idleLimitMs).unref()
}

async function rollBackOwner<C extends object>(state: State<C>) {
  await state.session.rollback()
  state.owner = undefined
}
