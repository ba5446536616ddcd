// The addresses of known model servers, for forms and commands: nothing but data, so that no schema is loaded with it.

export const MODEL_PARTS = ['language', 'embeddings', 'reranker', 'ocr'] as const

export interface ModelPreset {
  id: string
  name: string
  /** The address, with capitals where a part of it is one's own; empty for a server that is none of these. */
  url: string
  needsKey: boolean
}

export const MODEL_PRESETS: readonly ModelPreset[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    url: 'https://api.openai.com/v1',
    needsKey: true,
  },
  {
    id: 'azure',
    name: 'Azure OpenAI',
    url: 'https://NAME.openai.azure.com/openai/deployments/DEPLOYMENT?api-version=2024-10-21',
    needsKey: true,
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    url: 'https://api.anthropic.com/v1',
    needsKey: true,
  },
  {
    id: 'gemini',
    name: 'Google Gemini',
    url: 'https://generativelanguage.googleapis.com/v1beta/openai',
    needsKey: true,
  },
  {
    id: 'mistral',
    name: 'Mistral',
    url: 'https://api.mistral.ai/v1',
    needsKey: true,
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    url: 'https://api.deepseek.com/v1',
    needsKey: true,
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    url: 'https://openrouter.ai/api/v1',
    needsKey: true,
  },
  {
    id: 'ollama',
    name: 'Ollama',
    url: 'http://localhost:11434/v1',
    needsKey: false,
  },
  {
    id: 'lm-studio',
    name: 'LM Studio',
    url: 'http://localhost:1234/v1',
    needsKey: false,
  },
  {
    id: 'llama.cpp',
    name: 'llama.cpp',
    url: 'http://localhost:8080/v1',
    needsKey: false,
  },
  {
    id: 'vllm',
    name: 'vLLM',
    url: 'http://localhost:8000/v1',
    needsKey: false,
  },
  {
    id: 'other',
    name: 'Another server',
    url: '',
    needsKey: false,
  },
]

const presetsNamed = (...ids: string[]): ModelPreset[] => MODEL_PRESETS.filter(({ id }) => ids.includes(id))

/** Servers with OpenAI's `/embeddings`. */
const EMBEDDINGS_PRESETS: readonly ModelPreset[] = [
  ...presetsNamed('openai', 'gemini', 'mistral', 'ollama', 'lm-studio', 'llama.cpp', 'vllm'),
  {
    id: 'tei',
    name: 'Text Embeddings Inference',
    url: 'http://localhost:8080/v1',
    needsKey: false,
  },
  {
    id: 'other',
    name: 'Another server',
    url: '',
    needsKey: false,
  },
]

/** Servers with `/rerank`. */
const RERANKER_PRESETS: readonly ModelPreset[] = [
  {
    id: 'cohere',
    name: 'Cohere',
    url: 'https://api.cohere.com/v2',
    needsKey: true,
  },
  {
    id: 'jina',
    name: 'Jina',
    url: 'https://api.jina.ai/v1',
    needsKey: true,
  },
  {
    id: 'tei',
    name: 'Text Embeddings Inference',
    url: 'http://localhost:8080',
    needsKey: false,
  },
  ...presetsNamed('llama.cpp', 'vllm'),
  {
    id: 'other',
    name: 'Another server',
    url: '',
    needsKey: false,
  },
]

export const PRESETS: Readonly<Record<(typeof MODEL_PARTS)[number], readonly ModelPreset[]>> = {
  language: MODEL_PRESETS,
  embeddings: EMBEDDINGS_PRESETS,
  reranker: RERANKER_PRESETS,
  ocr: [],
}
