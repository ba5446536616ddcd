import { useInfiniteQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { Button } from '../parts/button.tsx'
import { threadsQuery } from '../queries.ts'

interface Props {
  workspace: string
  /** Another panel takes the room. */
  narrow: boolean
  setOpen: (open: boolean) => void
}

/** Opens the list of conversations where there is no room for it. */
export function ThreadsButton({ workspace, narrow, setOpen }: Props) {
  const { data } = useInfiniteQuery(threadsQuery(workspace))
  if (!data?.pages[0]?.data.length) return null
  return (
    <div className={`shrink-0 px-2 pt-1.5 md:px-4 ${narrow ? 'min-[110rem]:hidden' : 'xl:hidden'}`}>
      <Button kind="quiet" className="px-2!" onClick={() => setOpen(true)}>
        <MessagesSquare size={14} /> Conversations
      </Button>
    </div>
  )
}
