// Opens the panel of sources, and shows their state. While it is shown, data that sources change is reloaded.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FolderSync } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../parts/button.tsx'
import { plural } from '../../parts/format.ts'
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
  const busy = sources?.filter(isBusy).length ?? 0
  const failed = sources?.filter(({ state }) => state === 'failed').length ?? 0
  const before = useRef(0)
  useEffect(() => {
    // One of them has ended.
    if (busy < before.current) void queries.invalidateQueries({ queryKey: ['workspace', workspace] })
    before.current = busy
  }, [busy, queries, workspace])
  // An editor cannot add the first one.
  if (!isOwner && !sources?.length) return null
  return (
    <Button aria-expanded={open} onClick={toggle}>
      <FolderSync size={14} className={failed > 0 ? 'text-bad' : ''} />
      <span className="max-sm:sr-only">Sources</span>
      {failed > 0 && <span className="text-bad">{plural(failed, 'failed', 'failed')}</span>}
    </Button>
  )
}
