// A tool: its description for models, its dependencies, and its function.

import type { z } from 'zod'
import type { Caller } from '../auth/caller.ts'
import type { Deps } from '../ports/deps.ts'

/** Every tool gives all three. Hosts assume the worst if one is missing, or refuse the tool. */
interface Hints {
  readOnlyHint: boolean
  destructiveHint: boolean
  openWorldHint: boolean
}

export const READS: Hints = { readOnlyHint: true, destructiveHint: false, openWorldHint: false }
export const ADDS: Hints = { readOnlyHint: false, destructiveHint: false, openWorldHint: false }
export const DESTROYS: Hints = { readOnlyHint: false, destructiveHint: true, openWorldHint: false }

/** The caller, and the dependencies that the tool may use. */
export interface Session {
  caller: Caller
  /** Bound to the caller: rows of their workspaces only. */
  deps: Deps
  /** Bound to the caller and to one workspace. */
  depsOf: (workspaceId: string) => Deps
  /** Aborted when the client disconnects or cancels, or the service stops. */
  signal: AbortSignal
  /** Throws once the credential was revoked. */
  requireStillAllowed: () => Promise<void>
  /** Sends a progress notification, if the client asked for them. */
  progress: (message: string) => Promise<void>
}

interface ToolOf<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string
  title: string
  /** The first sentence says what it is for, because hosts with many tools search it. */
  description: string
  ability: 'read' | 'write'
  hints: Hints
  input: Input
  output: Output
  run: (session: Session, input: z.output<Input>) => Promise<z.input<Output>>
}

/** A tool without the types of its own input and output, which `defineTool` checks. */
export type Tool = Omit<ToolOf<z.ZodObject, z.ZodObject>, 'run'> & {
  run: (session: Session, input: Record<string, unknown>) => Promise<Record<string, unknown>>
}

export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ToolOf<Input, Output>,
): Tool => tool as unknown as Tool
