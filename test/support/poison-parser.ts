// A parser child that goes wrong in the way the file's name says (F-11); any other file is read well.

import { spawn } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeResult } from '../../src/reader/result-file.ts'
import type { ChildMessage, ParseTask } from '../../src/reader/task.ts'

const say = (message: ChildMessage): void => void process.send?.(message)
const forEver = true

async function talk(message: unknown): Promise<void> {
  process.send?.(message as object)
  await sleep(3_600_000)
}

const ways: Record<string, (task: ParseTask) => unknown> = {
  throws: () => {
    throw new Error('poison')
  },
  rejects: () => Promise.reject(new Error('poison')),
  // Writes nothing behind it: the test looks whether anything is left.
  full: async ({ id }) => {
    say({ type: 'failed', id, detail: 'Error: ENOSPC: no space left on device, write' })
    await sleep(3_600_000)
  },
  exits: () => process.exit(0),
  segfaults: () => process.kill(process.pid, 'SIGSEGV'),
  aborts: () => process.abort(),
  loops: () => {
    while (forEver);
  },
  swells: () => {
    const held: Buffer[] = []
    while (forEver) held.push(Buffer.alloc(2 ** 24, 1))
  },
  heap: () => {
    const held: string[][] = []
    while (forEver) held.push(Array.from({ length: 1e5 }, (_, i) => `${i}`))
  },
  // As V8 does from deep within: its stack of native frames is longer than what it says.
  buried: () => {
    const frames = Array.from(
      { length: 30 },
      (_, i) => `${i}: 0x10e91f1 ${'v8::internal::'.repeat(10)}() [node]\n`,
    )
    writeSync(2, `FATAL ERROR: Allocation failed - JavaScript heap out of memory\n${frames.join('')}`)
    process.abort()
  },
  // Its last words come behind its end: whoever holds its standard error says them when it is gone.
  belated: () => {
    const last = 'cat; sleep 0.3; echo "FATAL ERROR: Reached heap limit - JavaScript heap out of memory" >&2'
    spawn('sh', ['-c', last], { stdio: ['pipe', 'ignore', 'inherit'] })
    process.abort()
  },
  writes: ({ resultPath }) => {
    const file = openSync(resultPath, 'w')
    const piece = Buffer.alloc(2 ** 20, 'x')
    while (forEver) writeSync(file, piece)
    closeSync(file)
  },
  shouts: async () => {
    while (forEver) {
      process.stderr.write('poison '.repeat(10_000))
      await sleep(0)
    }
  },
  lies: async ({ id, resultPath }) => {
    const file = openSync(resultPath, 'w')
    writeSync(file, '{"count":3}\n{"kind":"para')
    closeSync(file)
    say({ type: 'done', id })
    await sleep(3_600_000)
  },
  repeats: async ({ id }) => {
    while (forEver) {
      say({ type: 'progress', id, progress: { share: 0.5, pages: 3 } })
      await sleep(20)
    }
  },
  // As whoever took it over may do.
  number: () => talk(5),
  nothing: () => talk(null),
  nameless: () => talk({}),
  strange: ({ id }) => talk({ type: 'progress', id, progress: { share: 'x' } }),
  silent: () => sleep(3_600_000),
}

process.on('message', async (task: ParseTask) => {
  say({ type: 'started', id: task.id })
  if (!task.usesFallback) await ways[task.filename.replace(/\..*/, '')]?.(task)
  await writeResult(task.resultPath, { blocks: [{ kind: 'paragraph', text: `Read ${task.filename}` }] })
  say({ type: 'done', id: task.id })
})
say({ type: 'ready' })
