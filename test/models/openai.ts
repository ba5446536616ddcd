// OpenAI with a reasoning model: another name of the limit, and no temperature.

import type { ServerKind } from '../support/chat-server.ts'

const refusal = (message: string, param: string, code: string) => ({
  status: 400,
  body: JSON.stringify({ error: { message, type: 'invalid_request_error', param, code } }),
})

export const openai: ServerKind = {
  name: 'OpenAI with a reasoning model',
  path: '/v1',
  refuse: (request) => {
    if (request.max_tokens !== undefined)
      return refusal(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        'max_tokens',
        'unsupported_parameter',
      )
    if (request.temperature !== undefined && request.temperature !== 1)
      return refusal(
        "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
        'temperature',
        'unsupported_value',
      )
    return undefined
  },
  usage: 'on request',
  messageFields: () => ({ refusal: null, annotations: [] }),
  pages: { 'GET /v1/models': () => ({ object: 'list', data: [{ id: 'm', owned_by: 'openai' }] }) },
}
