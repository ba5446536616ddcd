// The environment names no model.

import type { ConfiguredModels } from '../../src/ports/deps.ts'

export const NO_MODELS: ConfiguredModels = {
  language: undefined,
  embeddings: undefined,
  reranker: undefined,
  ocr: undefined,
  graphTokens: undefined,
}
