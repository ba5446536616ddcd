// The use of a document, for owners: how often it was a search result, cited and opened, and by whom it was opened.

import { useQuery } from '@tanstack/react-query'
import type { Output } from '../../../src/client/client.ts'
import { message, plural, t } from '../language/text.tsx'
import { formatCount, formatDate } from '../parts/format.ts'
import { Problem, Skeleton } from '../parts/states.tsx'
import { documentUseQuery } from '../queries.ts'

type Days = Output<'getDocumentUse'>['days']

const FIGURES = {
  opened: message('Opened'),
  found: message('Found by a search'),
  cited: message('Cited by an answer'),
}

export function UsePanel({ workspace, document }: { workspace: string; document: string }) {
  const { data, error, refetch } = useQuery(documentUseQuery(workspace, document))
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={6} />
  const { days, readers } = data
  return (
    <div className="px-2 py-1 text-sm">
      <h4 className="pb-1 text-xs font-medium text-soft">
        {plural(days.length, 'In the last {count} day', 'In the last {count} days')}
      </h4>
      <dl className="mb-4 space-y-1">
        {(Object.keys(FIGURES) as (keyof typeof FIGURES)[]).map((name) => (
          <div key={name} className="flex items-baseline justify-between gap-2">
            <dt>{t(FIGURES[name])}</dt>
            <dd className="tabular-nums">{timesIn(days, name)}</dd>
          </div>
        ))}
      </dl>
      <h4 className="pb-1 text-xs font-medium text-soft">{t('Opened by, in the last 90 days')}</h4>
      {readers.length === 0 && <p className="text-soft">{t('Nobody yet.')}</p>}
      <ul className="mb-4">
        {readers.map(({ user_id, email, opened, last }) => (
          <li key={user_id} className="py-1">
            <div className="truncate" title={email}>
              {email}
            </div>
            <div className="text-xs text-soft">
              {t('{times}, last on {date}', { times: plural(opened, 'time'), date: formatDate(last) })}
            </div>
          </li>
        ))}
      </ul>
      <p className="text-xs text-soft">
        {t('Only owners see this. Searches and questions are not stored. The numbers are half a minute old.')}
      </p>
    </div>
  )
}

const timesIn = (days: Days, name: keyof typeof FIGURES): string =>
  formatCount(days.reduce((sum, day) => sum + day[name], 0))
