// An upload's parts, one at a time and never in memory (20 x 100 MB: 143 MB peak RSS, reference/model-codebases.md).
// The room decides about names, sizes and counts; here stands what makes the message itself wrong.

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../../errors.ts'
import { letBodyCome } from './expect.ts'
import { refuseEncoding } from './json-body.ts'

const MIB = 2 ** 20
const MOST_FILE_BYTES = 100 * MIB
const MOST_FILES = 20
const SLOWEST_BYTES_A_MINUTE = 600_000
// The first boundary counts, whole, of at most 70 characters (RFC 2046): the parser throws at a longer one.
const MULTIPART =
  /^multipart\/form-data\s*;(?:(?!\bboundary=).)*\bboundary=("[^"]{1,70}"|[^\s;",]{1,70})\s*(;|$)/i

export interface Part {
  /** As sent, folders and all. */
  filename: string
  stream: Readable
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
  if (Number(request.headers['content-length'] ?? 0) > MOST_FILES * MOST_FILE_BYTES + MIB) {
    throw new ApiError(413, 'file_too_large', 'At most 20 files of 100 MB each fit into one upload.')
  }
}

/**
 * The parts named `files`; others are passed over. Nothing is read before the first is asked for.
 * @throws ApiError 422 when there are files and none of them is in a part of that name
 */
export async function* uploadParts(request: FastifyRequest): AsyncGenerator<Part> {
  letBodyCome(request.raw)
  const stopWatching = watchSpeed(request.raw)
  const gone = untilGone(request.raw)
  const parts = request.parts()
  let found = false
  let misnamed: string | undefined
  try {
    for (;;) {
      const { done, value: part } = await Promise.race([parts.next(), gone])
      if (done) break
      if (part.type === 'file' && part.fieldname === 'files') {
        found = true
        yield { filename: part.filename ?? '', stream: part.file }
      } else if (part.type === 'file') {
        misnamed ??= part.fieldname
        part.file.resume()
      } else if (part.fieldname === 'files') {
        throw invalid(['body', 'files'], 'Expected a file: send the part with a file name')
      }
    }
    if (!found && misnamed !== undefined) throw noFileNamed(misnamed)
  } finally {
    stopWatching()
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
 * Rejects when the client leaves before its body is whole. Whoever left while its credential was looked at has closed
 * the request already: the multipart parser would wait for ever, and the upload's slot with it.
 */
function untilGone(request: IncomingMessage): Promise<never> {
  const gone = new Promise<never>((_, reject) => {
    const leave = (): void => {
      if (!request.complete) reject(new ApiError(400, 'invalid_request', 'The body ended early.'))
    }
    if (request.destroyed) leave()
    else request.once('close', leave)
  })
  gone.catch(() => undefined)
  return gone
}

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

/** Cuts off who sends less than 10 KB/s over a minute while we are waiting for it. */
function watchSpeed(request: IncomingMessage): () => void {
  let before = request.socket.bytesRead
  const timer = setInterval(() => {
    const now = request.socket.bytesRead
    // Bytes in our buffer: it is our disk that is slow.
    if (now - before < SLOWEST_BYTES_A_MINUTE && request.readableLength === 0 && !request.complete)
      request.destroy()
    before = now
  }, 60_000)
  timer.unref()
  return () => clearInterval(timer)
}
