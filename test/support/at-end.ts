// Vitest ends its workers by SIGTERM, at which Node runs no `exit` listeners: engines, services and browsers that the worker
// keeps for its next file would leave their folders behind, and run on.

const ours = globalThis as { kenningEndsTidily?: true }

if (!ours.kenningEndsTidily) {
  ours.kenningEndsTidily = true
  process.once('SIGTERM', () => {
    // Vitest replaces `process.exit` by one that throws.
    process.emit('exit', 0)
    process.kill(process.pid, 'SIGKILL')
  })
}
