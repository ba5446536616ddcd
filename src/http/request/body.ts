// Reads JSON and form bodies. The framework's own parsers are not used, because they would read the body before mount.ts has
// checked that the caller has access.

import type { IncomingMessage } from 'node:http'
import { ApiError, invalid, invalidField } from '../../errors.ts'

const MAX_BYTES = 1024 * 1024
const MAX_DEPTH = 64
const MAX_BODY_MS = 30_000

/**
 * @throws ApiError 400 for a compressed or incomplete body, 408 if it takes too long, 413 over `maxBytes`, 422 if it is not JSON in
 * UTF-8 or is nested too deeply
 */
export async function readJson(request: IncomingMessage, maxBytes = MAX_BYTES): Promise<unknown> {
  requireJsonHeaders(request)
  const text = decode(await readBytes(request, maxBytes))
  if (text.trim() === '') throw invalid(['body'], 'Field required', 'missing')
  checkDepth(text)
  try {
    return JSON.parse(text)
  } catch {
    throw notJson('The body is not valid JSON')
  }
}

const notJson = (reason: string): ApiError =>
  invalidField({
    loc: ['body'],
    msg: `JSON decode error: ${reason}`,
    type: 'json_invalid',
    ctx: { error: reason },
  })

/** Compressed bodies are not accepted, so that a small body cannot expand to a large one. */
export function rejectEncoding(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding']
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return
  throw new ApiError(
    400,
    'invalid_request',
    'Compressed bodies are not supported: send the body without Content-Encoding.',
  )
}

/** @throws ApiError 400 for a Content-Encoding, 422 for a type other than JSON in UTF-8 */
function requireJsonHeaders(request: IncomingMessage): void {
  rejectEncoding(request)
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  // Matches `application/json` and types such as `application/problem+json`.
  const isJson = /^application\/([\w.-]+\+)?json$/.test(type.trim())
  if (!isJson || !isUtf8) {
    throw invalid(['body'], 'Send the body as application/json in UTF-8', 'content_type')
  }
}

const tooLarge = (maxBytes: number): ApiError =>
  new ApiError(413, 'invalid_request', `The body exceeds ${maxBytes / 1024} KiB.`)

/** @throws ApiError 413 over `maxBytes`, 400 for an incomplete body, 408 when it takes too long */
async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const pieces: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    const finish = (result: Buffer | Error): void => {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('error', rejectAborted).off('close', rejectAborted)
      if (result instanceof Error) reject(result)
      else resolve(result)
    }
    const onData = (piece: Buffer): void => {
      size += piece.length
      if (size > maxBytes) finish(tooLarge(maxBytes))
      else pieces.push(piece)
    }
    const onEnd = (): void => finish(Buffer.concat(pieces))
    const rejectAborted = (): void =>
      finish(new ApiError(400, 'invalid_request', 'The connection closed before the body was complete.'))
    const onTimeout = (): void =>
      finish(new ApiError(408, 'invalid_request', 'The body took longer than 30 seconds to arrive.'))
    const timer = setTimeout(onTimeout, MAX_BODY_MS)
    request.on('data', onData).on('end', onEnd).on('error', rejectAborted).on('close', rejectAborted)
  })
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw notJson('The body is not valid UTF-8')
  }
}

const [QUOTE, BACKSLASH, OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
]

/** Counts brackets outside strings, because deeply nested JSON is expensive to validate. @throws ApiError 422 */
function checkDepth(text: string): void {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isInString) {
      if (code === BACKSLASH) index++
      else if (code === QUOTE) isInString = false
    } else if (code === QUOTE) isInString = true
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      depth++
      if (depth > MAX_DEPTH) throw notJson(`The body is nested deeper than ${MAX_DEPTH} levels`)
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth--
  }
}

/**
 * @throws ApiError 400 for a compressed or incomplete body, 408 if it takes too long, 413 over `maxBytes`, 422 for other content
 */
export async function readUrlencoded(request: IncomingMessage, maxBytes: number): Promise<URLSearchParams> {
  rejectEncoding(request)
  const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/x-www-form-urlencoded') {
    throw invalid(['body'], 'Send the body as application/x-www-form-urlencoded', 'content_type')
  }
  const bytes = await readBytes(request, maxBytes)
  const fields = new URLSearchParams(bytes.toString('utf8'))
  // The database cannot store NUL characters, and browsers do not send them.
  if ([...fields].flat().some((text) => text.includes('\0'))) {
    throw invalid(['body'], 'The form contains a NUL character', 'value_error')
  }
  return fields
}
