// The validated parts of one request (check 4): path, query and body are looked at together, as pydantic does.

import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ValidationErrorItem } from '../../contract/resources.ts'
import { ApiError } from '../../errors.ts'
import { letBodyCome } from './expect.ts'
import { readJson } from './json-body.ts'
import { checkUpload } from './upload.ts'
import { readQuery } from './url.ts'
import { type Place, refusal, violations } from './violations.ts'

export interface Read {
  params: unknown
  query: unknown
  body: unknown
}

/** @throws ApiError 400, 413, 422 */
export async function readInput(row: Endpoint, request: FastifyRequest): Promise<Read> {
  const found: ValidationErrorItem[] = []
  const check = (place: Place, schema: z.ZodType | undefined, value: unknown): unknown => {
    if (!schema) return {}
    const result = schema.safeParse(value)
    if (!result.success) found.push(...violations(place, value, result.error.issues))
    return result.data
  }
  const params = check('path', row.params, request.params)
  const query = check('query', row.query, readQuery(request.raw.url ?? '', row.query))
  if (row.multipart) checkUpload(request.raw)
  const body = row.body ? check('body', row.body, await readJsonOr(found, request)) : {}
  if (found.length) throw refusal(found)
  return { params, query, body }
}

/** A body that cannot be read does not hide what is wrong with path and query. */
async function readJsonOr(found: ValidationErrorItem[], request: FastifyRequest): Promise<unknown> {
  try {
    letBodyCome(request.raw)
    return await readJson(request.raw)
  } catch (error) {
    if (found.length && error instanceof ApiError && error.status === 422) {
      throw refusal([...found, ...(error.extras.detail ?? [])])
    }
    throw error
  }
}

/** The body of a route beside the table. @throws ApiError 400, 413, 422 */
export async function readBody<Schema extends z.ZodType>(
  schema: Schema,
  request: FastifyRequest,
): Promise<z.output<Schema>> {
  letBodyCome(request.raw)
  const value = await readJson(request.raw)
  const result = schema.safeParse(value)
  if (!result.success) throw refusal(violations('body', value, result.error.issues))
  return result.data
}

/** The query of a route beside the table. @throws ApiError 400, 422 */
export function readQueryOf<Schema extends z.ZodObject>(
  schema: Schema,
  request: FastifyRequest,
): z.output<Schema> {
  const value = readQuery(request.raw.url ?? '', schema)
  const result = schema.safeParse(value)
  if (!result.success) throw refusal(violations('query', value, result.error.issues))
  return result.data
}
