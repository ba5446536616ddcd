// JSON routes for administrators, beside /v1: users, invitations, activity.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import manifest from '../../../package.json' with { type: 'json' }
import { createInvitation, listInvitations, revokeInvitation } from '../../accounts/invitations.ts'
import { createResetLink } from '../../accounts/passwords.ts'
import { listInstallationActivity, listUsers, updateUser } from '../../accounts/users.ts'
import { beginBackup, listBackups } from '../../backup/backups.ts'
import { InvitationCreate, UserUpdate } from '../../contract/account.ts'
import { uuid } from '../../contract/fields.ts'
import { FailedFileRetry } from '../../contract/health.ts'
import {
  EmbeddingsSet,
  EmbeddingsTry,
  GraphBudgetSet,
  LanguageModelSet,
  type ModelPart,
  ModelServer,
  type ModelSet,
  ModelTry,
  OcrSet,
  OcrTry,
  RerankerSet,
  RerankerTry,
} from '../../contract/models.ts'
import { ModelPriceSet, PersonLimitSet, SpendingLimits, SpendingQuery } from '../../contract/spending.ts'
import { listFailedOfService, retryFailedFile } from '../../health/failed-files.ts'
import { getHealth } from '../../health/health.ts'
import { clearGraphBudget, setGraphBudget } from '../../models/budget.ts'
import { tryEmbeddings, tryOcr, tryReranker } from '../../models/server-trials.ts'
import { listLocalServers, listServerModels } from '../../models/servers.ts'
import { clearModel, getModels, setModel } from '../../models/settings.ts'
import { tryLanguageModel } from '../../models/trial.ts'
import type { Deps } from '../../ports/deps.ts'
import { getSpending, setModelPrice, setPersonLimit, setSpendingLimits } from '../../spending/spending.ts'
import { installationUsage } from '../../workspaces/usage.ts'
import { languageOf } from '../pages/texts.ts'
import { withRequestLog } from '../request/log.ts'
import { readQueryOf } from '../request/validation.ts'
import { whenClosed } from '../response/closed.ts'
import { idOf, requireSignedInAdmin, requireSignedInBody } from './session.ts'

const AfterQuery = z.object({ after: uuid.optional() })
const BeforeQuery = z.object({
  before: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .optional(),
})

export function mountAdmin(app: FastifyInstance, deps: Deps): void {
  app.get('/account/users', async (request) => {
    await requireSignedInAdmin(deps, request)
    return listUsers(deps, readQueryOf(AfterQuery, request).after)
  })

  app.get('/account/activity', async (request) => {
    await requireSignedInAdmin(deps, request)
    return listInstallationActivity(deps, readQueryOf(BeforeQuery, request).before)
  })

  app.get('/account/usage', async (request) => {
    await requireSignedInAdmin(deps, request)
    return installationUsage(deps)
  })

  app.patch('/account/users/:id', async (request) => {
    const { user, body } = await requireSignedInBody(deps, request, UserUpdate, requireSignedInAdmin)
    return updateUser(deps, user, idOf(request), body)
  })

  app.post('/account/users/:id/reset', async (request, reply) => {
    const admin = await requireSignedInAdmin(deps, request)
    return reply.code(201).send(await createResetLink(deps, { id: idOf(request) }, admin))
  })

  app.get('/account/invitations', async (request) => {
    await requireSignedInAdmin(deps, request)
    return listInvitations(deps)
  })

  app.post('/account/invitations', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, InvitationCreate, requireSignedInAdmin)
    const invitation = await createInvitation(withRequestLog(deps, request), user, body, languageOf(request))
    return reply.code(201).send(invitation)
  })

  app.delete('/account/invitations/:id', async (request, reply) => {
    await revokeInvitation(deps, await requireSignedInAdmin(deps, request), idOf(request))
    return reply.code(204).send()
  })

  mountModels(app, deps)
  mountSpending(app, deps)
  mountHealth(app, deps)
}

function mountHealth(app: FastifyInstance, deps: Deps): void {
  app.get('/account/health', async (request) =>
    getHealth(deps, await requireSignedInAdmin(deps, request), manifest.version),
  )

  app.get('/account/backups', async (request) => listBackups(deps, await requireSignedInAdmin(deps, request)))

  app.post('/account/backups', async (request, reply) =>
    reply.code(202).send(await beginBackup(deps, await requireSignedInAdmin(deps, request))),
  )

  app.get('/account/failed-files', async (request) =>
    listFailedOfService(deps, await requireSignedInAdmin(deps, request)),
  )

  app.post('/account/failed-files/retry', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, FailedFileRetry, requireSignedInAdmin)
    await retryFailedFile(deps, user, body)
    return reply.code(204).send()
  })
}

function mountSpending(app: FastifyInstance, deps: Deps): void {
  app.get('/account/spending', async (request) => {
    const admin = await requireSignedInAdmin(deps, request)
    return getSpending(deps, admin, readQueryOf(SpendingQuery, request).month)
  })

  app.put('/account/spending/limits', async (request) => {
    const { user, body } = await requireSignedInBody(deps, request, SpendingLimits, requireSignedInAdmin)
    return setSpendingLimits(deps, user, body)
  })

  app.put('/account/spending/limits/person', async (request) => {
    const { user, body } = await requireSignedInBody(deps, request, PersonLimitSet, requireSignedInAdmin)
    return setPersonLimit(deps, user, body)
  })

  app.put('/account/spending/price', async (request) => {
    const { user, body } = await requireSignedInBody(deps, request, ModelPriceSet, requireSignedInAdmin)
    return setModelPrice(deps, user, body)
  })
}

function mountModels(app: FastifyInstance, deps: Deps): void {
  app.get('/account/models', async (request) => getModels(deps, await requireSignedInAdmin(deps, request)))

  app.get('/account/models/local', async (request) =>
    listLocalServers(deps, await requireSignedInAdmin(deps, request)),
  )

  mountModel(app, deps, 'language', LanguageModelSet)
  mountModel(app, deps, 'embeddings', EmbeddingsSet)
  mountModel(app, deps, 'reranker', RerankerSet)
  mountModel(app, deps, 'ocr', OcrSet)

  app.post('/account/models/language/try', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, ModelTry, requireSignedInAdmin)
    return tryLanguageModel(deps, user, body, disconnectSignal(reply))
  })

  app.post('/account/models/embeddings/try', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, EmbeddingsTry, requireSignedInAdmin)
    return tryEmbeddings(deps, user, body.model, disconnectSignal(reply))
  })

  app.post('/account/models/reranker/try', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, RerankerTry, requireSignedInAdmin)
    return tryReranker(deps, user, body.model, disconnectSignal(reply))
  })

  app.post('/account/models/ocr/try', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, OcrTry, requireSignedInAdmin)
    return tryOcr(deps, user, body.model, disconnectSignal(reply))
  })

  app.put('/account/models/graph', async (request) => {
    const { user, body } = await requireSignedInBody(deps, request, GraphBudgetSet, requireSignedInAdmin)
    return setGraphBudget(deps, user, body)
  })

  app.delete('/account/models/graph', async (request, reply) => {
    await clearGraphBudget(deps, await requireSignedInAdmin(deps, request))
    return reply.code(204).send()
  })
}

/** Mounts the routes that set a model, remove it, and list the models of a server. */
function mountModel(
  app: FastifyInstance,
  deps: Deps,
  part: ModelPart,
  schema: z.ZodType<ModelSet & ModelServer>,
): void {
  app.put(`/account/models/${part}`, async (request) => {
    const { user, body } = await requireSignedInBody(deps, request, schema, requireSignedInAdmin)
    return setModel(deps, user, part, body)
  })

  app.delete(`/account/models/${part}`, async (request, reply) => {
    await clearModel(deps, await requireSignedInAdmin(deps, request), part)
    return reply.code(204).send()
  })

  app.post(`/account/models/${part}/list`, async (request) => {
    const { user, body } = await requireSignedInBody(deps, request, ModelServer, requireSignedInAdmin)
    return listServerModels(deps, user, part, body)
  })
}

/** Aborted when the client disconnects. */
function disconnectSignal(reply: FastifyReply): AbortSignal {
  const connectionClosed = new AbortController()
  whenClosed(reply, () => connectionClosed.abort(new Error('The client disconnected.')))
  return connectionClosed.signal
}
