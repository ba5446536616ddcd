// Failed sign-ins per subject (an account, a client's network address, or both), and the networks that users have signed in
// from. Networks are stored as keyed hashes only.

import sql, { join } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

/** Makes other attempts for the same subjects wait until the transaction ends. */
export const lockSubjects = (tx: Queryable, subjects: string[]): Promise<unknown> =>
  tx.rows(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(subject, 0))
    FROM unnest(${subjects}::text[]) AS s(subject) ORDER BY subject`)

/** The number of failures in the window (`limit` at most), and the seconds until fewer than `limit` failures are in it. */
export async function selectFailures(
  tx: Queryable,
  subject: string,
  limit: number,
  windowSeconds: number,
): Promise<{ count: number; free_in: number }> {
  const [row] = await tx.rows<{ count: number; free_in: number | null }>(sql`
    SELECT count(*)::int AS count,
      ceil(extract(epoch FROM min(at) + make_interval(secs => ${windowSeconds}) - now()))::int AS free_in
    FROM (
      SELECT at FROM sign_in_failure
      WHERE subject = ${subject} AND at > now() - make_interval(secs => ${windowSeconds})
      ORDER BY at DESC LIMIT ${limit}
    ) newest`)
  return { count: row?.count ?? 0, free_in: row?.free_in ?? 0 }
}

/** Records one failure per subject; returns their common time, exact to the microsecond. */
export async function insertFailures(tx: Queryable, subjects: string[]): Promise<string> {
  const rows = await tx.rows<{ at: string }>(sql`
    INSERT INTO sign_in_failure (subject) SELECT unnest(${subjects}::text[]) RETURNING at::text AS at`)
  return rows[0]?.at ?? ''
}

/** Deletes all failures of `ownSubject`, and those failures of `otherSubjects` that were recorded at the time `at`. */
export async function deleteFailures(
  db: Queryable,
  ownSubject: string,
  otherSubjects: string[],
  at: string,
): Promise<void> {
  await db.rows(sql`
    DELETE FROM sign_in_failure
    WHERE subject = ${ownSubject} OR (subject = ANY(${otherSubjects}::text[]) AND at = ${at}::timestamptz)`)
}

/** Deletes failures older than the window, of the given subjects or of all. */
export async function deleteOldFailures(
  db: Queryable,
  windowSeconds: number,
  subjects?: string[],
): Promise<void> {
  const condition = subjects ? sql`subject IN (${join(subjects)})` : sql`true`
  await db.rows(sql`
    DELETE FROM sign_in_failure WHERE ${condition} AND at < now() - make_interval(secs => ${windowSeconds})`)
}

/** Whether the network is known for the account. It takes equally long for an account that does not exist. */
export async function isKnownNetwork(
  db: Queryable,
  emailKey: string,
  network: Buffer,
  days: number,
): Promise<boolean> {
  const rows = await db.rows(sql`
    SELECT 1 FROM account a JOIN sign_in_network n ON n.account_id = a.id
    WHERE a.email_key = ${emailKey} AND n.network = ${network} AND n.seen_at > now() - make_interval(days => ${days})`)
  return rows.length > 0
}

/** Records the network, and deletes all but the latest `max` of the account. */
export async function upsertNetwork(
  db: Queryable,
  accountId: string,
  network: Buffer,
  max: number,
): Promise<void> {
  await db.rows(sql`
    INSERT INTO sign_in_network (account_id, network)
    SELECT id, ${network}::bytea FROM account WHERE id = ${accountId}
    ON CONFLICT (account_id, network) DO UPDATE SET seen_at = now()`)
  await db.rows(sql`
    DELETE FROM sign_in_network WHERE account_id = ${accountId} AND network NOT IN (
      SELECT network FROM sign_in_network WHERE account_id = ${accountId} ORDER BY seen_at DESC, network LIMIT ${max})`)
}

export async function deleteOldNetworks(db: Queryable, days: number): Promise<void> {
  await db.rows(sql`DELETE FROM sign_in_network WHERE seen_at < now() - make_interval(days => ${days})`)
}
