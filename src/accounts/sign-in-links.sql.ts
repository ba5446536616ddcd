// One-time sign-in links (the table `sign_in_link`), stored as SHA-256 only.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

/** False if the session has ended meanwhile. */
export async function insertLink(
  db: Queryable,
  link: { hash: Buffer; sessionHash: Buffer; next: string; seconds: number },
): Promise<boolean> {
  const rows = await db.rows(sql`
    INSERT INTO sign_in_link (hash, session_hash, next, expires_at)
    SELECT ${link.hash}::bytea, hash, ${link.next}, now() + make_interval(secs => ${link.seconds}) FROM session
    WHERE hash = ${link.sessionHash} AND expires_at > now() FOR SHARE
    RETURNING hash`)
  return rows.length > 0
}

export interface LinkRow {
  account_id: string
  email: string
  next: string
}

/** Joins a link `l` to its session `s` and account `a`, and requires that all three are valid. */
const isUsable = sql`
  s.hash = l.session_hash AND s.expires_at > now() AND a.id = s.account_id AND a.status = 'active' AND l.expires_at > now()`

export async function selectLink(db: Queryable, hash: Buffer): Promise<LinkRow | undefined> {
  const [row] = await db.rows<LinkRow>(sql`
    SELECT a.id AS account_id, a.email, l.next FROM sign_in_link l, session s, account a
    WHERE l.hash = ${hash} AND ${isUsable}`)
  return row
}

/** Like selectLink, and deletes the link. `signed_in_at` is the start of the session that made the link. */
export async function takeLink(
  db: Queryable,
  hash: Buffer,
): Promise<(LinkRow & { signed_in_at: string }) | undefined> {
  const [row] = await db.rows<LinkRow & { signed_in_at: string }>(sql`
    DELETE FROM sign_in_link l USING session s, account a WHERE l.hash = ${hash} AND ${isUsable}
    RETURNING a.id AS account_id, a.email, l.next, s.created_at::text AS signed_in_at`)
  return row
}

export async function deleteOldLinks(db: Queryable): Promise<void> {
  await db.rows(sql`DELETE FROM sign_in_link WHERE expires_at < now()`)
}
