// Bytes of a file as an answer: whole, a range of them (RFC 9110 section 14), or "not modified". What a person uploaded
// is never run by a browser: saved rather than shown, its type taken as said, and in a sandbox if shown nonetheless.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { Bytes } from '../../ports/bytes.ts'

/** First and last byte, both counted in. */
export interface Range {
  start: number
  end: number
}

/** Sends `bytes` and closes them, whatever happens. @throws ApiError 416 */
export async function sendBytes(
  bytes: Bytes,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  let handed = false
  try {
    const etag = `"${bytes.etag}"`
    reply.headers({ etag, 'accept-ranges': 'bytes', 'cache-control': 'private, no-cache' })
    if (isKnown(request.headers['if-none-match'], etag)) return await reply.code(304).send()
    const ifRange = [request.headers['if-range']].flat().join(', ')
    const range = rangeOf(request.headers.range, ifRange, etag, bytes.size)
    if (range === 'unsatisfiable') {
      reply.header('content-range', `bytes */${bytes.size}`)
      throw new ApiError(
        416,
        'invalid_request',
        `The file has ${bytes.size} bytes; none of the range is in it.`,
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
    handed = true
    return await reply.send(bytes.read(start, end))
  } finally {
    if (!handed) await bytes.close()
  }
}

/** `If-None-Match`: a list of validators, or `*`; compared weakly (RFC 9110 section 13.1.2). */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

/**
 * The range to send; undefined for the whole. A header that is malformed, names another unit or several ranges, or
 * stands beside an If-Range that does not name these bytes, is passed over, as the RFC allows.
 */
export function rangeOf(
  header: string | undefined,
  ifRange: string,
  etag: string,
  size: number,
): Range | 'unsatisfiable' | undefined {
  const match = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '')
  if (!match || (ifRange && ifRange.trim() !== etag)) return undefined
  const [first, last] = [match[1] ?? '', match[2] ?? '']
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/** RFC 6266: a plain name that every client reads, and the true one (RFC 8187) for those that can. */
export function disposition(filename: string): string {
  const name = filename.toWellFormed().replace(/\p{C}/gu, '') || 'file'
  const plain = name.replace(/[^\x20-\x7e]|["\\%/]/g, '_')
  const full = encodeURIComponent(name).replace(
    /['()*!]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`
}
