// The parts of the list of conversations that are shown before it has loaded.

import { useInfiniteQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { threadsQuery } from '../queries.ts'

interface Props {
  workspace: string
  /** Whether another panel is open, which leaves less room. */
  isNarrow: boolean
  setOpen: (open: boolean) => void
}

/** Opens the list of conversations if there is no room for it. The button's line is always there, so that nothing moves. */
export function ThreadsButton({ workspace, isNarrow, setOpen }: Props) {
  const { data } = useInfiniteQuery(threadsQuery(workspace))
  return (
    <div className={`h-9.5 shrink-0 px-2 pt-1.5 md:px-4 ${isNarrow ? 'min-[110rem]:hidden' : 'xl:hidden'}`}>
      {data?.pages[0]?.data.length ? (
        <Button kind="quiet" className="px-2!" onClick={() => setOpen(true)}>
          <MessagesSquare size={14} /> {t('Conversations')}
        </Button>
      ) : null}
    </div>
  )
}

/**
 * The list of conversations beside the page, if there is room. It is also shown while loading, and before the first
 * conversation.
 */
export function ThreadsColumn({ isNarrow, children }: { isNarrow: boolean; children?: ReactNode }) {
  return (
    <nav
      aria-label={t('Conversations')}
      className={`hidden w-60 shrink-0 flex-col border-r border-line ${isNarrow ? 'min-[110rem]:flex' : 'xl:flex'}`}
    >
      {children}
    </nav>
  )
}
