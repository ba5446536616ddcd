// What groups give and take is planned as data: for any memberships and grants.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Role } from '../auth/caller.ts'
import type { GroupMembership } from './group-roles.sql.ts'
import { planRoles, type RoleGrant } from './group-roles.ts'

const ROLES: readonly Role[] = ['viewer', 'editor', 'owner']
const role = fc.constantFrom(...ROLES)
const strongest = (...roles: (Role | undefined)[]): Role | undefined =>
  ROLES.findLast((one) => roles.includes(one))

const weakest = (one: Role, other: Role | undefined): Role | undefined =>
  other && ROLES.find((role) => role === one || role === other)

const memberships = fc
  .uniqueArray(
    fc.record({
      workspaceId: fc.constantFrom('a', 'b', 'c'),
      groupRole: fc.option(role, { nil: undefined }),
      personRole: fc.option(role, { nil: undefined }),
      isInTrash: fc.boolean(),
    }),
    { selector: ({ workspaceId }) => workspaceId },
  )
  .map((rows) =>
    rows.flatMap((row): GroupMembership[] => {
      const strongestRole = strongest(row.groupRole, row.personRole)
      return strongestRole ? [{ ...row, role: strongestRole }] : []
    }),
  )
const grants = fc.array(
  fc.record({ workspaceId: fc.constantFrom('a', 'b', 'd'), role, requiresExistingRole: fc.boolean() }),
)

function applied(before: readonly GroupMembership[], given: readonly RoleGrant[]): GroupMembership[] {
  const after = new Map(before.map((membership) => [membership.workspaceId, membership]))
  for (const { previous: row, workspaceId, ...next } of planRoles(before, given)) {
    if (next.role)
      after.set(workspaceId, { isInTrash: row?.isInTrash ?? false, workspaceId, ...next, role: next.role })
    else after.delete(workspaceId)
  }
  return [...after.values()]
}

test('afterwards groups give exactly what is granted, and what people gave is as before', () => {
  fc.assert(
    fc.property(memberships, grants, (before, given) => {
      const after = applied(before, given)
      for (const id of ['a', 'b', 'c', 'd']) {
        const [was, is] = [before, after].map((rows) => rows.find(({ workspaceId }) => workspaceId === id))
        const roles = given
          .filter(({ workspaceId }) => workspaceId === id)
          .map((grant) => (grant.requiresExistingRole ? weakest(grant.role, was?.groupRole) : grant.role))
        expect(is?.groupRole).toBe(strongest(...roles))
        expect(is?.personRole).toBe(was?.personRole)
        expect(is?.role).toBe(strongest(...roles, was?.personRole))
      }
    }),
  )
})

test('a second sign-in changes nothing', () => {
  fc.assert(
    fc.property(memberships, grants, (before, given) => {
      expect(planRoles(applied(before, given), given)).toEqual([])
    }),
  )
})
