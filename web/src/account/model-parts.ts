// What the page says about each kind of model.

import { type ModelPreset, PRESETS } from '../../../src/contract/model-presets.ts'
import type { ModelPart } from '../../../src/contract/models.ts'
import { message, t } from '../language/text.tsx'

/** All texts but `chosen` are translated where they are shown. */
interface PartTexts {
  title: string
  /** What it is for, and what is used without it. */
  purpose: string
  /** The name of its form. */
  form: string
  presets: readonly ModelPreset[]
  /** What a server that is none of the presets is called. */
  otherServer: string
  /** Whether the server has to be told which model. */
  model: 'required' | 'optional' | 'none'
  /** What it does while it serves. */
  serving: string
  environment: string
  /** What happens when it is removed, and what then was done. */
  removal: string
  removed: string
  /** @param model what was chosen */
  chosen: (model: string) => string
}

const OTHER_SERVER: readonly ModelPreset[] = [
  { id: 'other', name: 'Another server', url: '', needsKey: false },
]

export const PARTS: Readonly<Record<ModelPart, PartTexts>> = {
  language: {
    title: message('Answers'),
    purpose: message(
      'No model yet. Questions and the passages found for them are sent to the server that you choose, and to no other.',
    ),
    form: message('Language model'),
    presets: PRESETS.language,
    otherServer: message('Another server'),
    model: 'required',
    serving: message('It answers questions.'),
    environment: message('KENNING_LLM_URL and KENNING_LLM_MODEL'),
    removal: message('Questions are then answered with quotations. Its key is deleted.'),
    removed: message('The model was removed. Questions are answered with quotations.'),
    chosen: (model) => t('{model} answers questions from now on.', { model }),
  },
  embeddings: {
    title: message('Search by meaning'),
    purpose: message(
      'A server of your choice finds passages by what they mean, in the languages that its model knows. Every passage of every workspace is sent to it once, and every search.',
    ),
    form: message('Embeddings'),
    presets: PRESETS.embeddings,
    otherServer: message('Another server'),
    model: 'required',
    serving: message('It finds passages by their meaning.'),
    environment: message('KENNING_EMBEDDER, KENNING_EMBEDDINGS_URL or KENNING_ONNX_MODEL'),
    removal: message('Its key is deleted, and nothing is sent to it any more.'),
    removed: message('The server was removed. Passages get vectors of the model on this machine again.'),
    chosen: (model) => t('{model} makes the vectors of all passages from now on.', { model }),
  },
  reranker: {
    title: message('Order of results'),
    purpose: message(
      'No server yet. One that is made for reranking reads the 50 best passages of each search and orders them. They are sent to the server that you choose.',
    ),
    form: message('Reranker'),
    presets: PRESETS.reranker,
    otherServer: message('Another server'),
    model: 'optional',
    serving: message('It orders the best passages of each search.'),
    environment: 'KENNING_RERANK_URL',
    removal: message('Searches then keep their own order. Its key is deleted.'),
    removed: message('The server was removed. Searches keep their own order.'),
    chosen: (model) => t('{model} orders results from now on.', { model }),
  },
  ocr: {
    title: message('Text recognition'),
    purpose: message(
      'Tesseract reads scans and pictures on this machine. A server with a larger model may read them better; each page is then sent to it.',
    ),
    form: message('Text recognition'),
    presets: OTHER_SERVER,
    otherServer: message('A server of your own'),
    model: 'none',
    serving: message('It reads scans and pictures.'),
    environment: 'KENNING_OCR_URL',
    removal: message('Tesseract then reads scans and pictures on this machine. Its key is deleted.'),
    removed: message('The server was removed. Tesseract reads scans and pictures.'),
    chosen: () => t('The server reads scans and pictures from the next file on.'),
  },
}
