// Finds out what a message to the MCP endpoint asks for, because its limits depend on that. It is separate from mcp.ts,
// which takes 15 MB with the SDK and its schemas and is loaded with the first message.

import { askTool } from './tools/ask.ts'

/** Whether the message opens a stream of changes, of which there are none: no list changes while somebody is connected. */
export const opensSubscription = (message: object): boolean =>
  (message as { method?: unknown }).method === 'subscriptions/listen'

/** Whether it asks the database and answers: questions have an hourly limit, and take their time. */
export const isBrief = (message: object): boolean => {
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } | null }
  return !opensSubscription(message) && !(method === 'tools/call' && params?.name === askTool.name)
}
