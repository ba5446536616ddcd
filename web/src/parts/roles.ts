// The meaning of each role in a workspace, in one sentence.

const ROLE_LABELS = {
  viewer: 'Viewer: reads, searches and asks',
  editor: 'Editor: reads, and adds, changes and deletes documents',
  owner: 'Owner: can do everything, also manage members',
} as const

export type Role = keyof typeof ROLE_LABELS

export const ROLES = Object.entries(ROLE_LABELS).map(([value, label]) => ({ value, label }))
export const isRole = (value: string): value is Role => value in ROLE_LABELS
/** "an owner" */
export const withArticle = (role: Role): string => `${role === 'viewer' ? 'a' : 'an'} ${role}`
