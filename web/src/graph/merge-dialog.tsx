// The dialog in which a person chooses the entity to merge and confirms the merge.

import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { inputClass } from '../parts/field.tsx'
import { plural } from '../parts/format.ts'
import { entitiesQuery } from '../queries.ts'
import { TypeDot } from './type-dot.tsx'
import { typeLabel } from './types.ts'
import { useMerging } from './use-merging.ts'

export interface MergeCandidate {
  id: string
  name: string
  type?: string
  mention_count?: number
}

interface Props {
  workspace: string
  into: { id: string; name: string }
  /** Undefined if the entity is chosen in the dialog. */
  preselected: MergeCandidate | undefined
  close: () => void
}

const TYPING_PAUSE_MS = 150
const MAX_CANDIDATES = 8

export function MergeDialog({ workspace, into, preselected, close }: Props) {
  const [other, setOther] = useState(preselected)
  const { merge } = useMerging(workspace, into)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title={other ? 'Are these the same?' : `Which entity is the same as “${into.name}”?`}
    >
      {other ? (
        <>
          <p className="mb-3">
            <strong>{other.name}</strong>
            {other.mention_count !== undefined &&
              ` (${typeLabel(other.type ?? '')}, ${plural(other.mention_count, 'mention')})`}{' '}
            becomes another name of <strong>{into.name}</strong>.
          </p>
          <p className="mb-4 text-soft">
            Their mentions, relations and passages count together, for everyone in this workspace. Documents
            do not change. You can undo it here at any time.
          </p>
          <div className="flex justify-end gap-2">
            <Button onClick={close}>Cancel</Button>
            <Button
              kind="primary"
              disabled={merge.isPending}
              onClick={() => merge.mutate(other, { onSettled: close })}
            >
              Merge
            </Button>
          </div>
        </>
      ) : (
        <Choose workspace={workspace} excludedId={into.id} choose={setOther} />
      )}
    </Dialog>
  )
}

interface ChooseProps {
  workspace: string
  excludedId: string
  choose: (other: MergeCandidate) => void
}

function Choose({ workspace, excludedId, choose }: ChooseProps) {
  const [typedText, setTypedText] = useState('')
  const [q, setQ] = useState('')
  const id = useId()
  useEffect(() => {
    const timer = setTimeout(() => setQ(typedText.trim()), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typedText])
  const { data } = useInfiniteQuery({ ...entitiesQuery(workspace, q, undefined), enabled: q !== '' })
  const candidates = q ? data?.pages.flatMap((page) => page.data).filter((one) => one.id !== excludedId) : []
  return (
    <>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        Name of the other entity
      </label>
      <input
        id={id}
        type="search"
        value={typedText}
        maxLength={200}
        onChange={(event) => setTypedText(event.target.value)}
        className={inputClass}
      />
      <p role="status" className="mt-2 text-sm text-soft">
        {q && candidates?.length === 0 && 'No other entity has this name.'}
      </p>
      <ul className="mt-1">
        {candidates?.slice(0, MAX_CANDIDATES).map((entity) => (
          <li key={entity.id}>
            <button
              type="button"
              onClick={() => choose(entity)}
              className="flex w-full items-center gap-2 rounded px-2 py-1.5 text-left text-sm hover:bg-back"
            >
              <TypeDot type={entity.type} />
              <span className="min-w-0 truncate font-medium">{entity.name}</span>
              <span className="ml-auto shrink-0 text-soft">{plural(entity.mention_count, 'mention')}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
