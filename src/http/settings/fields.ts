// Fields of a form, held against the same schema as the JSON of the route that does the same.

import type { z } from 'zod'
import { uuid } from '../../contract/fields.ts'
import { type ApiError, invalid, notFound } from '../../errors.ts'
import type { Form } from '../pages/form.ts'

/** @throws ApiError 422 with a sentence for people */
export function fieldsOf<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const name = String(issue?.path.at(-1) ?? '').replaceAll('_', ' ')
  throw invalid(['body'], name ? `Check “${name}”: ${issue?.message}` : 'Check what you entered')
}

/** The id of what is meant. @throws ApiError 404 for what can be none */
export function idIn(form: Pick<Form, 'text'>, name = 'id'): string {
  const read = uuid.safeParse(form.text(name))
  if (!read.success) throw notFound()
  return read.data
}

export const repeated = (): ApiError => invalid(['body'], 'The two passwords are not the same')
