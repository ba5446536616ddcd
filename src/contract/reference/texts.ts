// The form of the descriptions and examples. The compiler holds each table to the contract: what lacks a text does not compile, and
// an example has the type of its schema. `reference.test.ts` validates them against openapi.json.

import type { z } from 'zod'

export interface SchemaText<Schema> {
  /** Sentences in Markdown for somebody who writes a program against the API. */
  description: string
  example: Schema extends z.ZodType ? z.input<Schema> : never
}

/** A text for each schema that a module of the contract exports. */
export type SchemaTexts<Module> = {
  [Name in keyof Module as Module[Name] extends z.ZodType ? Name : never]: SchemaText<Module[Name]>
}

/** Who may call an operation, as sentences of its description. */
export const CALLERS = {
  anybody: 'Every valid credential may call it.',
  user: 'Every user may call it, with an access token that may write.',
  person: 'Every user may call it, and sees only their own imports.',
  reader: 'Every member of the workspace may call it, also with an API key.',
  readingEditor:
    'Owners and editors of the workspace may call it, also with an access token that may only read.',
  readingOwner: 'Owners of the workspace may call it, also with an access token that may only read.',
  editor: 'Owners and editors of the workspace may call it, with an access token that may write.',
  owner: 'Owners of the workspace may call it, with an access token that may write.',
  asker: 'The caller to whom it belongs may call it: a user, or an API key for what it made itself.',
} as const

interface Sentences {
  /** What it does and returns. */
  does: string
  callers: keyof typeof CALLERS
  /** What 404 is about, if not the workspace alone. */
  missing?: string
  /** What besides the form of the request is answered with 422, after “or”. */
  invalid?: string
  /** When 429 comes. */
  limited?: string
}

type Part<Row, Name extends 'query' | 'body' | 'output'> =
  Row extends Record<Name, infer Schema extends z.ZodType> ? z.input<Schema> : never

/** An example is needed where the schema is no component with an example of its own. */
export interface OperationText<Row> extends Sentences {
  query?: Partial<Part<Row, 'query'>>
  body?: Part<Row, 'body'>
  output?: Part<Row, 'output'>
}

/** A text for each operation of a table of the contract. */
export type OperationTexts<Rows> = { [Id in keyof Rows]: OperationText<Rows[Id]> }
