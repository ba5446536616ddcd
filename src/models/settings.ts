// The models as administrators see and set them. A key goes in and is never shown again; it stays with the server that it was
// entered for.

import { randomUUID } from 'node:crypto'
import type { SessionUser } from '../accounts/sessions.sql.ts'
import { requireAdmin } from '../accounts/sessions.ts'
import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import type { LanguageModel, LanguageModelSet, ModelServer, ModelSettings } from '../contract/models.ts'
import { forbidden, invalid } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { openKey, sealPurpose } from './current.ts'
import {
  deleteLanguageModel,
  lockLanguageModel,
  type ModelRow,
  selectLanguageModelFor,
  upsertLanguageModel,
} from './models.sql.ts'

type Needs = Pick<Deps, 'db' | 'seal' | 'settings'>

/** @throws ApiError 403 */
export async function getModels(deps: Needs, admin: SessionUser): Promise<ModelSettings> {
  requireAdmin(admin)
  const { languageModel } = deps.settings
  if (languageModel) return { language: fromEnvironment(languageModel) }
  const row = await selectLanguageModelFor(deps.db, admin.id)
  return { language: row ? fromRow(deps, row) : NONE }
}

/** It serves from the next question on. @throws ApiError 403, 422 */
export async function setLanguageModel(
  deps: Needs,
  admin: SessionUser,
  body: LanguageModelSet,
): Promise<ModelSettings> {
  requireAdmin(admin)
  requireNoEnvironment(deps)
  const { url, model, context_tokens = null } = body
  await deps.db.tx(async (tx) => {
    const key = await keyToStore(deps, tx, admin, body)
    const sealed = key === undefined ? null : deps.seal.close(key, sealPurpose(url))
    const row = { revision: randomUUID(), url, model, context_tokens, key: sealed }
    if (!(await upsertLanguageModel(tx, admin.id, row)))
      throw forbidden('You are no longer an administrator.')
    await record(tx, { action: 'model_set', actor: userActor(admin.id), detail: { model } })
  })
  return getModels(deps, admin)
}

/** @throws ApiError 403, 422 */
export async function clearLanguageModel(deps: Needs, admin: SessionUser): Promise<void> {
  requireAdmin(admin)
  requireNoEnvironment(deps)
  await deps.db.tx(async (tx) => {
    if (await deleteLanguageModel(tx, admin.id))
      await record(tx, { action: 'model_cleared', actor: userActor(admin.id) })
  })
}

/**
 * The key to use with a server that an administrator entered. Without one it is the stored key, which goes to its own server only:
 * otherwise anybody who may change the address could read it there.
 * @throws ApiError 422 if the stored key is of another server or cannot be decrypted
 */
export async function keyFor(
  deps: Pick<Deps, 'seal' | 'db'>,
  admin: SessionUser,
  { url, key }: ModelServer,
): Promise<string | undefined> {
  if (key !== undefined) return key ?? undefined
  return storedKey(deps, await selectLanguageModelFor(deps.db, admin.id), url)
}

/** As `keyFor`, of a row that nobody changes until the key is stored again. @throws ApiError 422 also if it was cleared meanwhile */
async function keyToStore(
  deps: Pick<Deps, 'seal'>,
  tx: Queryable,
  admin: SessionUser,
  { url, key }: ModelServer,
): Promise<string | undefined> {
  if (key !== undefined) return key ?? undefined
  const seen = await selectLanguageModelFor(tx, admin.id)
  if (!seen?.key) return undefined
  const row = await lockLanguageModel(tx)
  if (!row)
    throw invalid(
      ['body', 'key'],
      'The model was cleared meanwhile, and its key with it: enter the key again',
    )
  return storedKey(deps, row, url)
}

function storedKey(deps: Pick<Deps, 'seal'>, row: ModelRow | undefined, url: string): string | undefined {
  if (!row?.key) return undefined
  if (new URL(row.url).origin !== new URL(url).origin)
    throw invalid(['body', 'key'], 'The stored key is of another server: enter the key of this one')
  const stored = openKey(deps.seal, row)
  if ('broken' in stored) throw invalid(['body', 'key'], stored.broken)
  return stored.key
}

function requireNoEnvironment({ settings }: Pick<Deps, 'settings'>): void {
  if (settings.languageModel)
    throw invalid(
      ['body'],
      'The model is set by KENNING_LLM_URL where the service is started, and that wins: change it there, or remove it there first',
    )
}

const NONE: LanguageModel = {
  source: 'none',
  url: null,
  model: null,
  context_tokens: null,
  has_key: false,
  set_at: null,
  problem: null,
}

/** The address without what may be a secret in it. */
function fromEnvironment(model: NonNullable<Deps['settings']['languageModel']>): LanguageModel {
  const { origin, pathname } = new URL(model.url)
  return {
    ...NONE,
    source: 'environment',
    url: origin + pathname,
    model: model.model,
    context_tokens: model.contextTokens ?? null,
    has_key: model.hasKey,
  }
}

function fromRow({ seal }: Pick<Deps, 'seal'>, row: ModelRow): LanguageModel {
  const key = openKey(seal, row)
  return {
    source: 'settings',
    url: row.url,
    model: row.model,
    context_tokens: row.context_tokens,
    has_key: row.key !== null,
    set_at: row.set_at,
    problem: 'broken' in key ? key.broken : null,
  }
}
