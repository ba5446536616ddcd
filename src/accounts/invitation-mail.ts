// The text of an invitation, for its mail (plain text and HTML) and its page: who invites, to what, and what Kenning is.

import type { Role } from '../auth/caller.ts'
import { message, type Texts } from '../messages/texts.ts'
import type { Letter } from '../ports/mail/mail.ts'
import { makeLetter, oneLine } from './letter.ts'

export interface InvitationText {
  /** Email address of the person who invites. */
  invitedBy: string
  /** Undefined if the invitation is for an account only. */
  workspace: { name: string; role: Role } | undefined
}

const WHAT_KENNING_IS = message(
  'Kenning searches documents and answers questions about them, with the sentences that each answer comes from.',
)

const ABILITIES: Record<Role, string> = {
  viewer: message('You can read its documents, search them and ask about them.'),
  editor: message('You can read its documents, ask about them, and add, change and delete documents.'),
  owner: message('You can do everything in it, also manage its members.'),
}

/** One paragraph for each sentence, since not every language puts a space between sentences. */
export function invitationText({ t }: Texts, { invitedBy: person, workspace }: InvitationText): string[] {
  if (!workspace) return [t('{person} invites you to Kenning.', { person }), t(WHAT_KENNING_IS)]
  const invitation = t('{person} invites you to the workspace “{workspace}” in Kenning.', {
    person,
    workspace: oneLine(workspace.name),
  })
  return [invitation, t(ABILITIES[workspace.role]), t(WHAT_KENNING_IS)]
}

export function invitationMail(
  texts: Texts,
  to: string,
  invitation: InvitationText,
  { link, siteUrl }: { link: string; siteUrl: string },
): Letter {
  const { t } = texts
  const { invitedBy: person, workspace } = invitation
  const [heading = '', ...paragraphs] = invitationText(texts, invitation)
  const subject = workspace
    ? t('{person} invites you to “{workspace}” in Kenning', { person, workspace: oneLine(workspace.name) })
    : t('{person} invites you to Kenning', { person })
  const notes = [
    t('The link works once, within 7 days.'),
    t('If you did not expect this invitation, ignore this email: no account is created without you.'),
  ]
  const action = { label: t('Create your account'), link }
  return makeLetter(texts, { to, subject, heading, paragraphs, action, notes }, siteUrl)
}
