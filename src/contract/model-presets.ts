// The addresses of known model servers, for forms and commands: nothing but data, so that no schema is loaded with it.

export const MODEL_PARTS = ['language', 'embeddings', 'reranker', 'ocr'] as const

export interface ModelPreset {
  id: string
  name: string
  /** The address, with capitals where a part of it is one's own; empty for a server that is none of these. */
  url: string
  needsKey: boolean
  /** Where the key or the address is found, or what the server needs to be started with. */
  hint: string
}

const KEY_AT = (place: string): string => `You make the key at ${place}.`

export const MODEL_PRESETS: readonly ModelPreset[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    url: 'https://api.openai.com/v1',
    needsKey: true,
    hint: KEY_AT('platform.openai.com/api-keys'),
  },
  {
    id: 'azure',
    name: 'Azure OpenAI',
    url: 'https://NAME.openai.azure.com/openai/deployments/DEPLOYMENT?api-version=2024-10-21',
    needsKey: true,
    hint: 'Put the names of your resource and of your deployment into the address. The portal shows the key.',
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    url: 'https://api.anthropic.com/v1',
    needsKey: true,
    hint: KEY_AT('console.anthropic.com'),
  },
  {
    id: 'gemini',
    name: 'Google Gemini',
    url: 'https://generativelanguage.googleapis.com/v1beta/openai',
    needsKey: true,
    hint: KEY_AT('aistudio.google.com/apikey'),
  },
  {
    id: 'mistral',
    name: 'Mistral',
    url: 'https://api.mistral.ai/v1',
    needsKey: true,
    hint: KEY_AT('console.mistral.ai'),
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    url: 'https://api.deepseek.com/v1',
    needsKey: true,
    hint: KEY_AT('platform.deepseek.com'),
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    url: 'https://openrouter.ai/api/v1',
    needsKey: true,
    hint: KEY_AT('openrouter.ai/keys'),
  },
  {
    id: 'ollama',
    name: 'Ollama',
    url: 'http://localhost:11434/v1',
    needsKey: false,
    hint: 'Start it with OLLAMA_CONTEXT_LENGTH=16384: its own setting is too short for most questions.',
  },
  {
    id: 'lm-studio',
    name: 'LM Studio',
    url: 'http://localhost:1234/v1',
    needsKey: false,
    hint: 'Start its server (Developer, Start server), and load the model with a context of 16,384 tokens or more.',
  },
  {
    id: 'llama.cpp',
    name: 'llama.cpp',
    url: 'http://localhost:8080/v1',
    needsKey: false,
    hint: 'Start llama-server with --jinja and --ctx-size 16384.',
  },
  {
    id: 'vllm',
    name: 'vLLM',
    url: 'http://localhost:8000/v1',
    needsKey: false,
    hint: 'Start it with --enable-auto-tool-choice and --tool-call-parser.',
  },
  {
    id: 'other',
    name: 'Another server',
    url: '',
    needsKey: false,
    hint: 'Any server with /chat/completions: the address goes to what comes before that, mostly to /v1.',
  },
]

const presetsNamed = (hints: Readonly<Record<string, string>>): ModelPreset[] =>
  MODEL_PRESETS.flatMap((preset) => {
    const hint = hints[preset.id]
    return hint === undefined ? [] : [{ ...preset, hint }]
  })

const hintOf = (id: string): string => MODEL_PRESETS.find((preset) => preset.id === id)?.hint ?? ''

/** Servers with OpenAI's `/embeddings`. */
const EMBEDDINGS_PRESETS: readonly ModelPreset[] = [
  ...presetsNamed({
    openai: hintOf('openai'),
    gemini: hintOf('gemini'),
    mistral: hintOf('mistral'),
    ollama: 'Fetch a model first: ollama pull nomic-embed-text, or bge-m3 for many languages.',
    'lm-studio': 'Start its server (Developer, Start server), and load a model for embeddings.',
    'llama.cpp': 'Start llama-server with --embeddings and a model for embeddings.',
    vllm: 'Start it with a model for embeddings.',
  }),
  {
    id: 'tei',
    name: 'Text Embeddings Inference',
    url: 'http://localhost:8080/v1',
    needsKey: false,
    hint: 'Enter the name of the model that it was started with.',
  },
  {
    id: 'other',
    name: 'Another server',
    url: '',
    needsKey: false,
    hint: 'Any server with /embeddings: the address goes to what comes before that, mostly to /v1.',
  },
]

/** Servers with `/rerank`. */
const RERANKER_PRESETS: readonly ModelPreset[] = [
  {
    id: 'cohere',
    name: 'Cohere',
    url: 'https://api.cohere.com/v2',
    needsKey: true,
    hint: `${KEY_AT('dashboard.cohere.com/api-keys')} A model is rerank-v3.5.`,
  },
  {
    id: 'jina',
    name: 'Jina',
    url: 'https://api.jina.ai/v1',
    needsKey: true,
    hint: `${KEY_AT('jina.ai')} A model is jina-reranker-v2-base-multilingual.`,
  },
  {
    id: 'tei',
    name: 'Text Embeddings Inference',
    url: 'http://localhost:8080',
    needsKey: false,
    hint: 'Start it with a model for reranking, such as BAAI/bge-reranker-v2-m3, and leave the name of the model empty here.',
  },
  ...presetsNamed({
    'llama.cpp': 'Start llama-server with --reranking and a model for reranking.',
    vllm: 'Start it with a model for reranking.',
  }),
  {
    id: 'other',
    name: 'Another server',
    url: '',
    needsKey: false,
    hint: 'Any server with /rerank: the address goes to what comes before that.',
  },
]

export const PRESETS: Readonly<Record<(typeof MODEL_PARTS)[number], readonly ModelPreset[]>> = {
  language: MODEL_PRESETS,
  embeddings: EMBEDDINGS_PRESETS,
  reranker: RERANKER_PRESETS,
  ocr: [],
}
