// A child process for tests of supervision; its first argument says how it behaves.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { runRole } from '../../src/processes/role.ts'

const [mood = '', diary = ''] = process.argv.slice(2)
const forEver = true
const computeForEver = () => {
  note('busy computes')
  while (forEver);
}
/** @param ms of processor time */
function compute(ms: number) {
  const { user, system } = process.cpuUsage()
  const until = user + system + ms * 1000
  for (let now = 0; now < until; ) {
    const usage = process.cpuUsage()
    now = usage.user + usage.system
  }
}
const note = (text: string) => appendFileSync(diary, `${text}\n`)

if (mood === 'stubborn') process.on('SIGTERM', () => {})
if (mood === 'mute') setInterval(() => {}, 1000)
if (mood === 'stubborn') setInterval(() => {}, 1000)

if (mood === 'computing') {
  compute(2000)
} else if (mood === 'broken') {
  const outcome = await runRole(async () => {
    throw new Error('the port 8484 is in use')
  })
  note(outcome)
} else if (mood === 'stubborn') {
  process.send?.({ type: 'ready' })
} else if (mood !== 'mute') {
  await runRole(async ({ onMigrating, onProgress, signal }) => {
    if (mood === 'busy') setTimeout(computeForEver, 300)
    if (mood === 'migrating') {
      onProgress('preparing …')
      for (let times = 0; times < 3; times += 1) onMigrating()
    }
    if (mood === 'working') compute(2000)
    if (mood === 'delegating') await once(fork(process.argv[1] ?? '', ['computing', diary]), 'exit')
    if (mood === 'waiting') {
      note('waiting')
      await once(signal, 'abort')
      note('waited')
      throw signal.reason
    }
    note(`${mood} started with ${JSON.stringify(process.env.COLOUR)}`)
    const timer = setInterval(() => {}, 1000)
    return {
      async stop() {
        if (mood === 'endless') await new Promise(() => {})
        if (mood === 'slow') {
          note('slow stops')
          while (!readFileSync(diary, 'utf8').includes('go on')) await delay(20)
        }
        clearInterval(timer)
        note(`${mood} stopped`)
      },
    }
  })
}
