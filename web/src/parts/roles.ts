// The meaning of each role in a workspace, in one sentence.

import { message, t } from '../language/text.tsx'

const ROLE_LABELS = {
  viewer: message('Viewer: reads, searches and asks'),
  editor: message('Editor: reads, and adds, changes and deletes documents'),
  owner: message('Owner: can do everything, also manage members'),
}

const ROLES_WITH_ARTICLE: Record<Role, string> = {
  viewer: message('a viewer'),
  editor: message('an editor'),
  owner: message('an owner'),
}

export type Role = keyof typeof ROLE_LABELS

/** Each label is translated when it is read, because the catalogue is not there when this module is loaded. */
export const ROLES = Object.entries(ROLE_LABELS).map(([value, label]) => ({
  value,
  get label(): string {
    return t(label)
  },
}))
export const isRole = (value: string): value is Role => value in ROLE_LABELS
/** "an owner" */
export const withArticle = (role: Role): string => t(ROLES_WITH_ARTICLE[role])
