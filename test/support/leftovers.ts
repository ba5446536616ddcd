// What a process has to end and to remove when it ends itself, whatever ends it: a test that fails before it stops its service,
// engines and services that a worker of Vitest keeps for its next file.

import { spawn } from 'node:child_process'

export interface Leftover {
  /** Of a process whose children end with it. */
  pid(): number | undefined
  folders: readonly string[]
}

const leftovers = new Set<Leftover>()

/** Returns what takes it back, once it has ended in good order. */
export function endWithUs(leftover: Leftover): () => void {
  if (leftovers.size === 0) process.once('exit', endAll)
  leftovers.add(leftover)
  return () => {
    leftovers.delete(leftover)
    if (leftovers.size === 0) process.off('exit', endAll)
  }
}

function endAll(): void {
  for (const { pid } of leftovers) kill(pid())
  const folders = [...leftovers].flatMap((leftover) => leftover.folders)
  // By a process of its own, after theirs: Vitest gives a worker half a second to end.
  if (folders.length > 0)
    spawn('sh', ['-c', 'sleep 2; rm -rf -- "$@"', 'sh', ...folders], { detached: true, stdio: 'ignore' })
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
