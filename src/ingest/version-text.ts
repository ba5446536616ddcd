// The text of a version (extension), so that two versions of a document can be compared. Only the current version has chunks. So
// the file of the version is read again in a parser process, without text recognition, and its text is cached.

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { VersionText } from '../contract/resources.ts'
import { notFound, unavailable } from '../errors.ts'
import { pagesFolder } from '../ports/cache/disk-cache.ts'
import type { Deps } from '../ports/deps.ts'
import { UnreadableFile } from '../reader/reader.ts'
import { parserVersion } from './parsed/parser-version.ts'
import { type RestorableRow, selectRestorable } from './versions/versions.sql.ts'

const MAX_CHARACTERS = 500_000
// Limits for reading a file in the API process, which should take seconds.
const MAX_BYTES = 50_000_000
const MAX_READ_MS = 60_000
const MAX_WAITING_READS = 8
// Versions are read one at a time, because the same parsers also draw images of pages.
let waitingCount = 0
let lastRead: Promise<unknown> = Promise.resolve()

type Parsed = Awaited<ReturnType<Deps['pages']['parse']>>
type TextDeps = Pick<Deps, 'db' | 'blobs' | 'cache' | 'pages'>

/** The text of a version. It has no paragraphs if the file has no text, for example a scan. @throws ApiError 404, 503 */
export async function getVersionText(
  deps: TextDeps,
  caller: Caller,
  { workspaceId, documentId, versionId }: { workspaceId: string; documentId: string; versionId: string },
  signal: AbortSignal,
): Promise<VersionText> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const version = await selectRestorable(deps.db, workspaceId, documentId, versionId)
  if (!version) throw notFound()
  const key = `${pagesFolder(workspaceId, versionId)}/${version.kind}-${parserVersion()}-text.json`
  const cachedText = await deps.cache.get(key)
  if (cachedText) return JSON.parse(cachedText.toString('utf8')) as VersionText
  const text = toVersionText(versionId, await readText(deps, versionId, version, signal))
  await deps.cache.put(key, Buffer.from(JSON.stringify(text)))
  return text
}

async function readText(
  deps: TextDeps,
  versionId: string,
  { filename, kind, size }: RestorableRow,
  signal: AbortSignal,
): Promise<Parsed> {
  if (Number(size) > MAX_BYTES) return { blocks: [] }
  if (waitingCount >= MAX_WAITING_READS)
    throw unavailable('Too many versions are being read; try again in a moment.', 2)
  waitingCount++
  try {
    const parse = async (): Promise<Parsed> => {
      const path = await deps.blobs.open(versionId)
      const readSignal = AbortSignal.any([signal, AbortSignal.timeout(MAX_READ_MS)])
      return deps.pages.parse({ path, filename, kind: kind as never, signal: readSignal })
    }
    const reading = lastRead.then(parse)
    lastRead = reading.catch(() => undefined)
    return await reading
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof UnreadableFile) return { blocks: [] }
    throw error
  } finally {
    waitingCount--
  }
}

/**
 * The blocks as paragraphs. Each row of a table and each item of a list is a paragraph, so that a change does not mark the whole
 * table.
 */
function toVersionText(versionId: string, { blocks, hidden: passages = [] }: Parsed): VersionText {
  const hiddenPassages = passages.map(({ page, text }) => ({ page: page ?? null, text }))
  const paragraphs: VersionText['paragraphs'] = []
  let remainingCharacters = MAX_CHARACTERS
  for (const { text, page, kind } of blocks) {
    const pieces = kind === 'table' || kind === 'list' ? text.split('\n') : [text]
    for (const piece of pieces) {
      if (piece.trim() === '') continue
      remainingCharacters -= piece.length
      if (remainingCharacters < 0)
        return { version_id: versionId, is_whole: false, paragraphs, hidden: hiddenPassages }
      paragraphs.push({ page: page ?? null, text: piece.trim() })
    }
  }
  return { version_id: versionId, is_whole: true, paragraphs, hidden: hiddenPassages }
}
