// JSON routes for administrators, beside /v1: users, invitations, activity.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { createInvitation, listInvitations, revokeInvitation } from '../../accounts/invitations.ts'
import { createResetLink } from '../../accounts/passwords.ts'
import { listInstallationActivity, listUsers, updateUser } from '../../accounts/users.ts'
import { InvitationCreate, UserUpdate } from '../../contract/account.ts'
import { uuid } from '../../contract/fields.ts'
import { LanguageModelSet, ModelServer, ModelTry } from '../../contract/models.ts'
import { listLocalServers, listServerModels } from '../../models/servers.ts'
import { clearLanguageModel, getModels, setLanguageModel } from '../../models/settings.ts'
import { tryLanguageModel } from '../../models/trial.ts'
import type { Deps } from '../../ports/deps.ts'
import { installationUsage } from '../../workspaces/usage.ts'
import { ofRequest } from '../request/log.ts'
import { readQueryOf } from '../request/validation.ts'
import { idOf, signedInAdmin, signedInBody } from './session.ts'

const AfterQuery = z.object({ after: uuid.optional() })
const BeforeQuery = z.object({
  before: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .optional(),
})

export function mountAdmin(app: FastifyInstance, deps: Deps): void {
  app.get('/account/users', async (request) => {
    await signedInAdmin(deps, request)
    return listUsers(deps, readQueryOf(AfterQuery, request).after)
  })

  app.get('/account/activity', async (request) => {
    await signedInAdmin(deps, request)
    return listInstallationActivity(deps, readQueryOf(BeforeQuery, request).before)
  })

  app.get('/account/usage', async (request) => {
    await signedInAdmin(deps, request)
    return installationUsage(deps)
  })

  app.patch('/account/users/:id', async (request) => {
    const { user, body } = await signedInBody(deps, request, UserUpdate, signedInAdmin)
    return updateUser(deps, user, idOf(request), body)
  })

  app.post('/account/users/:id/reset', async (request, reply) => {
    const admin = await signedInAdmin(deps, request)
    return reply.code(201).send(await createResetLink(deps, { id: idOf(request) }, admin))
  })

  app.get('/account/invitations', async (request) => {
    await signedInAdmin(deps, request)
    return listInvitations(deps)
  })

  app.post('/account/invitations', async (request, reply) => {
    const { user, body } = await signedInBody(deps, request, InvitationCreate, signedInAdmin)
    return reply.code(201).send(await createInvitation(ofRequest(deps, request), user, body))
  })

  app.delete('/account/invitations/:id', async (request, reply) => {
    await revokeInvitation(deps, await signedInAdmin(deps, request), idOf(request))
    return reply.code(204).send()
  })

  mountModels(app, deps)
}

function mountModels(app: FastifyInstance, deps: Deps): void {
  app.get('/account/models', async (request) => getModels(deps, await signedInAdmin(deps, request)))

  app.get('/account/models/local', async (request) =>
    listLocalServers(deps, await signedInAdmin(deps, request)),
  )

  app.put('/account/models/language', async (request) => {
    const { user, body } = await signedInBody(deps, request, LanguageModelSet, signedInAdmin)
    return setLanguageModel(deps, user, body)
  })

  app.delete('/account/models/language', async (request, reply) => {
    await clearLanguageModel(deps, await signedInAdmin(deps, request))
    return reply.code(204).send()
  })

  app.post('/account/models/language/list', async (request) => {
    const { user, body } = await signedInBody(deps, request, ModelServer, signedInAdmin)
    return listServerModels(deps, user, body)
  })

  app.post('/account/models/language/try', async (request, reply) => {
    const { user, body } = await signedInBody(deps, request, ModelTry, signedInAdmin)
    return tryLanguageModel(deps, user, body, closedSignal(reply))
  })
}

/** Aborted when the client disconnects. */
function closedSignal(reply: FastifyReply): AbortSignal {
  const connectionClosed = new AbortController()
  reply.raw.once('close', () => connectionClosed.abort(new Error('the client went')))
  return connectionClosed.signal
}
