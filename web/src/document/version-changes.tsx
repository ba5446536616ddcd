// A dialog with the changes since an earlier version.

import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { plural, t } from '../language/text.tsx'
import { formatDateTimes } from '../parts/format.ts'
import { pageLabel } from '../parts/kinds.ts'
import { Problem, Skeleton } from '../parts/states.tsx'
import { versionTextQuery } from '../queries.ts'
import { changesBetween, type ParagraphChange, type Piece } from './changes.ts'

interface Props {
  workspace: string
  document: string
  before: { id: string; uploaded_at: string }
  after: { id: string; uploaded_at: string }
  /** The kind of file, which names its pages. */
  kind: string | undefined
}

// At most this many changes are shown.
const MAX_CHANGES = 200

export function VersionChanges({ workspace, document, before, after, kind }: Props) {
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
        {t(
          'One of the two files has no text of its own, for example because it is a scan. Open both to compare them.',
        )}
      </p>
    )
  if (changes === 'all')
    return <p className="text-soft">{t('The two have too little in common. Open both to compare them.')}</p>
  const isPart = !oldText.data.is_whole || !newText.data.is_whole
  const [beforeTime, afterTime] = formatDateTimes(before.uploaded_at, after.uploaded_at)
  const dates = { before: beforeTime, after: afterTime }
  return (
    <>
      <p className="mb-3 text-sm text-soft">
        {changes.length === 0
          ? t('Their text is the same from {before} to {after}.', dates)
          : t('{changes} from {before} to {after}.', { changes: plural(changes.length, 'change'), ...dates })}
        {isPart && ` ${t('Only the first part of these long files was compared.')}`}
      </p>
      <ol className="divide-y divide-line">
        {changes.slice(0, MAX_CHANGES).map((change, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
          <Row key={i} change={change} kind={kind} />
        ))}
      </ol>
      {changes.length > MAX_CHANGES && (
        <p className="pt-3 text-sm text-soft">
          {t('The first {count} are shown. Open both to see the others.', { count: MAX_CHANGES })}
        </p>
      )}
    </>
  )
}

function Row({ change: { page, pieces }, kind }: { change: ParagraphChange; kind: string | undefined }) {
  return (
    <li className="py-2.5">
      {page !== null && <div className="text-xs text-soft">{pageLabel(kind, page)}</div>}
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
