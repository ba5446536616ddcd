// The activity log: who did what, in which workspace, and when. An entry of a change is written in the transaction of that change.
// It holds ids, names of scopes and folders, and short details such as a role or a count: no text of documents or questions, no
// secrets, and no name or email address of an account. What somebody wrote into the name of a scope or folder, which may be the name
// of a person, stays in the log when the scope or the documents are deleted for good.

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
  | 'sign_in_link_made'
  | 'signed_out_everywhere'
  | 'session_ended'
  | 'password_changed'
  | 'reset_made' // A link to reset a password.
  | 'second_factor_on'
  | 'second_factor_off'
  | 'second_factor_reset'
  | 'recovery_codes_made'
  | 'app_added'
  | 'app_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'invitation_made'
  | 'invitation_revoked'
  | 'key_made'
  | 'key_revoked'
  | 'grant_made'
  | 'grant_revoked'
  | 'workspace_made'
  | 'workspace_changed'
  | 'workspace_deleted'
  | 'workspace_trashed'
  | 'workspace_restored'
  | 'workspace_exported'
  | 'workspace_imported'
  | 'member_set'
  | 'member_removed'
  | 'files_uploaded'
  | 'document_deleted'
  | 'documents_trashed'
  | 'documents_restored'
  | 'documents_moved'
  | 'version_restored'
  | 'reindex_started'
  | 'scope_set'
  | 'scope_deleted'
  | 'entities_merged'
  | 'merge_undone'
  | 'merge_rejected'
  | 'question_asked'
  | 'source_added'
  | 'source_changed'
  | 'source_removed'
  | 'webhook_added'
  | 'webhook_changed'
  | 'webhook_removed'
  | 'webhook_tested'
  | 'model_set'
  | 'model_cleared'
  | 'model_price_set'
  | 'spending_limits_set'
  | 'person_limit_set'
  | 'backup_begun'
  | 'file_retried'

export interface Actor {
  type: 'user' | 'api_key' | 'nobody'
  id: string | undefined
}

/** Owners see the entries of their workspace. Administrators see the entries that belong to no workspace. */
export interface NewActivity {
  action: Action
  actor: Actor
  /**
   * One entry is written for each workspace, because a key may be created for several. Empty for an entry of the
   * installation.
   */
  workspaceIds?: readonly string[] | undefined
  /** Id of the object that was changed; for a scope its name. */
  subject?: string | undefined
  /** For example a role, a count or a folder. */
  detail?: Record<string, string | number>
}

/** The actor of an authenticated request. */
export const actorOf = (caller: { auth: string; id: string }): Actor => ({
  type: caller.auth === 'api_key' ? 'api_key' : 'user',
  id: caller.id,
})

/** No account or key: the operator on the command line, somebody who is not signed in, or Kenning itself. */
export const nobody: Actor = { type: 'nobody', id: undefined }

export const userActor = (id: string): Actor => ({ type: 'user', id })
