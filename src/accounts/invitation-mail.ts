// What an invitation says, as a mail in plain text and in HTML and on its page: who invites, to what, and what Kenning is.

import type { Role } from '../auth/caller.ts'
import type { Letter } from '../ports/mail/mail.ts'

export interface InvitationText {
  /** Email address of the person who invites. */
  invitedBy: string
  /** Undefined if the invitation is for an account only. */
  workspace: { name: string; role: Role } | undefined
}

export const WHAT_KENNING_IS =
  'Kenning searches documents and answers questions about them, with the sentences that each answer comes from.'

const ABILITIES: Record<Role, string> = {
  viewer: 'You can read its documents, search them and ask about them.',
  editor: 'You can read its documents, ask about them, and add, change and delete documents.',
  owner: 'You can do everything in it, also manage its members.',
}

/** Who invites, and to what. */
export function invitationText({ invitedBy, workspace }: InvitationText): string {
  if (!workspace) return `${invitedBy} invites you to Kenning.`
  return `${invitedBy} invites you to the workspace “${workspace.name}” in Kenning. ${ABILITIES[workspace.role]}`
}

const EXPIRY = 'The link works once, within 7 days.'

export function invitationMail(to: string, invitation: InvitationText, link: string): Letter {
  const text = invitationText(invitation)
  return {
    to,
    subject: invitation.workspace
      ? `${invitation.invitedBy} invites you to “${invitation.workspace.name}” in Kenning`
      : `${invitation.invitedBy} invites you to Kenning`,
    text: `${text}\n\n${WHAT_KENNING_IS}\n\nCreate your account:\n\n${link}\n\n${EXPIRY}\n`,
    html: [
      `<p>${escapeText(text)}</p>`,
      `<p>${escapeText(WHAT_KENNING_IS)}</p>`,
      `<p><a href="${escapeText(link)}">Create your account</a></p>`,
      `<p>${escapeText(EXPIRY)}</p>`,
    ].join('\n'),
  }
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeText = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
