// A row of the contract's table, and the parameters that rows share.

import { z } from 'zod'
import { text, uuid } from './fields.ts'

/** What a credential must be able to do: `any` valid token, `read`, or both scopes for `write` (D-09, D-10). */
export type Ability = 'any' | 'read' | 'write'

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base address; `{name}` is a path parameter. */
  path: string
  summary: string
  ability: Ability
  /** The answer says how many workspaces the caller can read: they are counted with the check of the credential. */
  countsWorkspaces?: true
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject
  /** The request is multipart/form-data with a field `files`; the handler reads the stream itself. */
  multipart?: true
  status: 200 | 201 | 202 | 204
  /** Absent for 204. */
  output?: z.ZodType
  /** The answer is bytes of this media type, whole or in part (RFC 9110 ranges). */
  bytes?: string
  /** `always`: the answer is an event stream; `optional`: when the body says `stream: true`. */
  events?: 'always' | 'optional'
  /** The statuses besides 401 that the specification lists. */
  errors: readonly number[]
  /** Goes beyond the specification. */
  extension?: true
}

// A position may hold a title of 500 characters: up to 1,600 bytes with its signature, more in base64url.
export const cursor = z.string().max(4096).nullable().optional()
export const limit = z.int().min(1).max(200).default(50)
export const workspace = z.object({ workspace_id: uuid })
export const document = workspace.extend({ document_id: uuid })
export const job = z.object({ job_id: z.string().regex(/^[\x21-\x7e]{1,128}$/) })

/** A text to narrow a list by; none, empty and null are the same. */
export function filter(max: number) {
  return text(0, max).nullable().optional()
}
