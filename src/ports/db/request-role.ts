// Checks, before the service uses a database server, that the role of requests exists, has the rights that requests need, and is
// bound by every policy. A missing role or right is created. If the database's user may not do that, the error lists the
// statements to run.

import { type Actor, REQUEST_ROLE } from './actor.ts'
import type { Db } from './db.ts'
import { lockLedger } from './migrate.sql.ts'
import {
  canFindTables,
  createRole,
  grantNeeded,
  type RoleState,
  roleRight,
  roleState,
  unguardedTables,
} from './request-role.sql.ts'

/** Thrown if row-level security would not apply to requests. The message says what an administrator has to do. */
export class RequestRoleUnusable extends Error {}

const NOBODY: Actor = { account: '00000000-0000-0000-0000-000000000000', workspaceIds: [] }

/** @throws RequestRoleUnusable when the role cannot be created, requests cannot switch to it, or the policies do not bind it */
export async function prepareRequestRole(db: Db): Promise<void> {
  const [state] = await db.rows<RoleState>(roleState)
  if (!state) throw new Error('the database did not return the current user')
  if (state.lacks) await makeRole(db, state)
  const request = db.as(NOBODY)
  const roleRows = await request.rows<{ found: boolean }>(canFindTables).catch((error: unknown) => {
    throw isRefused(error) ? cannotTakeRole(state.user, error) : error
  })
  if (!roleRows[0]?.found) throw cannotFindTables()
  const openTables = await request.rows<{ name: string }>(unguardedTables)
  if (openTables.length > 0) throw notBound(openTables.map(({ name }) => name))
}

/** Why the service could not use the role, and what to do. Undefined if it could. Changes nothing. */
export async function requestRoleProblem(db: Db): Promise<string | undefined> {
  const [right] = await db.rows<{ user: string; exists: boolean; may_take: boolean }>(roleRight)
  if (!right || right.may_take) return undefined
  const { user, exists } = right
  const statements = [
    ...(exists ? [] : [`CREATE ROLE ${REQUEST_ROLE}`]),
    `GRANT ${REQUEST_ROLE} TO ${user}`,
  ].join('; ')
  return `the user ${user} may not take the role ${REQUEST_ROLE} of requests: have an administrator of the server run "${statements}"`
}

async function makeRole(db: Db, { user }: RoleState): Promise<void> {
  try {
    await db.tx(async (tx) => {
      // Other processes that start at the same time wait here, and then find the role complete.
      await tx.rows(lockLedger)
      const [state] = await tx.rows<RoleState>(roleState)
      if (state && !state.exists) await tx.rows(createRole)
      if (state?.lacks) await tx.rows(grantNeeded)
    })
  } catch (error) {
    throw isRefused(error) ? cannotTakeRole(user, error) : error
  }
}

const isRefused = (error: unknown): boolean => (error as { code?: unknown }).code === '42501'

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const cannotTakeRole = (user: string, cause: unknown): RequestRoleUnusable =>
  new RequestRoleUnusable(
    `Requests run as the role ${REQUEST_ROLE}, which row-level security binds, but the user ${user} of DATABASE_URL cannot ` +
      `create or take it. Have an administrator of the server run once:\n\n` +
      `  CREATE ROLE ${REQUEST_ROLE};  -- unless it exists\n  GRANT ${REQUEST_ROLE} TO ${quoted(user)};\n`,
    { cause },
  )

const cannotFindTables = (): RequestRoleUnusable =>
  new RequestRoleUnusable(
    `The role ${REQUEST_ROLE} does not find Kenning's tables, because they are in a schema with the user's name. Add the ` +
      `schema to DATABASE_URL (?options=-c%20search_path%3D<schema>).`,
  )

const notBound = (tables: string[]): RequestRoleUnusable =>
  new RequestRoleUnusable(
    `Row-level security does not bind the role ${REQUEST_ROLE} on ${tables.slice(0, 3).join(', ')}` +
      `${tables.length > 3 ? ` and ${tables.length - 3} more tables` : ''}: it is a superuser, has BYPASSRLS, owns them, is ` +
      `a member of their owner's role, or their policies are disabled. Have an administrator of the server run:\n\n` +
      `  ALTER ROLE ${REQUEST_ROLE} NOSUPERUSER NOBYPASSRLS;\n`,
  )
