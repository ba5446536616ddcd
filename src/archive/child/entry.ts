// The program of the child that checks an archive and writes its rows (prepare.ts). It has no secrets and no network. The parent
// kills it if it takes too much time or memory.

import { endWithParent } from '../../parent.ts'
import { forbidNetwork, lowerPriority } from '../../reader/child/isolation.ts'
import { type Preparation, prepareArchive } from '../prepare.ts'
import { BadArchive } from '../zip.ts'
import type { ChildAnswer } from './answer.ts'

const REPORT_INTERVAL_MS = 500

const sendAnswer = (message: ChildAnswer): Promise<void> =>
  new Promise((resolve) => {
    if (process.send) process.send(message, () => resolve())
    else resolve()
  })

async function prepare(preparation: Preparation): Promise<ChildAnswer> {
  let lastReportAt = 0
  try {
    const prepared = await prepareArchive(preparation, (share) => {
      if (Date.now() - lastReportAt < REPORT_INTERVAL_MS) return
      lastReportAt = Date.now()
      void sendAnswer({ share })
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
    .then(sendAnswer)
    .then(() => process.disconnect())
})
