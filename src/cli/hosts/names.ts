// The assistants that `kenning connect` knows, by the names that users type. They are in a file of their own, because the help of
// the command line shows them, and hosts.ts takes longer to load.

export const HOSTS = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'zed', 'codex'] as const
export type Host = (typeof HOSTS)[number]
