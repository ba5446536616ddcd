// Where tables are on Citus (docs/decisions/0039-citus.md). Every other table stays on the coordinator: accounts, workspaces,
// members, the queue, limits, sources and webhooks, which lock rows across workspaces.

/** Distributed by workspace_id, so that all rows of a workspace are on one node. A table comes before those that refer to it. */
export const DISTRIBUTED_TABLES = [
  'document',
  'document_version',
  'version',
  'version_subject',
  'chunk',
  'chunk_vector',
  'version_space',
  'workspace_space',
  'lexical_basis',
  'term_stat',
  'workspace_language',
  'job',
  'job_file',
  'picture',
  'document_graph',
  'mention',
  'relation_evidence',
  'entity',
  'entity_part',
  'entity_counted',
  'entity_merge',
  'edge',
  'graph_reply',
  'thread',
  'turn',
  'feedback',
  'evaluation_question',
  'scope',
  'scope_document',
  'trashed_document',
  'trashed_version',
] as const

/** Small tables that are joined with distributed ones. Every node has a complete copy. */
export const REFERENCE_TABLES = ['vector_space'] as const
