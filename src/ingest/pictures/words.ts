// Reads the pictures of a file that are not read yet. Each result is stored at once, so that a round that ends early, a restart
// or a reindex continues from there.

import type { Language } from '../../language/language.ts'
import type { FoundPicture, PictureReader } from '../../reader/reader.ts'
import { type Block, type ParsedDocument, UnreadableFile } from '../../reader/reader.ts'
import { TaskStale } from '../../work/handler.ts'
import { documentLanguage } from '../chunk/chunk.ts'
import type { SourceRow } from '../jobs.sql.ts'
import type { FileTask, IngestDeps } from '../task.ts'
import {
  type PictureRow,
  type PicturesKey,
  replacePictures,
  type Search,
  selectPictures,
  updateWords,
} from './pictures.sql.ts'
import { placeWords, type ReadPicture } from './place-words.ts'

// Raised when recognition of the same pictures would give other words.
const READER = '1'
/** The limit of different pictures in a document. Each takes 1 to 4 s of processor time. */
export const MAX_READ = 50

/** The file whose pictures are read, and the task that reads them. */
export interface Reading {
  task: FileTask
  key: PicturesKey
  kind: string
  language: Language
  /** Its blocks, requested only if its pictures have not been found yet. */
  parsed: () => Promise<ParsedDocument>
  signal: AbortSignal
}

interface KnownWords {
  read: ReadPicture[]
  /** Something remains to be found or read. Also true when finding failed, which may have been due to a busy machine. */
  unread: boolean
  /** What could not be read, if nothing remains to be read. */
  warnings: string[]
}

const readerOf = ({ parser }: IngestDeps): string => `${READER} ${parser.settings ?? ''}`

/** The stored pictures of the document. Words from another reader are used until this one has read them. */
async function knownWords(deps: IngestDeps, key: PicturesKey): Promise<KnownWords> {
  const look = await selectPictures(deps.db, key, readerOf(deps))
  const done = look.looked && !look.failed && nextOf(look.rows) === undefined
  return { read: readOf(look.rows), unread: !done, warnings: done ? warningsOf(look) : [] }
}

/** A warning: pictures could not be found, or the task was given up. */
export const UNREAD_PICTURES = 'The words of its pictures could not be read.'

/** Says how many pictures were not read. */
function warningsOf({ failed, rows }: Search): string[] {
  if (failed) return [UNREAD_PICTURES]
  const unread = distinct(rows.filter(({ words }) => words === null))
  if (unread === 0) return []
  const which = unread === 1 ? 'one picture' : `${unread} pictures`
  return [`The words of ${which} were not read, because at most ${MAX_READ} pictures of a document are read.`]
}

const withWarnings = (parsed: ParsedDocument, warnings: string[]): ParsedDocument =>
  warnings.length === 0 ? parsed : { ...parsed, warnings: [...(parsed.warnings ?? []), ...warnings] }

/**
 * The file with the known words of its pictures, and whether some are still to be read. If it contains nothing but pictures,
 * they are read at once, since it would not be searchable before.
 */
export async function withWords(
  deps: IngestDeps,
  { task, source, parsed }: { task: FileTask; source: SourceRow; parsed: ParsedDocument },
  signal: AbortSignal,
  onShare: (share: number) => Promise<void>,
): Promise<{ parsed: ParsedDocument; unread: boolean }> {
  if (parsed.pictures === undefined || deps.parser.pictures === undefined) return { parsed, unread: false }
  const key = { workspaceId: task.workspace_id, contentHash: source.content_hash }
  const storedWords = await knownWords(deps, key)
  if (parsed.blocks.length > 0 || !storedWords.unread)
    return {
      unread: storedWords.unread,
      parsed: withWarnings(placeWords(parsed, storedWords.read), storedWords.warnings),
    }
  const language = documentLanguage(parsed)
  const reading = { task, key, kind: source.kind, language, parsed: async () => parsed, signal }
  const done = await readUnread(deps, reading, Number.POSITIVE_INFINITY, onShare)
  return { parsed: withWarnings(placeWords(parsed, done?.read ?? []), done?.warnings ?? []), unread: false }
}

/** Finds the pictures and reads them. Undefined when `until` came before all were read. */
export async function readUnread(
  deps: IngestDeps,
  reading: Reading,
  until: number,
  onShare: (share: number) => Promise<void> = async () => undefined,
): Promise<{ read: ReadPicture[]; warnings: string[] } | undefined> {
  const { pictures: reader } = deps.parser
  if (reader === undefined) return { read: [], warnings: [] }
  const file = { path: await deps.blobs.open(reading.key.contentHash), kind: reading.kind }
  const look = await foundPictures(deps, reading, reader, file)
  let { rows } = look
  for (;;) {
    const next = nextOf(rows)
    if (next === undefined) return { read: readOf(rows), warnings: warningsOf({ ...look, rows }) }
    if (Date.now() >= until) return undefined
    reading.signal.throwIfAborted()
    const words = await readOne(deps, reading, reader, file, next.place)
    const { task, key } = reading
    const isStored = await deps.db.tx((tx) => updateWords(tx, task, key, { hash: next.hash, words }))
    if (!isStored) throw new TaskStale()
    rows = rows.map((row) => (row.hash === next.hash ? { ...row, words } : row))
    await onShare(distinct(rows.filter((row) => row.words !== null)) / Math.min(MAX_READ, distinct(rows)))
  }
}

const distinct = (rows: readonly PictureRow[]): number => new Set(rows.map(({ hash }) => hash)).size

/** The next one to read. Undefined when all, or as many as allowed, are read. */
function nextOf(rows: readonly PictureRow[]): PictureRow | undefined {
  const read = distinct(rows.filter(({ words }) => words !== null))
  return read >= MAX_READ ? undefined : rows.find(({ words }) => words === null)
}

const readOf = (rows: readonly PictureRow[]): ReadPicture[] =>
  rows.map(({ place, hash, words }) => ({ ...place, hash, words: words ?? [] }))

async function foundPictures(
  deps: IngestDeps,
  { task, key, parsed: whole, signal }: Reading,
  reader: PictureReader,
  file: { path: string; kind: string },
): Promise<Search> {
  const search = await selectPictures(deps.db, key, readerOf(deps))
  if (search.looked && !search.failed) return search
  const parsed = await whole()
  const pictures = await orUnreadable(deps, signal, () =>
    reader(file, { find: parsed.pictures ?? [] }, signal),
  )
  const text = unrecognisedPages(parsed)
  const picturesToRead = pictures?.filter(({ page }) => page === undefined || text(page)) ?? 'failed'
  const isStored = await deps.db.tx((tx) => replacePictures(tx, task, key, readerOf(deps), picturesToRead))
  if (!isStored) throw new TaskStale()
  return selectPictures(deps.db, key, readerOf(deps))
}

/** Pages that are pictures themselves were recognised completely, including the pictures in them. */
function unrecognisedPages({ blocks }: ParsedDocument): (page: number) => boolean {
  const recognised = new Set(
    blocks.flatMap(({ page, confidence }) => (confidence === undefined ? [] : [page])),
  )
  return (page) => !recognised.has(page)
}

/** A picture that cannot be read has no words. The others and the document are not affected. */
async function readOne(
  deps: IngestDeps,
  { language, signal }: Reading,
  reader: PictureReader,
  file: { path: string; kind: string },
  read: FoundPicture,
): Promise<Block[]> {
  return (await orUnreadable(deps, signal, () => reader(file, { read, language }, signal))) ?? []
}

/** Undefined when the file or picture cannot be read. */
async function orUnreadable<T>(
  deps: IngestDeps,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted || !(error instanceof UnreadableFile)) throw error
    deps.log.info({ reason: error.reason }, 'a picture inside a document cannot be read')
    return undefined
  }
}
