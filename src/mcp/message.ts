// What a message to the MCP endpoint requests, on which its limits depend. Separate from mcp.ts, which takes 15 MB with the SDK
// and its schemas and is loaded with the first message.

import { askTool } from './tools/ask.ts'

/** Whether the message subscribes to changes. None are ever sent, since no list changes while a client is connected. */
export const opensSubscription = (message: object): boolean =>
  (message as { method?: unknown }).method === 'subscriptions/listen'

/** Whether the answer takes only a few database queries. Questions take longer and have an hourly limit. */
export const isBrief = (message: object): boolean => {
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } | null }
  return !opensSubscription(message) && !(method === 'tools/call' && params?.name === askTool.name)
}
