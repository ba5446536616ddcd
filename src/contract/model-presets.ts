// The addresses of known model servers, for forms and commands: nothing but data, so that no schema is loaded with it.

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
