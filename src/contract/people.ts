// Members of a workspace and what was done in it (extensions).

import { z } from 'zod'
import { Email, MemberRole } from './account.ts'
import { cursor, type Endpoint, limit, workspace } from './endpoint.ts'
import { instant, page, uuid } from './fields.ts'

export const Member = z.object({ user_id: uuid, email: z.string(), role: MemberRole })
export type Member = z.infer<typeof Member>
export const MemberPage = page(Member)

export const MemberUpdate = z.object({ email: Email, role: MemberRole })
export type MemberUpdate = z.infer<typeof MemberUpdate>

/** Who did something: `name` is an address or a key's name as of today, null when the account or key is gone. */
export const Actor = z.object({
  type: z.enum(['user', 'api_key', 'nobody']),
  id: uuid.nullable(),
  name: z.string().nullable(),
})

/** `subject` is the id of what it was done to; `detail` small facts such as a role or a count, never text. */
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

export const people = {
  listMembers: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/members',
    summary: 'Who may read or change a workspace; for its owners',
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
    summary: 'Let somebody with an account in, or change their role; for owners, of whom one remains',
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
    summary: 'Take somebody out, for owners; or leave, for everybody but the last owner',
    ability: 'write',
    params: workspace.extend({ user_id: uuid }),
    status: 204,
    errors: [403, 404, 422],
    extension: true,
  },
  listActivity: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/activity',
    summary: 'Who did what in a workspace, newest first; for its owners',
    ability: 'read',
    params: workspace,
    query: z.object({ limit, cursor }),
    status: 200,
    output: ActivityPage,
    errors: [403, 404, 422],
    extension: true,
  },
} as const satisfies Record<string, Endpoint>
