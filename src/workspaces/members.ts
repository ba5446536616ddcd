// Members of a workspace. Owners add and remove members, everybody can leave, and there is always an owner.

import { emailKey } from '../accounts/email-key.ts'
import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type { Member, Membership, MemberUpdate } from '../contract/people.ts'
import type { Page } from '../contract/resources.ts'
import { ApiError, invalid, notFound } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import { isReferenceToNothing } from '../ports/db/db-errors.ts'
import type { Deps } from '../ports/deps.ts'
import {
  deleteMemberRow,
  hasOtherOwner,
  lockWorkspace,
  type MemberPosition,
  selectMember,
  selectMembers,
  upsertMember,
} from './members.sql.ts'

type MemberDeps = Pick<Deps, 'db'>

/** The caller's own role, which every member may see. Only owners may list the members. @throws ApiError 404 */
export async function getMembership(
  deps: MemberDeps,
  caller: Caller,
  workspaceId: string,
): Promise<Membership> {
  return { role: await requireWorkspace(deps, caller, workspaceId, 'read') }
}

/** The members in the order of their email addresses. @throws ApiError 404; 403 if the caller is a member but no owner */
export async function listMembers(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  workspaceId: string,
  query: PageQuery,
): Promise<Page<Member>> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  const binding = ['members', workspaceId, principal(caller)]
  const { rows, ...next } = await readPage(deps, {
    binding,
    page: query,
    select: (after: MemberPosition | undefined, limit) =>
      selectMembers(deps.db, workspaceId, { after, limit }),
    positionOf: (row) => ({ email: row.position, id: row.user_id }),
  })
  return { data: rows.map(({ position: _position, ...member }) => member), ...next }
}

/** Reveals that an email address has no account, but only to owners of the workspace, who need to know it. */
const accountNotFoundError = (): ApiError =>
  new ApiError(
    404,
    'not_found',
    'No account has this email address. Ask the administrator to invite this person first.',
  )

/** Reveals that an account is suspended, but only to owners of the workspace. */
const suspendedAccountError = (): ApiError =>
  invalid(
    ['body', 'email'],
    'This account is suspended, so nothing can be changed for it. Ask the administrator to restore it first, or remove the member.',
    'account_suspended',
  )

/**
 * Adds a member or changes their role. The role applies from the member's next request on.
 * @throws ApiError 404, also if no account has the email address; 403; 422 if the account is suspended or no active owner would
 * remain
 */
export async function putMember(
  deps: MemberDeps,
  caller: Caller,
  workspaceId: string,
  body: MemberUpdate,
): Promise<Member> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  const setRole = async (tx: Queryable): Promise<Member> => {
    await lockWorkspace(tx, workspaceId)
    // The role is checked again after the lock, because another owner may just have removed the caller.
    await requireWorkspace({ db: tx }, caller, workspaceId, 'own')
    const member = await selectMember(tx, workspaceId, { emailKey: emailKey(body.email) })
    if (!member) throw accountNotFoundError()
    if (member.suspended) throw suspendedAccountError()
    const { user_id, email } = member
    const losesOwnerRole = member.role === 'owner' && body.role !== 'owner'
    if (losesOwnerRole && !(await hasOtherOwner(tx, workspaceId, user_id)))
      throw lastOwnerError(['body', 'role'])
    // A role that a group gave is stored again as given by a person.
    if (member.role !== body.role || member.by_group) {
      await upsertMember(tx, workspaceId, user_id, body.role)
      await record(tx, {
        action: 'member_set',
        actor: actorOf(caller),
        workspaceIds: [workspaceId],
        subject: user_id,
        detail: { role: body.role },
      })
    }
    return { user_id, email, role: body.role }
  }
  return deps.db.tx(setRole).catch((error: unknown) => {
    // The account was deleted after it was read. Its row cannot be locked, because the database role of requests may not change
    // accounts.
    throw isReferenceToNothing(error) ? accountNotFoundError() : error
  })
}

/** @throws ApiError 404, 403 when removing another member without being an owner, 422 for the last owner */
export async function deleteMember(
  deps: MemberDeps,
  caller: Caller,
  workspaceId: string,
  userId: string,
): Promise<void> {
  const permission = userId === caller.userId ? 'read' : 'own'
  await requireWorkspace(deps, caller, workspaceId, permission)
  await deps.db.tx(async (tx) => {
    await lockWorkspace(tx, workspaceId)
    await requireWorkspace({ db: tx }, caller, workspaceId, permission)
    const member = await selectMember(tx, workspaceId, { userId })
    if (!member?.role) throw notFound()
    if (member.role === 'owner' && !(await hasOtherOwner(tx, workspaceId, userId))) {
      throw lastOwnerError(['path', 'user_id'])
    }
    await deleteMemberRow(tx, workspaceId, userId)
    await record(tx, {
      action: 'member_removed',
      actor: actorOf(caller),
      workspaceIds: [workspaceId],
      subject: userId,
    })
  })
}

const lastOwnerError = (loc: string[]): ApiError =>
  invalid(
    loc,
    'This is the only owner: make another member an owner first, or delete the workspace',
    'last_owner',
  )
