// The resources of the specification, field by field (spec, "Resources and their fields"). The exported names are the component
// names in openapi.json. It imports nothing but zod, so that it can be used in a browser.

import { z } from 'zod'
import { instant, page, text, uuid } from './fields.ts'

export const Workspace = z.object({
  id: uuid,
  name: z.string(),
  ready: z.boolean(),
  document_count: z.int(),
  created_at: instant,
  description: z.string(),
  updated_at: instant,
})
export type Workspace = z.infer<typeof Workspace>

export const WorkspaceCreate = z.object({
  name: text(1, 200, { trim: true }),
  description: text(0, 2000).default(''),
})
export type WorkspaceCreate = z.infer<typeof WorkspaceCreate>

export const WorkspaceUpdate = z.object({
  name: text(1, 200, { trim: true }).optional(),
  description: text(0, 2000).optional(),
})
export type WorkspaceUpdate = z.infer<typeof WorkspaceUpdate>

/** Extensions: `path`, as uploaded, and `bytes` (null if unknown) and `uploaded_at` of its current file. */
export const Document = z.object({
  id: uuid,
  title: z.string(),
  provider: z.string().nullable().optional(),
  chunk_count: z.int(),
  has_tables: z.boolean(),
  path: z.string().optional(),
  bytes: z.int().nullable().optional(),
  uploaded_at: instant.optional(),
})
export type Document = z.infer<typeof Document>

export const ChunkType = z.enum(['text', 'table', 'figure'])
export type ChunkType = z.infer<typeof ChunkType>

export const Chunk = z.object({
  id: z.string(),
  text: z.string(),
  document_id: z.string().nullable().optional(),
  document_title: z.string().nullable().optional(),
  type: ChunkType.default('text'),
  page: z.int().nullable().optional(),
  source_url: z.string().nullable().optional(),
})
export type Chunk = z.infer<typeof Chunk>

export const DocumentContent = z.object({
  id: uuid,
  title: z.string(),
  total_chunks: z.int(),
  chunks: z.array(Chunk),
  has_more: z.boolean(),
  next_cursor: z.string().nullable().optional(),
})
export type DocumentContent = z.infer<typeof DocumentContent>

export const SearchRequest = z.object({
  query: text(1, 2000),
  limit: z.int().min(1).max(20).default(10),
  scope: text(0, 1000).nullable().optional(),
  entity_ids: z
    .array(z.string())
    .max(100)
    .nullable()
    .optional()
    .meta({ description: 'Only chunks that mention one of these entities; an empty list means no filter.' }),
  preview: z.boolean().optional().meta({
    description:
      'Whether the results are shown while somebody still types (extension). They do not count as uses of their documents.',
  }),
})
export type SearchRequest = z.infer<typeof SearchRequest>

export const SearchResults = z.object({ query: z.string(), data: z.array(Chunk) })
export type SearchResults = z.infer<typeof SearchResults>

export const Entity = z.object({
  id: uuid,
  name: z.string(),
  type: z.string(),
  mention_count: z.int(),
  aliases: z.array(z.string()).optional(),
})
export type Entity = z.infer<typeof Entity>

export const EntityRef = z.object({ id: uuid, name: z.string(), type: z.string().nullable().optional() })
export type EntityRef = z.infer<typeof EntityRef>

export const Relation = z.object({ type: z.string(), evidence_count: z.int(), entity: EntityRef })
export type Relation = z.infer<typeof Relation>

/**
 * An entity with its relations. Each direction has at most 1000 relations that sentences state. `mentioned_with` has no direction:
 * each of the two entities has the other in `outgoing`. With `depth` 2 only the strongest relations of the second step are added.
 */
export const EntityNeighborhood = z.object({
  entity: EntityRef,
  depth: z.int(),
  outgoing: z.array(Relation),
  incoming: z.array(Relation),
})
export type EntityNeighborhood = z.infer<typeof EntityNeighborhood>

/** A passage that mentions an entity; spans are offsets into `text` in UTF-16 units. */
export const Evidence = z.object({
  document_id: uuid,
  title: z.string(),
  chunk_id: uuid,
  page: z.int().nullable(),
  text: z.string(),
  spans: z.array(z.object({ start: z.int(), end: z.int() })),
})
export type Evidence = z.infer<typeof Evidence>

/**
 * How two entities are connected (extension): the shortest paths, each with its steps in order. `reversed`: the relation is
 * stated from `to` to `from`. `passage` states the relation, or names both; it is null if it was removed meanwhile.
 */
export const PathStep = z.object({
  from: EntityRef,
  to: EntityRef,
  type: z.string(),
  reversed: z.boolean(),
  evidence_count: z.int(),
  passage: Evidence.nullable(),
})
export type PathStep = z.infer<typeof PathStep>

export const EntityPaths = z.object({
  from: EntityRef,
  to: EntityRef,
  max_steps: z.int(),
  paths: z.array(z.object({ steps: z.array(PathStep) })),
})
export type EntityPaths = z.infer<typeof EntityPaths>

/** A name that was merged into another entity (extension), and the reason. `undone`: whether a user has reversed it. */
export const Merge = z.object({
  entity_id: uuid,
  name: z.string(),
  into_id: uuid,
  state: z.enum(['automatic', 'manual', 'undone']),
  reason: z.string(),
})
export type Merge = z.infer<typeof Merge>

/** An entity that may be the same (extension), for a person to decide. */
export const MergeCandidate = z.object({
  entity: Entity,
  reason: z.enum(['short_form', 'spelling', 'initials', 'part']),
})
export type MergeCandidate = z.infer<typeof MergeCandidate>

/** Two entities that may be one (extension); `entity` is the one that is mentioned more often. */
export const Duplicate = z.object({
  entity: Entity,
  other: Entity,
  reason: z.enum(['spelling', 'initials', 'part']),
})
export type Duplicate = z.infer<typeof Duplicate>

/** The most tokens that extracting the graph with the model would use. `spent` tokens of `budget` are used up already. */
export const GraphEstimate = z.object({
  model: z.string().nullable(),
  calls: z.int(),
  tokens: z.int(),
  budget: z.int(),
  spent: z.int(),
})
export type GraphEstimate = z.infer<typeof GraphEstimate>

/**
 * A group of documents about one thing (extension). `terms` and `entities` tell it from the other groups; `documents` are the nearest
 * to its middle, and `quote` is the nearest sentence, null if there is none.
 */
export const ThemeGroup = z.object({
  document_count: z.int(),
  terms: z.array(z.string()),
  entities: z.array(EntityRef),
  documents: z.array(z.object({ id: uuid, title: z.string() })),
  quote: z
    .object({
      document_id: uuid,
      title: z.string(),
      chunk_id: uuid,
      page: z.int().nullable(),
      text: z.string(),
    })
    .nullable(),
})
export type ThemeGroup = z.infer<typeof ThemeGroup>

export const Themes = z.object({
  total_entities: z.int(),
  types: z.array(z.object({ type: z.string(), count: z.int() })),
  top_entities: z.array(Entity),
  groups: z.array(ThemeGroup).optional().meta({
    description: 'The groups with most documents first; absent unless they were asked for (extension).',
  }),
})
export type Themes = z.infer<typeof Themes>

/**
 * The most important entities (extension), most important first, and the relations between them: what sentences state, most
 * evidence first, then `mentioned_with`, for entities that passages name together more often than by chance.
 * `source` and `target` are positions in `nodes`; the relations from one entity to another are one edge, with their types.
 */
export const Graph = z.object({
  nodes: z.array(z.object({ id: uuid, name: z.string(), type: z.string(), mention_count: z.int() })),
  edges: z.array(
    z.object({
      source: z.int(),
      target: z.int(),
      types: z.array(z.string()),
      evidence_count: z.int(),
    }),
  ),
})
export type Graph = z.infer<typeof Graph>

export const Scope = z.object({
  name: z.string(),
  document_count: z.int(),
  description: z.string().optional(),
})
export type Scope = z.infer<typeof Scope>

/** A document in a scope (extension). `path` is the name of its file; `version_id` its SHA-256, as of DocumentVersion. */
export const ScopeDocument = z.object({
  id: uuid,
  title: z.string(),
  path: z.string(),
  version_id: z.string(),
})
export type ScopeDocument = z.infer<typeof ScopeDocument>

/** A user's scope contains the listed documents and everything in the listed folders, including later uploads. */
export const ScopeUpdate = z.object({
  description: text(0, 2000).default(''),
  document_ids: z.array(uuid).max(10_000).default([]),
  folders: z
    .array(text(1, 500, { trim: true }))
    .max(100)
    .default([]),
})
export type ScopeUpdate = z.infer<typeof ScopeUpdate>

/** Documents that a user's scope gets and loses. */
export const ScopeChange = z.object({
  add: z.array(uuid).max(10_000).default([]),
  remove: z.array(uuid).max(10_000).default([]),
})
export type ScopeChange = z.infer<typeof ScopeChange>

/**
 * What a change of a scope did (extension). Documents that the scope already listed, or did not list, are in neither `added` nor
 * `removed`. `unknown`: no such document. `in_folders`: removed from the list, but still in the scope by one of its folders.
 */
export const ScopeChangeResult = z.object({
  created: z.boolean(),
  added: z.array(uuid),
  removed: z.array(uuid),
  unknown: z.array(uuid),
  in_folders: z.array(uuid),
})
export type ScopeChangeResult = z.infer<typeof ScopeChangeResult>

export const AskRequest = z.object({
  question: text(1, 8000),
  thread_id: uuid.nullable().optional(),
  stream: z.boolean().default(false),
})
export type AskRequest = z.infer<typeof AskRequest>

export const Citation = z.object({
  number: z.int(),
  text: z.string(),
  chunk_id: z.string().nullable().optional(),
  document_id: z.string().nullable().optional(),
  document_title: z.string().nullable().optional(),
  page: z.int().nullable().optional(),
  source_url: z.string().nullable().optional(),
})
export type Citation = z.infer<typeof Citation>

/** What an answer states first, as its citation with this number has it. */
export const AnswerValue = z.object({ text: z.string(), citation: z.int() })
export type AnswerValue = z.infer<typeof AnswerValue>

export const Answer = z.object({
  thread_id: uuid,
  answer: z.string(),
  citations: z.array(Citation),
  /** The value that the question asks for, such as an amount or a date, if exactly one value can be meant. */
  value: AnswerValue.optional(),
})
export type Answer = z.infer<typeof Answer>

/** One `step` event of the ask stream. */
export const Step = z.object({
  index: z.int(),
  type: z.enum(['search', 'read', 'graph', 'think', 'answer']),
  label: z.string(),
  query: z.string().optional(),
  result_count: z.int().optional(),
  /**
   * The next verified sentences of the answer, in Markdown with `[N]`, to be added to the text of the steps before. The event `answer`
   * has the whole.
   */
  text: z.string().optional(),
  /** The text of the steps before is withdrawn, because the answer is written anew. */
  restart: z.boolean().optional(),
  /** For the step `answer`: tokens used by the language model in total, 0 without one; absent if the server does not report them. */
  tokens: z.int().min(0).optional(),
  elapsed_ms: z.int(),
})
export type Step = z.infer<typeof Step>

/** What to do with a file that has the name of an existing document; by default a comparison of their texts decides. */
export const OnConflict = z.enum(['replace', 'keep_both', 'fail'])
export type OnConflict = z.infer<typeof OnConflict>

/**
 * What an uploaded file became: a new document (`created`), nothing new (`unchanged`), the new version of a document
 * (`replaced`), a version older than the current one (`superseded`), or a second document of the same name (`kept_both`).
 */
export const FileOutcome = z.enum(['created', 'unchanged', 'replaced', 'superseded', 'kept_both'])
export type FileOutcome = z.infer<typeof FileOutcome>

export const FileStatus = z.enum(['queued', 'running', 'done', 'failed'])
export type FileStatus = z.infer<typeof FileStatus>

export const JobFile = z.object({
  filename: z.string(),
  status: FileStatus,
  document_id: uuid.optional(),
  error: z.string().optional(),
})
export type JobFile = z.infer<typeof JobFile>

export const Job = z.object({
  id: z.string(),
  status: z.enum(['queued', 'running', 'done']),
  files: z.array(JobFile),
})
export type Job = z.infer<typeof Job>

/** A job in the list of a workspace (extension), with the number of its files. `import`: from an archive or from the trash. */
export const JobSummary = z.object({
  id: z.string(),
  kind: z.enum(['upload', 'reindex', 'restore', 'import']),
  status: Job.shape.status,
  created_at: instant,
  file_count: z.int(),
  done_count: z.int(),
  failed_count: z.int(),
})
export type JobSummary = z.infer<typeof JobSummary>

/** A file of the last 30 days that could not be read (extension), and the reason. It is left out once a later upload was read. */
export const FailedFile = z.object({
  job_id: z.string(),
  filename: z.string(),
  error: z.string(),
  failed_at: instant,
})
export type FailedFile = z.infer<typeof FailedFile>

/**
 * Progress of a file. `searchable`: found by its words; `complete`: also in the graph and found by meaning. `remaining_seconds`
 * (until searchable) is an estimate from the measured speed, absent while there is none. `warnings` say what could not be
 * read or may be wrong.
 */
export const FileProgress = JobFile.extend({
  state: z.enum(['queued', 'running', 'searchable', 'complete', 'failed']),
  stage: z.string(),
  progress: z.number(),
  attempt: z.int(),
  remaining_seconds: z.int().optional(),
  warnings: z.array(z.string()).optional(),
  outcome: FileOutcome.optional(),
})
export type FileProgress = z.infer<typeof FileProgress>

/**
 * Progress of a job (extension). A job that is `done` is `searchable`, and it is `complete` once all its files are, not counting
 * failed ones. The first event of a stream contains every file, later ones those that have changed since. `progress` is
 * weighted by the size of the files.
 */
export const JobProgress = z.object({
  status: Job.shape.status,
  state: z.enum(['queued', 'running', 'searchable', 'complete']),
  progress: z.number(),
  remaining_seconds: z.int().optional(),
  files: z.array(FileProgress),
})
export type JobProgress = z.infer<typeof JobProgress>

/**
 * The current file of a document, or an earlier one that can be restored (extension). `id` is the SHA-256 of the file;
 * `uploaded_by` an account, null if unknown.
 */
export const DocumentVersion = z.object({
  id: z.string(),
  filename: z.string(),
  bytes: z.int().nullable(),
  uploaded_at: instant,
  uploaded_by: uuid.nullable(),
  current: z.boolean(),
  replaced_at: instant.nullable(),
  restorable_until: instant.nullable(),
})
export type DocumentVersion = z.infer<typeof DocumentVersion>

/**
 * The text of a version, to compare it with another (extension): rows of tables and items of lists are paragraphs. It is read
 * without recognising pictures, so a scan has none; `is_whole` is false where it was cut. `hidden` is text that is in the file
 * but not visible in the document, such as white letters on white: it is neither searched nor quoted.
 */
export const VersionText = z.object({
  version_id: z.string(),
  is_whole: z.boolean(),
  paragraphs: z.array(z.object({ page: z.int().nullable(), text: z.string() })),
  hidden: z.array(z.object({ page: z.int().nullable(), text: z.string() })),
})
export type VersionText = z.infer<typeof VersionText>

/**
 * A document with what a list of files shows (extension). `filename` is its path as uploaded; `pages` also counts slides and
 * sheets, null for kinds without any; only with `page_images` has each page a picture. `bytes`, `uploaded_at` and `uploaded_by` (an
 * account) are those of the current file, null if unknown. `opened_on` is the last day (UTC) of the last 90 on which the caller
 * opened the document; null for API keys. `state` as in FileProgress.
 */
export const DocumentDetails = z.object({
  id: uuid,
  title: z.string(),
  filename: z.string(),
  kind: z.string(),
  pages: z.int().nullable(),
  page_images: z.boolean(),
  chunk_count: z.int(),
  has_tables: z.boolean(),
  bytes: z.int().nullable(),
  uploaded_at: instant,
  uploaded_by: uuid.nullable(),
  opened_on: z.string().nullable(),
  state: z.enum(['searchable', 'complete']),
})
export type DocumentDetails = z.infer<typeof DocumentDetails>

/**
 * Where a chunk stands (extension): under which headings (' > ' between levels), and its boxes, each left, top, right and
 * bottom in points from its page's upper left corner. A page image states its own points by its resolution.
 */
export const ChunkPlace = z.object({
  chunk_id: uuid,
  heading: z.string(),
  page: z.int().nullable(),
  boxes: z.array(z.object({ page: z.int(), bbox: z.array(z.number()) })),
})
export type ChunkPlace = z.infer<typeof ChunkPlace>
export const ChunkPlaces = z.object({ data: z.array(ChunkPlace) })
export type ChunkPlaces = z.infer<typeof ChunkPlaces>

/** An entity that a document mentions (extension), with the number of its mentions there. */
export const DocumentEntity = z.object({ id: uuid, name: z.string(), type: z.string(), mentions: z.int() })
export type DocumentEntity = z.infer<typeof DocumentEntity>

export const Me = z.object({
  id: z.string(),
  auth: z.enum(['session', 'oauth', 'api_key']),
  scopes: z.array(z.string()),
  workspace_count: z.int(),
  email: z.string().optional(),
})
export type Me = z.infer<typeof Me>

export const ErrorBody = z.object({ error: z.object({ type: z.string(), message: z.string() }) })
export type ErrorBody = z.infer<typeof ErrorBody>

export const ValidationErrorItem = z.object({
  loc: z.array(z.string()),
  msg: z.string(),
  type: z.string(),
  input: z.unknown(),
  ctx: z.record(z.string(), z.unknown()),
})
export type ValidationErrorItem = z.infer<typeof ValidationErrorItem>

/** 422 responses have both error formats of the specification. */
export const ValidationErrorBody = ErrorBody.extend({ detail: z.array(ValidationErrorItem) })
export type ValidationErrorBody = z.infer<typeof ValidationErrorBody>

export const WorkspacePage = page(Workspace)
export const DocumentPage = page(Document)
export const EntityPage = page(Entity)
export const EvidencePage = page(Evidence)
/** A document that was found by words of its title, path or headings (extension); `heading`: the one that has some of them. */
export const DocumentMatch = z.object({
  id: uuid,
  title: z.string(),
  path: z.string(),
  heading: z.string().nullable(),
})
export type DocumentMatch = z.infer<typeof DocumentMatch>
export const DocumentMatches = z.object({ data: z.array(DocumentMatch) })
export type DocumentMatches = z.infer<typeof DocumentMatches>

/** A folder of the documents' paths (extension), without a slash at either end; `document_count`: in it and below it. */
export const Folder = z.object({ path: z.string(), document_count: z.int() })
export type Folder = z.infer<typeof Folder>
/** The folders of a workspace (extension). `has_more`: there are more folders than are listed. */
export const Folders = z.object({ data: z.array(Folder), has_more: z.boolean() })
export type Folders = z.infer<typeof Folders>

export const MergePage = page(Merge)
export const MergeCandidatePage = page(MergeCandidate)
export const ScopePage = page(Scope)
export const ScopeDocumentPage = page(ScopeDocument)
export const JobPage = page(JobSummary)
export const FailedFilePage = page(FailedFile)
export const DuplicatePage = page(Duplicate)
export const DocumentVersionPage = page(DocumentVersion)
export const DocumentDetailsPage = page(DocumentDetails)
export const ChunkPlacePage = page(ChunkPlace)
export const DocumentEntityPage = page(DocumentEntity)
export type Page<Item> = { data: Item[]; has_more: boolean; next_cursor: string | null }
