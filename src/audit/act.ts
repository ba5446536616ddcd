// Who did what, to which workspace, when: appended in the same transaction as the act, so that neither is without the
// other. Ids only: no text of documents or questions, no secret, and people by an id that ends with their account.

/** What is written down; `workspace`: shown to its owners, else of the installation. */
export type Action =
  | 'account_made'
  | 'account_deleted'
  | 'account_linked'
  | 'account_suspended'
  | 'account_restored'
  | 'admin_made'
  | 'admin_unmade'
  | 'sign_in'
  | 'sign_in_failed'
  | 'signed_out_everywhere'
  | 'password_changed'
  | 'reset_made'
  | 'invitation_made'
  | 'invitation_revoked'
  | 'key_made'
  | 'key_revoked'
  | 'grant_made'
  | 'grant_revoked'
  | 'workspace_made'
  | 'workspace_changed'
  | 'workspace_deleted'
  | 'member_set'
  | 'member_removed'
  | 'files_uploaded'
  | 'document_deleted'
  | 'version_restored'
  | 'reindex_started'
  | 'scope_set'
  | 'scope_deleted'
  | 'entities_merged'
  | 'merge_undone'
  | 'question_asked'

export interface Actor {
  type: 'user' | 'api_key' | 'nobody'
  id: string | undefined
}

export interface Act {
  action: Action
  actor: Actor
  /** One row for each: a key is made for several. None: of the installation. */
  workspaceIds?: readonly string[] | undefined
  /** The id of what it was done to; a scope's is its name. */
  subject?: string | undefined
  /** Small facts, such as a role or a count. */
  detail?: Record<string, string | number>
}

/** Whoever sends requests with a credential. */
export const actorOf = (caller: { auth: string; id: string }): Actor => ({
  type: caller.auth === 'api_key' ? 'api_key' : 'user',
  id: caller.id,
})

/** An operator at the command line, or a stranger. */
export const nobody: Actor = { type: 'nobody', id: undefined }

export const user = (id: string): Actor => ({ type: 'user', id })
