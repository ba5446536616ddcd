// Members of a workspace and its activity log (extensions).

import { z } from 'zod'
import { Email, MemberRole } from './account.ts'
import { cursor, type Endpoint, limit, workspace } from './endpoint.ts'
import { instant, page, uuid } from './fields.ts'

export const Member = z.object({ user_id: uuid, email: z.string(), role: MemberRole })
export type Member = z.infer<typeof Member>
export const MemberPage = page(Member)

export const MemberUpdate = z.object({ email: Email, role: MemberRole })
export type MemberUpdate = z.infer<typeof MemberUpdate>

/** `name` is the current email address or key name, null if the account or key has been deleted. */
export const Actor = z.object({
  type: z.enum(['user', 'api_key', 'nobody']),
  id: uuid.nullable(),
  name: z.string().nullable(),
})

/** `subject` is the id of the object that was changed; `detail` holds for example a role, a count or a folder, never document text. */
export const Activity = z.object({
  id: z.string(),
  at: instant,
  action: z.string(),
  actor: Actor,
  subject: z.string().nullable(),
  detail: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type Activity = z.infer<typeof Activity>
export const ActivityPage = page(Activity)

/** The role of the caller. An API key is a viewer, whatever the role of the person who created it. */
export const Membership = z.object({ role: MemberRole })
export type Membership = z.infer<typeof Membership>

export const people = {
  getMembership: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/membership',
    summary: "Read the caller's role in a workspace",
    ability: 'read',
    params: workspace,
    status: 200,
    output: Membership,
    errors: [404, 422],
    extension: true,
  },
  listMembers: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/members',
    summary: 'List the members of a workspace and their roles; for its owners',
    ability: 'read',
    params: workspace,
    query: z.object({ limit, cursor }),
    status: 200,
    output: MemberPage,
    errors: [403, 404, 422],
    extension: true,
  },
  putMember: {
    method: 'PUT',
    path: '/workspaces/{workspace_id}/members',
    summary: 'Add a user to a workspace, or change their role; for its owners, of whom one must remain',
    ability: 'write',
    params: workspace,
    body: MemberUpdate,
    status: 200,
    output: Member,
    errors: [403, 404, 422],
    extension: true,
  },
  deleteMember: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/members/{user_id}',
    summary: 'Remove a member, for owners; or leave the workspace, for everybody but the last owner',
    ability: 'write',
    params: workspace.extend({ user_id: uuid }),
    status: 204,
    errors: [403, 404, 422],
    extension: true,
  },
  listActivity: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/activity',
    summary: 'Activity log of a workspace, newest first; for its owners',
    ability: 'read',
    params: workspace,
    query: z.object({ limit, cursor }),
    status: 200,
    output: ActivityPage,
    errors: [403, 404, 422],
    extension: true,
  },
} as const satisfies Record<string, Endpoint>
