// Who calls: what a bearer credential stands for, decided once per request.

export type Scope = 'knowledge:read' | 'knowledge:write'
export const SCOPES: readonly Scope[] = ['knowledge:read', 'knowledge:write']

export type Role = 'owner' | 'editor' | 'viewer'

export interface Caller {
  auth: 'session' | 'oauth' | 'api_key'
  /** The user's id; for an API key the key's id, so that a leaked key names no person (D-19). */
  id: string
  userId: string
  /** Absent for API keys. */
  email?: string
  scopes: readonly Scope[]
  /** How many workspaces it can read; where that was asked for. */
  workspaceCount?: number
  /** What the request came with, for those that ask again before they commit (`requireStillValid`). */
  bearer?: { hash: Buffer; audience: string }
  /** For API keys only: the workspaces chosen when it was made (intersected with the owner's roles, D-13). */
  workspaceIds?: readonly string[]
}

/** Who limits and threads are counted against: a user and each of their keys are different principals (D-14, D-18). */
export const principal = (caller: Caller): string =>
  caller.auth === 'api_key' ? `key:${caller.id}` : `user:${caller.userId}`
