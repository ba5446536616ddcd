// Second factors, recovery codes, and sign-ins that wait for a second factor.

import sql, { empty } from 'sql-template-tag'
import type { Language } from '../messages/messages.ts'
import type { Queryable } from '../ports/db/db.ts'

export interface SecondFactorRow {
  /** Sealed. Null: there is no app. */
  secret: Buffer | null
  /** Whether the account has a second factor. */
  is_confirmed: boolean
  /** Whether the app is being set up: the account has no second factor yet, or passkeys only. */
  is_app_new: boolean
  /** Whether the setup of the app was begun too long ago to be confirmed. */
  is_expired: boolean
  /** As text, because it is a bigint. */
  last_step: string | null
}

interface SecondFactorStatus {
  confirmed_at: string
  recovery_codes: number
  app: boolean
}

/** Undefined without a confirmed second factor. */
export async function selectSecondFactorStatus(
  db: Queryable,
  accountId: string,
): Promise<SecondFactorStatus | undefined> {
  const [row] = await db.rows<SecondFactorStatus>(sql`
    SELECT to_char(f.confirmed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS confirmed_at,
      (SELECT count(*)::int FROM recovery_code c WHERE c.account_id = f.account_id) AS recovery_codes,
      f.secret IS NOT NULL AND NOT f.secret_pending AS app
    FROM second_factor f WHERE f.account_id = ${accountId} AND f.confirmed_at IS NOT NULL`)
  return row
}

// The user who begins a setup has just entered the password, so it is confirmed soon or not at all.
const SETUP_SECONDS = 15 * 60

const isAppNew = sql`secret IS NOT NULL AND (confirmed_at IS NULL OR secret_pending)`

/** Also locks the row until the transaction ends. */
export async function lockSecondFactor(
  tx: Queryable,
  accountId: string,
): Promise<SecondFactorRow | undefined> {
  const [row] = await tx.rows<SecondFactorRow>(sql`
    SELECT secret, confirmed_at IS NOT NULL AS is_confirmed, last_step::text AS last_step, ${isAppNew} AS is_app_new,
      ${isAppNew} AND created_at < now() - make_interval(secs => ${SETUP_SECONDS}) AS is_expired
    FROM second_factor WHERE account_id = ${accountId} FOR UPDATE`)
  return row
}

/** Replaces a secret that is not confirmed. Returns false if there is a confirmed one. */
export async function upsertSecret(tx: Queryable, accountId: string, secret: Buffer): Promise<boolean> {
  const rows = await tx.rows(sql`
    INSERT INTO second_factor (account_id, secret) VALUES (${accountId}, ${secret}::bytea)
    ON CONFLICT (account_id) DO UPDATE SET secret = excluded.secret, created_at = now(), last_step = NULL,
      secret_pending = second_factor.confirmed_at IS NOT NULL
    WHERE second_factor.confirmed_at IS NULL OR second_factor.secret IS NULL OR second_factor.secret_pending
    RETURNING account_id`)
  return rows.length > 0
}

export async function confirmSecret(tx: Queryable, accountId: string): Promise<void> {
  await tx.rows(sql`
    UPDATE second_factor SET confirmed_at = coalesce(confirmed_at, now()), secret_pending = false
    WHERE account_id = ${accountId}`)
}

/** Gives the account a second factor without an app. Returns false if it has a second factor already. */
export async function confirmWithoutApp(tx: Queryable, accountId: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    INSERT INTO second_factor (account_id, confirmed_at) VALUES (${accountId}, now())
    ON CONFLICT (account_id) DO UPDATE SET confirmed_at = now(), secret = NULL, last_step = NULL
    WHERE second_factor.confirmed_at IS NULL RETURNING account_id`)
  return rows.length > 0
}

/** Returns false if there is no app, or one that is being set up. */
export async function removeSecret(tx: Queryable, accountId: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    UPDATE second_factor SET secret = NULL, last_step = NULL
    WHERE account_id = ${accountId} AND secret IS NOT NULL AND NOT secret_pending RETURNING account_id`)
  return rows.length > 0
}

export async function updateLastStep(tx: Queryable, accountId: string, step: number): Promise<void> {
  await tx.rows(sql`UPDATE second_factor SET last_step = ${step}::bigint WHERE account_id = ${accountId}`)
}

/**
 * Deletes the second factor with its passkeys and recovery codes, and unfinished setups. Returns false if there was no confirmed
 * second factor.
 */
export async function deleteSecondFactor(tx: Queryable, accountId: string): Promise<boolean> {
  await tx.rows(sql`DELETE FROM passkey_challenge WHERE account_id = ${accountId}`)
  const rows = await tx.rows<{ is_confirmed: boolean }>(sql`
    DELETE FROM second_factor WHERE account_id = ${accountId} RETURNING confirmed_at IS NOT NULL AS is_confirmed`)
  return rows[0]?.is_confirmed === true
}

/** Deletes unfinished setups of an app or a passkey: they may have been allowed by a proof with the factor that is removed now. */
export async function deleteSetups(tx: Queryable, accountId: string): Promise<void> {
  await tx.rows(sql`DELETE FROM passkey_challenge WHERE account_id = ${accountId} AND purpose = 'register'`)
  await tx.rows(sql`
    UPDATE second_factor SET secret = NULL, secret_pending = false
    WHERE account_id = ${accountId} AND secret_pending`)
}

/** Deletes apps whose setup was not finished within a day. */
export async function deleteUnconfirmedSecondFactors(db: Queryable): Promise<void> {
  const isOld = sql`created_at < now() - interval '1 day'`
  await db.rows(sql`DELETE FROM second_factor WHERE confirmed_at IS NULL AND ${isOld}`)
  await db.rows(
    sql`UPDATE second_factor SET secret = NULL, secret_pending = false WHERE secret_pending AND ${isOld}`,
  )
}

/** Replaces all recovery codes. */
export async function replaceRecoveryCodes(
  tx: Queryable,
  accountId: string,
  hashes: Buffer[],
): Promise<void> {
  await tx.rows(sql`DELETE FROM recovery_code WHERE account_id = ${accountId}`)
  await tx.rows(sql`
    INSERT INTO recovery_code (account_id, hash) SELECT ${accountId}::uuid, unnest(${hashes}::bytea[])`)
}

/** Returns false if there is no such code. */
export async function takeRecoveryCode(tx: Queryable, accountId: string, hash: Buffer): Promise<boolean> {
  const rows = await tx.rows(
    sql`DELETE FROM recovery_code WHERE account_id = ${accountId} AND hash = ${hash} RETURNING account_id`,
  )
  return rows.length > 0
}

/**
 * Locks the row of an active account until the transaction ends, as `insertSession` does. Returns false if the account is not
 * active or has another password. While the lock is held, no second factor is confirmed or removed (`lockForChange`).
 */
export async function lockForSignIn(
  tx: Queryable,
  accountId: string,
  passwordHash?: string,
): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM account WHERE id = ${accountId} AND status = 'active'
      ${passwordHash === undefined ? empty : sql`AND password_hash = ${passwordHash}`} FOR SHARE`)
  return rows.length > 0
}

/** Locks the account's row to confirm or remove a second factor. Sign-ins wait until the transaction ends (`lockForSignIn`). */
export async function lockForChange(tx: Queryable, accountId: string): Promise<void> {
  await tx.rows(sql`SELECT 1 FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`)
}

export async function hasSecondFactor(db: Queryable, accountId: string): Promise<boolean> {
  const rows = await db.rows(
    sql`SELECT 1 FROM second_factor WHERE account_id = ${accountId} AND confirmed_at IS NOT NULL`,
  )
  return rows.length > 0
}

export async function insertPending(
  tx: Queryable,
  pending: { hash: Buffer; accountId: string; seconds: number },
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO pending_sign_in (hash, account_id, expires_at)
    VALUES (${pending.hash}, ${pending.accountId}, now() + make_interval(secs => ${pending.seconds}))`)
}

interface PendingRow {
  account_id: string
  email_key: string
  email: string
  language: Language | null
}

export async function selectPending(db: Queryable, hash: Buffer): Promise<PendingRow | undefined> {
  const [row] = await db.rows<PendingRow>(sql`
    SELECT a.id AS account_id, a.email_key, a.email, a.language FROM pending_sign_in p JOIN account a ON a.id = p.account_id
    WHERE p.hash = ${hash} AND p.expires_at > now() AND a.status = 'active'`)
  return row
}

/** Also locks the row until the transaction ends. */
export async function lockPending(tx: Queryable, hash: Buffer): Promise<boolean> {
  const rows = await tx.rows(
    sql`SELECT 1 FROM pending_sign_in WHERE hash = ${hash} AND expires_at > now() FOR UPDATE`,
  )
  return rows.length > 0
}

export async function deletePending(db: Queryable, hash: Buffer): Promise<void> {
  await db.rows(sql`DELETE FROM pending_sign_in WHERE hash = ${hash}`)
}

export async function deleteOldPending(db: Queryable): Promise<void> {
  await db.rows(sql`DELETE FROM pending_sign_in WHERE expires_at < now()`)
}
