// Checks the request's URL and headers before anything else, and reads the query.

import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { ApiError } from '../../errors.ts'

// A filter of 2,000 characters takes up to 24,000 when percent-encoded; with a cursor and a type it still fits.
export const MAX_URL_BYTES = 32 * 1024
const MAX_HEADER_BYTES = 16 * 1024
// Node silently drops headers after the 1,000th, where a second credential could hide.
const MAX_HEADERS = 500
/** Limit of the HTTP parser, higher than both limits above, so that each has its own error. */
export const MAX_HEAD_BYTES = MAX_URL_BYTES + MAX_HEADER_BYTES + 4096

const malformed = (message: string): ApiError => new ApiError(400, 'invalid_request', message)

/** @throws ApiError 414, 431, 400 */
export function checkHead(request: IncomingMessage): void {
  const url = request.url ?? ''
  if (url.length > MAX_URL_BYTES)
    throw new ApiError(414, 'invalid_request', `The URL exceeds ${MAX_URL_BYTES / 1024} KiB.`)
  // A header is two entries, its name and its value; the two bytes for each are ": " and the line end.
  const size = request.rawHeaders.reduce((sum, text) => sum + text.length + 2, 0)
  if (size > MAX_HEADER_BYTES || request.rawHeaders.length > 2 * MAX_HEADERS) {
    throw new ApiError(431, 'invalid_request', 'The header fields exceed 16 KiB or are more than 500.')
  }
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    throw malformed('The Host header is missing.')
  }
  const [path = '', query = ''] = splitUrl(url)
  const decodedParts = [path, ...query.split(/[&=]/)].map(decode)
  if (decodedParts.some((text) => text.includes('\0'))) throw malformed('The URL contains a NUL character.')
}

function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw malformed('The URL contains invalid percent-encoding.')
  }
}

function splitUrl(url: string): [string, string] {
  const queryStart = url.indexOf('?')
  return queryStart < 0 ? [url, ''] : [url.slice(0, queryStart), url.slice(queryStart + 1)]
}

/** The path without the query, not decoded. */
export const pathOf = (url: string): string => splitUrl(url)[0]

/** The query without the question mark, not decoded. */
export const queryOf = (url: string): string => splitUrl(url)[1]

/**
 * The query parameters, with integers converted to numbers where the schema expects a number.
 * @throws ApiError 400 for a repeated parameter
 */
export function readQuery(url: string, schema: z.ZodObject | undefined): Record<string, unknown> {
  const query = queryOf(url)
  if (query === '') return {}
  const parameters: Record<string, unknown> = Object.create(null)
  for (const [name, value] of new URLSearchParams(query)) {
    if (name in parameters)
      throw malformed(`The query parameter ${name.slice(0, 100)} is given more than once.`)
    const field = schema?.shape[name]
    parameters[name] = field && isNumber(field) ? asInteger(value) : value
  }
  return { ...parameters }
}

function isNumber(field: z.core.$ZodType): boolean {
  if (field instanceof z.ZodDefault || field instanceof z.ZodOptional || field instanceof z.ZodNullable) {
    return isNumber(field.unwrap())
  }
  return field instanceof z.ZodNumber
}

/** A value that is not an integer stays a string: the schema rejects it, and the error quotes it as it was sent. */
function asInteger(value: string): number | string {
  if (!/^[+-]?\d{1,400}$/.test(value)) return value
  const max = Number.MAX_SAFE_INTEGER
  return Math.min(max, Math.max(-max, Number(value)))
}
