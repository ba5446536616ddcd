// Checks that the database responds and has been migrated.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

export const ping = (db: Queryable): Promise<unknown> => db.rows(sql`SELECT 1 FROM installation LIMIT 1`)
