// Messages of a child that reads a stranger's bytes. Whoever has taken it over may send anything, and an error in a listener would
// end this process.

import type { ChildProcess } from 'node:child_process'
import { z } from 'zod'

/** How much is done, 0 to 1; what is no number (`null` in JSON) counts as nothing. */
export const share = z
  .number()
  .nullable()
  .transform((value) => Math.min(1, Math.max(0, value ?? 0)))

/**
 * Passes on each message that is one by its schema. The first that is none is the last that is looked at.
 * @param refuse ends the child
 */
export function onMessage<Message>(
  child: Pick<ChildProcess, 'on'>,
  schema: z.ZodType<Message>,
  receive: (message: Message) => void,
  refuse: () => void,
): void {
  let isBelieved = true
  child.on('message', (value) => {
    if (!isBelieved) return
    const { success, data } = schema.safeParse(value)
    if (success) return receive(data)
    isBelieved = false
    refuse()
  })
}
