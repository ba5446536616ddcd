// Ollama's /v1: the context is the server's, not the model's (4,096 tokens by default), and of a longer prompt the beginning is
// dropped without a word (ollama/ollama#10368). `prompt_tokens` tells what is left of it.

import type { ServerKind } from '../support/chat-server.ts'

const CONTEXT = 4096

export const ollama: ServerKind = {
  name: 'Ollama',
  path: '/v1',
  context: { tokens: CONTEXT, exceeded: 'drops the beginning' },
  usage: 'on request',
  messageFields: () => ({ reasoning: 'The user wants … <think> …' }),
  loads: ['/api/generate'],
  pages: {
    'GET /api/tags': () => ({ models: [{ name: 'm:latest', model: 'm:latest' }] }),
    'GET /api/ps': (isLoaded) => ({
      models: isLoaded ? [{ name: 'm:latest', model: 'm:latest', context_length: CONTEXT }] : [],
    }),
    'POST /api/show': () => ({
      parameters: 'temperature 0.7',
      model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
    }),
    'POST /api/generate': () => ({ model: 'm', done: true, done_reason: 'load' }),
    'GET /v1/models': () => ({ object: 'list', data: [{ id: 'm', object: 'model', owned_by: 'library' }] }),
  },
}

/** A version whose /api/ps does not tell the length yet. */
export const ollamaOfOld: ServerKind = {
  ...ollama,
  name: 'Ollama of a version before /api/ps told the context',
  pages: { ...ollama.pages, 'GET /api/ps': () => ({ models: [{ name: 'm:latest', model: 'm:latest' }] }) },
}

/** A model without tools. */
export const ollamaWithoutTools: ServerKind = {
  ...ollama,
  name: 'Ollama with a model without tools',
  refuse: ({ tools }) =>
    tools && {
      status: 400,
      body: '{"error":{"message":"registry.ollama.ai/library/m:latest does not support tools","type":"api_error","param":null,"code":null}}',
    },
}

/** Behind a gateway that lets only the protocol through: nothing tells the length of the context. */
export const ollamaBehindGateway: ServerKind = {
  ...ollama,
  name: 'Ollama behind a gateway',
  pages: {},
}
