// Consent: a person lets a client act for them. It makes the grant that all its tokens belong to, and a code for it.

import { randomUUID } from 'node:crypto'
import { user } from '../../../audit/act.ts'
import { record } from '../../../audit/audit.sql.ts'
import { forbidden } from '../../../errors.ts'
import type { Deps } from '../../../ports/deps.ts'
import { noteConsent } from '../client/clients.sql.ts'
import { hashOf, makeSecret } from '../secret.ts'
import { insertClientGrant, insertCode } from './codes.sql.ts'
import type { Asked, Target } from './request.ts'

const CODE_SECONDS = 60

/** The code, to be sent to the client. @throws ApiError 403 for an account that was suspended at this moment */
export async function approve(
  deps: Pick<Deps, 'db' | 'settings'>,
  accountId: string,
  { client, redirectUri }: Target,
  { scopes, challenge }: Asked,
): Promise<string> {
  const code = makeSecret('code')
  const grantId = randomUUID()
  await deps.db.tx(async (tx) => {
    const made = await insertClientGrant(tx, {
      id: grantId,
      accountId,
      clientId: client.id,
      clientName: client.name,
      scopes,
      resource: deps.settings.baseUrl,
    })
    if (!made) throw forbidden('This account is suspended.')
    await insertCode(tx, { hash: hashOf(code), grantId, redirectUri, challenge, seconds: CODE_SECONDS })
    await noteConsent(tx, client.id)
    await record(tx, { action: 'grant_made', actor: user(accountId), subject: grantId })
  })
  return code
}
