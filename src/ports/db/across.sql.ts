// Statements that concern more than one workspace.

import sql, { raw, type Sql } from 'sql-template-tag'

/** The first characters of the text of a statement that concerns more than one workspace. */
export const ACROSS_MARK = '/* every workspace */'

/**
 * Marks a statement that reads or changes rows of many workspaces: background work, and lists of what an account may read.
 * Every other statement names the workspace of each of its tables, so that on Citus one node can answer it
 * (docs/decisions/0039-citus.md).
 */
export const acrossWorkspaces = (statement: Sql): Sql => sql`${raw(ACROSS_MARK)} ${statement}`
