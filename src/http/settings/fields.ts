// Fields of a form, held against the same schema as the JSON of the route that does the same.

import type { z } from 'zod'
import { type ApiError, invalid } from '../../errors.ts'

/** @throws ApiError 422 with a sentence for people */
export function fieldsOf<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const name = String(issue?.path.at(-1) ?? '').replaceAll('_', ' ')
  throw invalid(['body'], name ? `Check “${name}”: ${issue?.message}` : 'Check what you entered')
}

export const repeated = (): ApiError => invalid(['body'], 'The two new passwords are not the same')
