// Descriptions and examples of the schemas in ../resources.ts.

import type * as module from '../resources.ts'
import {
  AMENDMENT_NOTICE,
  AMENDMENT_TITLE,
  EARLIER_VERSION_ID,
  firstPage,
  ID,
  JOB_ID,
  LEASE_NOTICE,
  LEASE_TITLE,
  MINUTES_DECISION,
  MINUTES_TITLE,
  OWNER_EMAIL,
  onlyPage,
  passageUrl,
  UPLOADED_AT,
  VERSION_ID,
} from './library.ts'
import type { SchemaTexts } from './texts.ts'

const workspace = {
  id: ID.workspace,
  name: 'Tidewick Instruments',
  ready: true,
  document_count: 15,
  created_at: '2026-11-24T09:12:58.029Z',
  description: 'Contracts, minutes and data sheets of the co-operative.',
  updated_at: '2026-11-24T09:12:58.029Z',
}
const lease = {
  id: ID.lease,
  title: LEASE_TITLE,
  provider: 'upload',
  chunk_count: 19,
  has_tables: true,
  path: 'Contracts/lease-ropewalk-yard.pdf',
  bytes: 59_722,
  uploaded_at: UPLOADED_AT,
}
const amendment = {
  id: ID.amendment,
  title: AMENDMENT_TITLE,
  provider: 'upload',
  chunk_count: 8,
  has_tables: true,
  path: 'Contracts/lease-amendment-1.docx',
  bytes: 37_227,
  uploaded_at: UPLOADED_AT,
}
const leaseChunk = {
  id: ID.leaseNotice,
  text: LEASE_NOTICE,
  document_id: ID.lease,
  document_title: LEASE_TITLE,
  type: 'text' as const,
  page: 2,
  source_url: passageUrl(ID.lease, ID.leaseNotice, 2),
}
const amendmentChunk = {
  id: ID.amendmentNotice,
  text: AMENDMENT_NOTICE,
  document_id: ID.amendment,
  document_title: AMENDMENT_TITLE,
  type: 'text' as const,
  page: null,
  source_url: passageUrl(ID.amendment, ID.amendmentNotice),
}
const citation = {
  number: 1,
  text: MINUTES_DECISION,
  chunk_id: ID.minutesDecision,
  document_id: ID.minutes,
  document_title: MINUTES_TITLE,
  page: null,
  source_url: passageUrl(ID.minutes, ID.minutesDecision),
}
const tidewickRef = {
  id: ID.tidewick,
  name: 'Tidewick Instruments Co-operative Limited',
  type: 'organization',
}
const corriganRef = { id: ID.corrigan, name: 'Corrigan Estates Limited', type: 'organization' }
const ropewalkRef = { id: ID.ropewalk, name: 'Ropewalk Yard', type: 'location' }
const tidewick = { ...tidewickRef, mention_count: 20, aliases: ['Tidewick Instruments'] }
const themeGroup = {
  document_count: 5,
  terms: ['lease', 'notice', 'deposit'],
  entities: [corriganRef, ropewalkRef],
  documents: [{ id: ID.lease, title: LEASE_TITLE }],
  quote: { document_id: ID.lease, title: LEASE_TITLE, chunk_id: ID.leaseNotice, page: 2, text: LEASE_NOTICE },
}
const tidewickShort = {
  id: ID.tidewickShort,
  name: 'Tidewick',
  type: 'organization',
  mention_count: 12,
  aliases: [],
}
const relation = { type: 'signed_with', evidence_count: 3, entity: corriganRef }
const evidenceText =
  'Corrigan Estates Limited (the Landlord) owns Ropewalk Yard in Aldermouth. The Landlord lets Unit 4, Ropewalk Yard (the Premises) to Tidewick Instruments Co-operative Limited (the Tenant).'
const spanOf = (name: string) => ({
  start: evidenceText.indexOf(name),
  end: evidenceText.indexOf(name) + name.length,
})
const evidence = {
  document_id: ID.lease,
  title: LEASE_TITLE,
  chunk_id: ID.leaseTerms,
  page: 1,
  text: evidenceText,
  spans: [spanOf(tidewickRef.name)],
}
const step = {
  from: tidewickRef,
  to: corriganRef,
  type: 'signed_with',
  reversed: false,
  evidence_count: 3,
  passage: { ...evidence, spans: [spanOf(corriganRef.name), spanOf(tidewickRef.name)] },
}
const merge = {
  entity_id: ID.tidewickShort,
  name: 'Tidewick',
  into_id: ID.tidewick,
  state: 'manual' as const,
  reason: 'merged by hand',
}
const candidate = { entity: tidewickShort, reason: 'part' as const }
const duplicate = { entity: tidewick, other: tidewickShort, reason: 'part' as const }
const scope = { name: 'Leases', document_count: 2, description: 'Everything about Ropewalk Yard.' }
const scopeDocument = {
  id: ID.lease,
  title: LEASE_TITLE,
  path: 'Contracts/lease-ropewalk-yard.pdf',
  version_id: VERSION_ID,
}
const jobFile = {
  filename: 'Contracts/lease-ropewalk-yard.pdf',
  status: 'done' as const,
  document_id: ID.lease,
}
const jobSummary = {
  id: JOB_ID,
  kind: 'upload' as const,
  status: 'done' as const,
  created_at: UPLOADED_AT,
  file_count: 15,
  done_count: 14,
  failed_count: 1,
}
const failedFile = {
  job_id: JOB_ID,
  filename: 'Contracts/old-lease.pdf',
  error: 'The file is protected by a password. Remove the password and upload it again.',
  failed_at: '2026-11-24T09:15:49.120Z',
}
const fileProgress = {
  ...jobFile,
  status: 'running' as const,
  state: 'running' as const,
  stage: 'parsing',
  progress: 0.4,
  attempt: 1,
  remaining_seconds: 6,
}
const version = {
  id: VERSION_ID,
  filename: 'Contracts/lease-ropewalk-yard.pdf',
  bytes: 59_722,
  uploaded_at: UPLOADED_AT,
  uploaded_by: ID.owner,
  current: true,
  replaced_at: null,
  restorable_until: null,
}
const earlierVersion = {
  id: EARLIER_VERSION_ID,
  filename: 'Contracts/lease-ropewalk-yard.pdf',
  bytes: 58_104,
  uploaded_at: '2026-11-20T16:40:11.002Z',
  uploaded_by: ID.editor,
  current: false,
  replaced_at: UPLOADED_AT,
  restorable_until: '2026-12-24T09:15:42.710Z',
}
const details = {
  id: ID.lease,
  title: LEASE_TITLE,
  filename: 'Contracts/lease-ropewalk-yard.pdf',
  kind: 'pdf',
  pages: 3,
  page_images: true,
  chunk_count: 19,
  has_tables: true,
  bytes: 59_722,
  uploaded_at: UPLOADED_AT,
  uploaded_by: ID.owner,
  opened_on: '2026-11-25',
  state: 'complete' as const,
}
const place = {
  chunk_id: ID.leaseNotice,
  heading: '12. Ending by the Tenant',
  page: 2,
  boxes: [{ page: 2, bbox: [79.5, 402.1, 515.2, 430.6] }],
}
const documentEntity = { id: ID.ropewalk, name: 'Ropewalk Yard', type: 'location', mentions: 4 }
const match = {
  id: ID.lease,
  title: LEASE_TITLE,
  path: 'Contracts/lease-ropewalk-yard.pdf',
  heading: '12. Ending by the Tenant',
}
const invalidItem = {
  loc: ['query', 'limit'],
  msg: 'Input should be less than or equal to 200',
  type: 'less_than_equal',
  input: 900,
  ctx: { le: 200 },
}

const folder = { path: 'Contracts', document_count: 12 }

export const resources = {
  Workspace: {
    description:
      'A knowledge base: its documents, what was derived from them, and the members who may read it. `ready` is false while an upload waits to be searchable by meaning or to enter the knowledge graph.',
    example: workspace,
  },
  WorkspaceCreate: {
    description: 'The name of a new workspace, and what it is for.',
    example: { name: workspace.name, description: workspace.description },
  },
  WorkspaceUpdate: {
    description: 'The fields of a workspace to change. A field that is absent stays as it is.',
    example: { name: 'Tidewick Instruments, contracts' },
  },
  Document: {
    description:
      'A document in a list. `provider` is a short name of where it came from. `path` (as uploaded, with its folders), `bytes` (null if unknown) and `uploaded_at` are those of its current file.',
    example: lease,
  },
  ChunkType: {
    description: 'What a chunk is: running text, a table in Markdown, or the text of a figure.',
    example: 'table',
  },
  Chunk: {
    description:
      'A part of a document, which is searched and cited as a whole. `page` is null for kinds of files without pages. `source_url` opens the passage in the console.',
    example: leaseChunk,
  },
  DocumentContent: {
    description:
      'A document, or a page of it, as chunks in reading order. While `has_more` is true, `next_cursor` reads on.',
    example: {
      id: ID.lease,
      title: LEASE_TITLE,
      total_chunks: 19,
      chunks: [
        {
          ...leaseChunk,
          id: ID.leaseTerms,
          type: 'table',
          page: 1,
          text: '| Term | Ten years, from 1 February 2019 to 31 January 2029 |\n| --- | --- |\n| Yearly rent | £38,400, payable in four equal parts of £9,600 |',
          source_url: passageUrl(ID.lease, ID.leaseTerms, 1),
        },
        leaseChunk,
      ],
      has_more: false,
      next_cursor: null,
    },
  },
  SearchRequest: {
    description:
      'What to search for. A text in double quotation marks is found only literally. `scope` and `entity_ids` narrow the search.',
    example: { query: 'notice period', limit: 2 },
  },
  SearchResults: {
    description: 'The chunks that match best, best first.',
    example: { query: 'notice period', data: [leaseChunk, amendmentChunk] },
  },
  Entity: {
    description:
      'Something that documents name: a person, organization, location, product or other thing. `mention_count` is how often they name it, `aliases` are its other names.',
    example: tidewick,
  },
  EntityRef: { description: 'A short reference to an entity.', example: tidewickRef },
  Relation: {
    description:
      'A relation to the entity at its other end. `evidence_count` is the number of passages that state it.',
    example: relation,
  },
  EntityNeighborhood: {
    description:
      'An entity with its relations, at most 1,000 in each direction. `mentioned_with` has no direction: each of the two entities has the other in `outgoing`. With `depth` 2 only the strongest relations of the second step are added.',
    example: {
      entity: tidewickRef,
      depth: 1,
      outgoing: [relation, { type: 'mentioned_with', evidence_count: 4, entity: ropewalkRef }],
      incoming: [
        {
          type: 'leads',
          evidence_count: 2,
          entity: { id: ID.rafael, name: 'Rafael Quintero', type: 'person' },
        },
      ],
    },
  },
  Evidence: {
    description:
      'A passage that mentions an entity. `spans` say where, as offsets into `text` in UTF-16 units, which are the indexes of strings in JavaScript.',
    example: evidence,
  },
  PathStep: {
    description:
      'One relation on the way from one entity to another. `reversed`: the passages state it from `to` to `from`. `passage` states the relation, or names both entities; it is null if it was removed meanwhile.',
    example: step,
  },
  EntityPaths: {
    description:
      'How two entities are connected: the shortest chains of relations, each with its steps in order. It is empty if no chain of `max_steps` connects them.',
    example: { from: tidewickRef, to: corriganRef, max_steps: 3, paths: [{ steps: [step] }] },
  },
  Merge: {
    description:
      'A name that was merged into another entity, and why. `automatic`: the service did it. `manual`: a person did. `undone`: a person has reversed it, and it is not done again.',
    example: merge,
  },
  MergeCandidate: {
    description: 'An entity that may be the same as another one, and why. A person decides.',
    example: candidate,
  },
  Duplicate: {
    description: 'Two entities that may be one, and why. `entity` is the one that is mentioned more often.',
    example: duplicate,
  },
  GraphEstimate: {
    description:
      'How many calls and tokens of the language model the knowledge graph takes at most. `budget` is what the administrator allows, `spent` what is used of it. `model` is null if none is set; the graph is then made by rules, which take no tokens.',
    example: {
      model: 'mistral-small',
      calls: 16,
      tokens: 56_430,
      budget: 1_000_000,
      spent: 41_200,
    },
  },
  Themes: {
    description:
      'What the workspace is about: how many entities it has, how many of each type, and the most important ones.',
    example: {
      total_entities: 135,
      types: [
        { type: 'person', count: 31 },
        { type: 'organization', count: 21 },
      ],
      top_entities: [tidewick],
      groups: [themeGroup],
    },
  },
  ThemeGroup: {
    description:
      'A group of documents about one thing (extension). `terms` and `entities` tell it from the other groups, `documents` are those nearest to its middle, and `quote` is the sentence nearest to it.',
    example: themeGroup,
  },
  Graph: {
    description:
      'The most important entities, most important first, and the relations between them. `source` and `target` are positions in `nodes`, from 0. All relations from one entity to another are one edge with their types.',
    example: {
      nodes: [
        { ...tidewickRef, mention_count: 20 },
        { ...corriganRef, mention_count: 9 },
      ],
      edges: [{ source: 0, target: 1, types: ['signed_with', 'mentioned_with'], evidence_count: 5 }],
    },
  },
  Scope: {
    description:
      'A named subset of the documents of a workspace. Its name is sent as `scope` to search in it. Names such as `folder:Contracts` are built in.',
    example: scope,
  },
  ScopeDocument: {
    description:
      'A document of a scope. `path` is the name of its file, `version_id` the SHA-256 of its bytes, by which a program sees whether its copy is the same.',
    example: scopeDocument,
  },
  ScopeUpdate: {
    description:
      'What a scope contains: the documents that are listed, and everything in the folders, later uploads too.',
    example: {
      description: scope.description,
      document_ids: [ID.lease, ID.amendment],
      folders: ['Contracts/Leases'],
    },
  },
  ScopeChange: {
    description: 'Documents that a scope gets and documents that it loses.',
    example: { add: [ID.amendment], remove: [ID.minutes] },
  },
  ScopeChangeResult: {
    description:
      'What a change of a scope did. Documents that the scope listed already, or did not list, are in neither `added` nor `removed`. `unknown` are ids without a document, `in_folders` documents that are still in the scope by one of its folders.',
    example: { created: false, added: [ID.amendment], removed: [ID.minutes], unknown: [], in_folders: [] },
  },
  AskRequest: {
    description:
      'A question. `thread_id` of an earlier answer continues that conversation. With `stream` the answer comes as events while it is made.',
    example: { question: 'When does the lease end?' },
  },
  Citation: {
    description:
      'A passage that an answer cites, at most 1,500 characters of it. `number` is the N of `[N]` in the answer.',
    example: citation,
  },
  AnswerValue: {
    description:
      'The value that the question asks for, such as an amount, a date or a telephone number, as the citation with this number has it.',
    example: { text: '30 June 2026', citation: 1 },
  },
  Answer: {
    description:
      'An answer in Markdown, in which each `[N]` stands for the citation with that number. `thread_id` is for the next question of the conversation. `value` is there only if documents are quoted and the first quotation states exactly one value of the kind that is asked for; a calculated answer begins with its value in bold.',
    example: {
      thread_id: ID.thread,
      answer: 'The lease of Unit 4 ends on 30 June 2026. [1]',
      citations: [citation],
      value: { text: '30 June 2026', citation: 1 },
    },
  },
  Step: {
    description:
      'What the agent is doing, as the event `step` of a streamed answer tells it. `text` is the next checked part of the answer, to be added to the text of the steps before. `restart` withdraws that text, because the answer is written anew. `tokens` are those of the language model in total, 0 without one.',
    example: {
      index: 1,
      type: 'search',
      label: 'Searching the documents',
      query: 'lease end',
      result_count: 12,
      elapsed_ms: 84,
    },
  },
  OnConflict: {
    description:
      'What to do with a file that has the name of a document. `replace`: it becomes the new version. `keep_both`: it becomes a second document. `fail`: the file fails. Without it a comparison of the texts decides between the first two.',
    example: 'replace',
  },
  FileOutcome: {
    description:
      'What a file became: a new document (`created`), nothing new (`unchanged`), the new version of a document (`replaced`), a version older than the current one (`superseded`), or a second document of the same name (`kept_both`).',
    example: 'created',
  },
  FileStatus: {
    description:
      'How far a file is: it waits (`queued`), is being read (`running`), can be searched (`done`), or could not be read (`failed`).',
    example: 'done',
  },
  JobFile: {
    description:
      'A file of a job. `document_id` is there once the file is done, `error` says why it failed and what to do.',
    example: jobFile,
  },
  Job: {
    description: 'The files of one upload or another request that reads files. Ask until `status` is `done`.',
    example: { id: JOB_ID, status: 'done', files: [jobFile] },
  },
  JobSummary: {
    description:
      'A job in the list of a workspace, with the numbers of its files. The kind `import` is for files from an archive or from the trash.',
    example: jobSummary,
  },
  FailedFile: {
    description:
      'A file of the last 30 days that could not be read, and why. It is left out once a later upload of it was read.',
    example: failedFile,
  },
  FileProgress: {
    description:
      'How far a file is. `searchable`: its words are found. `complete`: it is also in the graph and found by meaning. `progress` goes from 0 to 1. `remaining_seconds` until it is searchable is an estimate, absent while there is none. `warnings` say what could not be read or may be wrong.',
    example: fileProgress,
  },
  JobProgress: {
    description:
      'How far a job is. It is `searchable` once its files are found by their words, and `complete` once they are also in the graph and found by meaning; failed files do not count. `progress` goes from 0 to 1, weighted by the size of the files.',
    example: {
      status: 'running',
      state: 'running',
      progress: 0.4,
      remaining_seconds: 6,
      files: [fileProgress],
    },
  },
  DocumentVersion: {
    description:
      'The current file of a document, or an earlier one, which can be restored until `restorable_until`. `id` is the SHA-256 of the file, `uploaded_by` the id of an account, null if unknown.',
    example: version,
  },
  VersionText: {
    description:
      'The text of a version, to compare it with another: rows of tables and items of lists are paragraphs. Pictures are not read for it, so a scan has no text. `is_whole` is false if the text was cut. `hidden` is text that is in the file but not visible, such as white letters on white; it is neither searched nor quoted.',
    example: {
      version_id: VERSION_ID,
      is_whole: true,
      paragraphs: [
        { page: 1, text: LEASE_TITLE },
        { page: 2, text: LEASE_NOTICE },
      ],
      hidden: [],
    },
  },
  DocumentDetails: {
    description:
      'A document with what a list of files shows. `filename` is its path as uploaded. `pages` also counts slides and sheets, null for kinds without. Only with `page_images` has each page a picture. `opened_on` is the last day (UTC) of the last 90 on which the caller opened it, null for API keys.',
    example: details,
  },
  ChunkPlace: {
    description:
      'Where a chunk stands in its document: under which headings (` > ` between levels), on which page, and in which boxes. A box is left, top, right and bottom in points from the upper left corner of the page.',
    example: place,
  },
  ChunkPlaces: { description: 'The places of the chunks that exist.', example: { data: [place] } },
  DocumentEntity: {
    description: 'An entity that a document mentions, and how often it does.',
    example: documentEntity,
  },
  Me: {
    description:
      'Who the caller is. `scopes` say what the credential allows: `knowledge:read`, and `knowledge:write` to change something.',
    example: {
      id: ID.owner,
      auth: 'oauth',
      scopes: ['knowledge:read', 'knowledge:write'],
      workspace_count: 1,
      email: OWNER_EMAIL,
    },
  },
  ErrorBody: {
    description:
      'The body of every error. `type` is for programs, `message` is an English sentence for people.',
    example: { error: { type: 'not_found', message: 'Not found.' } },
  },
  ValidationErrorItem: {
    description:
      'One thing that is wrong with a request: where it is (`loc`), what was sent (`input`), and what is expected.',
    example: invalidItem,
  },
  ValidationErrorBody: {
    description:
      'The body of an error with status 422: an error as any other, with what is wrong in `detail`.',
    example: {
      error: {
        type: 'invalid_request',
        message: 'limit: Input should be less than or equal to 200',
      },
      detail: [invalidItem],
    },
  },
  WorkspacePage: { description: 'A page of a list of workspaces.', example: onlyPage(workspace) },
  DocumentPage: { description: 'A page of a list of documents.', example: firstPage(amendment, lease) },
  EntityPage: { description: 'A page of a list of entities.', example: onlyPage(tidewick) },
  EvidencePage: { description: 'A page of a list of passages.', example: onlyPage(evidence) },
  DocumentMatch: {
    description:
      'A document that was found by words of its title, path or headings. `heading` is the one that has some of the words, null if none has.',
    example: match,
  },
  DocumentMatches: { description: 'The documents that match, best first.', example: { data: [match] } },
  MergePage: { description: 'The merges of an entity.', example: onlyPage(merge) },
  MergeCandidatePage: { description: 'The entities that may be the same.', example: onlyPage(candidate) },
  ScopePage: { description: 'A page of a list of scopes.', example: onlyPage(scope) },
  ScopeDocumentPage: {
    description: 'A page of the documents of a scope.',
    example: firstPage(scopeDocument),
  },
  JobPage: { description: 'A page of a list of jobs.', example: onlyPage(jobSummary) },
  FailedFilePage: { description: 'The files that could not be read.', example: onlyPage(failedFile) },
  DuplicatePage: { description: 'The pairs of entities that may be one.', example: onlyPage(duplicate) },
  DocumentVersionPage: {
    description: 'A page of the versions of a document, the current one first.',
    example: onlyPage(version, earlierVersion),
  },
  DocumentDetailsPage: {
    description: 'A page of a list of documents with their details.',
    example: firstPage(details),
  },
  ChunkPlacePage: {
    description: 'A page of the places of chunks, in reading order.',
    example: firstPage(place),
  },
  DocumentEntityPage: {
    description: 'A page of the entities of a document.',
    example: firstPage(documentEntity),
  },
  Folder: {
    description: 'A folder, without a slash at either end, and how many documents are in it and below it.',
    example: folder,
  },
  Folders: {
    description: 'The folders of a workspace. `has_more` says that there are more than are listed.',
    example: { data: [folder], has_more: false },
  },
} satisfies SchemaTexts<typeof module>
