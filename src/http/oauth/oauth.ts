// The authorization server over HTTP: discovery, registration, consent, tokens.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Parameters, readParameters } from '../../oauth/parameters.ts'
import { registerClient } from '../../oauth/registration.ts'
import { answerToken, revoke } from '../../oauth/tokens.ts'
import type { Deps } from '../../ports/deps.ts'
import { letBodyCome } from '../input/expect.ts'
import { readJson } from '../input/json-body.ts'
import { readUrlencoded } from '../input/urlencoded.ts'
import type { Fail } from '../output/problem.ts'
import { mountSignIn } from '../pages/sign-in.ts'
import { openRoute, refuseClientPassword } from './answer.ts'
import { mountAuthorize } from './authorize.ts'
import { mountDiscovery } from './discovery.ts'

const MOST_BYTES = 64 * 1024

export function mountOAuth(app: FastifyInstance, deps: Deps, fail: Fail): void {
  mountDiscovery(app, deps, fail)
  mountSignIn(app, deps)
  mountAuthorize(app, deps)

  openRoute(app, fail, { method: 'POST', url: '/oauth/register' }, async (request, reply) => {
    letBodyCome(request.raw)
    const body = await readJson(request.raw, MOST_BYTES)
    const client = await registerClient(deps, body, request.ip)
    reply.code(201)
    return client
  })

  openRoute(app, fail, { method: 'POST', url: '/oauth/token' }, async (request, reply) => {
    refuseClientPassword(request, reply)
    return answerToken(deps, await sentParameters(request))
  })

  openRoute(app, fail, { method: 'POST', url: '/oauth/revoke' }, async (request, reply) => {
    refuseClientPassword(request, reply)
    await revoke(deps, await sentParameters(request))
    return {}
  })
}

async function sentParameters(request: FastifyRequest): Promise<Parameters> {
  letBodyCome(request.raw)
  return readParameters(await readUrlencoded(request.raw, MOST_BYTES))
}
