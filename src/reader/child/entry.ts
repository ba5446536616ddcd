// The program of a parser child: it takes one file at a time from the pool and writes the result to a file. It runs
// without secrets and is killed without warning if it takes too much time or memory.

import { writeFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { endWithParent } from '../../parent.ts'
import { UnreadableFile } from '../block.ts'
import { writeResult } from '../result-file.ts'
import { type OcrSettings, useOcr } from '../shared/ocr/languages.ts'
import type { Line } from '../shared/ocr/recognised.ts'
import {
  type ChildMessage,
  type ChildTask,
  NoSuchPage,
  type OcrAnswer,
  type PageForOcr,
  type ParseProgress,
} from '../task.ts'
import { forbidNetwork, lowerPriority } from './isolation.ts'
import { parseFile, toUnreadable } from './parse-file.ts'

// Progress is reported at most ten times a second.
const PROGRESS_INTERVAL_MS = 100

// V8 optimizes a function once it has run this many bytes of its bytecode. With the default of Node 20 (135,168), a fifth of
// the time for 15 filings was spent on optimizing functions that hardly ran again. Three million were not faster.
const INTERRUPT_BUDGET = 1_000_000

function send(message: ChildMessage): void {
  if (process.connected) process.send?.(message)
}

function progressSender(id: number): (progress: ParseProgress) => void {
  let lastSentAt = 0
  let lastSize = ''
  return (progress) => {
    const size = `${progress.pages}/${progress.ocrPages}`
    if (size === lastSize && Date.now() - lastSentAt < PROGRESS_INTERVAL_MS) return
    lastSize = size
    lastSentAt = Date.now()
    send({ type: 'progress', id, progress })
  }
}

const pendingAnswers = new Map<number, (answer: OcrAnswer) => void>()
let currentTaskId = 0
let lastRequestNumber = 0

/** Sends a page to the pool, which asks the server for its lines, because this process has no network. */
async function recognise(page: PageForOcr): Promise<Line[]> {
  const requestNumber = ++lastRequestNumber
  const answer = await new Promise<OcrAnswer>((resolve) => {
    pendingAnswers.set(requestNumber, resolve)
    send({ type: 'recognise', id: currentTaskId, requestNumber: requestNumber, ...page })
  })
  // This code marks the error as one of the machine and not of the file (isMachineError).
  if ('error' in answer) throw Object.assign(new Error(answer.error), { code: 'EOCRSERVER' })
  return answer.lines
}

function receiveAnswer(answer: OcrAnswer): void {
  pendingAnswers.get(answer.requestNumber)?.(answer)
  pendingAnswers.delete(answer.requestNumber)
}

async function work(task: ChildTask): Promise<void> {
  if ('draw' in task) {
    const { drawPage } = await import('./draw-page.ts')
    await writeFile(task.resultPath, await drawPage(task))
  } else if ('pictures' in task) {
    const { runPicturesTask } = await import('./pictures.ts')
    const pictures = runPicturesTask(task, progressSender(task.id)).catch((error) =>
      Promise.reject(toUnreadable(error)),
    )
    await writeFile(task.resultPath, JSON.stringify(await pictures))
  } else await writeResult(task.resultPath, await parseFile(task, progressSender(task.id)))
}

async function run(task: ChildTask): Promise<void> {
  const { id } = task
  currentTaskId = id
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
lowerPriority()
const [parentPid, ocr] = process.argv.slice(2)
// No files are removed here, because the pool removes the files of a killed child.
endWithParent(0, { parent: Number(parentPid) })
if (ocr !== undefined) useOcr(JSON.parse(ocr) as OcrSettings, recognise)
process.on('message', (message: ChildTask | OcrAnswer) => {
  if ('requestNumber' in message) receiveAnswer(message)
  else void run(message)
})
// A failure in some background work of a library must not fail the file; only the promise of the task counts.
process.on('unhandledRejection', () => undefined)
send({ type: 'ready' })
