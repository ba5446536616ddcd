// Streams the parts of an upload, one at a time and never whole in memory (143 MB of memory for 20 files of 100 MB). Errors in the
// form of the request are handled here; names, sizes and counts are checked in ingest.

import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MAX_ARCHIVE_BYTES } from '../../archive/format.ts'
import { MAX_FILE_BYTES, MAX_FILES } from '../../contract/limits.ts'
import { ApiError, invalid, invalidField } from '../../errors.ts'
import { rejectEncoding } from './body.ts'
import { type RateLimits, watchDataRate } from './data-rate.ts'
import { sendContinue } from './expect-continue.ts'

const MIB = 2 ** 20
const MAX_BYTES = MAX_FILES * MAX_FILE_BYTES + MIB
// 80 kbit/s, so that uploads over slow lines succeed. Without a Content-Length the total time is limited, too.
const RATE: RateLimits = { bytesPerSecond: 10_000, graceMs: 60_000 }
const UNKNOWN_LENGTH_MS = 600_000
// Matches `multipart/form-data; boundary=abc`. The first boundary counts, with at most 70 characters (RFC 2046); the parser throws
// for longer ones.
const MULTIPART =
  /^multipart\/form-data\s*;(?:(?!\bboundary=).)*\bboundary=("[^"]{1,70}"|[^\s;",]{1,70})\s*(;|$)/i

interface Part {
  /** As sent, including folders. */
  filename: string
  stream: Readable
}

/** The parts of one upload, and the size and estimated duration of its body. */
export interface Parts extends AsyncIterable<Part | ConflictField> {
  body: { bytes: number | undefined; endsInMs(): number }
}

/** The form field `on_conflict`; it may also be a query parameter. */
interface ConflictField {
  onConflict: string
}

export async function registerUploads(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    preservePath: true,
    // One more than allowed, so that ingest notices the excess and reports it.
    limits: {
      fileSize: MAX_FILE_BYTES + 1,
      files: MAX_FILES + 1,
      fields: 100,
      fieldSize: MIB,
      headerPairs: 100,
    },
  })
}

/** Errors that are known before the body is read. @throws ApiError 400, 413, 422 */
export function checkUpload(request: IncomingMessage): void {
  rejectEncoding(request)
  const type = request.headers['content-type'] ?? ''
  if (!MULTIPART.test(type)) {
    throw invalid(
      ['body'],
      'Send the files as multipart/form-data with a boundary, each in a part named "files"',
      'content_type',
    )
  }
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) {
    throw new ApiError(413, 'file_too_large', 'The upload is too large: at most 20 files of 100 MB each.')
  }
}

/**
 * The parts named `files` and the field `on_conflict`; others are ignored. Reading starts when the first part is requested.
 * @throws ApiError 422 if there are files but none in a part of that name, 408 if they arrive too slowly
 * @param rate replaced in tests
 */
export function uploadParts(request: FastifyRequest, rate: RateLimits = RATE): Parts {
  const { body, progress } = bodyOf(request)
  return { body, [Symbol.asyncIterator]: () => readParts(request, progress, rate) }
}

/** @throws ApiError 400, 413, 422 */
export function checkArchiveHead(request: IncomingMessage, mediaType: string): void {
  rejectEncoding(request)
  const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';')
  if (type.trim() !== mediaType) throw invalid(['body'], `Send the archive as ${mediaType}`, 'content_type')
  if (Number(request.headers['content-length'] ?? 0) > MAX_ARCHIVE_BYTES)
    throw new ApiError(413, 'file_too_large', 'The archive is too large: at most 50 GiB.')
}

/** A body that is one file. The stream fails when the client disconnects or is too slow; the answer can still be sent. */
export function archiveBody(request: FastifyRequest): { body: Parts['body']; stream: Readable } {
  sendContinue(request.raw)
  const { body, progress } = bodyOf(request)
  const stream = new PassThrough()
  const watch = watchBody(request.raw, progress, RATE)
  const onEnd = (error?: Error): void => {
    watch.stop()
    request.raw.unpipe(stream)
    if (error) stream.destroy(error)
  }
  watch.failure.catch(onEnd)
  stream.once('close', () => onEnd())
  request.raw.pipe(stream)
  return { body, stream }
}

interface BodyProgress {
  bytes: number | undefined
  endsInMs: () => number
}

/** The body of the request, whose estimate is that of `progress`, which `watchBody` sets when the body is read. */
function bodyOf({ headers }: FastifyRequest): { body: Parts['body']; progress: BodyProgress } {
  const length = headers['content-length']
  const bytes = length === undefined ? undefined : Number(length)
  const progress: BodyProgress = { bytes, endsInMs: () => 0 }
  return { body: { bytes, endsInMs: () => progress.endsInMs() }, progress }
}

async function* readParts(
  request: FastifyRequest,
  progress: BodyProgress,
  rate: RateLimits,
): AsyncGenerator<Part | ConflictField> {
  sendContinue(request.raw)
  const watch = watchBody(request.raw, progress, rate)
  const parts = request.parts()
  let hasFile = false
  let otherPartName: string | undefined
  try {
    for (;;) {
      const { done, value: part } = await Promise.race([parts.next(), watch.failure])
      if (done) break
      if (part.type === 'file' && part.fieldname === 'files') {
        hasFile = true
        watch.currentFile = part.file
        yield { filename: part.filename ?? '', stream: part.file }
      } else if (part.type === 'file') {
        otherPartName ??= part.fieldname
        part.file.resume()
      } else if (part.fieldname === 'files') {
        throw invalid(['body', 'files'], 'The part has no file name: send it as a file')
      } else if (part.fieldname === 'on_conflict') yield { onConflict: String(part.value) }
    }
    if (!hasFile && otherPartName !== undefined) throw noFileNamed(otherPartName)
  } finally {
    watch.stop()
    // Not awaited: the parser may be waiting for the client forever.
    parts.return?.(undefined).catch(() => undefined)
  }
}

/** For clients written for other services, which call the part `file` or `files[]`. */
const noFileNamed = (name: string): ApiError =>
  invalid(
    ['body', 'files'],
    `Send each file in a part named "files"; this request has one named "${name.slice(0, 100)}"`,
    'missing',
  )

/** @param bytes the size of the body; without it the total time is limited, because the size says nothing about the time needed */
export const uploadLimits = (bytes: number | undefined, rate: RateLimits): RateLimits =>
  bytes === undefined ? { maxMs: UNKNOWN_LENGTH_MS, ...rate } : rate

/**
 * Rejects when the client disconnects before the body is complete, or sends it too slowly. A client may already have
 * disconnected during the credential check: the multipart parser would then wait forever and occupy the upload slot.
 */
function watchBody(
  request: IncomingMessage,
  progress: BodyProgress,
  rate: RateLimits,
): { failure: Promise<never>; stop: () => void; currentFile: Readable | undefined } {
  const limits = uploadLimits(progress.bytes, rate)
  const bodyWatch = { stop: (): void => undefined, currentFile: undefined as Readable | undefined }
  const failure = new Promise<never>((_, reject) => {
    const onClose = (): void => {
      if (request.complete) return
      reject(new ApiError(400, 'invalid_request', 'The connection closed before the body was complete.'))
    }
    if (request.destroyed) onClose()
    else request.once('close', onClose)
    const rateWatch = watchDataRate(request, limits, progress.bytes ?? MAX_BYTES, () => {
      reject(tooSlow(progress.bytes))
      // The reader of the file is waiting for the file, not for this promise.
      bodyWatch.currentFile?.destroy(tooSlow(progress.bytes))
    })
    bodyWatch.stop = rateWatch.stop
    progress.endsInMs = rateWatch.endsInMs
  })
  failure.catch(() => undefined)
  return Object.assign(bodyWatch, { failure })
}

const tooSlow = (bytes: number | undefined): ApiError =>
  new ApiError(
    408,
    'invalid_request',
    bytes === undefined
      ? 'The upload was slower than 10 KB per second or took longer than 10 minutes, and nothing of it was kept. Send a Content-Length header to have more time.'
      : 'The upload was slower than 10 KB per second, and nothing of it was kept.',
  )

/** Turns an error of the multipart parser into 422. Returns any other error unchanged. */
export function toUploadError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApiError) return error
  const code = (error as { code?: unknown }).code
  const parserMessage =
    /^(aborted$|Part terminated early|Unexpected end of multipart|Multipart: |Malformed|Unsupported)/i
  if (code === 'FST_FILES_LIMIT') {
    return invalidField({
      loc: ['body', 'files'],
      msg: `At most ${MAX_FILES} files per request`,
      type: 'too_long',
      ctx: { max_length: MAX_FILES },
    })
  }
  const isParserError =
    (typeof code === 'string' && code.startsWith('FST_')) || parserMessage.test(error.message)
  if (isParserError) {
    return invalid(
      ['body'],
      'The multipart body is malformed or incomplete; nothing of it was kept',
      'multipart_invalid',
    )
  }
  return error
}
