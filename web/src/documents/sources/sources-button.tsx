// The button that opens the panel of sources and shows whether some failed. When a source has run, the workspace is reloaded.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FolderSync } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { plural, t } from '../../language/text.tsx'
import { Button } from '../../parts/button.tsx'
import { isBusy, sourcesQuery } from './queries.ts'

interface Props {
  workspace: string
  isOwner: boolean
  open: boolean
  toggle: () => void
}

export function SourcesButton({ workspace, isOwner, open, toggle }: Props) {
  const { data: sources } = useQuery(sourcesQuery(workspace))
  const queries = useQueryClient()
  const busyCount = sources?.filter(isBusy).length ?? 0
  const failedCount = sources?.filter(({ state }) => state === 'failed').length ?? 0
  const previousBusyCount = useRef(0)
  useEffect(() => {
    // A source has finished.
    if (busyCount < previousBusyCount.current)
      void queries.invalidateQueries({ queryKey: ['workspace', workspace] })
    previousBusyCount.current = busyCount
  }, [busyCount, queries, workspace])
  // An editor cannot add a source, so without sources the button would open nothing.
  if (!isOwner && !sources?.length) return null
  return (
    <Button aria-expanded={open} onClick={toggle}>
      <FolderSync size={14} className={failedCount > 0 ? 'text-bad' : ''} />
      <span className="max-sm:sr-only">{t('Sources')}</span>
      {failedCount > 0 && <span className="text-bad">{plural(failedCount, 'failed', 'failed')}</span>}
    </Button>
  )
}
