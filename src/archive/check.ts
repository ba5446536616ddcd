// What an archive may say, checked before anything of it is written: every row by its schema, and what rows say of each other.
// Ids of people and of other workspaces count for nothing: who imports owns everything.

import { createHash } from 'node:crypto'
import type { Entry, ZipFile } from 'yauzl'
import {
  FORMAT,
  type Line,
  MANIFEST,
  Manifest,
  MOST_LINE_BYTES,
  MOST_MANIFEST_BYTES,
  MOST_ROW_BYTES,
  MOST_ROWS,
  ORIGINALS,
  PART_NAMES,
  PARTS,
  type Part,
  partFile,
  sha256,
  VERSION,
} from './format.ts'
import { BadArchive, entriesOf, linesOf, streamOf } from './zip.ts'

export interface Checked {
  manifest: Manifest
  /** The names of the originals that rows ask for. */
  originals: ReadonlySet<string>
  /** The lines of a part, again. */
  lines<P extends Part>(part: P): AsyncGenerator<Line<P>>
}

const STORED = 0

/** Reads all but the originals, whose bytes are checked as they are kept. @throws BadArchive */
export async function checkArchive(zip: ZipFile, archiveBytes: number): Promise<Checked> {
  const names = new Set<string>([MANIFEST, ...PART_NAMES.map(partFile)])
  const rows = new Map<string, Entry>()
  const held = new Set<string>()
  let total = 0
  for await (const entry of entriesOf(zip)) {
    const name = entry.fileName
    if (entry.compressionMethod !== STORED || entry.isEncrypted())
      throw new BadArchive(`${name.slice(0, 200)} is compressed: pack the files without compression (zip -0)`)
    total += entry.uncompressedSize
    // Files that share bytes would be larger than the archive.
    if (total > archiveBytes) throw new BadArchive('its files overlap')
    if (rows.has(name) || held.has(name)) throw new BadArchive(`${name.slice(0, 200)} is in it twice`)
    if (names.has(name)) rows.set(name, entry)
    else if (name.startsWith(ORIGINALS) && sha256.safeParse(name.slice(ORIGINALS.length)).success)
      held.add(name)
    else throw new BadArchive(`${name.slice(0, 200)} is no file of such an archive`)
  }
  const manifest = await readManifest(zip, rows.get(MANIFEST))
  const files = new Map(manifest.files.map((file) => [file.name, file]))
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes > MOST_ROW_BYTES)
    throw new BadArchive(`its rows have ${bytes} bytes; at most ${MOST_ROW_BYTES} can be imported`)

  async function* lines<P extends Part>(part: P): AsyncGenerator<Line<P>> {
    const name = partFile(part)
    const [file, entry] = [files.get(name), rows.get(name)]
    if (!file || !entry) throw new BadArchive(`${name} is missing`)
    if (entry.uncompressedSize !== file.bytes)
      throw new BadArchive(`${name} has not the size of the manifest`)
    const digest = createHash('sha256')
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const piece of await streamOf(zip, entry as Entry)) {
        digest.update(piece)
        yield piece
      }
    }
    let no = 0
    for await (const line of linesOf(counted(), MOST_LINE_BYTES)) {
      if (++no > MOST_ROWS) throw new BadArchive(`${name} has more than ${MOST_ROWS} lines`)
      yield parsedLine(part, line, no)
    }
    if (digest.digest('hex') !== file.sha256)
      throw new BadArchive(`${name} is damaged: its SHA-256 is not that of the manifest`)
    if (no !== file.rows) throw new BadArchive(`${name} has ${no} lines, and ${file.rows} by the manifest`)
  }

  const originals = await checkRows(lines)
  for (const hash of originals)
    if (!held.has(ORIGINALS + hash)) throw new BadArchive(`${ORIGINALS}${hash} is missing`)
  if (held.size > originals.size) throw new BadArchive('it has originals that no document names')
  return { manifest, originals, lines }
}

async function readManifest(zip: ZipFile, entry: Entry | undefined): Promise<Manifest> {
  if (!entry) throw new BadArchive(`it has no ${MANIFEST}`)
  if (entry.uncompressedSize > MOST_MANIFEST_BYTES) throw new BadArchive(`${MANIFEST} is too large`)
  const pieces: Buffer[] = []
  for await (const piece of await streamOf(zip, entry)) pieces.push(piece)
  const value = parsedJson(Buffer.concat(pieces).toString('utf8'), MANIFEST)
  const version = (value as { version?: unknown } | null)?.version
  const parsed = Manifest.safeParse(value)
  if (!parsed.success) throw new BadArchive(`${MANIFEST}: ${issueOf(parsed.error)}`)
  if (Number(version) > VERSION)
    throw new BadArchive(
      `${FORMAT} ${version} was made by a later version of Kenning; this one reads ${VERSION}`,
    )
  return parsed.data
}

function parsedLine<P extends Part>(part: P, line: string, no: number): Line<P> {
  const where = `${partFile(part)}, line ${no}`
  const parsed = PARTS[part].safeParse(parsedJson(line, where))
  if (!parsed.success) throw new BadArchive(`${where}: ${issueOf(parsed.error)}`)
  return parsed.data as Line<P>
}

function parsedJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadArchive(`${where} is not JSON`)
  }
}

const issueOf = ({ issues: [issue] }: { issues: { path: PropertyKey[]; message: string }[] }): string =>
  [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')

/** @returns the originals that rows ask for */
async function checkRows(lines: Checked['lines']): Promise<Set<string>> {
  const originals = new Set<string>()
  const documents = new Map<string, string>()
  const paths = new Set<string>()
  for await (const { id, path, sha256: hash } of lines('documents')) {
    unique(documents, id, 'documents')
    unique(paths, path, 'documents')
    documents.set(id, hash)
    paths.add(path)
    originals.add(hash)
  }
  const versions = new Set<string>()
  for await (const { document_id: id, sha256: hash, replaced_at } of lines('versions')) {
    known(documents, id, 'versions')
    unique(versions, id + hash, 'versions')
    if ((replaced_at === null) !== (documents.get(id) === hash))
      throw new BadArchive(`${partFile('versions')}: of ${id} not the current version alone is current`)
    versions.add(id + hash)
    originals.add(hash)
  }
  const scopes = new Set<string>()
  for await (const { name, document_ids } of lines('scopes')) {
    unique(scopes, name, 'scopes')
    scopes.add(name)
    for (const id of document_ids) known(documents, id, 'scopes')
  }
  await checkCorrections(lines)
  await checkConversations(lines)
  const sources = new Set<number>()
  for await (const { number } of lines('sources')) {
    if (number !== sources.size + 1) throw new BadArchive(`${partFile('sources')}: its numbers have a gap`)
    sources.add(number)
  }
  const files = new Set<string>()
  for await (const { source, path } of lines('source-files')) {
    known(sources, source, 'source-files')
    unique(files, `${source} ${path}`, 'source-files')
    files.add(`${source} ${path}`)
  }
  for await (const _ of lines('passages'));
  for await (const _ of lines('evaluation-questions'));
  return originals
}

/** A name is the same as at most one other, and following them never comes back. */
async function checkCorrections(lines: Checked['lines']): Promise<void> {
  const name = partFile('graph-corrections')
  const pairs = new Set<string>()
  const into = new Map<string, string>()
  for await (const row of lines('graph-corrections')) {
    unique(pairs, JSON.stringify([row.from, row.into]), 'graph-corrections')
    pairs.add(JSON.stringify([row.from, row.into]))
    if (row.from === row.into) throw new BadArchive(`${name}: ${row.from} is merged into itself`)
    if (row.decision === 'different') continue
    unique(into, row.from, 'graph-corrections')
    into.set(row.from, row.into)
  }
  const ended = new Set<string>()
  for (const first of into.keys()) {
    const seen = new Set<string>()
    for (let at: string | undefined = first; at !== undefined && !ended.has(at); at = into.get(at)) {
      if (seen.has(at)) throw new BadArchive(`${name}: ${at} is merged in a circle`)
      seen.add(at)
    }
    for (const one of seen) ended.add(one)
  }
}

async function checkConversations(lines: Checked['lines']): Promise<void> {
  const turnsOf = new Map<string, number>()
  for await (const { id } of lines('threads')) {
    unique(turnsOf, id, 'threads')
    turnsOf.set(id, 0)
  }
  for await (const { thread_id: id, number } of lines('turns')) {
    known(turnsOf, id, 'turns')
    if (number !== (turnsOf.get(id) ?? 0) + 1)
      throw new BadArchive(`${partFile('turns')}: the turns of ${id} are not in order`)
    turnsOf.set(id, number)
  }
}

const unique = <T>(held: { has(key: T): boolean }, key: T, part: Part): void => {
  if (held.has(key)) throw new BadArchive(`${partFile(part)}: ${String(key).slice(0, 200)} is in it twice`)
}

const known = <T>(held: { has(key: T): boolean }, key: T, part: Part): void => {
  if (!held.has(key))
    throw new BadArchive(`${partFile(part)}: ${String(key).slice(0, 200)} is not in the archive`)
}
