// Descriptions and examples of ../people.ts.

import type * as module from '../people.ts'
import { EDITOR_EMAIL, firstPage, ID, JOB_ID, OWNER_EMAIL, onlyPage, UPLOADED_AT } from './library.ts'
import type { OperationTexts, SchemaTexts } from './texts.ts'

const owner = { user_id: ID.owner, email: OWNER_EMAIL, role: 'owner' as const }
const editor = { user_id: ID.editor, email: EDITOR_EMAIL, role: 'editor' as const }
const actor = { type: 'user' as const, id: ID.owner, name: OWNER_EMAIL }
const activity = {
  id: '4',
  at: UPLOADED_AT,
  action: 'files_uploaded',
  actor,
  subject: JOB_ID,
  detail: { files: 15 },
}

export const schemas: SchemaTexts<typeof module> = {
  Member: {
    description: 'A person who has access to a workspace, and the role that says what they may do there.',
    example: editor,
  },
  MemberPage: { description: 'A page of a list of members.', example: onlyPage(editor, owner) },
  MemberUpdate: {
    description: 'The email address of an account, and the role that it gets.',
    example: { email: EDITOR_EMAIL, role: 'editor' },
  },
  Actor: {
    description:
      'Who did something. `name` is the current email address of the account, or the name of the key, null if it has been deleted.',
    example: actor,
  },
  Activity: {
    description:
      'Something that was done in a workspace. `subject` is the id of what was changed. `detail` has for example a role, a count or the folders of a move, never the text of a document.',
    example: activity,
  },
  ActivityPage: { description: 'A page of the activity log.', example: firstPage(activity) },
  Membership: {
    description:
      'The role of the caller. An API key is a viewer, whatever the role of the person who made it.',
    example: { role: 'owner' },
  },
}

export const operations: OperationTexts<typeof module.people> = {
  getMembership: {
    does: 'Returns the role of the caller in a workspace: `owner`, `editor` or `viewer`.',
    callers: 'reader',
  },
  listMembers: {
    does: 'Lists the members of a workspace with their roles, in the order of their email addresses, in pages.',
    callers: 'readingOwner',
  },
  putMember: {
    does: 'Adds a user to a workspace, or changes the role of a member, and returns the member. It takes effect with their next request.',
    callers: 'owner',
    missing: 'the workspace, or an account with this email address,',
    invalid: 'the account is suspended, or the workspace would have no owner',
  },
  deleteMember: {
    does: 'Removes a member from a workspace. Members may remove themselves too, except the last owner.',
    callers: 'owner',
    missing: 'the workspace or the member',
    invalid: 'the workspace would have no owner',
  },
  listActivity: {
    does: 'Lists who did what in a workspace, newest first, in pages.',
    callers: 'readingOwner',
  },
}
