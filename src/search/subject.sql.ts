// SQL for the documents that are about certain terms.

import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import { inWorkspace, prepared } from '../ports/db/prepared.sql.ts'

export interface SubjectRow {
  term: number
  document_id: string
  /** How much the document is about the term, 0 to 1. */
  weight: number
  /** The last day of the period that the document covers. */
  dated: string | null
}

// A term that more documents are about than this does not distinguish any.
const MAX_DOCUMENTS_ABOUT = 1000

/** The documents that are about each term. Terms that too many documents are about are left out. */
export const selectSubjects = (
  db: Queryable,
  workspaceId: string,
  terms: readonly number[],
): Promise<SubjectRow[]> => db.rows(prepared(subjectsOf(workspaceId, terms)))

/** The query of `selectSubjects`. The list of terms is in a subselect, as in `frequenciesOf`. */
export const subjectsOf = (workspaceId: string, terms: readonly number[]): Sql => sql`
      SELECT t.term, d.id AS document_id, s.weight, v.dated::text AS dated
      FROM unnest((SELECT ${[...terms]}::int[])) AS t (term)
      CROSS JOIN LATERAL (
        SELECT version_id, weight, count(*) OVER () AS about FROM (
          SELECT version_id, weight FROM version_subject
          WHERE ${inWorkspace(sql`workspace_id`, workspaceId)} AND term = t.term LIMIT ${MAX_DOCUMENTS_ABOUT + 1}) first
        OFFSET 0) s
      CROSS JOIN LATERAL (
        SELECT o.id FROM visible_document o
        WHERE ${inWorkspace(sql`o.workspace_id`, workspaceId)} AND o.version_id = s.version_id OFFSET 0) d
      CROSS JOIN LATERAL (
        SELECT o.dated FROM version o WHERE o.workspace_id = ${workspaceId} AND o.id = s.version_id OFFSET 0) v
      WHERE s.about <= ${MAX_DOCUMENTS_ABOUT}`
