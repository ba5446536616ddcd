// The format of an exported workspace: a zip archive without compression (docs/export.md). `manifest.json` lists the files of rows
// with their SHA-256. Each row is one line of JSON. `originals/` contains the files of documents, named by their SHA-256.

import { z } from 'zod'
import { text, uuid } from '../contract/fields.ts'
import { SourceCreate } from '../contract/sources.ts'
import { uploadPath } from '../ingest/names.ts'
import type { DocumentKind } from '../reader/reader.ts'

export const FORMAT = 'kenning-workspace'
export const VERSION = 1
export const MANIFEST = 'manifest.json'
export const ORIGINALS = 'originals/'

/** The limit for the whole archive. */
export const MAX_ARCHIVE_BYTES = 50 * 2 ** 30
export const MAX_MANIFEST_BYTES = 64 * 1024
/** The limit for all files of rows together, because the check has their ids in memory. */
export const MAX_TOTAL_ROW_BYTES = 256 * 2 ** 20
/** The limit for a line. */
export const MAX_LINE_BYTES = 4 * 2 ** 20
export const MAX_ROWS = 1_000_000
/** How deep arrays and objects may be nested. The rows of an export have at most five levels. */
export const MAX_JSON_DEPTH = 16
/** The longest chain of merges: the first name into the second, the second into the third, and so on. */
export const MAX_MERGE_CHAIN = 1000
/** The size of the pieces in which an uploaded archive is stored. Every blob store accepts it. */
export const PIECE_BYTES = 2 ** 30

/** The message is the same whether the id is in use or not, so that trying ids reveals nothing. */
export const KEEPING_IDS_FORBIDDEN =
  'Only administrators may import a workspace under its own id, and whoever owned it here before it was deleted for good; delete it from the trash first. Or import a copy under new ids (ids=new, kenning import --new-ids).'

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'It must be a SHA-256 in lower-case hexadecimal')

// The clock of another machine may be this far ahead.
const MAX_CLOCK_SKEW_MS = 300_000

const TIME = /^(?:19[7-9]\d|[2-9]\d{3})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/** Whether the day and the time exist. JavaScript reads 30 February as 2 March, but the database refuses it. */
function isOnCalendar(value: string): boolean {
  const ms = Date.parse(value)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value.slice(0, 19))
}

/** A time in microseconds. It must not be in the future, because some rows are deleted a certain time after it. */
const pastTime = z
  .string()
  .regex(TIME, 'It must be a time such as 2027-01-31T12:00:00.000000Z')
  .refine(isOnCalendar, 'There is no such day or time')
  .refine((value) => Date.parse(value) <= Date.now() + MAX_CLOCK_SKEW_MS, 'It must be a time that has passed')

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
  mhtml: true,
  epub: true,
  email: true,
  msg: true,
  mbox: true,
  calendar: true,
  json: true,
  image: true,
}
const kind = z.enum(Object.keys(KINDS) as [DocumentKind, ...DocumentKind[]])

const bytes = z.int().min(0)

const document = z.object({
  id: uuid,
  path,
  /** The path with which the document was uploaded, if it is at another: that one was taken, or it was moved. */
  uploaded_as: path.nullable(),
  title: text(1, 2000),
  kind,
  sha256,
  uploaded_at: pastTime,
  created_at: pastTime,
})

/** The current version of a document, or a restorable version. */
const version = z.object({
  document_id: uuid,
  sha256,
  filename: path,
  kind,
  bytes: bytes.nullable(),
  uploaded_at: pastTime,
  uploaded_by: uuid.nullable(),
  forced: z.boolean(),
  /** Null for the current version. */
  replaced_at: pastTime.nullable(),
})

const scope = z.object({
  name: text(1, 200),
  description: text(0, 2000),
  folders: z.array(text(1, 500)).max(100),
  document_ids: z.array(uuid).max(10_000),
  created_at: pastTime,
  updated_at: pastTime,
})

/** The decision of a person about two names of the graph. The ids of the entities are computed from their keys. */
const correction = z.object({
  from: text(1, 500),
  into: text(1, 500),
  decision: z.enum(['same', 'different']),
  reason: text(0, 2000),
})

const thread = z.object({
  id: uuid,
  title: text(1, 200).nullable(),
  created_at: pastTime,
  updated_at: pastTime,
})

const offset = z.int().min(0)
const span = z.object({ start: offset, end: offset })
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
        spans: z.array(span).max(1000),
        value: span.optional(),
      }),
    )
    .max(1000),
  created_at: pastTime,
  feedback: z
    .object({ verdict: z.enum(['helped', 'wrong']), note: text(0, 2000), updated_at: pastTime })
    .nullable(),
})

/** A passage to which an answer or question refers. In a copy, its new id is computed from the hash of its text. */
const passage = z.object({ id: uuid, document_id: uuid, sha256 })

const question = z.object({
  query: text(1, 2000),
  document_id: uuid,
  chunk_id: uuid.nullable(),
  created_at: pastTime,
})

/** A source without its credentials, which are never exported. */
const source = SourceCreate.omit({ credentials: true }).extend({
  number: z.int().min(1).max(1000),
  name: text(1, 120),
  branch: text(1, 200).nullable(),
  paused: z.boolean(),
  created_at: pastTime,
})

/** The state of a path of a source, so that the imported source continues with the documents that it has created. */
const sourceFile = z.object({
  source: z.int().min(1),
  path: text(1, 4000),
  kept: z.object({
    hash: text(1, 200),
    state: z.enum(['ours', 'theirs', 'refused']),
    document_id: uuid.optional(),
    beside: z.boolean().optional(),
    at: text(1, 4000).optional(),
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
  workspace: z.object({ id: uuid, name: text(1, 200), description: text(0, 2000), created_at: pastTime }),
  files: z.array(z.object({ name: z.string(), rows: z.int().min(0), bytes, sha256 })).max(100),
  originals: z.object({ files: z.int().min(0), bytes }),
})
export type Manifest = z.output<typeof Manifest>
