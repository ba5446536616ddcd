// What of the list of conversations is there before it.

import { useInfiniteQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { threadsQuery } from '../queries.ts'

interface Props {
  workspace: string
  /** Another panel takes the room. */
  narrow: boolean
  setOpen: (open: boolean) => void
}

/** Opens the list of conversations where there is no room for it. Its line is there from the start, so that nothing jumps. */
export function ThreadsButton({ workspace, narrow, setOpen }: Props) {
  const { data } = useInfiniteQuery(threadsQuery(workspace))
  return (
    <div className={`h-9.5 shrink-0 px-2 pt-1.5 md:px-4 ${narrow ? 'min-[110rem]:hidden' : 'xl:hidden'}`}>
      {data?.pages[0]?.data.length ? (
        <Button kind="quiet" className="px-2!" onClick={() => setOpen(true)}>
          <MessagesSquare size={14} /> Conversations
        </Button>
      ) : null}
    </div>
  )
}

/** The list of conversations beside the page, where there is room for it: also while it is loading, and before the first. */
export function ThreadsColumn({ narrow, children }: { narrow: boolean; children?: ReactNode }) {
  return (
    <nav
      aria-label="Conversations"
      className={`hidden w-60 shrink-0 flex-col border-r border-line ${narrow ? 'min-[110rem]:flex' : 'xl:flex'}`}
    >
      {children}
    </nav>
  )
}
