// The description of an endpoint, and parameters that endpoints share.

import { z } from 'zod'
import { text, uuid } from './fields.ts'

/**
 * What the credential has to allow. `any`: every valid credential. `read`: the scope for reading. `write`: both scopes. `own`: to
 * change or delete what belongs to the caller alone, such as a conversation. A token acts for a person and needs both scopes for
 * that. An API key can only read, but may change its own conversations.
 */
export type Ability = 'any' | 'read' | 'write' | 'own'

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base URL; `{name}` is a path parameter. */
  path: string
  summary: string
  ability: Ability
  /** The response contains the number of readable workspaces, which is counted together with the credential check. */
  countsWorkspaces?: true
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject
  /** The request is multipart/form-data with a field `files`; the handler reads the stream itself. */
  multipart?: true
  /** The body is a file of this media type; the handler reads the stream itself. */
  archive?: string
  status: 200 | 201 | 202 | 204
  /** Absent for 204. */
  output?: z.ZodType
  /** The response is a file of this media type, whole or a range (RFC 9110). */
  bytes?: string
  /** `always`: the response is an event stream; `optional`: only if the body has `stream: true`. */
  events?: 'always' | 'optional'
  /** Error statuses besides 401, as the specification lists them. */
  errors: readonly number[]
  /** Set if the endpoint is not part of the specification. */
  extension?: true
}

// A position may contain a title of 500 characters: up to 1,600 bytes with the signature, more in base64url.
export const cursor = z.string().max(4096).nullable().optional()
export const limit = z.int().min(1).max(200).default(50)
export const workspace = z.object({ workspace_id: uuid })
export const document = workspace.extend({ document_id: uuid })
export const job = z.object({ job_id: z.string().regex(/^[\x21-\x7e]{1,128}$/) })

/** A filter of a list; absent, empty and null mean no filter. */
export function filter(max: number) {
  return text(0, max).nullable().optional()
}
