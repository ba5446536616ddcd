// The parser child's own program: takes one file at a time from the pool, writes what it found or drew to a file, says so.
// Runs without secrets and is killed without warning whenever it takes too long or too much.

import { writeFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { endWithParent } from '../../parent.ts'
import { UnreadableFile } from '../block.ts'
import { type OcrSettings, useOcr } from '../picture/ocr/languages.ts'
import { writeResult } from '../result-file.ts'
import { type ChildMessage, type ChildTask, NoSuchPage, type ParseProgress } from '../task.ts'
import { forbidNetwork } from './no-network.ts'
import { parseFile, unreadable } from './parse-file.ts'
import { yieldToOthers } from './priority.ts'

// Each progress message resets nothing but the deadline's length; ten a second are plenty.
const PROGRESS_EVERY_MS = 100

// V8 compiles a function anew once it has run this much of its bytecode. At its own figure (135,168 in Node 20) it spent a
// fifth of the processor time of 15 filings on functions that hardly ran again; three million gave no more than this.
const INTERRUPT_BUDGET = 1_000_000

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

async function work(task: ChildTask): Promise<void> {
  if ('draw' in task) {
    const { drawPage } = await import('../picture/draw-page.ts')
    await writeFile(task.resultPath, await drawPage(task))
  } else if ('pictures' in task) {
    const { runPicturesTask } = await import('../picture/embedded/pictures.ts')
    const found = runPicturesTask(task, reporter(task.id)).catch((error) => Promise.reject(unreadable(error)))
    await writeFile(task.resultPath, JSON.stringify(await found))
  } else await writeResult(task.resultPath, await parseFile(task, reporter(task.id)))
}

async function run(task: ChildTask): Promise<void> {
  const { id } = task
  send({ type: 'started', id })
  try {
    await work(task)
    send({ type: 'done', id })
  } catch (error) {
    if (error instanceof NoSuchPage) send({ type: 'no_page', id, detail: error.message })
    else if (error instanceof UnreadableFile) {
      send({ type: 'unreadable', id, reason: error.reason, detail: error.message })
    } else {
      send({ type: 'failed', id, detail: String(error) })
    }
  }
}

setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`)
forbidNetwork()
yieldToOthers()
const [parent, ocr] = process.argv.slice(2)
// A killed process needs no clean-up: its folder belongs to the pool.
endWithParent(0, Number(parent))
if (ocr !== undefined) useOcr(JSON.parse(ocr) as OcrSettings)
process.on('message', (task: ChildTask) => void run(task))
// Libraries start work of their own whose failure must not take the file with it; the task's own promise decides.
process.on('unhandledRejection', () => undefined)
send({ type: 'ready' })
