// Validates path, query and body of a request together. It reports zod's issues in the format and words of pydantic 2, which the
// specification's clients expect.

import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ValidationErrorItem } from '../../contract/resources.ts'
import { ApiError } from '../../errors.ts'
import { readJson } from './body.ts'
import { sendContinue } from './expect-continue.ts'
import { checkArchiveHead, checkUpload } from './upload.ts'
import { readQuery } from './url.ts'

export interface ValidatedInput {
  params: unknown
  query: unknown
  body: unknown
}

/** @throws ApiError 400, 413, 422 */
export async function readInput(endpoint: Endpoint, request: FastifyRequest): Promise<ValidatedInput> {
  const errors: ValidationErrorItem[] = []
  const check = (part: InputPart, schema: z.ZodType | undefined, value: unknown): unknown => {
    if (!schema) return {}
    const result = schema.safeParse(value)
    if (!result.success) errors.push(...violations(part, value, result.error.issues))
    return result.data
  }
  const params = check('path', endpoint.params, request.params)
  const query = check('query', endpoint.query, readQuery(request.raw.url ?? '', endpoint.query))
  if (endpoint.multipart) checkUpload(request.raw)
  if (endpoint.archive) checkArchiveHead(request.raw, endpoint.archive)
  const body = endpoint.body ? check('body', endpoint.body, await readJsonAfter(errors, request)) : {}
  if (errors.length) throw validationError(errors)
  return { params, query, body }
}

/** Reads the body. If it is not valid JSON, the error also contains `errors`, the violations in path and query. */
async function readJsonAfter(errors: ValidationErrorItem[], request: FastifyRequest): Promise<unknown> {
  try {
    sendContinue(request.raw)
    return await readJson(request.raw)
  } catch (error) {
    if (errors.length && error instanceof ApiError && error.status === 422) {
      throw validationError([...errors, ...(error.extras.detail ?? [])])
    }
    throw error
  }
}

/** For routes that are not part of the contract. @throws ApiError 400, 413, 422 */
export async function readBody<Schema extends z.ZodType>(
  schema: Schema,
  request: FastifyRequest,
): Promise<z.output<Schema>> {
  sendContinue(request.raw)
  const value = await readJson(request.raw)
  const result = schema.safeParse(value)
  if (!result.success) throw validationError(violations('body', value, result.error.issues))
  return result.data
}

/** For routes that are not part of the contract. @throws ApiError 400, 422 */
export function readQueryOf<Schema extends z.ZodObject>(
  schema: Schema,
  request: FastifyRequest,
): z.output<Schema> {
  const value = readQuery(request.raw.url ?? '', schema)
  const result = schema.safeParse(value)
  if (!result.success) throw validationError(violations('query', value, result.error.issues))
  return result.data
}

type Issue = z.core.$ZodIssue
type Explanation = Pick<ValidationErrorItem, 'type' | 'msg' | 'ctx'>

const MAX_ITEMS = 20
const MAX_CHARACTERS = 200

type InputPart = 'path' | 'query' | 'body'

/** zod's issues as items of the 422 body. */
function violations(part: InputPart, value: unknown, issues: readonly Issue[]): ValidationErrorItem[] {
  return issues.slice(0, MAX_ITEMS).map((issue) => {
    const path = issue.path.map(String)
    const input = valueAt(value, issue.path)
    return { loc: [part, ...path], ...explain(issue, input), input: displayInput(input) }
  })
}

/** 422 with both error bodies; the message names the first violation. */
function validationError(detail: ValidationErrorItem[]): ApiError {
  const firstViolation = detail[0]
  const field = firstViolation?.loc.slice(1).join('.') || firstViolation?.loc[0] || 'body'
  return new ApiError(422, 'invalid_request', `${field}: ${firstViolation?.msg ?? 'Invalid input'}`, {
    detail,
  })
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current: unknown = value
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined
    current = (current as Record<PropertyKey, unknown>)[step]
  }
  return current
}

/** The invalid input, shortened to 200 characters. */
function displayInput(input: unknown): unknown {
  if (typeof input === 'string') return shortened(input)
  if (typeof input !== 'object' || input === null) return input ?? null
  const text = JSON.stringify(input)
  return text.length <= MAX_CHARACTERS ? input : shortened(text)
}

const shortened = (text: string): string => text.slice(0, MAX_CHARACTERS).toWellFormed()

function explain(issue: Issue, input: unknown): Explanation {
  if (issue.code === 'custom') return customIssue(issue)
  if (issue.code === 'invalid_type')
    return input === undefined ? MISSING_FIELD : wrongType(issue.expected, input)
  if (issue.code === 'too_small') return boundIssue(issue.origin, 'least', Number(issue.minimum))
  if (issue.code === 'too_big') return boundIssue(issue.origin, 'most', Number(issue.maximum))
  if (issue.code === 'invalid_format') return formatIssue(issue.format, issue.message)
  if (issue.code === 'invalid_value') return notOneOf(issue.values.map(String), input)
  return { type: 'value_error', msg: issue.message, ctx: {} }
}

const MISSING_FIELD: Explanation = { type: 'missing', msg: 'Field required', ctx: {} }

function customIssue(issue: Issue & { code: 'custom' }): Explanation {
  const { type, ctx } = (issue.params ?? {}) as { type?: string; ctx?: Record<string, unknown> }
  return { type: type ?? 'value_error', msg: issue.message, ctx: ctx ?? {} }
}

/** What to report for a value that has not the type that zod expects. */
const TYPE_ERRORS: Record<string, [type: string, msg: string]> = {
  string: ['string_type', 'Input should be a valid string'],
  int: ['int_type', 'Input should be a valid integer'],
  number: ['int_type', 'Input should be a valid integer'],
  boolean: ['bool_type', 'Input should be a valid boolean'],
  array: ['list_type', 'Input should be a valid list'],
  object: ['model_attributes_type', 'Input should be a valid dictionary or object to extract fields from'],
}

function wrongType(expectedType: string, input: unknown): Explanation {
  if (expectedType === 'int' && typeof input === 'number') {
    const msg = 'Input should be a valid integer, got a number with a fractional part'
    return { type: 'int_from_float', msg, ctx: {} }
  }
  // Integers of a query arrive as strings; url.ts has converted the valid ones.
  if (expectedType === 'number' && typeof input === 'string') {
    const msg = 'Input should be a valid integer, unable to parse string as an integer'
    return { type: 'int_parsing', msg, ctx: {} }
  }
  const [type, msg] = TYPE_ERRORS[expectedType] ?? ['value_error', `Input should be a valid ${expectedType}`]
  return { type, msg, ctx: {} }
}

function notOneOf(values: readonly string[], input: unknown): Explanation {
  if (input === undefined) return MISSING_FIELD
  if (typeof input !== 'string') return wrongType('string', input)
  const expected = values
    .map((value) => `'${value}'`)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')
  return { type: 'enum', msg: `Input should be ${expected}`, ctx: { expected } }
}

function boundIssue(origin: string, side: 'least' | 'most', limit: number): Explanation {
  const isMinimum = side === 'least'
  if (origin === 'string') {
    const msg = `String should have at ${side} ${limit} character${limit === 1 ? '' : 's'}`
    return isMinimum
      ? { type: 'string_too_short', msg, ctx: { min_length: limit } }
      : { type: 'string_too_long', msg, ctx: { max_length: limit } }
  }
  if (origin === 'array') {
    const msg = `List should have at ${side} ${limit} item${limit === 1 ? '' : 's'}`
    return isMinimum
      ? { type: 'too_short', msg, ctx: { min_length: limit } }
      : { type: 'too_long', msg, ctx: { max_length: limit } }
  }
  return isMinimum
    ? {
        type: 'greater_than_equal',
        msg: `Input should be greater than or equal to ${limit}`,
        ctx: { ge: limit },
      }
    : { type: 'less_than_equal', msg: `Input should be less than or equal to ${limit}`, ctx: { le: limit } }
}

function formatIssue(name: string, message: string): Explanation {
  if (name === 'guid' || name === 'uuid') {
    const msg = 'Input should be a valid UUID in its canonical form of 36 characters'
    return { type: 'uuid_parsing', msg, ctx: {} }
  }
  const explanation = message.startsWith('Invalid')
    ? 'String should consist of 1 to 128 visible ASCII characters'
    : message
  return { type: 'string_pattern_mismatch', msg: explanation, ctx: {} }
}
