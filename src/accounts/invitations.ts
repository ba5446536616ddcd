// Invitations: a link that lets one person make an account, and into a workspace of the inviter's.

import { randomUUID } from 'node:crypto'
import { user } from '../audit/act.ts'
import { record } from '../audit/audit.sql.ts'
import { requireOwner } from '../auth/access.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import type { Invitation, InvitationCreate, NewInvitation } from '../contract/account.ts'
import { notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { emailKey } from './email-key.ts'
import { deleteInvitation, insertInvitation, selectInvitations, selectInvited } from './invitations.sql.ts'
import { deliver } from './mail.ts'
import type { SessionUser } from './sessions.sql.ts'

const LASTS_SECONDS = 7 * 24 * 3600

/** Those that can still be used. */
export const listInvitations = async (deps: Pick<Deps, 'db'>): Promise<{ data: Invitation[] }> => ({
  data: await selectInvitations(deps.db),
})

/**
 * Makes a link, and mails it where it names an address and a mail server is configured. The link is in the answer only.
 * @throws ApiError 404 for a workspace that the administrator cannot read, 403 for one that they do not own
 */
export async function invite(
  deps: Pick<Deps, 'db' | 'settings' | 'mail' | 'log'>,
  admin: SessionUser,
  given: InvitationCreate,
): Promise<NewInvitation> {
  const secret = newSecret()
  const email = given.email === undefined ? undefined : { address: given.email, key: emailKey(given.email) }
  const workspace =
    given.workspace_id === undefined
      ? undefined
      : { id: given.workspace_id, role: given.role ?? ('viewer' as const) }
  const made = await deps.db.tx(async (tx) => {
    if (workspace) await requireOwner(tx, admin.id, workspace.id)
    const row = { id: randomUUID(), hash: hashOf(secret), invitedBy: admin.id, email, workspace }
    await record(tx, {
      action: 'invitation_made',
      actor: user(admin.id),
      workspaceIds: workspace && [workspace.id],
      subject: row.id,
    })
    return insertInvitation(tx, { ...row, seconds: LASTS_SECONDS })
  })
  const link = `${deps.settings.origin}/invitation?token=${secret}`
  if (given.email !== undefined) {
    deliver(deps, {
      to: given.email,
      subject: 'You are invited to Kenning',
      text: `You are invited to ${deps.settings.origin}.\n\nMake your account within 7 days with this link, which works once:\n\n${link}\n`,
    })
  }
  return { ...made, link }
}

/** Whether the link can still be used, and the address that it is for. */
export const openInvitation = (
  deps: Pick<Deps, 'db'>,
  token: string,
): Promise<{ email: string | null } | undefined> => selectInvited(deps.db, hashOf(token))

/** @throws ApiError 404 */
export async function revokeInvitation(
  deps: Pick<Deps, 'db'>,
  admin: SessionUser,
  id: string,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    if (!(await deleteInvitation(tx, id))) throw notFound()
    await record(tx, { action: 'invitation_revoked', actor: user(admin.id), subject: id })
  })
}
