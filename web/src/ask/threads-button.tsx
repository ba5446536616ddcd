// The parts of the list of conversations that are shown before it has loaded.

import { useInfiniteQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { threadsQuery } from '../queries.ts'
import { THREADS_TOGGLE } from '../shell/shortcuts.ts'
import { areThreadsFolded, storeThreadsFolded } from './threads-folded.ts'

/** How the list of conversations is shown. */
export interface ThreadsView {
  /** Whether another panel is open, which leaves less room. */
  isNarrow: boolean
  /** Whether the reader has folded the list that is beside the answers. */
  isFolded: boolean
  /** Whether the list is over the page, because there is no room beside the answers. */
  isOver: boolean
  show: () => void
  fold: () => void
  /** Closes the list that is over the page. */
  close: () => void
}

/** Whether the window has room for the list beside the answers. The classes below have the same widths. */
const hasRoom = (isNarrow: boolean): boolean => matchMedia(`(min-width: ${isNarrow ? 110 : 80}rem)`).matches

export function useThreadsView(isNarrow: boolean): ThreadsView {
  const [isFolded, setIsFolded] = useState(areThreadsFolded)
  const [isOver, setIsOver] = useState(false)
  const setFolded = (next: boolean): void => {
    storeThreadsFolded(next)
    setIsFolded(next)
  }
  // The pressed button has disappeared, and the one that undoes its work takes the focus.
  const wasFolded = useRef(isFolded)
  useEffect(() => {
    if (wasFolded.current === isFolded) return
    wasFolded.current = isFolded
    for (const toggle of document.querySelectorAll<HTMLElement>(THREADS_TOGGLE))
      if (toggle.checkVisibility()) toggle.focus()
  }, [isFolded])
  return {
    isNarrow,
    isFolded,
    isOver,
    show: () => (hasRoom(isNarrow) ? setFolded(false) : setIsOver(true)),
    fold: () => setFolded(true),
    close: () => setIsOver(false),
  }
}

interface Props {
  workspace: string
  view: ThreadsView
}

/** Shows the list of conversations if it is not beside the answers. Its line is always there, so that nothing moves. */
export function ThreadsButton({ workspace, view: { isNarrow, isFolded, isOver, show } }: Props) {
  const { data } = useInfiniteQuery(threadsQuery(workspace))
  const hidden = isFolded ? '' : isNarrow ? 'min-[110rem]:hidden' : 'xl:hidden'
  return (
    <div className={`h-9.5 shrink-0 px-2 pt-1.5 md:px-4 ${hidden}`}>
      {data?.pages[0]?.data.length ? (
        <Button data-threads-toggle kind="quiet" className="px-2!" aria-expanded={isOver} onClick={show}>
          <MessagesSquare size={14} /> {t('Conversations')}
        </Button>
      ) : null}
    </div>
  )
}

/**
 * The list of conversations beside the answers, if there is room. It is also shown while loading, and before the first
 * conversation.
 */
export function ThreadsColumn({ view, children }: { view: ThreadsView; children?: ReactNode }) {
  if (view.isFolded) return null
  return (
    <nav
      aria-label={t('Conversations')}
      className={`hidden w-60 shrink-0 flex-col border-r border-line ${view.isNarrow ? 'min-[110rem]:flex' : 'xl:flex'}`}
    >
      {children}
    </nav>
  )
}
