// Before a server is served from: the role that requests take is there, may do what they need, and is bound by every
// policy. Whatever is missing and cannot be made is said as a sentence with the statements that put it right.

import { type Actor, REQUEST_ROLE } from './actor.ts'
import type { Db } from './db.ts'
import { lockLedger } from './migrate.sql.ts'
import { createRole, finds, grantNeeded, type RoleState, roleState, unguarded } from './request-role.sql.ts'

/** Requests would run without their second wall; the message says what an administrator is to do. */
export class RequestRoleUnusable extends Error {}

const NOBODY: Actor = { account: '00000000-0000-0000-0000-000000000000', among: [] }

/** @throws RequestRoleUnusable when the role cannot be made, cannot be taken, or passes the policies */
export async function prepareRequestRole(db: Db): Promise<void> {
  const [state] = await db.rows<RoleState>(roleState)
  if (!state) throw new Error('the database does not answer who we are')
  if (state.lacks) await makeRole(db, state)
  const request = db.as(NOBODY)
  const found = await request.rows<{ found: boolean }>(finds).catch((error: unknown) => {
    throw isRefused(error) ? cannotTake(state.user, error) : error
  })
  if (!found[0]?.found) throw cannotFind()
  const open = await request.rows<{ name: string }>(unguarded)
  if (open.length > 0) throw passesPolicies(open.map(({ name }) => name))
}

async function makeRole(db: Db, { user }: RoleState): Promise<void> {
  try {
    await db.tx(async (tx) => {
      // Other processes that start now wait, and find it done.
      await tx.rows(lockLedger)
      const [state] = await tx.rows<RoleState>(roleState)
      if (state && !state.exists) await tx.rows(createRole)
      if (state?.lacks) await tx.rows(grantNeeded)
    })
  } catch (error) {
    throw isRefused(error) ? cannotTake(user, error) : error
  }
}

const isRefused = (error: unknown): boolean => (error as { code?: unknown }).code === '42501'

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const cannotTake = (user: string, cause: unknown): RequestRoleUnusable =>
  new RequestRoleUnusable(
    `Requests are to run as the role ${REQUEST_ROLE}, which row-level security binds, and the user ${user} of DATABASE_URL ` +
      `cannot make or take it. Let an administrator of the server run, once:\n\n` +
      `  CREATE ROLE ${REQUEST_ROLE};  -- unless it is there\n  GRANT ${REQUEST_ROLE} TO ${quoted(user)};\n`,
    { cause },
  )

const cannotFind = (): RequestRoleUnusable =>
  new RequestRoleUnusable(
    `The role ${REQUEST_ROLE} does not find Kenning's tables: they stand in a schema of the user's own name. Name the schema ` +
      `in DATABASE_URL (?options=-c%20search_path%3D<schema>).`,
  )

const passesPolicies = (tables: string[]): RequestRoleUnusable =>
  new RequestRoleUnusable(
    `Row-level security does not bind the role ${REQUEST_ROLE} on ${tables.slice(0, 3).join(', ')}` +
      `${tables.length > 3 ? ` and ${tables.length - 3} more tables` : ''}: it is a superuser, has BYPASSRLS, owns them or is ` +
      `a member of their owner, or their policies are off. Let an administrator of the server run:\n\n` +
      `  ALTER ROLE ${REQUEST_ROLE} NOSUPERUSER NOBYPASSRLS;\n`,
  )
