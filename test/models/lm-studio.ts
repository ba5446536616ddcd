// LM Studio: only `json_schema` and `text` as the form of an answer (lmstudio-ai/lmstudio-bug-tracker#189), /api/v0/models tells the
// length of the loaded context, and a longer prompt is an error with status 200 (#2322).

import type { ServerKind } from '../support/chat-server.ts'

const CONTEXT = 4096

export const lmStudio: ServerKind = {
  name: 'LM Studio',
  path: '/v1',
  refuse: ({ response_format }) =>
    response_format && !['json_schema', 'text'].includes(response_format.type)
      ? { status: 400, body: `{"error":"'response_format.type' must be 'json_schema' or 'text'"}` }
      : undefined,
  context: {
    tokens: CONTEXT,
    exceeded: (promptTokens) => ({
      headers: { 'content-type': 'text/event-stream' },
      body: `event: error\ndata: ${JSON.stringify({
        error: {
          message: `Trying to keep the first ${promptTokens} tokens when context the overflows. However, the model is loaded with context length of only ${CONTEXT} tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input`,
        },
      })}\n\n`,
    }),
  },
  usage: 'on request',
  messageFields: () => ({ reasoning_content: 'The user wants …' }),
  callId: (index) => `${314_159_265 + index}`,
  pages: {
    'GET /api/v0/models': () => ({
      object: 'list',
      data: [{ id: 'm', state: 'loaded', max_context_length: 131_072, loaded_context_length: CONTEXT }],
    }),
    'GET /v1/models': () => ({ object: 'list', data: [{ id: 'm', owned_by: 'organization_owner' }] }),
  },
}
