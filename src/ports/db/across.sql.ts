// Statements that are about no single workspace.

import sql, { raw, type Sql } from 'sql-template-tag'

/** The beginning of such a statement's text. */
export const ACROSS_MARK = '/* every workspace */'

/**
 * Marks a statement that reads or changes rows of many workspaces: every other one names the workspace of each of its tables, so
 * that on Citus one node answers it (docs/decisions/0039-citus.md). Background work and lists of what an account may read.
 */
export const acrossWorkspaces = (statement: Sql): Sql => sql`${raw(ACROSS_MARK)} ${statement}`
