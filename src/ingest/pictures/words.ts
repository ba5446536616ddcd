// Reads the pictures of a file that have not been read yet. Each result is stored at once, so that the next round, or the next
// attempt after a restart, continues after it.

import type { Language } from '../../language/language.ts'
import type { PictureCandidate, PictureReader } from '../../reader/reader.ts'
import { type Block, type ParsedDocument, UnreadableFile } from '../../reader/reader.ts'
import { TaskStale } from '../../work/handler.ts'
import { documentLanguage } from '../chunk/chunk.ts'
import type { SourceRow } from '../jobs.sql.ts'
import type { FileTask, IngestDeps } from '../task.ts'
import {
  type PictureLookup,
  type PictureRow,
  type PicturesKey,
  replacePictures,
  selectPictures,
  updateWords,
} from './pictures.sql.ts'
import { placeWords, type RecognisedPicture } from './place-words.ts'

// Increase this number when recognition of the same pictures gives other words.
const READER_VERSION = '1'
/** The maximum number of different pictures of a document that are read. Each takes 1 to 4 s of processor time. */
export const MAX_PICTURES = 50

/** The file whose pictures are read, and the task that reads them. */
interface PictureJob {
  task: FileTask
  key: PicturesKey
  kind: string
  language: Language
  /** Returns the blocks of the file. It is called only if the file has not been searched for pictures yet. */
  parsed: () => Promise<ParsedDocument>
  signal: AbortSignal
}

interface StoredWords {
  recognisedPictures: RecognisedPicture[]
  /** Whether pictures must still be found or read. Also true if the search for them failed, because it is tried again. */
  isIncomplete: boolean
  /** The warnings about unread pictures, if nothing remains to be read. */
  warnings: string[]
}

const readerOf = ({ parser }: IngestDeps): string => `${READER_VERSION} ${parser.settings ?? ''}`

/** The stored words of the document's pictures. Words that an older reader has read are used until this reader has read them. */
async function storedWordsOf(deps: IngestDeps, key: PicturesKey): Promise<StoredWords> {
  const lookup = await selectPictures(deps.db, key, readerOf(deps))
  const isDone = lookup.isSearched && !lookup.hasFailed && nextUnread(lookup.rows) === undefined
  return {
    recognisedPictures: toRecognised(lookup.rows),
    isIncomplete: !isDone,
    warnings: isDone ? warningsOf(lookup) : [],
  }
}

/** The warning if pictures could not be found, or if the task was given up. */
export const UNREAD_PICTURES = 'The words of its pictures could not be read.'

/** The warnings about pictures that were not read. */
function warningsOf({ hasFailed, rows }: PictureLookup): string[] {
  if (hasFailed) return [UNREAD_PICTURES]
  const unreadCount = countDistinct(rows.filter(({ words }) => words === null))
  if (unreadCount === 0) return []
  const unreadText = unreadCount === 1 ? 'one picture' : `${unreadCount} pictures`
  return [
    `The words of ${unreadText} were not read, because at most ${MAX_PICTURES} pictures of a document are read.`,
  ]
}

const withWarnings = (document: ParsedDocument, warnings: string[]): ParsedDocument =>
  warnings.length === 0 ? document : { ...document, warnings: [...(document.warnings ?? []), ...warnings] }

/**
 * The file with the stored words of its pictures, and whether some pictures have not been read yet. If the file contains only
 * pictures, they are read at once, because the file would not be searchable without their words.
 */
export async function withWords(
  deps: IngestDeps,
  { task, source, parsed }: { task: FileTask; source: SourceRow; parsed: ParsedDocument },
  signal: AbortSignal,
  onShare: (share: number) => Promise<void>,
): Promise<{ parsed: ParsedDocument; hasUnreadPictures: boolean }> {
  if (parsed.pictures === undefined || deps.parser.pictures === undefined)
    return { parsed, hasUnreadPictures: false }
  const key = { workspaceId: task.workspace_id, contentHash: source.content_hash }
  const storedWords = await storedWordsOf(deps, key)
  if (parsed.blocks.length > 0 || !storedWords.isIncomplete)
    return {
      hasUnreadPictures: storedWords.isIncomplete,
      parsed: withWarnings(placeWords(parsed, storedWords.recognisedPictures), storedWords.warnings),
    }
  const language = documentLanguage(parsed)
  const reading = { task, key, kind: source.kind, language, parsed: async () => parsed, signal }
  const result = await readUnread(deps, reading, Number.POSITIVE_INFINITY, onShare)
  return {
    parsed: withWarnings(placeWords(parsed, result?.recognisedPictures ?? []), result?.warnings ?? []),
    hasUnreadPictures: false,
  }
}

/** Finds the pictures and reads them. Undefined if the deadline comes before all are read. */
export async function readUnread(
  deps: IngestDeps,
  reading: PictureJob,
  deadline: number,
  onShare: (share: number) => Promise<void> = async () => undefined,
): Promise<{ recognisedPictures: RecognisedPicture[]; warnings: string[] } | undefined> {
  const { pictures: reader } = deps.parser
  if (reader === undefined) return { recognisedPictures: [], warnings: [] }
  const file = { path: await deps.blobs.open(reading.key.contentHash), kind: reading.kind }
  const lookup = await findPictures(deps, reading, reader, file)
  let { rows } = lookup
  for (;;) {
    const next = nextUnread(rows)
    if (next === undefined)
      return { recognisedPictures: toRecognised(rows), warnings: warningsOf({ ...lookup, rows }) }
    if (Date.now() >= deadline) return undefined
    reading.signal.throwIfAborted()
    const words = await readPicture(deps, reading, { reader, file, picture: next.place })
    const { task, key } = reading
    const isStored = await deps.db.tx((tx) => updateWords(tx, task, key, { hash: next.hash, words }))
    if (!isStored) throw new TaskStale()
    rows = rows.map((row) => (row.hash === next.hash ? { ...row, words } : row))
    await onShare(
      countDistinct(rows.filter((row) => row.words !== null)) / Math.min(MAX_PICTURES, countDistinct(rows)),
    )
  }
}

const countDistinct = (rows: readonly PictureRow[]): number => new Set(rows.map(({ hash }) => hash)).size

/** The next picture to read. Undefined if all pictures, or MAX_PICTURES of them, have been read. */
function nextUnread(rows: readonly PictureRow[]): PictureRow | undefined {
  const readCount = countDistinct(rows.filter(({ words }) => words !== null))
  return readCount >= MAX_PICTURES ? undefined : rows.find(({ words }) => words === null)
}

const toRecognised = (rows: readonly PictureRow[]): RecognisedPicture[] =>
  rows.map(({ place, hash, words }) => ({ ...place, hash, words: words ?? [] }))

async function findPictures(
  deps: IngestDeps,
  { task, key, parsed: parseFile, signal }: PictureJob,
  reader: PictureReader,
  file: { path: string; kind: string },
): Promise<PictureLookup> {
  const lookup = await selectPictures(deps.db, key, readerOf(deps))
  if (lookup.isSearched && !lookup.hasFailed) return lookup
  const document = await parseFile()
  const pictures = await undefinedIfUnreadable(deps, signal, () =>
    reader(file, { find: document.pictures ?? [] }, signal),
  )
  const isUnrecognised = unrecognisedPageTest(document)
  const picturesToRead =
    pictures?.filter(({ page }) => page === undefined || isUnrecognised(page)) ?? 'failed'
  const isStored = await deps.db.tx((tx) =>
    replacePictures(tx, task, { key, reader: readerOf(deps), pictures: picturesToRead }),
  )
  if (!isStored) throw new TaskStale()
  return selectPictures(deps.db, key, readerOf(deps))
}

/**
 * Returns a function that tells whether a page is not a scan. (A scanned page has been recognised as a whole, with its pictures.)
 */
function unrecognisedPageTest({ blocks }: ParsedDocument): (page: number) => boolean {
  const recognisedPages = new Set(
    blocks.flatMap(({ page, confidence }) => (confidence === undefined ? [] : [page])),
  )
  return (page) => !recognisedPages.has(page)
}

/** Reads one picture. A picture that cannot be read has no words, so that the document is not affected. */
async function readPicture(
  deps: IngestDeps,
  { language, signal }: PictureJob,
  {
    reader,
    file,
    picture,
  }: { reader: PictureReader; file: { path: string; kind: string }; picture: PictureCandidate },
): Promise<Block[]> {
  return (
    (await undefinedIfUnreadable(deps, signal, () => reader(file, { read: picture, language }, signal))) ?? []
  )
}

/** Runs `work`, and returns undefined if the file or picture cannot be read. */
async function undefinedIfUnreadable<T>(
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
