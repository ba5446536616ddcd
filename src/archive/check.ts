// Reads an archive, and checks each row by its schema and each file by its hash. This runs in a child process (child/entry.ts),
// because the archive may be hostile.

import { createHash } from 'node:crypto'
import type { Entry, ZipFile } from 'yauzl'
import { MAX_FILE_BYTES } from '../contract/limits.ts'
import {
  FORMAT,
  type Line,
  MANIFEST,
  MAX_JSON_DEPTH,
  MAX_LINE_BYTES,
  MAX_MANIFEST_BYTES,
  MAX_ROWS,
  MAX_TOTAL_ROW_BYTES,
  Manifest,
  ORIGINALS,
  PART_NAMES,
  PARTS,
  type Part,
  partFile,
  sha256,
  VERSION,
} from './format.ts'
import { BadArchive, entriesOf, linesOf, streamOf } from './zip.ts'

export interface Archive {
  manifest: Manifest
  /** The number of lines of each part that has been read to its end. */
  lines: Readonly<Partial<Record<Part, number>>>
  /** The zip entries of the originals by their SHA-256. */
  originals: ReadonlyMap<string, Entry>
  /**
   * Visits all rows of a part. If `visit` throws a BadArchive, the number of the line is added to its message. @throws BadArchive
   */
  each<P extends Part>(part: P, visit: (row: Line<P>, lineNumber: number) => void): Promise<void>
  /** @throws BadArchive if the bytes of the original do not have the SHA-256 that is its name */
  checkOriginal(hash: string): Promise<void>
}

const STORED_METHOD = 0

/** @param onBytes is called with the number of bytes after each read @throws BadArchive */
export async function openArchive(
  zip: ZipFile,
  archiveBytes: number,
  onBytes: (bytes: number) => void,
): Promise<Archive> {
  const { parts, originals } = await readDirectory(zip, archiveBytes)
  const manifest = await readManifest(zip, parts.get(MANIFEST))
  const files = new Map(manifest.files.map((file) => [file.name, file]))
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes > MAX_TOTAL_ROW_BYTES)
    throw new BadArchive(`its rows have ${bytes} bytes; at most ${MAX_TOTAL_ROW_BYTES} can be imported`)

  /** Reads an entry in pieces, and adds them to `digest`. */
  async function* piecesOf(entry: Entry, digest: { update(piece: Buffer): unknown }): AsyncGenerator<Buffer> {
    for await (const piece of (await streamOf(zip, entry)) as AsyncIterable<Buffer>) {
      digest.update(piece)
      onBytes(piece.length)
      yield piece
    }
  }

  const lineCounts: Partial<Record<Part, number>> = {}
  return {
    manifest,
    lines: lineCounts,
    originals,
    each: async (part, visit) => {
      const name = partFile(part)
      const [file, entry] = [files.get(name), parts.get(name)]
      if (!file || !entry) throw new BadArchive(`${name} is missing`)
      if (entry.uncompressedSize !== file.bytes)
        throw new BadArchive(`${name} has not the size of the manifest`)
      const digest = createHash('sha256')
      let lineNumber = 0
      for await (const lines of linesOf(piecesOf(entry, digest), MAX_LINE_BYTES))
        for (const line of lines) {
          if (++lineNumber > MAX_ROWS) throw new BadArchive(`${name} has more than ${MAX_ROWS} lines`)
          withPosition(`${name}, line ${lineNumber}`, () => visit(rowOf(part, line), lineNumber))
        }
      if (digest.digest('hex') !== file.sha256)
        throw new BadArchive(`${name} is damaged: its SHA-256 is not that of the manifest`)
      if (lineNumber !== file.rows)
        throw new BadArchive(`${name} has ${lineNumber} lines, and ${file.rows} by the manifest`)
      lineCounts[part] = lineNumber
    },
    checkOriginal: async (hash) => {
      const entry = originals.get(hash)
      if (!entry) throw new BadArchive(`${ORIGINALS}${hash} is missing`)
      if (entry.uncompressedSize > MAX_FILE_BYTES)
        throw new BadArchive(`${entry.fileName} is larger than ${MAX_FILE_BYTES} bytes`)
      const digest = createHash('sha256')
      for await (const _ of piecesOf(entry, digest));
      if (digest.digest('hex') !== hash)
        throw new BadArchive(`${entry.fileName} has other bytes than its name promises`)
    },
  }
}

const PART_FILES: ReadonlySet<string> = new Set(PART_NAMES.map(partFile))

async function readDirectory(
  zip: ZipFile,
  archiveBytes: number,
): Promise<{ parts: Map<string, Entry>; originals: Map<string, Entry> }> {
  const parts = new Map<string, Entry>()
  const originals = new Map<string, Entry>()
  let total = 0
  for await (const entry of entriesOf(zip)) {
    const name = entry.fileName
    const hash = name.slice(ORIGINALS.length)
    if (entry.compressionMethod !== STORED_METHOD || entry.isEncrypted())
      throw new BadArchive(`${name.slice(0, 200)} is compressed: pack the files without compression (zip -0)`)
    total += entry.uncompressedSize
    // The sum of the sizes exceeds the size of the archive only if files share bytes.
    if (total > archiveBytes) throw new BadArchive('its files overlap')
    if (parts.has(name) || originals.has(hash)) throw new BadArchive(`${name.slice(0, 200)} is in it twice`)
    if (name === MANIFEST || PART_FILES.has(name)) parts.set(name, entry)
    else if (name.startsWith(ORIGINALS) && sha256.safeParse(hash).success) originals.set(hash, entry)
    else throw new BadArchive(`${name.slice(0, 200)} is no file of such an archive`)
  }
  return { parts, originals }
}

async function readManifest(zip: ZipFile, entry: Entry | undefined): Promise<Manifest> {
  if (!entry) throw new BadArchive(`it has no ${MANIFEST}`)
  if (entry.uncompressedSize > MAX_MANIFEST_BYTES) throw new BadArchive(`${MANIFEST} is too large`)
  const pieces: Buffer[] = []
  for await (const piece of await streamOf(zip, entry)) pieces.push(piece)
  return withPosition(MANIFEST, () => {
    const value = parseJson(Buffer.concat(pieces).toString('utf8'))
    refuseLaterVersion(value)
    const { success, data, error } = Manifest.safeParse(value)
    if (!success) throw new BadArchive(issueOf(error))
    const names = new Set<string>()
    for (const { name } of data.files) {
      const shortName = name.slice(0, 200)
      if (!PART_FILES.has(name)) throw new BadArchive(`${shortName} is no file of such an archive`)
      if (names.has(name)) throw new BadArchive(`${shortName} is in it twice`)
      names.add(name)
    }
    return data
  })
}

/** Checks the version before the other fields, because a later version may have other fields. */
function refuseLaterVersion(value: unknown): void {
  const { format, version } = (value ?? {}) as { format?: unknown; version?: unknown }
  if (format === FORMAT && typeof version === 'number' && version > VERSION)
    throw new BadArchive(
      `${FORMAT} ${version} was made by a later version of Kenning; this one reads ${VERSION}`,
    )
}

/** Adds the position in the archive to the message of a BadArchive. */
function withPosition<T>(position: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof BadArchive ? new BadArchive(`${position}: ${error.message}`) : error
  }
}

function rowOf<P extends Part>(part: P, line: string): Line<P> {
  const { success, data, error } = PARTS[part].safeParse(parseJson(line))
  if (!success) throw new BadArchive(issueOf(error))
  return data as Line<P>
}

function parseJson(text: string): unknown {
  if (isDeeperThan(text, MAX_JSON_DEPTH))
    throw new BadArchive(`its arrays and objects are nested more than ${MAX_JSON_DEPTH} deep`)
  try {
    return JSON.parse(text)
  } catch {
    throw new BadArchive('it is not JSON')
  }
}

const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125]

/**
 * Whether JSON is nested deeper than `maxDepth`. This is checked before, because parsing a line of brackets would take V8 seconds.
 */
function isDeeperThan(json: string, maxDepth: number): boolean {
  let depth = 0
  for (let position = 0; position < json.length; position++) {
    const code = json.charCodeAt(position)
    if (code === QUOTE) position = endOfString(json, position)
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (++depth > maxDepth) return true
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth--
  }
  return false
}

/** The position of the closing quote of the string that begins at `quote`. */
function endOfString(json: string, quote: number): number {
  for (let end = json.indexOf('"', quote + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return json.length
}

const issueOf = ({ issues: [issue] }: { issues: { path: PropertyKey[]; message: string }[] }): string =>
  [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')
