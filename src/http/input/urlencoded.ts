// A form's body (application/x-www-form-urlencoded), bounded like every other body.

import type { IncomingMessage } from 'node:http'
import { invalid } from '../../errors.ts'
import { readBytes, refuseEncoding } from './json-body.ts'

/** @throws ApiError 400 for a content encoding or a broken message, 413 over `mostBytes`, 422 for what is no form */
export async function readUrlencoded(request: IncomingMessage, mostBytes: number): Promise<URLSearchParams> {
  refuseEncoding(request)
  const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/x-www-form-urlencoded') {
    throw invalid(['body'], 'Send the body as application/x-www-form-urlencoded', 'content_type')
  }
  const bytes = await readBytes(request, mostBytes)
  const fields = new URLSearchParams(bytes.toString('utf8'))
  // No browser sends one, and no text of the database can hold one.
  if ([...fields].flat().some((text) => text.includes('\0'))) {
    throw invalid(['body'], 'The form contains a NUL character', 'value_error')
  }
  return fields
}
