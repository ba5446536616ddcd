// A parser child that comes to a file's ends one after the other, whichever child they fall to: `crash.read.txt` takes the
// first child down and is read by the next. Each look is noted beside the file: the child's pid and the parser wanted.

import { appendFileSync, readFileSync } from 'node:fs'
import { writeResult } from '../../src/reader/result-file.ts'
import { openJournal } from '../../src/reader/scratch.ts'
import type { ChildMessage, ParseTask } from '../../src/reader/task.ts'

const say = (message: ChildMessage): void => void process.send?.(message)
const forEver = true

const ends: Record<string, (task: ParseTask) => unknown> = {
  read: async (task) => {
    const text = task.usesFallback ? 'Read simply' : 'Read'
    await writeResult(task.resultPath, { blocks: [{ kind: 'paragraph', text }] })
    say({ type: 'done', id: task.id })
  },
  crash: () => process.abort(),
  killed: () => process.kill(process.pid, 'SIGKILL'),
  loops: () => {
    while (forEver);
  },
  swells: () => {
    const held: Buffer[] = []
    while (forEver) held.push(Buffer.alloc(2 ** 24, 1))
  },
  // V8 says so as well when the machine has no more to give.
  heap: () => {
    process.stderr.write('FATAL ERROR: Allocation failed - JavaScript heap out of memory\n', () =>
      process.abort(),
    )
  },
  page2: (task) => {
    openJournal(task)(2)
    process.abort()
  },
  page3: (task) => {
    openJournal(task)(3)
    process.abort()
  },
}

process.on('message', (task: ParseTask) => {
  const notes = `${task.path}.looks`
  appendFileSync(notes, `${process.pid} ${task.usesFallback ? 'simple' : 'first'}\n`)
  const look = readFileSync(notes, 'utf8').trim().split('\n').length
  const end = task.filename.split('.')[look - 1] ?? ''
  say({ type: 'started', id: task.id })
  const come = ends[end]
  if (come) return void come(task)
  say({ type: 'unreadable', id: task.id, reason: end as 'damaged', detail: 'the parser says so' })
})
say({ type: 'ready' })
