// An empty workspace as viewers see it: they cannot add documents, so they are not asked to.

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../language/text.tsx'
import { workspaceQuery } from '../queries.ts'
import { useAllowed } from '../shell/allowed.ts'

export function UnlessEmptyForViewers({ workspace, children }: { workspace: string; children: ReactNode }) {
  const { data } = useQuery(workspaceQuery(workspace))
  const { isViewer } = useAllowed(workspace)
  if (data?.document_count !== 0 || !isViewer) return children
  return (
    <div className="py-12 text-center">
      <h2 className="mb-2 text-lg font-semibold">{t('This workspace is empty')}</h2>
      <p className="text-soft">{t('Its owners and editors add documents. Then you can ask about them.')}</p>
    </div>
  )
}
