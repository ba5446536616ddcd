// The worker thread of the sentence model.

import { serveModel } from '../model-thread.ts'
import { type EmbedTexts, openSentenceModel } from './embed-texts.ts'

let embedTexts: EmbedTexts | undefined

serveModel(async ({ texts, purpose }) => {
  embedTexts ??= openSentenceModel()
  return embedTexts(texts, purpose)
})
