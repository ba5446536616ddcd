// Which embedder the settings mean, decided at once from what is installed: nothing is loaded or asked here.

import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Log } from '../deps.ts'
import type { Embedder, EmbeddingModel, FindModel } from './embedder.ts'
import { missingIn } from './onnx/folder.ts'
import { onnxModel } from './onnx/onnx.ts'
import { missingPackages } from './onnx/runtime.ts'
import { openaiModel } from './openai.ts'

export { missingPackages } from './onnx/runtime.ts'

export interface EmbedderSettings {
  choice: 'auto' | 'none' | 'lexical' | 'onnx' | 'openai'
  server: { url: string; model: string; key: string | undefined } | undefined
  /** A model's folder. */
  onnxModel: string | undefined
  /** Where a model's folder is looked for when none is named: `<data>/models/<name>`. */
  dataDir: string
}

/** The setting cannot be met; the message says what is missing. */
export class EmbedderMissing extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'EmbedderMissing'
  }
}

/** @throws EmbedderMissing when an embedder is asked for by name and something of it is missing */
export function openEmbedder(settings: EmbedderSettings, log: Log): Embedder {
  const { embedder, because } = choose(settings)
  const name = embedder.kind === 'model' ? embedder.model.id : embedder.kind
  log.info({ embedder: name }, `embedder ${name}: ${because}; KENNING_EMBEDDER changes it`)
  return embedder
}

function choose(settings: EmbedderSettings): { embedder: Embedder; because: string } {
  const { choice, server } = settings
  switch (choice) {
    case 'none':
      return { embedder: { kind: choice }, because: 'as set' }
    case 'lexical':
      return { embedder: words(settings), because: 'as set' }
    case 'openai':
      if (!server)
        throw new EmbedderMissing('KENNING_EMBEDDINGS_URL and KENNING_EMBEDDINGS_MODEL must be set')
      return { embedder: remote(server, settings), because: `at ${new URL(server.url).host}` }
    case 'onnx': {
      const found = localModel(settings)
      if ('missing' in found) throw new EmbedderMissing(`KENNING_EMBEDDER=onnx: ${found.missing}`)
      return { embedder: local(found.folder, settings), because: `from ${found.folder}` }
    }
    case 'auto': {
      if (server) return { embedder: remote(server, settings), because: `at ${new URL(server.url).host}` }
      const found = localModel(settings)
      if ('folder' in found)
        return { embedder: local(found.folder, settings), because: `from ${found.folder}` }
      return { embedder: words(settings), because: `no model, since ${found.missing}` }
    }
  }
}

const words = (settings: EmbedderSettings): Embedder => ({
  kind: 'lexical',
  find: once(formerLocal(settings)),
})

function remote(server: NonNullable<EmbedderSettings['server']>, settings: EmbedderSettings): Embedder {
  const onMachine = formerLocal(settings)
  return withOthers(openaiModel(server), (id) => {
    const [, model] = /^openai:(.+)$/s.exec(id) ?? []
    return model === undefined ? onMachine(id) : openaiModel({ ...server, model })
  })
}

// A server is no former of a local model: who has chosen one sends no question away any more.
const local = (folder: string, settings: EmbedderSettings): Embedder =>
  withOthers(onnxModel(folder), formerLocal({ ...settings, onnxModel: folder }))

/** Local models of before: beside the one that is named (`models/a`, `models/b`), that one itself, or in the data folder. */
function formerLocal({ onnxModel: named, dataDir }: EmbedderSettings): FindModel {
  const parents = [...(named === undefined ? [] : [dirname(resolve(named))]), join(dataDir, 'models')]
  return (id) => {
    const [, name] = /^onnx:([^/\\]+)$/.exec(id) ?? []
    if (name === undefined || missingPackages().length) return undefined
    const folder = parents.map((parent) => join(parent, name)).find((path) => !missingIn(path))
    return folder === undefined ? undefined : onnxModel(folder)
  }
}

const withOthers = (model: EmbeddingModel, open: FindModel): Embedder => ({
  kind: 'model',
  model,
  find: once(open, [[model.id, model]]),
})

/** Opens each model once. */
function once(open: FindModel, known: [string, EmbeddingModel][] = []): FindModel {
  const opened = new Map<string, EmbeddingModel | undefined>(known)
  return (id) => {
    if (!opened.has(id)) opened.set(id, open(id))
    return opened.get(id)
  }
}

function localModel(settings: EmbedderSettings): { folder: string } | { missing: string } {
  const folder = settings.onnxModel ?? onlyFolder(join(settings.dataDir, 'models'))
  if (folder === undefined)
    return { missing: 'KENNING_ONNX_MODEL names no folder and KENNING_EMBEDDINGS_URL no server' }
  const lacking = missingIn(folder)
  if (lacking) return { missing: `${basename(folder)} holds no ${lacking}` }
  const packages = missingPackages()
  if (packages.length) return { missing: `it needs: npm install ${packages.join(' ')}` }
  return { folder: resolve(folder) }
}

/** Of several models none is chosen by chance. */
function onlyFolder(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.length === 1 && folders[0] ? join(path, folders[0].name) : undefined
}
