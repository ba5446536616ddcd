// POST /examples uploads the example library into a workspace, so that a new user can try Kenning at once.

import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Caller } from '../auth/caller.ts'
import type { Job } from '../contract/resources.ts'
import { ApiError } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { type Part, type Parts, uploadFiles } from './uploads.ts'

// The examples folder is recognised by this file.
const MARKER_FILE = 'staff-handbook.md'

/** The `examples` folder above this file, in the sources or in the package. Undefined if it was removed. */
export function examplesFolder(): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'examples')
    if (existsSync(join(candidate, MARKER_FILE))) return candidate
    if (dirname(folder) === folder) return undefined
  }
}

/**
 * A second call changes nothing, because a file with the same name and content is the same document.
 * @throws ApiError 404, 403, 503 as an upload; 404 also if this installation has no examples
 */
export const addExamples = (
  deps: Pick<Deps, 'db' | 'blobs' | 'log' | 'admission'>,
  caller: Caller,
  workspaceId: string,
  idempotencyKey?: string,
): Promise<Job> =>
  // The files are read only after the upload has checked access.
  uploadFiles(deps, caller, workspaceId, {
    parts: { body: LOCAL_BODY, [Symbol.asyncIterator]: examples },
    idempotencyKey,
  })

/** The files are on the disk of this machine, so the upload ends within a second. */
const LOCAL_BODY: NonNullable<Parts['body']> = { bytes: 0, endsInMs: () => 1000 }

async function* examples(): AsyncGenerator<Part> {
  const folder = examplesFolder()
  if (folder === undefined)
    throw new ApiError(404, 'not_found', 'This installation has no example library: its folder was removed.')
  for (const filename of readdirSync(folder).sort())
    yield { filename, stream: createReadStream(join(folder, filename)) }
}
