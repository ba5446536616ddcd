// A dialog with the changes since an earlier version.

import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { plural } from '../language/text.tsx'
import { formatDateTime } from '../parts/format.ts'
import { Problem, Skeleton } from '../parts/states.tsx'
import { versionTextQuery } from '../queries.ts'
import { changesBetween, type ParagraphChange, type Piece } from './changes.ts'

interface Props {
  workspace: string
  document: string
  before: { id: string; uploaded_at: string }
  after: { id: string; uploaded_at: string }
  /** The word for a page of such a document. */
  pageName: string
}

// At most this many changes are shown.
const MAX_CHANGES = 200

export function VersionChanges({ workspace, document, before, after, pageName }: Props) {
  const [oldText, newText] = useQueries({
    queries: [before, after].map(({ id }) => versionTextQuery(workspace, document, id)),
  })
  const changes = useMemo(
    () =>
      oldText?.data && newText?.data ? (changesBetween(oldText.data, newText.data) ?? 'all') : undefined,
    [oldText?.data, newText?.data],
  )
  const error = oldText?.error ?? newText?.error
  if (error)
    return <Problem error={error} retry={() => void Promise.all([oldText?.refetch(), newText?.refetch()])} />
  if (!oldText?.data || !newText?.data || changes === undefined) return <Skeleton lines={6} />
  if (oldText.data.paragraphs.length === 0 || newText.data.paragraphs.length === 0)
    return (
      <p className="text-soft">
        One of the two files has no text of its own, for example because it is a scan. Open both to compare
        them.
      </p>
    )
  if (changes === 'all')
    return <p className="text-soft">The two have too little in common. Open both to compare them.</p>
  const isPart = !oldText.data.is_whole || !newText.data.is_whole
  return (
    <>
      <p className="mb-3 text-sm text-soft">
        {changes.length === 0 ? 'Their text is the same' : plural(changes.length, 'change')} from{' '}
        {formatDateTime(before.uploaded_at)} to {formatDateTime(after.uploaded_at)}.
        {isPart && ' Only the first part of these long files was compared.'}
      </p>
      <ol className="divide-y divide-line">
        {changes.slice(0, MAX_CHANGES).map((change, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
          <Row key={i} change={change} pageName={pageName} />
        ))}
      </ol>
      {changes.length > MAX_CHANGES && (
        <p className="pt-3 text-sm text-soft">
          The first {MAX_CHANGES} are shown. Open both to see the others.
        </p>
      )}
    </>
  )
}

function Row({ change: { page, pieces }, pageName }: { change: ParagraphChange; pageName: string }) {
  return (
    <li className="py-2.5">
      {page !== null && (
        <div className="text-xs text-soft">
          {pageName} {page}
        </div>
      )}
      <p className="reading text-base! whitespace-pre-wrap">
        {pieces.map((piece, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces do not change
          <Marked key={i} {...piece} />
        ))}
      </p>
    </li>
  )
}

function Marked({ value, added, removed }: Piece) {
  if (added) return <ins className="rounded-xs bg-good-back px-0.5 no-underline">{value}</ins>
  if (removed) return <del className="rounded-xs bg-bad-back px-0.5">{value}</del>
  return value
}
