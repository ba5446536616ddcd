// The settings of models, which administrators see and change.

import { randomUUID } from 'node:crypto'
import type { SessionUser } from '../accounts/sessions.sql.ts'
import { requireAdmin } from '../accounts/sessions.ts'
import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import type {
  EmbeddingsModel,
  LanguageModel,
  ModelPart,
  ModelSet,
  ModelSetting,
  ModelSettings,
} from '../contract/models.ts'
import { countEmbedded } from '../embed/progress.sql.ts'
import { queueEmbeds } from '../embed/task.sql.ts'
import { forbidden, invalid } from '../errors.ts'
import type { ConfiguredServer, Deps } from '../ports/deps.ts'
import type { Embedder } from '../ports/embedder/embedder.ts'
import { graphBudget } from './budget.ts'
import { openKey, sealPurpose } from './current.ts'
import { deleteModel, type ModelRow, selectModelFor, upsertModel } from './models.sql.ts'
import { completeServer } from './servers.ts'
import { keyToStore } from './stored-key.ts'
import { requireUsable } from './usable.ts'

type SettingsDeps = Pick<Deps, 'db' | 'seal' | 'settings' | 'mayConnect' | 'embedder' | 'localEmbedder'>

/** @throws ApiError 403 */
export async function getModels(deps: SettingsDeps, admin: SessionUser): Promise<ModelSettings> {
  requireAdmin(admin)
  return {
    language: await getLanguageModel(deps, admin),
    embeddings: await embeddingsOf(deps, admin),
    reranker: (await settingOf(deps, admin, 'reranker')).setting,
    ocr: (await settingOf(deps, admin, 'ocr')).setting,
    graph: await graphBudget(deps),
  }
}

/**
 * The model is used from the next question, search or task on. For embeddings, every workspace begins to fill a new vector space.
 * @throws ApiError 403; 422 also if the server does not answer with the model
 */
export async function setModel(
  deps: SettingsDeps,
  admin: SessionUser,
  part: ModelPart,
  body: ModelSet,
): Promise<ModelSettings> {
  requireAdmin(admin)
  requireNoEnvironment(deps, part)
  const server = await completeServer(deps, admin, part, body)
  const { model = null, context_tokens = null, unchecked } = body
  const { dimensions = null } = unchecked ? {} : await requireUsable(deps, server, model)
  const { url } = server
  await deps.db.tx(async (tx) => {
    const key = await keyToStore({ ...deps, tx }, admin, part, body)
    const sealedKey = key === undefined ? null : deps.seal.close(key, sealPurpose(url))
    const row = { role: part, revision: randomUUID(), url, model, context_tokens, dimensions, key: sealedKey }
    if (!(await upsertModel(tx, admin.id, row))) throw forbidden('You are no longer an administrator.')
    await record(tx, {
      action: 'model_set',
      actor: userActor(admin.id),
      detail: model === null ? { part } : { part, model },
    })
    if (part === 'embeddings') await queueEmbeds(tx)
  })
  return getModels(deps, admin)
}

/** For embeddings, every workspace goes back to the local model. @throws ApiError 403, 422 */
export async function clearModel(deps: SettingsDeps, admin: SessionUser, part: ModelPart): Promise<void> {
  requireAdmin(admin)
  requireNoEnvironment(deps, part)
  await deps.db.tx(async (tx) => {
    if (!(await deleteModel(tx, admin.id, part))) return
    await record(tx, { action: 'model_cleared', actor: userActor(admin.id), detail: { part } })
    if (part === 'embeddings') await queueEmbeds(tx)
  })
}

const ENVIRONMENT_VARIABLES: Readonly<Record<ModelPart, string>> = {
  language: 'KENNING_LLM_URL',
  embeddings: 'KENNING_EMBEDDER, KENNING_EMBEDDINGS_URL or KENNING_ONNX_MODEL',
  reranker: 'KENNING_RERANK_URL',
  ocr: 'KENNING_OCR_URL',
}

function requireNoEnvironment({ settings }: Pick<Deps, 'settings'>, part: ModelPart): void {
  if (settings.models[part])
    throw invalid(
      ['body'],
      `The model is set by ${ENVIRONMENT_VARIABLES[part]} where the service is started, and that wins: change it there, or remove it there first`,
    )
}

/** @throws ApiError 403 */
export async function getLanguageModel(
  deps: Pick<Deps, 'db' | 'seal' | 'settings'>,
  admin: SessionUser,
): Promise<LanguageModel> {
  requireAdmin(admin)
  const { setting, row } = await settingOf(deps, admin, 'language')
  const context = row ? row.context_tokens : deps.settings.models.language?.contextTokens
  return { ...setting, context_tokens: context ?? null }
}

async function embeddingsOf(deps: SettingsDeps, admin: SessionUser): Promise<EmbeddingsModel> {
  const { setting, row } = await settingOf(deps, admin, 'embeddings')
  const currentModelId = modelIdOf(await deps.embedder())
  return {
    ...setting,
    dimensions: row?.dimensions ?? null,
    local: modelIdOf(deps.localEmbedder) ?? null,
    ...(await countEmbedded(deps.db, currentModelId)),
  }
}

const modelIdOf = (embedder: Embedder): string | undefined =>
  embedder.kind === 'none' ? undefined : embedder.model.id

/** The setting of the environment, or else that of an administrator with its row. */
async function settingOf(
  deps: Pick<Deps, 'db' | 'seal' | 'settings'>,
  admin: SessionUser,
  part: ModelPart,
): Promise<{ setting: ModelSetting; row?: ModelRow }> {
  const configuredServer = deps.settings.models[part]
  if (configuredServer) return { setting: settingOfEnvironment(configuredServer) }
  const row = await selectModelFor(deps.db, admin.id, part)
  return row ? { setting: settingOfRow(deps, row), row } : { setting: NO_SETTING }
}

const NO_SETTING: ModelSetting = {
  source: 'none',
  url: null,
  model: null,
  has_key: false,
  set_at: null,
  problem: null,
}

/** Shows the address without its user, password and query, which may be secrets. */
function settingOfEnvironment({ url, model, hasKey }: ConfiguredServer): ModelSetting {
  const address = url === undefined ? undefined : new URL(url)
  return {
    ...NO_SETTING,
    source: 'environment',
    url: address ? address.origin + address.pathname : null,
    model: model ?? null,
    has_key: hasKey,
  }
}

/** Shows the whole address: an administrator entered it, the form edits it, and only administrators see it. */
function settingOfRow({ seal }: Pick<Deps, 'seal'>, row: ModelRow): ModelSetting {
  const key = openKey(seal, row)
  return {
    source: 'settings',
    url: row.url,
    model: row.model,
    has_key: row.key !== null,
    set_at: row.set_at,
    problem: 'problem' in key ? key.problem : null,
  }
}
