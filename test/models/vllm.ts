// vLLM: tools need a flag at its start, /v1/models tells the length of the context, and prompt and answer together may not exceed
// it (vllm-project/vllm#20409).

import type { ServerKind } from '../support/chat-server.ts'

const CONTEXT = 8192

export const vllm: ServerKind = {
  name: 'vLLM',
  path: '/v1',
  context: {
    tokens: CONTEXT,
    exceeded: (promptTokens) => ({
      status: 400,
      body: JSON.stringify({
        error: {
          message: `This model's maximum context length is ${CONTEXT} tokens. However, you requested ${promptTokens + 4000} tokens (${promptTokens} in the messages, 4000 in the completion). Please reduce the length of the messages or completion.`,
          type: 'BadRequestError',
          param: 'max_tokens',
          code: 400,
        },
      }),
    }),
  },
  usage: 'on request',
  callId: (index) => `chatcmpl-tool-${index}`,
  pages: {
    'GET /v1/models': () => ({
      object: 'list',
      data: [{ id: 'm', object: 'model', owned_by: 'vllm', max_model_len: CONTEXT }],
    }),
  },
}

export const vllmWithoutTools: ServerKind = {
  ...vllm,
  name: 'vLLM without --enable-auto-tool-choice',
  refuse: ({ tools }) =>
    tools && {
      status: 400,
      body: JSON.stringify({
        error: {
          message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
          type: 'BadRequestError',
          param: null,
          code: 400,
        },
      }),
    },
}
