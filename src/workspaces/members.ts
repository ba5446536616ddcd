// Members of a workspace: owners let people in and out, everybody may leave, one owner remains.

import { emailKey } from '../accounts/email-key.ts'
import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type { Member, MemberUpdate } from '../contract/people.ts'
import type { Page } from '../contract/resources.ts'
import { ApiError, invalid, notFound } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import { isReferenceToNothing } from '../ports/db/postgres.ts'
import type { Deps } from '../ports/deps.ts'
import {
  deleteMemberRow,
  lockWorkspace,
  type MemberPosition,
  otherOwners,
  selectMember,
  selectMembers,
  upsertMember,
} from './members.sql.ts'

type Needs = Pick<Deps, 'db'>

/** By address. @throws ApiError 404, 403 for who is not an owner */
export async function listMembers(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  workspaceId: string,
  query: PageQuery,
): Promise<Page<Member>> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  const binding = ['members', workspaceId, principal(caller)]
  const { rows, ...next } = await readPage(
    deps,
    binding,
    query,
    (after: MemberPosition | undefined, limit) => selectMembers(deps.db, workspaceId, { after, limit }),
    (row) => ({ email: row.position, id: row.user_id }),
  )
  return { data: rows.map(({ position: _position, ...member }) => member), ...next }
}

/** Only owners get this far: that the address has no account is theirs to know, and what to do about it. */
const noAccount = (): ApiError =>
  new ApiError(404, 'not_found', 'Nobody with an account has this address; invite them first.')

/**
 * Adds a member or changes the role; counts from their next request on.
 * @throws ApiError 404 also for an address without an account, 403, 422 when no owner would remain
 */
export async function putMember(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  body: MemberUpdate,
): Promise<Member> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  const work = async (tx: Queryable): Promise<Member> => {
    await lockWorkspace(tx, workspaceId)
    // Again behind the lock: another owner may just have taken this one out.
    await requireWorkspace({ db: tx }, caller, workspaceId, 'own')
    const member = await selectMember(tx, workspaceId, { emailKey: emailKey(body.email) })
    if (!member) throw noAccount()
    const { user_id, email } = member
    const steps = member.role === 'owner' && body.role !== 'owner'
    if (steps && !(await otherOwners(tx, workspaceId, user_id))) throw lastOwner(['body', 'role'])
    if (member.role !== body.role) {
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
  return deps.db.tx(work).catch((error: unknown) => {
    // The account was there and is gone: closed at this moment. Its row cannot be held by who may not change it.
    throw isReferenceToNothing(error) ? noAccount() : error
  })
}

/** @throws ApiError 404, 403 for who takes out somebody else without being an owner, 422 for the last owner */
export async function deleteMember(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  userId: string,
): Promise<void> {
  const need = userId === caller.userId ? 'read' : 'own'
  await requireWorkspace(deps, caller, workspaceId, need)
  await deps.db.tx(async (tx) => {
    await lockWorkspace(tx, workspaceId)
    await requireWorkspace({ db: tx }, caller, workspaceId, need)
    const member = await selectMember(tx, workspaceId, { userId })
    if (!member?.role) throw notFound()
    if (member.role === 'owner' && !(await otherOwners(tx, workspaceId, userId))) {
      throw lastOwner(['path', 'user_id'])
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

const lastOwner = (loc: string[]): ApiError =>
  invalid(
    loc,
    'This is the last owner: make somebody else an owner first, or delete the workspace',
    'last_owner',
  )
