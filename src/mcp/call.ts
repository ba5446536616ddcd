// Runs one call of a tool, and returns its result or its error.

import type { CallToolResult } from '@modelcontextprotocol/server'
import { hasAbility } from '../auth/ability.ts'
import { ApiError } from '../errors.ts'
import { readArguments } from './arguments.ts'
import type { Session, Tool } from './tool.ts'

/** The message for an error. Logs the error if the service caused it. */
type Explain = (error: unknown) => string

/** An error is a result too, so that the model reads it and can try something else. */
export async function callTool(
  tool: Tool,
  session: Session,
  input: unknown,
  explain: Explain,
): Promise<CallToolResult> {
  try {
    requireTool(tool, session)
    const output = await tool.run(session, readArguments(tool.input, input))
    const content = withSchemaFields(tool, output)
    return { content: [{ type: 'text', text: JSON.stringify(content) }], structuredContent: content }
  } catch (error) {
    // A cancelled call is not a failure, and nobody reads its result.
    const text = session.signal.aborted ? 'The call was cancelled.' : explain(error)
    return { content: [{ type: 'text', text }], isError: true }
  }
}

/**
 * No WWW-Authenticate challenge is sent, because otherwise a text that a model has read could make clients ask for more
 * rights.
 */
function requireTool(tool: Tool, { caller }: Session): void {
  if (hasAbility(caller, tool.ability)) return
  const reason =
    caller.auth === 'api_key'
      ? 'API keys only read. To write, connect by signing in instead of with a key.'
      : 'This connection may only read. To write, connect again and allow changes.'
  throw new ApiError(403, 'insufficient_scope', `${tool.name} changes documents or workspaces. ${reason}`)
}

/** Exactly the fields of the schema. @throws Error that names the fields, never their values */
function withSchemaFields(tool: Tool, output: Record<string, unknown>): Record<string, unknown> {
  const result = tool.output.safeParse(output)
  if (result.success) return result.data
  const issues = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`the result of ${tool.name} does not match its schema (${issues.slice(0, 5).join('; ')})`)
}
