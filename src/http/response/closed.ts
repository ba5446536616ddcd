// The end of a response, whether it was sent or its client left.

import type { FastifyReply } from 'fastify'

/** Calls `onClose` when the response is closed, at once if it is closed already: its client may leave during any `await`. */
export function whenClosed({ raw }: Pick<FastifyReply, 'raw'>, onClose: () => void): void {
  if (raw.closed) onClose()
  else raw.once('close', onClose)
}
