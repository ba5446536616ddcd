// The table `invitation`. An invitation is valid only while the person who issued it is an active administrator.

import sql from 'sql-template-tag'
import type { Role } from '../auth/caller.ts'
import type { Invitation } from '../contract/account.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { InvitationText } from './invitation-mail.ts'

export interface InvitationRow {
  invited_by: string
  workspace_id: string | null
  role: Role | null
}

const isValid = sql`
  i.expires_at > now() AND EXISTS (
    SELECT 1 FROM account a WHERE a.id = i.invited_by AND a.admin AND a.status = 'active')`

export async function insertInvitation(
  tx: Queryable,
  invitation: {
    id: string
    hash: Buffer
    invitedBy: string
    email: { address: string; key: string } | undefined
    workspace: { id: string; role: Role } | undefined
    seconds: number
  },
): Promise<Invitation> {
  const { id, hash, invitedBy, email, workspace, seconds } = invitation
  const [row] = await tx.rows<Invitation>(sql`
    INSERT INTO invitation AS i (id, hash, invited_by, email, email_key, workspace_id, role, expires_at)
    VALUES (${id}, ${hash}, ${invitedBy}, ${email?.address ?? null}, ${email?.key ?? null}, ${workspace?.id ?? null},
      ${workspace?.role ?? null}, now() + make_interval(secs => ${seconds}))
    RETURNING ${fields}`)
  if (!row) throw new Error('INSERT INTO invitation returned no row')
  return row
}

const fields = sql`
  i.id, i.email, i.workspace_id, i.role,
  to_char(i.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at,
  to_char(i.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS expires_at`

/** Valid invitations, newest first. */
export const selectInvitations = (db: Queryable): Promise<Invitation[]> =>
  db.rows(sql`SELECT ${fields} FROM invitation i WHERE ${isValid} ORDER BY i.created_at DESC, i.id LIMIT 500`)

/** Finds a valid invitation without using it. An invitation with an email address is valid only for that address. */
export async function selectInvitation(
  db: Queryable,
  hash: Buffer,
  emailKey: string,
): Promise<InvitationRow | undefined> {
  const [row] = await db.rows<InvitationRow>(sql`
    SELECT i.invited_by, i.workspace_id, i.role FROM invitation i
    WHERE i.hash = ${hash} AND (i.email_key IS NULL OR i.email_key = ${emailKey}) AND ${isValid}`)
  return row
}

/** Finds an invitation like `selectInvitation`, and deletes it. */
export async function takeInvitation(
  tx: Queryable,
  hash: Buffer,
  emailKey: string,
): Promise<InvitationRow | undefined> {
  const [row] = await tx.rows<InvitationRow>(sql`
    DELETE FROM invitation i
    WHERE i.hash = ${hash} AND (i.email_key IS NULL OR i.email_key = ${emailKey}) AND ${isValid}
    RETURNING i.invited_by, i.workspace_id, i.role`)
  return row
}

export interface InvitedTo extends InvitationText {
  /** Null: for anybody. */
  email: string | null
}

/**
 * The text of a valid invitation. It has no workspace if the inviter no longer owns it, since the invited person cannot join it
 * then.
 */
export async function selectInvitationText(db: Queryable, hash: Buffer): Promise<InvitedTo | undefined> {
  const [row] = await db.rows<{
    email: string | null
    invited_by: string
    role: Role
    workspace: string | null
  }>(sql`
    SELECT i.email, inviter.email AS invited_by, i.role, w.name AS workspace
    FROM invitation i
    JOIN account inviter ON inviter.id = i.invited_by
    LEFT JOIN member m ON m.workspace_id = i.workspace_id AND m.account_id = i.invited_by AND m.role = 'owner'
    LEFT JOIN workspace w ON w.id = m.workspace_id AND w.deleted_at IS NULL
    WHERE i.hash = ${hash} AND ${isValid}`)
  if (!row) return undefined
  const { email, invited_by: invitedBy, role, workspace: name } = row
  return { email, invitedBy, workspace: name === null ? undefined : { name, role } }
}

export async function deleteInvitation(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx.rows(sql`DELETE FROM invitation WHERE id = ${id} RETURNING id`)
  return rows.length > 0
}

export async function deleteOldInvitations(db: Queryable): Promise<void> {
  await db.rows(sql`DELETE FROM invitation WHERE expires_at < now()`)
  await db.rows(sql`DELETE FROM password_reset WHERE expires_at < now()`)
}

/** Adds the new member. Returns false if the inviter no longer owns the workspace, or if the workspace no longer exists. */
export async function joinWorkspace(
  tx: Queryable,
  newMember: { accountId: string; workspaceId: string; role: Role; invitedBy: string },
): Promise<boolean> {
  const rows = await tx.rows(sql`
    INSERT INTO member (workspace_id, account_id, role)
    SELECT w.id, ${newMember.accountId}::uuid, ${newMember.role} FROM workspace w
    JOIN member m ON m.workspace_id = w.id AND m.account_id = ${newMember.invitedBy} AND m.role = 'owner'
    WHERE w.id = ${newMember.workspaceId} AND w.deleted_at IS NULL
    ON CONFLICT DO NOTHING RETURNING workspace_id`)
  return rows.length > 0
}
