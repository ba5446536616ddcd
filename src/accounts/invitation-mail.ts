// What an invitation says, as a mail in plain text and in HTML and on its page: who invites, to what, and what Kenning is.

import type { Role } from '../auth/caller.ts'
import { message, type Texts } from '../messages/texts.ts'
import type { Letter } from '../ports/mail/mail.ts'
import { letterText, oneLine } from './mail.ts'

export interface InvitationText {
  /** Email address of the person who invites. */
  invitedBy: string
  /** Undefined if the invitation is for an account only. */
  workspace: { name: string; role: Role } | undefined
}

export const WHAT_KENNING_IS = message(
  'Kenning searches documents and answers questions about them, with the sentences that each answer comes from.',
)

const ABILITIES: Record<Role, string> = {
  viewer: message('You can read its documents, search them and ask about them.'),
  editor: message('You can read its documents, ask about them, and add, change and delete documents.'),
  owner: message('You can do everything in it, also manage its members.'),
}

/** Who invites, and to what. */
export function invitationText({ t }: Texts, { invitedBy: person, workspace }: InvitationText): string {
  if (!workspace) return t('{person} invites you to Kenning.', { person })
  const invitation = t('{person} invites you to the workspace “{workspace}” in Kenning.', {
    person,
    workspace: oneLine(workspace.name),
  })
  return `${invitation} ${t(ABILITIES[workspace.role])}`
}

export function invitationMail(texts: Texts, to: string, invitation: InvitationText, link: string): Letter {
  const { t } = texts
  const { invitedBy: person, workspace } = invitation
  const text = invitationText(texts, invitation)
  const expiry = t('The link works once, within 7 days.')
  return {
    to,
    subject: workspace
      ? t('{person} invites you to “{workspace}” in Kenning', { person, workspace: oneLine(workspace.name) })
      : t('{person} invites you to Kenning', { person }),
    text: letterText(text, t(WHAT_KENNING_IS), t('Create your account:'), link, expiry),
    html: [
      `<p>${escapeText(text)}</p>`,
      `<p>${escapeText(t(WHAT_KENNING_IS))}</p>`,
      `<p><a href="${escapeText(link)}">${escapeText(t('Create your account'))}</a></p>`,
      `<p>${escapeText(expiry)}</p>`,
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
