// The schema of a parser child's messages to the pool. They are checked because the child has read untrusted bytes. It is
// not in task.ts, because the child loads that file and needs no Zod.

import { z } from 'zod'
import { share } from '../processes/messages.ts'
import type { UnreadableReason } from './block.ts'
import { reasonSentence } from './reasons.ts'
import type { ChildMessage } from './task.ts'

const id = z.int()
const detail = z.string()
const pages = z.int().min(0).exactOptional()

export const childMessage: z.ZodType<ChildMessage> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('started'), id }),
  z.object({ type: z.literal('progress'), id, progress: z.object({ share, pages, ocrPages: pages }) }),
  z.object({ type: z.literal('done'), id }),
  z.object({
    type: z.literal('unreadable'),
    id,
    reason: z.enum(Object.keys(reasonSentence) as [UnreadableReason]),
    detail,
  }),
  z.object({ type: z.literal('no_page'), id, detail }),
  z.object({ type: z.literal('failed'), id, detail }),
  z.object({
    type: z.literal('recognise'),
    id,
    requestNumber: z.int(),
    path: z.string(),
    language: z.string(),
  }),
])
