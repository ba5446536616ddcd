// Invitations: a link with which one person can create an account and, optionally, join a workspace of the inviter.

import { randomUUID } from 'node:crypto'
import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import { requireOwner } from '../auth/access.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import type { Invitation, InvitationCreate, NewInvitation } from '../contract/account.ts'
import { notFound } from '../errors.ts'
import type { Language } from '../messages/messages.ts'
import { textsIn } from '../messages/texts.ts'
import type { Deps } from '../ports/deps.ts'
import { emailKey } from './email-key.ts'
import { invitationMail } from './invitation-mail.ts'
import {
  deleteInvitation,
  type InvitedTo,
  insertInvitation,
  selectInvitations,
  selectInvitationText,
} from './invitations.sql.ts'
import { sendInBackground } from './mail.ts'
import type { SessionUser } from './sessions.sql.ts'

const VALID_SECONDS = 7 * 24 * 3600

/** Valid invitations. */
export const listInvitations = async (deps: Pick<Deps, 'db'>): Promise<{ data: Invitation[] }> => ({
  data: await selectInvitations(deps.db),
})

/**
 * Creates an invitation, and emails the link if there are an email address and a mail server. Only this result contains the link;
 * it cannot be read later. The receiver has no account yet, so the mail is in the language of the administrator.
 * @param language that of the administrator's request, if the account has chosen none
 * @throws ApiError 404 for a workspace that the administrator cannot read, 403 for one that they do not own
 */
export async function createInvitation(
  deps: Pick<Deps, 'db' | 'settings' | 'mail' | 'log'>,
  admin: SessionUser,
  request: InvitationCreate,
  language: Language,
): Promise<NewInvitation> {
  const secret = newSecret()
  const email =
    request.email === undefined ? undefined : { address: request.email, key: emailKey(request.email) }
  const workspace =
    request.workspace_id === undefined
      ? undefined
      : { id: request.workspace_id, role: request.role ?? ('viewer' as const) }
  const { invitation, text } = await deps.db.tx(async (tx) => {
    if (workspace) await requireOwner(tx, admin.id, workspace.id)
    const row = { id: randomUUID(), hash: hashOf(secret), invitedBy: admin.id, email, workspace }
    await record(tx, {
      action: 'invitation_made',
      actor: userActor(admin.id),
      workspaceIds: workspace && [workspace.id],
      subject: row.id,
    })
    const invitation = await insertInvitation(tx, { ...row, seconds: VALID_SECONDS })
    return { invitation, text: await selectInvitationText(tx, row.hash) }
  })
  const { siteUrl } = deps.settings
  const link = `${siteUrl}/invitation?token=${secret}`
  if (request.email !== undefined && text) {
    const texts = textsIn(admin.language ?? language)
    sendInBackground(deps, invitationMail(texts, request.email, text, { link, siteUrl }))
  }
  return { ...invitation, link }
}

/** What the page of the link shows. Undefined if the link is no longer valid. */
export const findInvitation = (deps: Pick<Deps, 'db'>, token: string): Promise<InvitedTo | undefined> =>
  selectInvitationText(deps.db, hashOf(token))

/** @throws ApiError 404 */
export async function revokeInvitation(
  deps: Pick<Deps, 'db'>,
  admin: SessionUser,
  id: string,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    if (!(await deleteInvitation(tx, id))) throw notFound()
    await record(tx, { action: 'invitation_revoked', actor: userActor(admin.id), subject: id })
  })
}
