// Addresses for people who want to see where something is said. They are short, since assistants read and cite them: /d/ leads to
// the document in the console (passage-page.ts).

import type { Settings } from '../ports/deps.ts'
import { addressId } from './ids.ts'

type Site = Pick<Settings, 'siteUrl'>

export const workspaceUrl = ({ siteUrl }: Site, workspaceId: string): string => `${siteUrl}/w/${workspaceId}`

export const documentUrl = ({ siteUrl }: Site, documentId: string, chunkId?: string | null): string =>
  `${siteUrl}/d/${addressId(documentId, chunkId)}`
