// What the form of a server says about its address: where the key is made, or what the server needs to be started with.

import type { ModelPreset } from '../../../src/contract/model-presets.ts'
import type { ModelPart } from '../../../src/contract/models.ts'
import { message, t } from '../language/text.tsx'

const KEY_PAGES: Readonly<Record<string, string>> = {
  openai: 'platform.openai.com/api-keys',
  anthropic: 'console.anthropic.com',
  gemini: 'aistudio.google.com/apikey',
  mistral: 'console.mistral.ai',
  deepseek: 'platform.deepseek.com',
  openrouter: 'openrouter.ai/keys',
  cohere: 'dashboard.cohere.com/api-keys',
  jina: 'jina.ai',
}

/** Models of providers that have no list of their models. */
const EXAMPLE_MODELS: Readonly<Record<string, string>> = {
  cohere: 'rerank-v3.5',
  jina: 'jina-reranker-v2-base-multilingual',
}

const HINTS: Readonly<Record<ModelPart, Readonly<Record<string, string>>>> = {
  language: {
    azure: message(
      'Put the names of your resource and of your deployment into the address. The portal shows the key.',
    ),
    ollama: message(
      'Start it with OLLAMA_CONTEXT_LENGTH=16384: its own setting is too short for most questions.',
    ),
    'lm-studio': message(
      'Start its server (Developer, Start server), and load the model with a context of 16,384 tokens or more.',
    ),
    'llama.cpp': message('Start llama-server with --jinja and --ctx-size 16384.'),
    vllm: message('Start it with --enable-auto-tool-choice and --tool-call-parser.'),
    other: message(
      'Any server with /chat/completions: the address goes to what comes before that, mostly to /v1.',
    ),
  },
  embeddings: {
    ollama: message('Fetch a model first: ollama pull nomic-embed-text, or bge-m3 for many languages.'),
    'lm-studio': message('Start its server (Developer, Start server), and load a model for embeddings.'),
    'llama.cpp': message('Start llama-server with --embeddings and a model for embeddings.'),
    vllm: message('Start it with a model for embeddings.'),
    tei: message('Enter the name of the model that it was started with.'),
    other: message('Any server with /embeddings: the address goes to what comes before that, mostly to /v1.'),
  },
  reranker: {
    tei: message(
      'Start it with a model for reranking, such as BAAI/bge-reranker-v2-m3, and leave the name of the model empty here.',
    ),
    'llama.cpp': message('Start llama-server with --reranking and a model for reranking.'),
    vllm: message('Start it with a model for reranking.'),
    other: message('Any server with /rerank: the address goes to what comes before that.'),
  },
  ocr: {
    other: message(
      'The whole address, such as https://ocr.example.org/recognise. What it has to answer: docs/text-recognition.md.',
    ),
  },
}

export function presetHint(part: ModelPart, { id }: ModelPreset): string | undefined {
  const hint = HINTS[part][id]
  if (hint !== undefined) return t(hint)
  const page = KEY_PAGES[id]
  if (page === undefined) return undefined
  const model = EXAMPLE_MODELS[id]
  return model === undefined
    ? t('You make the key at {page}.', { page })
    : t('You make the key at {page}. A model is {model}.', { page, model })
}
