// Fields that several tools have. Descriptions are short, since every connected model reads all of them.

import { z } from 'zod'
import { text } from '../contract/fields.ts'

export const query = text(1, 2000)
export const workspace = text(1, 200).optional().describe('Id or name; all if left out')
/** Of a result: the name of its workspace, where the caller has several. */
export const label = z.string().optional()
export const cursor = z.string().max(4096).optional()
export const next_cursor = z.string().optional()
/** What the model should know about a result beyond its fields. */
export const note = z.string().optional()
