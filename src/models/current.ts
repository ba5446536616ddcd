// The models in use. A change of a setting reaches every process without a restart: each question, search and task first reads the
// row of the setting. An opened model is used until the revision of the row changes, because it remembers which options its server
// accepts.

import type { ModelPart } from '../contract/models.ts'
import type { Deps } from '../ports/deps.ts'
import type { CurrentEmbedder, Embedder } from '../ports/embedder/embedder.ts'
import { type EmbedderSettings, openServerEmbedder } from '../ports/embedder/open.ts'
import { type ChatModel, type CurrentModel, openChatModel } from '../ports/llm/llm.ts'
import type { OcrServer } from '../ports/ocr/ocr-server.ts'
import { OutboundFailed } from '../ports/outbound/outbound.ts'
import { type CurrentReranker, type Reranker, rerankServer } from '../ports/rerank/rerank.ts'
import { type Seal, SealBroken } from '../ports/seal.ts'
import { type ModelRow, selectGraphSetting, selectModel } from './models.sql.ts'
import { fetchFor } from './reach.ts'

type CurrentModelDeps = Pick<Deps, 'db' | 'seal' | 'mayConnect' | 'log'>

/**
 * Returns a function that returns the model of the current row, opened once for each revision of the row. Undefined without a row.
 */
function followSetting<T>(
  { db, seal, log }: Pick<CurrentModelDeps, 'db' | 'seal' | 'log'>,
  part: ModelPart,
  open: (row: ModelRow, key: StoredKey) => T,
): () => Promise<T | undefined> {
  let openedModel: { revision: string; value: T } | undefined
  return async () => {
    const row = await selectModel(db, part)
    if (!row) return undefined
    if (openedModel?.revision !== row.revision) {
      const key = openKey(seal, row)
      if ('problem' in key) log.warn({ part, model: row.model }, key.problem)
      openedModel = { revision: row.revision, value: open(row, key) }
    }
    return openedModel.value
  }
}

/** @param wrap adds counting or tracing to each call */
export const openCurrentModel = (
  deps: CurrentModelDeps,
  wrap: (model: ChatModel) => ChatModel = (model) => model,
): CurrentModel =>
  followSetting(deps, 'language', (row, key) =>
    'problem' in key ? undefined : wrap(openModelOfRow(deps, row, key.key)),
  )

const openModelOfRow = (
  deps: Pick<Deps, 'mayConnect'>,
  { url, model, context_tokens }: Pick<ModelRow, 'url' | 'model' | 'context_tokens'>,
  key: string | undefined,
): ChatModel =>
  openChatModel({
    url,
    model: model ?? '',
    key,
    contextTokens: context_tokens ?? undefined,
    fetch: fetchFor(deps, 'language', url),
  })

/**
 * The server of the setting, otherwise the local model.
 * @param local the model that is used without a server, and the settings to open models of earlier spaces
 */
export function openCurrentEmbedder(
  deps: CurrentModelDeps,
  local: { embedder: Embedder; settings: EmbedderSettings },
  wrap: (embedder: Embedder) => Embedder = (embedder) => embedder,
): CurrentEmbedder {
  const embedder = wrap(local.embedder)
  const server = followSetting(deps, 'embeddings', (row, key) => {
    const { url } = row
    // With a key that cannot be decrypted every call fails. Using the local model instead would replace the vectors of all
    // passages.
    const fetch = 'problem' in key ? failingFetch(key.problem) : fetchFor(deps, 'embeddings', url)
    const usableKey = 'problem' in key ? undefined : key.key
    return wrap(openServerEmbedder({ url, model: row.model ?? '', key: usableKey, fetch }, local.settings))
  })
  return async () => (await server()) ?? embedder
}

const failingFetch = (message: string) => (): Promise<never> => Promise.reject(new OutboundFailed(message))

/** @param wrap adds counting or tracing to each call */
export const openCurrentReranker = (
  deps: CurrentModelDeps,
  wrap: (reranker: Reranker) => Reranker = (reranker) => reranker,
): CurrentReranker =>
  followSetting(deps, 'reranker', ({ url, model }, key) => {
    if ('problem' in key) return undefined
    const server = { url, model: model ?? undefined, key: key.key, fetch: fetchFor(deps, 'reranker', url) }
    return wrap(rerankServer(server, deps.log))
  })

/** The server that recognises text. Undefined if none is set; Tesseract recognises text then. */
export const openCurrentOcr = (deps: CurrentModelDeps): (() => Promise<OcrServer | undefined>) =>
  followSetting(deps, 'ocr', ({ url }, key) =>
    'problem' in key ? undefined : { url, key: key.key, fetch: fetchFor(deps, 'ocr', url) },
  )

/** How many tokens of the language model the graph of a workspace may use. */
export const openGraphTokens = ({ db, settings }: Pick<Deps, 'db' | 'settings'>): (() => Promise<number>) => {
  const { graphTokens } = settings.models
  if (graphTokens !== undefined) return async () => graphTokens
  return async () => (await selectGraphSetting(db))?.tokens ?? 0
}

/** A key is sealed for one server: if the address in its row is changed, it cannot be decrypted. */
export const sealPurpose = (url: string): string => `model key ${new URL(url).origin}`

const BROKEN_KEY =
  'The key of the model cannot be decrypted, because the key of this installation (secret.key) has changed. Enter it again.'

type StoredKey = { key: string | undefined } | { problem: string }

/** Decrypts the key of the row, or returns why it cannot be used. */
export function openKey(seal: Seal, { key, url }: Pick<ModelRow, 'key' | 'url'>): StoredKey {
  if (key === null) return { key: undefined }
  try {
    return { key: seal.open(key, sealPurpose(url)) }
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    return { problem: BROKEN_KEY }
  }
}
