// SQL for the candidates for merging.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import type { NamedEntity } from './graph.sql.ts'

const columns = sql`id, name, type, mention_count, aliases, key, keys`

export const selectByIds = (db: Queryable, workspaceId: string, ids: string[]): Promise<NamedEntity[]> =>
  db.rows(sql`
    SELECT ${columns} FROM entity WHERE workspace_id = ${workspaceId} AND id = ANY (${ids}::uuid[])`)

const OPTIONAL_SMALL_WORDS = '(?: (?:of|the|and|for|in|on|de|la|del|des|du|di|da|von|van|der|y|e|et))*'

/** Entities whose words begin with these letters: "who" finds "world health organization". */
export const selectByInitials = (
  db: Queryable,
  workspaceId: string,
  initials: string,
): Promise<NamedEntity[]> => {
  const pattern = `^${[...initials].map((letter) => `${letter}[^ ]*`).join(`${OPTIONAL_SMALL_WORDS} `)}$`
  return db.rows(sql`
    SELECT ${columns} FROM visible_entity
    WHERE workspace_id = ${workspaceId} AND key LIKE ${`${initials.slice(0, 1)}%`} AND key ~ ${pattern}
    ORDER BY key, id LIMIT 50`)
}

/** The short forms that documents give for the entity, and the entities for which documents give this one as the short form. */
export const selectStatedShortForms = (
  db: Queryable,
  workspaceId: string,
  entity: { id: string; key: string },
): Promise<NamedEntity[]> =>
  db.rows(sql`
    SELECT ${columns} FROM entity WHERE workspace_id = ${workspaceId} AND (
      id IN (SELECT entity_id FROM visible_entity_part WHERE workspace_id = ${workspaceId}
             AND NOT own AND surface ~ '^[A-Z0-9]{2,10}$' AND lower(surface) = ${entity.key})
      OR key IN (SELECT lower(surface) FROM visible_entity_part WHERE workspace_id = ${workspaceId}
                 AND NOT own AND surface ~ '^[A-Z0-9]{2,10}$' AND entity_id = ${entity.id}))
    ORDER BY mention_count DESC, id LIMIT 50`)
