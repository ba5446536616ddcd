// Sends a file: whole, a range of it (RFC 9110 section 14), or "not modified". So that browsers never execute uploaded content,
// it is sent as an attachment, with nosniff and in a CSP sandbox.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { Bytes } from '../../ports/bytes.ts'

/** First and last byte, inclusive. */
interface Range {
  start: number
  end: number
}

/** Sends `bytes` and always closes them. @throws ApiError 416 */
export async function sendFile(
  bytes: Bytes,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  let isSent = false
  try {
    const etag = `"${bytes.etag}"`
    reply.headers({ etag, 'accept-ranges': 'bytes', 'cache-control': 'private, no-cache' })
    if (isNotModified(request.headers['if-none-match'], etag)) return await reply.code(304).send()
    const ifRange = [request.headers['if-range']].flat().join(', ')
    const range = rangeOf(request.headers.range, ifRange, etag, bytes.size)
    if (range === 'unsatisfiable') {
      reply.header('content-range', `bytes */${bytes.size}`)
      throw new ApiError(
        416,
        'invalid_request',
        `The requested range is outside the file, which has ${bytes.size} bytes.`,
      )
    }
    const { start, end } = range ?? { start: 0, end: bytes.size - 1 }
    reply.code(range ? 206 : 200).headers({
      'content-type': bytes.mediaType,
      'content-length': end - start + 1,
      'content-disposition': disposition(bytes.filename),
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      ...(range ? { 'content-range': `bytes ${start}-${end}/${bytes.size}` } : {}),
    })
    if (request.method === 'HEAD') return await reply.send()
    if (bytes.size === 0) return await reply.send('')
    isSent = true
    return await reply.send(bytes.read(start, end))
  } finally {
    if (!isSent) await bytes.close()
  }
}

/** `If-None-Match` is a list of validators or `*`, compared weakly (RFC 9110 section 13.1.2). */
export function isNotModified(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/**
 * The range to send; undefined for the whole file. A header that is malformed, has another unit or several ranges, or comes
 * with an If-Range that does not match, is ignored, as the RFC allows.
 */
export function rangeOf(
  header: string | undefined,
  ifRange: string,
  etag: string,
  size: number,
): Range | 'unsatisfiable' | undefined {
  // Matches `bytes=0-499`, `bytes=500-` and `bytes=-500`, the last 500 bytes.
  const match = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '')
  if (!match || (ifRange && ifRange.trim() !== etag)) return undefined
  const [firstByte, lastByte] = [match[1] ?? '', match[2] ?? '']
  if (firstByte === '' && lastByte === '') return undefined
  if (firstByte === '') {
    const length = Math.min(Number(lastByte), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(firstByte)
  if (lastByte !== '' && Number(lastByte) < start) return undefined
  if (start >= size) return 'unsatisfiable'
  return { start, end: lastByte === '' ? size - 1 : Math.min(Number(lastByte), size - 1) }
}

/** RFC 6266: an ASCII name for every client, and the real one (RFC 8187) for those that support it. */
export function disposition(filename: string): string {
  const name = filename.toWellFormed().replace(/\p{C}/gu, '') || 'file'
  const asciiName = name.replace(/[^\x20-\x7e]|["\\%/]/g, '_')
  const encodedName = encodeURIComponent(name).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${asciiName}"; filename*=UTF-8''${encodedName}`
}
