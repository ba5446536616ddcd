// Mistral: fields that it does not have are refused, in messages too (dnakov/anon-kode#53, charmbracelet/crush#1590), ids of calls
// have nine characters, and no user's message may follow a tool's result (BerriAI/litellm#17761). Content comes in parts.

import type { ChatRequest, ScriptedReply, ServerKind } from '../support/chat-server.ts'

const MESSAGE_FIELDS = new Set(['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'prefix'])

const extra = (...path: string[]): ScriptedReply => ({
  status: 422,
  body: JSON.stringify({
    object: 'error',
    message: {
      detail: [{ type: 'extra_forbidden', loc: ['body', ...path], msg: 'Extra inputs are not permitted' }],
    },
    type: 'invalid_request_error',
    param: null,
    code: null,
  }),
})

const wrongOrder = (message: string): ScriptedReply => ({
  status: 400,
  body: JSON.stringify({ object: 'error', message, type: 'invalid_request_message_order', code: '3230' }),
})

function refuse(request: ChatRequest): ScriptedReply | undefined {
  const { messages } = request
  if (request.stream_options) return extra('stream_options', 'include_usage')
  if (request.max_completion_tokens !== undefined) return extra('max_completion_tokens')
  const own = messages.flatMap((message) => Object.keys(message)).find((field) => !MESSAGE_FIELDS.has(field))
  if (own) return extra('messages', own)
  const ids = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
  if (ids.some((id) => !/^[a-zA-Z0-9]{9}$/.test(id)))
    return wrongOrder('Tool call id must be a-z, A-Z, 0-9, with a length of 9.')
  const roles = messages.map(({ role }) => role)
  if (roles.some((role, i) => role === 'user' && roles[i - 1] === 'tool'))
    return wrongOrder("Unexpected role 'user' after role 'tool'")
  return roles.at(-1) === 'assistant' ? wrongOrder('Expected last role User or Tool') : undefined
}

export const mistral: ServerKind = {
  name: 'Mistral',
  path: '/v1',
  refuse,
  usage: 'always',
  content: (text) => [{ type: 'text', text }],
  callId: (index) => `abcDEF12${index}`,
  pages: {
    'GET /v1/models': () => ({ object: 'list', data: [{ id: 'm', max_context_length: 131_072 }] }),
  },
}
