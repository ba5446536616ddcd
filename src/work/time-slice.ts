// Runs tasks that may take hours. In a slot that other tasks may need (`Slot.mustBeShort`), such a task runs for one time slice
// only.

import type { Handler, Slot } from './handler.ts'
import type { Task } from './queue.sql.ts'

/** The time slice is over. The task begins again in a slot that has more time. */
class TimeSliceOver extends Error {}

// This is enough time to synchronise most sources, and to check most archives.
const TIME_SLICE_MS = 600_000

/** The part of a handler that runs its tasks, with a time slice if the slot requires one. */
export const handlerWithTimeSlice = <D extends { timeSliceMs?: number }>(
  run: (deps: D, task: Task, signal: AbortSignal) => Promise<void>,
): Pick<Handler<D>, 'mayTakeHours' | 'run' | 'verdict'> => ({
  mayTakeHours: true,
  run: async (deps, task, signal, { mustBeShort }: Pick<Slot, 'mustBeShort'>) => {
    if (!mustBeShort) return run(deps, task, signal)
    const timeSlice = AbortSignal.timeout(deps.timeSliceMs ?? TIME_SLICE_MS)
    await run(deps, task, AbortSignal.any([signal, timeSlice])).catch((error: unknown) => {
      throw timeSlice.aborted && !signal.aborted ? new TimeSliceOver() : error
    })
  },
  verdict: (error) => (error instanceof TimeSliceOver ? 'long' : undefined),
})
