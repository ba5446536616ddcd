// Azure OpenAI: the deployment in the path, the version in the query, and the key in a header of its own.

import type { ServerKind } from '../support/chat-server.ts'

export const azure: ServerKind = {
  name: 'Azure OpenAI',
  path: '/openai/deployments/m',
  query: '?api-version=2024-10-21',
  refuse: (_, headers, query) => {
    if (!query.has('api-version'))
      return { status: 404, body: '{"error":{"code":"404","message":"Resource not found"}}' }
    if (headers['api-key'] === undefined || headers.authorization !== undefined)
      return {
        status: 401,
        body: '{"error":{"code":"401","message":"Access denied due to invalid subscription key or wrong API endpoint."}}',
      }
    return undefined
  },
  usage: 'on request',
  messageFields: () => ({ refusal: null, content_filter_results: {} }),
}
