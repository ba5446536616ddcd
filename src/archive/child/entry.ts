// The program of the child that checks an archive and writes its rows (prepare.ts), without secrets and network, killed when it takes
// too much time or memory.

import { endWithParent } from '../../parent.ts'
import { forbidNetwork, lowerPriority } from '../../reader/child/isolation.ts'
import { type Preparation, prepareArchive } from '../prepare.ts'
import { BadArchive } from '../zip.ts'
import type { ChildAnswer } from './answer.ts'

const REPORT_EVERY_MS = 500

const answer = (message: ChildAnswer): Promise<void> =>
  new Promise((resolve) => {
    if (process.send) process.send(message, () => resolve())
    else resolve()
  })

async function prepare(preparation: Preparation): Promise<ChildAnswer> {
  let last = 0
  try {
    const prepared = await prepareArchive(preparation, (share) => {
      if (Date.now() - last < REPORT_EVERY_MS) return
      last = Date.now()
      void answer({ share })
    })
    return { prepared }
  } catch (error) {
    if (error instanceof BadArchive) return { bad: error.message }
    return { failed: String(error) }
  }
}

forbidNetwork()
lowerPriority()
endWithParent(0, { parent: Number(process.argv[2]) })
process.once('message', (preparation: Preparation) => {
  void prepare(preparation)
    .then(answer)
    .then(() => process.disconnect())
})
