// Passkeys, and the challenges that they sign.

import sql from 'sql-template-tag'
import type { Passkey } from '../contract/second-factor.ts'
import type { Queryable } from '../ports/db/db.ts'

/** As the API returns them, the oldest first. */
export const selectPasskeys = (db: Queryable, accountId: string): Promise<Passkey[]> =>
  db.rows<Passkey>(sql`
    SELECT id, name, used_on::text AS used_on,
      to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at
    FROM passkey WHERE account_id = ${accountId} ORDER BY passkey.created_at, id`)

export interface CredentialRow {
  id: string
  credential_id: Buffer
  public_key: Buffer
  /** As text, because it is a bigint. */
  counter: string
  transports: string[]
}

export const selectCredentials = (db: Queryable, accountId: string): Promise<CredentialRow[]> =>
  db.rows<CredentialRow>(sql`
    SELECT id, credential_id, public_key, counter::text AS counter, transports
    FROM passkey WHERE account_id = ${accountId} ORDER BY created_at, id`)

/** Returns false if there is such a passkey already, of whatever account. */
export async function insertPasskey(
  tx: Queryable,
  passkey: {
    accountId: string
    credentialId: Buffer
    publicKey: Buffer
    counter: number
    transports: string[]
    name: string
  },
): Promise<boolean> {
  const rows = await tx.rows(sql`
    INSERT INTO passkey (account_id, credential_id, public_key, counter, transports, name)
    VALUES (${passkey.accountId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter}::bigint,
      ${passkey.transports}::text[], ${passkey.name})
    ON CONFLICT (credential_id) DO NOTHING RETURNING id`)
  return rows.length > 0
}

/**
 * Records the use. Returns false if the passkey was deleted, or if its counter is not higher than at the last use. A passkey
 * without a counter always sends 0.
 */
export async function updateCounter(
  tx: Queryable,
  { id, accountId, counter }: { id: string; accountId: string; counter: number },
): Promise<boolean> {
  const rows = await tx.rows(sql`
    UPDATE passkey SET counter = ${counter}::bigint, used_on = (now() AT TIME ZONE 'UTC')::date
    WHERE id = ${id} AND account_id = ${accountId}
      AND (counter < ${counter}::bigint OR (counter = 0 AND ${counter}::bigint = 0))
    RETURNING id`)
  return rows.length > 0
}

/** Returns its name. Undefined if the account has no such passkey. */
export async function deletePasskey(
  tx: Queryable,
  accountId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await tx.rows<{ name: string }>(
    sql`DELETE FROM passkey WHERE id = ${id} AND account_id = ${accountId} RETURNING name`,
  )
  return row?.name
}

export interface ChallengeKey {
  accountId: string
  /** The hash of the session, or of the sign-in whose second factor is missing. */
  boundTo: Buffer
  purpose: 'register' | 'prove'
}

/**
 * Stores a challenge in place of the earlier one for the same purpose, and returns the one that is valid then. An earlier `prove`
 * challenge stays while it is valid for five more minutes: a request from a second window, or from somebody who wants to disturb
 * the sign-in, must not make it invalid.
 */
export async function upsertChallenge(
  db: Queryable,
  { accountId, boundTo, purpose }: ChallengeKey,
  { challenge, seconds }: { challenge: string; seconds: number },
): Promise<string> {
  const isReused = sql`passkey_challenge.purpose = 'prove' AND passkey_challenge.expires_at > now() + interval '5 minutes'`
  const [row] = await db.rows<{ challenge: string }>(sql`
    INSERT INTO passkey_challenge (bound_to, account_id, purpose, challenge, expires_at)
    VALUES (${boundTo}, ${accountId}, ${purpose}, ${challenge}, now() + make_interval(secs => ${seconds}))
    ON CONFLICT (bound_to, purpose) DO UPDATE SET
      challenge = CASE WHEN ${isReused} THEN passkey_challenge.challenge ELSE excluded.challenge END,
      expires_at = CASE WHEN ${isReused} THEN passkey_challenge.expires_at ELSE excluded.expires_at END
    RETURNING challenge`)
  return row?.challenge ?? challenge
}

/** Deletes the challenge and returns it. Undefined if there is none, or if it has expired. */
export async function takeChallenge(
  db: Queryable,
  { accountId, boundTo, purpose }: ChallengeKey,
): Promise<string | undefined> {
  const [row] = await db.rows<{ challenge: string; is_valid: boolean }>(sql`
    DELETE FROM passkey_challenge
    WHERE bound_to = ${boundTo} AND account_id = ${accountId} AND purpose = ${purpose}
    RETURNING challenge, expires_at > now() AS is_valid`)
  return row?.is_valid ? row.challenge : undefined
}

export async function deleteOldChallenges(db: Queryable): Promise<void> {
  await db.rows(sql`DELETE FROM passkey_challenge WHERE expires_at < now()`)
}
