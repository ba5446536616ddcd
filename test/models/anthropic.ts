// Anthropic's compatible endpoint: the form of an answer is ignored, empty messages are refused, and thoughts are not sent.

import type { ServerKind } from '../support/chat-server.ts'

export const anthropic: ServerKind = {
  name: 'Anthropic',
  path: '/v1',
  refuse: ({ messages }) =>
    messages.some(({ content, tool_calls }) => !content && !tool_calls)
      ? {
          status: 400,
          body: '{"error":{"code":"invalid_request_error","message":"messages.2: all messages must have non-empty content except for the optional final assistant message","type":"invalid_request_error","param":null}}',
        }
      : undefined,
  usage: 'on request',
  callId: (index) => `toolu_01${index}`,
}
