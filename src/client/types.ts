// The types of the input and the output of each operation, from the contract's table. The published package has plain interfaces
// instead (scripts/client-types.ts), so that users of the client do not need zod to compile.

import type { z } from 'zod'
import type { EndpointId, endpoints } from '../contract/endpoints.ts'

export type * from '../contract/archives.ts'
export type * from '../contract/checks.ts'
export type * from '../contract/conversations.ts'
export type * from '../contract/evaluation.ts'
export type * from '../contract/inspection.ts'
export type * from '../contract/moves.ts'
export type * from '../contract/people.ts'
export type * from '../contract/resources.ts'
export type * from '../contract/sources.ts'
export type * from '../contract/trash.ts'
export type * from '../contract/usage.ts'
export type * from '../contract/webhooks.ts'

type Row<Id extends EndpointId> = (typeof endpoints)[Id]
type Sent<Id extends EndpointId, Part extends 'params' | 'query' | 'body'> =
  Row<Id> extends Record<Part, infer Schema extends z.ZodType> ? z.input<Schema> : unknown
type Flat<T> = { [Key in keyof T]: T[Key] }

/** `input` is the path parameters, query and body as one object. `output` is the answer as in openapi.json. */
interface Operation<Id extends EndpointId> {
  input: Flat<Sent<Id, 'params'> & Sent<Id, 'query'> & Sent<Id, 'body'>>
  output: Row<Id> extends { output: infer Schema extends z.ZodType } ? z.input<Schema> : undefined
}

type ByteId = { [Id in EndpointId]: Row<Id> extends { bytes: string } ? Id : never }[EndpointId]
type OtherId = {
  [Id in EndpointId]: Row<Id> extends { multipart: true } | { archive: string } | { events: 'always' }
    ? Id
    : never
}[EndpointId]

/** Operations that answer with JSON or nothing. */
export type JsonOperations = { [Id in Exclude<EndpointId, ByteId | OtherId>]: Operation<Id> }
/** Operations that answer with a file. */
export type ByteOperations = { [Id in ByteId]: Operation<Id> }
/** Uploads and streams of events, which have functions of their own. */
export type OtherOperations = { [Id in OtherId]: Operation<Id> }
