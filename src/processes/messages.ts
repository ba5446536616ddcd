// Receives messages of a child that reads files of strangers. A file may have taken the child over, so that it may send anything.
// An error in a listener would end this process.

import type { ChildProcess } from 'node:child_process'
import { z } from 'zod'

/** The share that is done, from 0 to 1. NaN, which is `null` in JSON, counts as 0. */
export const share = z
  .number()
  .nullable()
  .transform((value) => Math.min(1, Math.max(0, value ?? 0)))

/**
 * Passes on each message that fits the schema. After the first message that does not, all others are ignored.
 * @param refuse called with the first such message, to end the child
 */
export function onMessage<Message>(
  child: Pick<ChildProcess, 'on'>,
  schema: z.ZodType<Message>,
  receive: (message: Message) => void,
  refuse: () => void,
): void {
  let isTrusted = true
  child.on('message', (value) => {
    if (!isTrusted) return
    const { success, data } = schema.safeParse(value)
    if (success) return receive(data)
    isTrusted = false
    refuse()
  })
}
