// Addresses in the console, for people who want to see where something is said.

import { passageUrl } from '../documents/passage-url.ts'
import type { Settings } from '../ports/deps.ts'

type Origin = Pick<Settings, 'origin'>

export const workspaceUrl = ({ origin }: Origin, workspaceId: string): string => `${origin}/w/${workspaceId}`

/** An address is also returned if the console was not built, because hosts distinguish results by their addresses. */
export const documentUrl = (
  { origin }: Origin,
  workspaceId: string,
  place: Parameters<typeof passageUrl>[2],
): string =>
  passageUrl({ settings: { origin, consoleDir: '' } }, workspaceId, place) ??
  workspaceUrl({ origin }, workspaceId)
