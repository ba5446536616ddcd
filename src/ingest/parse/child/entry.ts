// The parser child's own program: takes one file at a time from the pool, writes what it found to a file, says so.
// Runs without secrets and is killed without warning whenever it takes too long or too much (design/ingestion.md).

import { UnreadableFile } from '../block.ts'
import { writeResult } from '../result-file.ts'
import type { ChildMessage, ParseProgress, ParseTask } from '../task.ts'
import { watchParent } from './orphan-watch.ts'
import { parseFile } from './parse-file.ts'

// Each progress message resets nothing but the deadline's length; ten a second are plenty.
const PROGRESS_EVERY_MS = 100

function send(message: ChildMessage): void {
  if (process.connected) process.send?.(message)
}

function reporter(id: number): (progress: ParseProgress) => void {
  let last = 0
  let known = ''
  return (progress) => {
    const size = `${progress.pages}/${progress.ocrPages}`
    if (size === known && Date.now() - last < PROGRESS_EVERY_MS) return
    known = size
    last = Date.now()
    send({ type: 'progress', id, progress })
  }
}

async function run(task: ParseTask): Promise<void> {
  const { id } = task
  send({ type: 'started', id })
  try {
    await writeResult(task.resultPath, await parseFile(task, reporter(id)))
    send({ type: 'done', id })
  } catch (error) {
    if (error instanceof UnreadableFile) {
      send({ type: 'unreadable', id, reason: error.reason, detail: error.message })
    } else {
      send({ type: 'failed', id, detail: String(error) })
    }
  }
}

watchParent()
process.on('message', (task: ParseTask) => void run(task))
// Libraries start work of their own whose failure must not take the file with it; the task's own promise decides.
process.on('unhandledRejection', () => undefined)
send({ type: 'ready' })
