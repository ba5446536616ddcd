// KENNING_FAULT_ROUNDS: how many times (1) each test named after a fault (F-01 to F-19, test/faults.md)
// is done, one after the other, on what the rounds before have left. Which these are: `npx vitest run -t 'F-0[1-9]'`.

import { beforeAll } from 'vitest'

interface Named {
  type: string
  name: string
  repeats?: number | undefined
  tasks?: Named[]
}

const FAULT = /\bF-[01]\d\b/
const rounds = Number(process.env.KENNING_FAULT_ROUNDS ?? 1)

function repeat(task: Named, isFault: boolean): void {
  const isOne = isFault || FAULT.test(task.name)
  if (task.type === 'test' && isOne) task.repeats = rounds - 1
  for (const inner of task.tasks ?? []) repeat(inner, isOne)
}

if (rounds > 1) {
  // Of the file: its tests are known by then, and none has begun.
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads here which fixtures are asked for
  beforeAll(({}, file) => repeat(file as Named, false))
}
