// The URL of a request: what is malformed in it is 400 before anything else is looked at.

import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { ApiError } from '../../errors.ts'

// A filter of 2,000 characters takes up to 24,000 percent-encoded; with a cursor and a type it still fits.
export const MOST_URL_BYTES = 32 * 1024
const MOST_HEADER_BYTES = 16 * 1024
// Node drops what comes after the 1,000th without a word: a second credential could hide there.
const MOST_HEADERS = 500
/** What the parser lets through at all, so that the two limits above are told apart. */
export const MOST_HEAD_BYTES = MOST_URL_BYTES + MOST_HEADER_BYTES + 4096

const malformed = (message: string): ApiError => new ApiError(400, 'invalid_request', message)

/** @throws ApiError 414, 431, 400 */
export function checkHead(request: IncomingMessage): void {
  const url = request.url ?? ''
  if (url.length > MOST_URL_BYTES) throw new ApiError(414, 'invalid_request', 'The address is too long.')
  // Two texts a header, with ": " and a line end.
  const size = request.rawHeaders.reduce((sum, text) => sum + text.length + 2, 0)
  if (size > MOST_HEADER_BYTES || request.rawHeaders.length > 2 * MOST_HEADERS) {
    throw new ApiError(431, 'invalid_request', 'The header fields are larger than 16 KiB or more than 500.')
  }
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    throw malformed('The Host header is missing.')
  }
  const [path = '', query = ''] = split(url)
  const decoded = [path, ...query.split(/[&=]/)].map(decode)
  if (decoded.some((text) => text.includes('\0'))) throw malformed('The address contains a NUL character.')
}

function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw malformed('The address contains an invalid percent-encoding.')
  }
}

function split(url: string): [string, string] {
  const mark = url.indexOf('?')
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
}

/** The path alone, undecoded. */
export const pathOf = (url: string): string => split(url)[0]

/**
 * The query as the schema expects it: an integer's digits become a number, everything else stays text.
 * @throws ApiError 400 for a parameter that stands twice
 */
export function readQuery(url: string, schema: z.ZodObject | undefined): Record<string, unknown> {
  const query = split(url)[1]
  if (query === '') return {}
  const read: Record<string, unknown> = Object.create(null)
  for (const [name, value] of new URLSearchParams(query)) {
    if (name in read) throw malformed(`The parameter ${name.slice(0, 100)} stands twice in the address.`)
    const field = schema?.shape[name]
    read[name] = field && isNumber(field) ? asInteger(value) : value
  }
  return { ...read }
}

function isNumber(field: z.core.$ZodType): boolean {
  if (field instanceof z.ZodDefault || field instanceof z.ZodOptional || field instanceof z.ZodNullable) {
    return isNumber(field.unwrap())
  }
  return field instanceof z.ZodNumber
}

/** Text that is no integer stays text: the schema refuses it, with what was sent. */
function asInteger(value: string): number | string {
  if (!/^[+-]?\d{1,400}$/.test(value)) return value
  const most = Number.MAX_SAFE_INTEGER
  return Math.min(most, Math.max(-most, Number(value)))
}
