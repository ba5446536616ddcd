// API keys over HTTP: made, listed and revoked by the person who is signed in.

import type { FastifyInstance } from 'fastify'
import { listKeys, makeKey, revokeKey } from '../../accounts/keys.ts'
import { KeyCreate } from '../../contract/account.ts'
import type { Deps } from '../../ports/deps.ts'
import { idOf, signedIn, signedInWith } from './signed-in.ts'

export function mountKeys(app: FastifyInstance, deps: Deps): void {
  app.get('/account/keys', async (request) => listKeys(deps, await signedIn(deps, request)))

  app.post('/account/keys', async (request, reply) => {
    const { user, body } = await signedInWith(deps, request, KeyCreate)
    return reply.code(201).send(await makeKey(deps, user, body))
  })

  app.delete('/account/keys/:id', async (request, reply) => {
    await revokeKey(deps, await signedIn(deps, request), idOf(request))
    return reply.code(204).send()
  })
}
