// The messages that the child which checks an archive sends to its parent over IPC. The parent checks them, because a hostile
// archive may have taken over the child.

import { z } from 'zod'
import { share } from '../../processes/messages.ts'
import { PreparedArchive } from '../prepare.ts'

const MAX_REASON_CHARACTERS = 2000
const reason = z.string().transform((value) => value.slice(0, MAX_REASON_CHARACTERS))

/** `bad`: what is wrong with the archive. `failed`: any other error. */
export const ChildAnswer = z.union([
  z.object({ share }),
  z.object({ prepared: PreparedArchive }),
  z.object({ bad: reason }),
  z.object({ failed: reason }),
])
export type ChildAnswer = z.output<typeof ChildAnswer>
