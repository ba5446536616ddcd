// A process that tries to take a lock when told `take <path>`, answers who has it, and keeps it until `release`.

import { type Lock, LockHeld, takeLock } from '../../src/ports/db/embedded/lock.ts'

let lock: Lock | undefined

process.on('message', (message: { take?: string; release?: true }) => {
  if (message.release) {
    lock?.release()
    lock = undefined
  }
  if (message.take === undefined) return
  try {
    lock = takeLock(message.take)
    process.send?.({ won: true, previous: lock.previous?.nonce })
  } catch (error) {
    process.send?.({ won: false, holder: error instanceof LockHeld ? error.holder.pid : String(error) })
  }
})
process.once('disconnect', () => lock?.release())
process.send?.({ ready: true })
