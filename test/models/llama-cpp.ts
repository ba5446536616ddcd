// llama.cpp's server: /props tells the length of a slot's context, a longer prompt is refused with 400 and both lengths
// (ggml-org/llama.cpp#15780), and a schema that its grammars cannot express is refused.

import type { ServerKind } from '../support/chat-server.ts'

const CONTEXT = 8192

export const llamaCpp: ServerKind = {
  name: 'llama.cpp',
  path: '/v1',
  refuse: ({ response_format }) =>
    response_format && {
      status: 400,
      body: '{"error":{"code":400,"message":"failed to parse grammar","type":"invalid_request_error"}}',
    },
  context: {
    tokens: CONTEXT,
    exceeded: (promptTokens) => ({
      status: 400,
      body: JSON.stringify({
        error: {
          code: 400,
          message: `request (${promptTokens} tokens) exceeds the available context size (${CONTEXT} tokens), try increasing it`,
          type: 'exceed_context_size_error',
          n_prompt_tokens: promptTokens,
          n_ctx: CONTEXT,
        },
      }),
    }),
  },
  usage: 'always',
  messageFields: () => ({ reasoning_content: 'The user wants …' }),
  pages: {
    'GET /props': () => ({ default_generation_settings: { n_ctx: CONTEXT }, total_slots: 1 }),
    'GET /v1/models': () => ({
      object: 'list',
      data: [{ id: 'm', object: 'model', owned_by: 'llamacpp', meta: { n_ctx_train: 131_072 } }],
    }),
  },
}

/** A version that wants a flag for tools, and says so with 500. */
export const llamaCppWithoutJinja: ServerKind = {
  ...llamaCpp,
  name: 'llama.cpp without --jinja',
  refuse: ({ tools }) =>
    tools && {
      status: 500,
      body: '{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}',
    },
}
