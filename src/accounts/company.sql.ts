// Which account belongs to an identity at the company's OpenID provider.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import { deleteSecondFactor } from './second-factor.sql.ts'
import { revokeCredentials } from './users.sql.ts'

export async function selectIdentity(
  db: Queryable,
  issuer: string,
  subject: string,
): Promise<{ id: string; status: string } | undefined> {
  const [row] = await db.rows<{ id: string; status: string }>(sql`
    SELECT a.id, a.status FROM account_identity i JOIN account a ON a.id = i.account_id
    WHERE i.issuer = ${issuer} AND i.subject = ${subject}`)
  return row
}

/** Whether an identity of this provider is already linked to the account. */
export async function isLinked(tx: Queryable, issuer: string, accountId: string): Promise<boolean> {
  const rows = await tx.rows(
    sql`SELECT 1 FROM account_identity WHERE issuer = ${issuer} AND account_id = ${accountId}`,
  )
  return rows.length > 0
}

/** Does nothing if it exists: the same user may sign in twice at once. */
export async function insertIdentity(
  tx: Queryable,
  identity: { issuer: string; subject: string; accountId: string },
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO account_identity (issuer, subject, account_id)
    VALUES (${identity.issuer}, ${identity.subject}, ${identity.accountId}) ON CONFLICT DO NOTHING`)
}

/** Revokes every credential of an account: password, second factor, reset links, sessions, API keys and OAuth grants. */
export async function revokeAllAccess(tx: Queryable, accountId: string): Promise<void> {
  await tx.rows(sql`UPDATE account SET password_hash = NULL WHERE id = ${accountId}`)
  await deleteSecondFactor(tx, accountId)
  await revokeCredentials(tx, accountId)
}
