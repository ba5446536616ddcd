// A child process for tests of supervision; its first argument says how it behaves.

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
const note = (text: string) => appendFileSync(diary, `${text}\n`)

if (mood === 'stubborn') process.on('SIGTERM', () => {})
if (mood === 'mute') setInterval(() => {}, 1000)
if (mood === 'stubborn') setInterval(() => {}, 1000)

if (mood === 'broken') {
  const outcome = await runRole(async () => {
    throw new Error('the port 8484 is in use')
  })
  note(outcome)
} else if (mood === 'stubborn') {
  process.send?.({ type: 'ready' })
} else if (mood !== 'mute') {
  await runRole(async ({ onMigrating, signal }) => {
    if (mood === 'busy') setTimeout(computeForEver, 300)
    for (let times = 0; mood === 'migrating' && times < 3; times += 1) {
      await delay(3000)
      onMigrating()
    }
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
