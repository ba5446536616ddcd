// The meaning of each role in a workspace, in one sentence.

const MEANINGS = {
  viewer: 'Viewer: reads, searches and asks',
  editor: 'Editor: reads, and adds, changes and deletes documents',
  owner: 'Owner: can do everything, lets people in',
} as const

export type Role = keyof typeof MEANINGS

export const ROLES = Object.entries(MEANINGS).map(([value, label]) => ({ value, label }))
export const isRole = (value: string): value is Role => value in MEANINGS
/** "an owner" */
export const withArticle = (role: Role): string => `${role === 'viewer' ? 'a' : 'an'} ${role}`
