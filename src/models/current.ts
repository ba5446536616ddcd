// The language model that serves now, in every process without a restart: each question and each task reads the setting's row by
// its primary key at its beginning, which takes less than a thousandth of what the model takes. The model itself stays open until
// the row has another revision, since it has learned what its server accepts.

import type { Deps } from '../ports/deps.ts'
import { type ChatModel, type CurrentModel, openChatModel } from '../ports/llm/llm.ts'
import { type Seal, SealBroken } from '../ports/seal.ts'
import { type ModelRow, selectLanguageModel } from './models.sql.ts'
import { fetchFor } from './reach.ts'

/** @param wrap makes its calls counted or traced */
export function openCurrentModel(
  deps: Pick<Deps, 'db' | 'seal' | 'mayConnect' | 'log'>,
  wrap: (model: ChatModel) => ChatModel = (model) => model,
): CurrentModel {
  let opened: { revision: string; model: ChatModel | undefined } | undefined
  return async () => {
    const row = await selectLanguageModel(deps.db)
    if (!row) return undefined
    if (opened?.revision !== row.revision) {
      const key = openKey(deps.seal, row)
      if ('broken' in key) deps.log.warn({ model: row.model }, key.broken)
      const model = 'broken' in key ? undefined : openSetModel(deps, row, key.key)
      opened = { revision: row.revision, model: model && wrap(model) }
    }
    return opened.model
  }
}

export const openSetModel = (
  deps: Pick<Deps, 'mayConnect'>,
  { url, model, context_tokens }: Pick<ModelRow, 'url' | 'model' | 'context_tokens'>,
  key: string | undefined,
): ChatModel =>
  openChatModel({
    url,
    model,
    key,
    contextTokens: context_tokens ?? undefined,
    fetch: fetchFor(deps, url),
  })

/** A sealed key belongs to its server: it opens for no other address, whoever changes the row. */
export const sealPurpose = (url: string): string => `model key ${new URL(url).origin}`

const BROKEN_KEY =
  'The key of the language model cannot be decrypted, because the key of this installation (secret.key) has changed. Enter it again.'

/** The key of the row, or why it cannot be used. */
export function openKey(
  seal: Seal,
  { key, url }: Pick<ModelRow, 'key' | 'url'>,
): { key: string | undefined } | { broken: string } {
  if (key === null) return { key: undefined }
  try {
    return { key: seal.open(key, sealPurpose(url)) }
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    return { broken: BROKEN_KEY }
  }
}
