// After a power failure at any moment, the embedded database has everything that was acknowledged.

import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize } from 'node:v8'
import { expect, onTestFinished, test } from 'vitest'
import { templateDirectory } from '../../../../test/support/database.ts'
import { diskOf } from '../../../../test/support/disk-model.ts'
import { FULL } from '../../../../test/support/full.ts'
import type { Content, Run } from '../../../../test/support/power-cut.ts'
import { program } from '../../../../test/support/program.ts'
import { SEED } from '../../../../test/support/seed.ts'
import { forkModule } from '../../../processes/module.ts'

const CUTS = FULL ? 200 : 2
const TURNS = FULL ? 150 : 24
// Each cut copies a cluster of 1,000 files and opens it.
const TIMEOUT_MS = FULL ? 7_200_000 : 900_000
/** A process that has opened this many databases is replaced, because each leaves some memory behind. */
const OPENED_BY_ONE = 20

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function opener() {
  const start = () => {
    const child = forkModule(program('power-cut'), { args: ['open'] })
    const ended = once(child, 'exit').then(() => ({ error: 'the process that opened it has ended' }))
    return { child, ended }
  }
  let opened = 0
  let current = start()
  return {
    async open(folder: string): Promise<{ content: Content } | { error: string }> {
      opened += 1
      if (opened % OPENED_BY_ONE === 0) {
        current.child.kill('SIGKILL')
        current = start()
      }
      const { child, ended } = current
      const answer = new Promise<{ content: Content }>((resolve) => child.once('message', resolve))
      child.send(folder)
      return await Promise.race([answer, ended])
    },
    end: () => void current.child.kill('SIGKILL'),
  }
}

/** Sentences about what was promised before event number `cut` but is missing. */
function missing({ events, acknowledgements, deletions }: Run, cut: number, content: Content): string[] {
  const rows = new Map(content.rows)
  const promised = new Map<string, number | undefined>()
  for (const event of events.slice(0, cut))
    if (event.type === 'acknowledged')
      for (const { key, version } of acknowledgements[event.id] ?? []) promised.set(key, version)
  const deleting = new Set(deletions.filter(([, since]) => since <= cut).map(([key]) => key))
  const problems = content.isIndexSound ? [] : ['an index does not have what the table has']
  for (const [key, version] of promised) {
    const found = rows.get(key)
    if (version === undefined && found !== undefined) problems.push(`${key} is back`)
    if (version !== undefined && found === undefined && !deleting.has(key)) problems.push(`${key} is lost`)
    if (version !== undefined && found !== undefined && found < version) problems.push(`${key} is as before`)
  }
  for (const key of rows.keys())
    if (key.endsWith('a') && !(rows.has(key.replace('a', 'b')) && rows.has(key.replace('a', 'c'))))
      problems.push(`half of the transaction of ${key}`)
  // Background work may lose its end, but never an earlier part.
  if (content.background.some((no, index) => no !== index)) problems.push('a gap in background work')
  return problems
}

test(
  `a power failure at ${CUTS} moments: the database opens, and has all that was acknowledged`,
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'kenning-power-'))
    const states = opener()
    onTestFinished(() => {
      states.end()
      rmSync(place, { recursive: true, force: true })
    })
    const base = join(await templateDirectory(), 'pg')
    const [folder, file] = [join(place, 'pg'), join(place, 'run')]
    cpSync(base, folder, { recursive: true })
    mkdirSync(`${file}.sockets`)
    const child = forkModule(program('power-cut'), { args: ['run', folder, file, String(TURNS)] })
    expect(await once(child, 'exit')).toEqual([0, null])
    const run = deserialize(readFileSync(file)) as Run
    rmSync(folder, { recursive: true })

    const seed = SEED ?? Date.now() % 1_000_000
    const random = randomOf(seed)
    // Cuts begin at the first acknowledgement, because the tables do not exist before it.
    const first = run.events.findIndex(({ type }) => type === 'acknowledged')
    const cuts = Array.from(
      { length: CUTS },
      () => first + Math.floor(random() * (run.events.length - first)),
    )
    const disk = diskOf(base)
    const problems: string[] = []
    let played = 0
    for (const cut of cuts.sort((a, b) => a - b)) {
      for (; played < cut; played += 1) {
        const event = run.events[played]
        if (event) disk.play(event)
      }
      disk.cut(folder, random)
      const result = await states.open(folder)
      const found = 'error' in result ? [result.error] : missing(run, cut, result.content)
      problems.push(...found.map((problem) => `event ${cut}: ${problem}`))
    }
    expect(problems, `seed ${seed}`).toEqual([])
  },
  TIMEOUT_MS,
)
