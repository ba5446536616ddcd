// What the page says about each kind of model.

import { type ModelPreset, PRESETS } from '../../../src/contract/model-presets.ts'
import type { ModelPart } from '../../../src/contract/models.ts'

interface PartTexts {
  title: string
  /** What it is for, and what is used without it. */
  purpose: string
  /** The name of its form. */
  form: string
  presets: readonly ModelPreset[]
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
  {
    id: 'other',
    name: 'A server of your own',
    url: '',
    needsKey: false,
    hint: 'The whole address, such as https://ocr.example.org/recognise. What it has to answer: docs/text-recognition.md.',
  },
]

export const PARTS: Readonly<Record<ModelPart, PartTexts>> = {
  language: {
    title: 'Answers',
    purpose:
      'No model yet. Questions and the passages found for them are sent to the server that you choose, and to no other.',
    form: 'Language model',
    presets: PRESETS.language,
    model: 'required',
    serving: 'It answers questions.',
    environment: 'KENNING_LLM_URL and KENNING_LLM_MODEL',
    removal: 'Questions are then answered with quotations. Its key is deleted.',
    removed: 'The model was removed. Questions are answered with quotations.',
    chosen: (model) => `${model} answers questions from now on.`,
  },
  embeddings: {
    title: 'Search by meaning',
    purpose:
      'A server of your choice finds passages by what they mean, in the languages that its model knows. Every passage of every workspace is sent to it once, and every search.',
    form: 'Embeddings',
    presets: PRESETS.embeddings,
    model: 'required',
    serving: 'It finds passages by their meaning.',
    environment: 'KENNING_EMBEDDER, KENNING_EMBEDDINGS_URL or KENNING_ONNX_MODEL',
    removal: 'Its key is deleted, and nothing is sent to it any more.',
    removed: 'The server was removed. Passages get vectors of the model on this machine again.',
    chosen: (model) => `${model} makes the vectors of all passages from now on.`,
  },
  reranker: {
    title: 'Order of results',
    purpose:
      'No server yet. One that is made for reranking reads the 50 best passages of each search and orders them. They are sent to the server that you choose.',
    form: 'Reranker',
    presets: PRESETS.reranker,
    model: 'optional',
    serving: 'It orders the best passages of each search.',
    environment: 'KENNING_RERANK_URL',
    removal: 'Searches then keep their own order. Its key is deleted.',
    removed: 'The server was removed. Searches keep their own order.',
    chosen: (model) => `${model} orders results from now on.`,
  },
  ocr: {
    title: 'Text recognition',
    purpose:
      'Tesseract reads scans and pictures on this machine. A server with a larger model may read them better; each page is then sent to it.',
    form: 'Text recognition',
    presets: OTHER_SERVER,
    model: 'none',
    serving: 'It reads scans and pictures.',
    environment: 'KENNING_OCR_URL',
    removal: 'Tesseract then reads scans and pictures on this machine. Its key is deleted.',
    removed: 'The server was removed. Tesseract reads scans and pictures.',
    chosen: () => 'The server reads scans and pictures from the next file on.',
  },
}
