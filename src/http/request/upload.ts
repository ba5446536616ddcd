// An upload's parts, one at a time and never in memory (20 x 100 MB: 143 MB peak RSS).
// The room decides about names, sizes and counts; here stands what makes the message itself wrong.

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../../errors.ts'
import { refuseEncoding } from './body.ts'
import { type PaceLimits, watchPace } from './data-rate.ts'
import { letBodyCome } from './expect-continue.ts'

const MIB = 2 ** 20
const MOST_FILE_BYTES = 100 * MIB
const MOST_FILES = 20
const MOST_BYTES = MOST_FILES * MOST_FILE_BYTES + MIB
// A line of 80 kbit/s is let through. Without an announced length nobody knows how long it may take.
const PACE: PaceLimits = { bytesPerSecond: 10_000, graceMs: 60_000 }
const UNANNOUNCED_MS = 600_000
// The first boundary counts, whole, of at most 70 characters (RFC 2046): the parser throws at a longer one.
const MULTIPART =
  /^multipart\/form-data\s*;(?:(?!\bboundary=).)*\bboundary=("[^"]{1,70}"|[^\s;",]{1,70})\s*(;|$)/i

export interface Part {
  /** As sent, folders and all. */
  filename: string
  stream: Readable
}

/** The parts of one upload, and what is known of the body that they come in. */
export interface Parts extends AsyncIterable<Part | ConflictField> {
  body: { bytes: number | undefined; endsInMs(): number }
}

/** The form's field of that name; it may stand in the query as well. */
export interface ConflictField {
  onConflict: string
}

export async function registerUploads(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    preservePath: true,
    // One more of each than allowed, so that the room sees what is too much and says so.
    limits: {
      fileSize: MOST_FILE_BYTES + 1,
      files: MOST_FILES + 1,
      fields: 100,
      fieldSize: MIB,
      headerPairs: 100,
    },
  })
}

/** What can be refused before the body is read (check 4). @throws ApiError 400, 413, 422 */
export function checkUpload(request: IncomingMessage): void {
  refuseEncoding(request)
  const type = request.headers['content-type'] ?? ''
  if (!MULTIPART.test(type)) {
    throw invalid(
      ['body'],
      'Send the files as multipart/form-data with a boundary, in parts named files',
      'content_type',
    )
  }
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) {
    throw new ApiError(413, 'file_too_large', 'At most 20 files of 100 MB each fit into one upload.')
  }
}

/**
 * The parts named `files`, and the field `on_conflict`; others are passed over. Nothing is read before the first is asked for.
 * @throws ApiError 422 when there are files and none of them is in a part of that name, 408 when they come too slowly
 * @param pace tests have less patience
 */
export function uploadParts(request: FastifyRequest, pace: PaceLimits = PACE): Parts {
  const announced = request.headers['content-length']
  const bytes = announced === undefined ? undefined : Number(announced)
  const reading: Reading = { bytes, endsInMs: () => 0 }
  const body = { bytes, endsInMs: () => reading.endsInMs() }
  return { body, [Symbol.asyncIterator]: () => readParts(request, reading, pace) }
}

interface Reading {
  bytes: number | undefined
  endsInMs: () => number
}

async function* readParts(
  request: FastifyRequest,
  reading: Reading,
  pace: PaceLimits,
): AsyncGenerator<Part | ConflictField> {
  letBodyCome(request.raw)
  const end = untilOver(request.raw, reading, pace)
  const parts = request.parts()
  let found = false
  let misnamed: string | undefined
  try {
    for (;;) {
      const { done, value: part } = await Promise.race([parts.next(), end.over])
      if (done) break
      if (part.type === 'file' && part.fieldname === 'files') {
        found = true
        end.current = part.file
        yield { filename: part.filename ?? '', stream: part.file }
      } else if (part.type === 'file') {
        misnamed ??= part.fieldname
        part.file.resume()
      } else if (part.fieldname === 'files') {
        throw invalid(['body', 'files'], 'Expected a file: send the part with a file name')
      } else if (part.fieldname === 'on_conflict') yield { onConflict: String(part.value) }
    }
    if (!found && misnamed !== undefined) throw noFileNamed(misnamed)
  } finally {
    end.stop()
    // Not awaited: a parser that waits for its client never ends.
    parts.return?.(undefined).catch(() => undefined)
  }
}

/** `file` and `files[]` are what other services ask for. */
const noFileNamed = (name: string): ApiError =>
  invalid(
    ['body', 'files'],
    `Send each file in a part named "files"; this request has one named "${name.slice(0, 100)}"`,
    'missing',
  )

/**
 * Rejects when the client leaves before its body is whole, or sends it too slowly. Whoever left while its credential was
 * looked at has closed the request already: the multipart parser would wait for ever, and the upload's slot with it.
 */
function untilOver(
  request: IncomingMessage,
  reading: Reading,
  pace: PaceLimits,
): { over: Promise<never>; stop: () => void; current: Readable | undefined } {
  const limits = reading.bytes === undefined ? { mostMs: UNANNOUNCED_MS, ...pace } : pace
  const end = { stop: (): void => undefined, current: undefined as Readable | undefined }
  const over = new Promise<never>((_, reject) => {
    const leave = (): void => {
      if (!request.complete) reject(new ApiError(400, 'invalid_request', 'The body ended early.'))
    }
    if (request.destroyed) leave()
    else request.once('close', leave)
    const watch = watchPace(request, limits, reading.bytes ?? MOST_BYTES, () => {
      reject(tooSlow(reading.bytes))
      // Whoever reads the file waits for it and not for us.
      end.current?.destroy(tooSlow(reading.bytes))
    })
    end.stop = watch.stop
    reading.endsInMs = watch.endsInMs
  })
  over.catch(() => undefined)
  return Object.assign(end, { over })
}

const tooSlow = (bytes: number | undefined): ApiError =>
  new ApiError(
    408,
    'invalid_request',
    bytes === undefined
      ? 'The upload came at less than 10 KB a second, or took longer than 10 minutes: send a Content-Length for more time.'
      : 'The upload came at less than 10 KB a second. Nothing of it was kept.',
  )

/** The client's broken multipart as 422; other errors as they are. */
export function explainUpload(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApiError) return error
  const code = (error as { code?: unknown }).code
  const parser =
    /^(aborted$|Part terminated early|Unexpected end of multipart|Multipart: |Malformed|Unsupported)/i
  if (code === 'FST_FILES_LIMIT') {
    return invalid(['body', 'files'], `At most ${MOST_FILES} files a request`, 'too_long', null, {
      max_length: MOST_FILES,
    })
  }
  if ((typeof code === 'string' && code.startsWith('FST_')) || parser.test(error.message)) {
    return invalid(
      ['body'],
      'The multipart body is damaged or ended early; nothing of it was kept',
      'multipart_invalid',
    )
  }
  return error
}
