// Finds out what a message to the MCP endpoint asks for, because its limits depend on that. It is separate from mcp.ts,
// which takes 15 MB with the SDK and its schemas and is loaded with the first message.

import { askTool } from './tools/ask.ts'

/** Whether the message subscribes to changes. None are ever sent, because no list changes during a connection. */
export const opensSubscription = (message: object): boolean =>
  (message as { method?: unknown }).method === 'subscriptions/listen'

/** Whether the message is answered soon: it neither subscribes nor asks a question. Questions also have an hourly limit. */
export const isBrief = (message: object): boolean => {
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } | null }
  return !opensSubscription(message) && !(method === 'tools/call' && params?.name === askTool.name)
}
