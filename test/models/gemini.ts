// Gemini's compatible endpoint: calls carry the signature of the model's thoughts, and the next request is refused without it
// (FlowiseAI/Flowise#5860). Of several calls at once only the first has one. Errors come in a list.

import type { ServerKind } from '../support/chat-server.ts'

interface Signed {
  extra_content?: { google?: { thought_signature?: string } }
}

export const gemini: ServerKind = {
  name: 'Gemini',
  path: '/v1beta/openai',
  refuse: ({ messages }) => {
    const first = messages.flatMap(({ tool_calls: [call] = [] }) => (call ? [call] : []))
    return first.every((call) => (call as Signed).extra_content?.google?.thought_signature === 'c2lnbmVk')
      ? undefined
      : {
          status: 400,
          body: JSON.stringify([
            {
              error: {
                code: 400,
                message:
                  'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.',
                status: 'INVALID_ARGUMENT',
              },
            },
          ]),
        }
  },
  usage: 'always',
  callFields: (index) =>
    index === 0 ? { extra_content: { google: { thought_signature: 'c2lnbmVk' } } } : {},
  callId: (index) => `function-call-${9_000_000 + index}`,
}
