// OpenRouter: comments while it waits, errors of the model's own server with status 200 inside of the stream, and pieces of thoughts
// that belong to the calls.

import type { ServerKind } from '../support/chat-server.ts'

export const openrouter: ServerKind = {
  name: 'OpenRouter',
  path: '/api/v1',
  usage: 'always',
  messageFields: () => ({
    reasoning: 'The user wants …',
    reasoning_details: [{ type: 'reasoning.encrypted', data: 'c2VjcmV0', format: 'unknown', index: 0 }],
  }),
  comment: 'OPENROUTER PROCESSING',
  pages: {
    'GET /api/v1/models': () => ({ data: [{ id: 'm', context_length: 200_000 }] }),
  },
}

export const openrouterWithoutTools: ServerKind = {
  ...openrouter,
  name: 'OpenRouter with a model without tools',
  refuse: ({ tools }) =>
    tools && {
      status: 404,
      body: '{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: …","code":404}}',
    },
}
