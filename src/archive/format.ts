// What an exported workspace is: a zip archive whose files are stored, not compressed (docs/export.md). `manifest.json` names the
// files of rows with their SHA-256, each row one line of JSON; `originals/` holds the files of documents, named by their SHA-256.

import { z } from 'zod'
import { text, uuid } from '../contract/fields.ts'
import { SourceCreate } from '../contract/sources.ts'
import { uploadPath } from '../ingest/names.ts'
import type { DocumentKind } from '../reader/reader.ts'

export const FORMAT = 'kenning-workspace'
export const VERSION = 1
export const MANIFEST = 'manifest.json'
export const ORIGINALS = 'originals/'

/** The archive as a whole. */
export const MAX_ARCHIVE_BYTES = 50 * 2 ** 30
export const MAX_MANIFEST_BYTES = 64 * 1024
/** All files of rows together: whoever checks an archive has its ids in memory. */
export const MAX_ROW_BYTES = 256 * 2 ** 20
/** Of the longest line. */
export const MAX_LINE_BYTES = 4 * 2 ** 20
export const MAX_ROWS = 1_000_000
/** Of arrays and objects in each other; the deepest row of an export has five. */
export const MAX_JSON_DEPTH = 16
/** A name that is merged into one that is merged into one, and so on. */
export const MAX_MERGE_CHAIN = 1000
/** Of an archive that is uploaded, so that a blob of it is one that every store takes. */
export const PIECE_BYTES = 2 ** 30

/** The same for every id, whether anything has it or not: trying ids tells nothing. */
export const IDS_ARE_NOT_KEPT =
  'Only administrators may import a workspace under its own id, and whoever owned it here before it was deleted. Import a copy under new ids (ids=new, kenning import --new-ids).'

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'It must be a SHA-256 in lower-case hexadecimal')

// A clock of another machine may be ahead.
const AHEAD_MS = 300_000

const TIME = /^(?:19[7-9]\d|[2-9]\d{3})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/** JavaScript takes 30 February for 2 March, and a database does not. */
function isOnCalendar(value: string): boolean {
  const ms = Date.parse(value)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value.slice(0, 19))
}

/** To the microsecond, as the database has it, and not in the future: some things are kept for so long after a time. */
const at = z
  .string()
  .regex(TIME, 'It must be a time such as 2027-01-31T12:00:00.000000Z')
  .refine(isOnCalendar, 'There is no such day or time')
  .refine((value) => Date.parse(value) <= Date.now() + AHEAD_MS, 'It must be a time that has passed')

const path = z.string().refine((value) => uploadPath(value) === value, 'It must be a relative path')

const KINDS: Record<DocumentKind, true> = {
  pdf: true,
  docx: true,
  doc: true,
  odt: true,
  pptx: true,
  ppt: true,
  odp: true,
  xlsx: true,
  xls: true,
  csv: true,
  ods: true,
  rtf: true,
  markdown: true,
  text: true,
  html: true,
  epub: true,
  email: true,
  msg: true,
  json: true,
  image: true,
}
const kind = z.enum(Object.keys(KINDS) as [DocumentKind, ...DocumentKind[]])

const bytes = z.int().min(0)

const document = z.object({
  id: uuid,
  path,
  /** The name it was uploaded with, if another document had that. */
  uploaded_as: path.nullable(),
  title: text(1, 2000),
  kind,
  sha256,
  uploaded_at: at,
  created_at: at,
})

/** The current file of a document, and those that it can still be set back to. */
const version = z.object({
  document_id: uuid,
  sha256,
  filename: path,
  kind,
  bytes: bytes.nullable(),
  uploaded_at: at,
  uploaded_by: uuid.nullable(),
  forced: z.boolean(),
  /** Null: the current one. */
  replaced_at: at.nullable(),
})

const scope = z.object({
  name: text(1, 200),
  description: text(0, 2000),
  folders: z.array(text(1, 500)).max(100),
  document_ids: z.array(uuid).max(10_000),
  created_at: at,
  updated_at: at,
})

/** What people decided about two names of the graph; the ids of entities follow from their keys. */
const correction = z.object({
  from: text(1, 500),
  into: text(1, 500),
  decision: z.enum(['same', 'different']),
  reason: text(0, 2000),
})

const thread = z.object({ id: uuid, title: text(1, 200).nullable(), created_at: at, updated_at: at })

const offset = z.int().min(0)
const turn = z.object({
  thread_id: uuid,
  number: z.int().min(1).max(100_000),
  question: text(1, 8000),
  answer: text(0, 1_000_000),
  citations: z
    .array(
      z.object({
        number: z.int().min(1),
        chunk_id: uuid,
        document_id: uuid,
        spans: z.array(z.object({ start: offset, end: offset })).max(1000),
      }),
    )
    .max(1000),
  created_at: at,
  feedback: z
    .object({ verdict: z.enum(['helped', 'wrong']), note: text(0, 2000), updated_at: at })
    .nullable(),
})

/** A passage that an answer or a question names, with the hash of its text: from it follows its id under another document's. */
const passage = z.object({ id: uuid, document_id: uuid, sha256 })

const question = z.object({
  query: text(1, 2000),
  document_id: uuid,
  chunk_id: uuid.nullable(),
  created_at: at,
})

/** As somebody would add it by hand, but without credentials, which are never exported. */
const source = SourceCreate.omit({ credentials: true }).extend({
  number: z.int().min(1).max(1000),
  name: text(1, 120),
  branch: text(1, 200).nullable(),
  paused: z.boolean(),
  created_at: at,
})

/** What a source remembers of a path, so that it goes on with the documents that it made. */
const sourceFile = z.object({
  source: z.int().min(1),
  path: text(1, 4000),
  kept: z.object({
    hash: text(1, 200),
    state: z.enum(['ours', 'theirs', 'refused']),
    document_id: uuid.optional(),
    beside: z.boolean().optional(),
    reason: text(0, 2000).optional(),
    held: text(0, 200).optional(),
  }),
})

/** The files of rows, in the order in which they are written and read. */
export const PARTS = {
  documents: document,
  versions: version,
  scopes: scope,
  'graph-corrections': correction,
  threads: thread,
  turns: turn,
  passages: passage,
  'evaluation-questions': question,
  sources: source,
  'source-files': sourceFile,
} as const
export type Part = keyof typeof PARTS
export type Line<P extends Part> = z.output<(typeof PARTS)[P]>
export const PART_NAMES = Object.keys(PARTS) as Part[]
export const partFile = (part: Part): string => `${part}.jsonl`

export const Manifest = z.object({
  format: z.literal(FORMAT),
  version: z.int().min(1),
  workspace: z.object({ id: uuid, name: text(1, 200), description: text(0, 2000), created_at: at }),
  files: z.array(z.object({ name: z.string(), rows: z.int().min(0), bytes, sha256 })).max(100),
  originals: z.object({ files: z.int().min(0), bytes }),
})
export type Manifest = z.output<typeof Manifest>
