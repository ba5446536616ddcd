// Addresses in the console, for people who want to see where something is said.

import { passageUrl } from '../documents/passage-url.ts'
import type { Settings } from '../ports/deps.ts'

type Site = Pick<Settings, 'siteUrl'>

export const workspaceUrl = ({ siteUrl }: Site, workspaceId: string): string => `${siteUrl}/w/${workspaceId}`

/** An address is also returned if the console was not built, because hosts distinguish results by their addresses. */
export const documentUrl = (
  { siteUrl }: Site,
  workspaceId: string,
  passage: Parameters<typeof passageUrl>[2],
): string =>
  passageUrl({ settings: { siteUrl, consoleDir: '' } }, workspaceId, passage) ??
  workspaceUrl({ siteUrl }, workspaceId)
