// A code or refresh token that comes back after it was used: one of two who hold it stole it, so the whole family ends
// (RFC 9700 sections 2.1.1 and 4.14.2).

import { record } from '../../../audit/audit.sql.ts'
import type { Queryable } from '../../../ports/db/db.ts'
import { type Family, revokeFamily } from './tokens.sql.ts'

/** Returns instead of throwing: the transaction has to commit. */
export async function revokeForReuse(tx: Queryable, family: Family): Promise<'reused'> {
  if (await revokeFamily(tx, family.id)) {
    const actor = { type: 'nobody', id: undefined } as const
    await record(tx, {
      action: 'grant_revoked',
      actor,
      subject: family.id,
      detail: { reason: 'reuse' },
    })
  }
  return 'reused'
}
