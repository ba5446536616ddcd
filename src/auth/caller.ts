// Who sends a request, established once from its bearer credential.

export type Scope = 'knowledge:read' | 'knowledge:write'
export const SCOPES: readonly Scope[] = ['knowledge:read', 'knowledge:write']

export type Role = 'owner' | 'editor' | 'viewer'

export interface Caller {
  auth: 'session' | 'oauth' | 'api_key'
  /** The user's id, or the key's id for an API key, so that a leaked key does not identify a person. */
  id: string
  userId: string
  /** Absent for API keys. */
  email?: string
  scopes: readonly Scope[]
  /** Number of workspaces the caller can read; set only if it was requested. */
  workspaceCount?: number
  /** The credential of the request, for operations that check it again before they commit (`requireStillValid`). */
  bearer?: { hash: Buffer; audience: string }
  /** API keys only: the workspaces chosen when the key was created; what the owner can no longer read is excluded too. */
  workspaceIds?: readonly string[]
}

/** The id by which conversations and rate limits are kept. A user and each of their API keys are separate principals. */
export const principal = (caller: Caller): string =>
  caller.auth === 'api_key' ? `key:${caller.id}` : `user:${caller.userId}`
