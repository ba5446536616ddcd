// Chooses the embedder by the settings and the installed packages and models, without loading a model or calling a server.

import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Log } from '../deps.ts'
import { type Embedder, type EmbeddingModel, type FindModel, SENTENCE_MODEL } from './embedder.ts'
import { missingFileIn } from './onnx/folder.ts'
import { onnxModel } from './onnx/onnx.ts'
import { missingPackages } from './onnx/runtime.ts'
import { type EmbeddingServer, openaiModel } from './openai.ts'
import { sentenceModel } from './sentence/sentence.ts'

export { missingPackages } from './onnx/runtime.ts'

export interface EmbedderSettings {
  choice: 'auto' | 'none' | 'sentence' | 'onnx' | 'openai'
  server: { url: string; model: string; key: string | undefined } | undefined
  /** The folder of a model. */
  onnxModel: string | undefined
  /** Without `onnxModel`, a model is looked for in `<data>/models/<name>`. */
  dataDir: string
}

/** The configured embedder cannot be used. The message names what is missing. */
export class EmbedderMissing extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'EmbedderMissing'
  }
}

/** @throws EmbedderMissing when the configured embedder lacks something; `auto` never throws */
export function openEmbedder(settings: EmbedderSettings, log: Log): Embedder {
  const { embedder, reason } = choose(settings)
  const name = 'model' in embedder ? embedder.model.id : embedder.kind
  log.info({ embedder: name }, `embedder ${name}: ${reason}; KENNING_EMBEDDER changes it`)
  return embedder
}

function choose(settings: EmbedderSettings): { embedder: Embedder; reason: string } {
  const { choice, server } = settings
  switch (choice) {
    case 'none':
      return { embedder: { kind: choice }, reason: 'as configured' }
    case 'sentence':
      return { embedder: builtin(settings), reason: 'as configured' }
    case 'openai':
      if (!server)
        throw new EmbedderMissing('KENNING_EMBEDDINGS_URL and KENNING_EMBEDDINGS_MODEL must be set')
      return { embedder: remote(server, settings), reason: `at ${new URL(server.url).host}` }
    case 'onnx': {
      const lookup = localModel(settings)
      if ('missing' in lookup) throw new EmbedderMissing(`KENNING_EMBEDDER=onnx: ${lookup.missing}`)
      return { embedder: local(lookup.folder, settings), reason: `from ${lookup.folder}` }
    }
    case 'auto': {
      if (server) return { embedder: remote(server, settings), reason: `at ${new URL(server.url).host}` }
      const lookup = localModel(settings)
      if ('folder' in lookup)
        return { embedder: local(lookup.folder, settings), reason: `from ${lookup.folder}` }
      return {
        embedder: builtin(settings),
        reason: `the model of the package, since ${lookup.missing}`,
      }
    }
  }
}

const builtin = (settings: EmbedderSettings): Embedder => ({
  ...withEarlierModels(sentenceModel(), earlierLocal(settings)),
  kind: 'builtin',
})

/**
 * The embedder of a server that administrators set. Earlier models of servers are not used: it is not known which server had
 * them, and this server may have another model of the same name.
 */
export const openServerEmbedder = (server: EmbeddingServer, settings: EmbedderSettings): Embedder =>
  withEarlierModels(openaiModel(server), earlierLocal(settings))

/**
 * The embedder of the server that the environment variables set. The operator keeps an earlier model on it as long as it is used.
 */
function remote(server: EmbeddingServer, settings: EmbedderSettings): Embedder {
  const findLocal = earlierLocal(settings)
  return withEarlierModels(openaiModel(server), (id) => {
    const [, model] = /^openai:(.+)$/s.exec(id) ?? []
    return model === undefined ? findLocal(id) : openaiModel({ ...server, model })
  })
}

// Earlier models of a server are not used: if the configured model is local, no question may be sent to a server.
const local = (folder: string, settings: EmbedderSettings): Embedder =>
  withEarlierModels(onnxModel(folder), earlierLocal({ ...settings, onnxModel: folder }))

/**
 * Finds the models of earlier settings on this machine: the model of the package, the models in folders beside the configured
 * one (`models/a`, `models/b`), and the models in the data directory.
 */
function earlierLocal({ onnxModel: modelFolder, dataDir }: EmbedderSettings): FindModel {
  const parents = [
    ...(modelFolder === undefined ? [] : [dirname(resolve(modelFolder))]),
    join(dataDir, 'models'),
  ]
  return (id) => {
    if (id === SENTENCE_MODEL) return sentenceModel()
    const [, name] = /^onnx:([^/\\]+)$/.exec(id) ?? []
    if (name === undefined || missingPackages().length) return undefined
    const folder = parents.map((parent) => join(parent, name)).find((path) => !missingFileIn(path))
    return folder === undefined ? undefined : onnxModel(folder)
  }
}

const withEarlierModels = (model: EmbeddingModel, open: FindModel): Embedder & { kind: 'model' } => ({
  kind: 'model',
  model,
  find: openOnce(open, [[model.id, model]]),
})

/** Opens each model only once. */
function openOnce(open: FindModel, cache: [string, EmbeddingModel][] = []): FindModel {
  const models = new Map<string, EmbeddingModel | undefined>(cache)
  return (id) => {
    if (!models.has(id)) models.set(id, open(id))
    return models.get(id)
  }
}

/** Why the configured model is not used. Undefined if it is used, or if no model is configured. */
export function reasonModelUnused(settings: EmbedderSettings): string | undefined {
  if (settings.onnxModel === undefined || settings.choice !== 'auto' || settings.server) return undefined
  const lookup = localModel(settings)
  return 'missing' in lookup ? lookup.missing : undefined
}

function localModel(settings: EmbedderSettings): { folder: string } | { missing: string } {
  const folder = settings.onnxModel ?? onlyFolder(join(settings.dataDir, 'models'))
  if (folder === undefined) return { missing: 'neither KENNING_ONNX_MODEL nor KENNING_EMBEDDINGS_URL is set' }
  const missingFile = missingFileIn(folder)
  if (missingFile) return { missing: `the folder ${basename(folder)} has no ${missingFile}` }
  const packages = missingPackages()
  if (packages.length) return { missing: `it needs: npm install ${packages.join(' ')}` }
  return { folder: resolve(folder) }
}

/** The only folder in `path`. Undefined if there are several, because the choice would be arbitrary. */
function onlyFolder(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.length === 1 && folders[0] ? join(path, folders[0].name) : undefined
}
