// DeepSeek while it thinks: the thoughts of messages with calls must come back (earendil-works/pi#3636), schemas are refused, and
// a waiting client gets comments.

import type { ServerKind } from '../support/chat-server.ts'

const THOUGHTS = 'The user wants …'

const refusal = (message: string) => ({
  status: 400,
  body: JSON.stringify({
    error: { message, type: 'invalid_request_error', param: null, code: 'invalid_request_error' },
  }),
})

export const deepseek: ServerKind = {
  name: 'DeepSeek',
  path: '',
  refuse: ({ messages, response_format }) => {
    if (response_format?.type === 'json_schema')
      return refusal('This response_format type is unavailable now')
    return messages.every((message) => !message.tool_calls || message.reasoning_content === THOUGHTS)
      ? undefined
      : refusal('The `reasoning_content` in the thinking mode must be passed back to the API.')
  },
  usage: 'on request',
  messageFields: () => ({ reasoning_content: THOUGHTS }),
  callId: (index) => `call_${index}_5c1d`,
  comment: 'keep-alive',
}
