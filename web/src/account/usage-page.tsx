// How much is asked, uploaded and stored, in each workspace of the owner and, for administrators, in the whole service.

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { InstallationUsage, Usage } from '../../../src/contract/usage.ts'
import { locale } from '../language/locale.ts'
import { plural, t } from '../language/text.tsx'
import { formatBytes, formatCount } from '../parts/format.ts'
import { Select } from '../parts/select.tsx'
import { Empty, Problem, Skeleton, ToWorkspaces } from '../parts/states.tsx'
import { workspacesQuery } from '../queries.ts'
import { account, api } from '../session.ts'
import { AccountPage } from './page.tsx'
import { accountQuery, ownedWorkspacesQuery } from './queries.ts'

const ALL = 'all'

export function UsagePage() {
  const { data: me } = useQuery(accountQuery)
  const workspaces = useQuery(workspacesQuery)
  const { data: owned } = useQuery(ownedWorkspacesQuery)
  const ownWorkspaces = owned && workspaces.data?.filter(({ id }) => owned.has(id))
  const { of } = useSearch({ from: '/usage' })
  const navigate = useNavigate({ from: '/usage' })
  const workspaceId = of ?? (me?.admin ? ALL : ownWorkspaces?.[0]?.id)
  const usage = useQuery({
    queryKey: ['usage', workspaceId],
    queryFn: ({ signal }) =>
      workspaceId === ALL
        ? account<InstallationUsage>('GET', '/usage')
        : (api.getUsage({ workspace_id: workspaceId ?? '' }, { signal }) as Promise<Usage>),
    enabled: workspaceId !== undefined,
  })
  const options = [
    ...(me?.admin ? [{ value: ALL, label: t('The whole service') }] : []),
    ...(ownWorkspaces?.map(({ id, name }) => ({ value: id, label: name })) ?? []),
  ]
  return (
    <AccountPage
      title={t('Usage')}
      description={t(
        'What is asked, uploaded and stored. Owners see it for their workspace, administrators for the whole service.',
      )}
    >
      {ownWorkspaces && workspaceId === undefined && (
        <Empty title={t('You own no workspace')} action={<ToWorkspaces />} />
      )}
      {options.length > 0 && (
        <div className="max-w-xs">
          <Select
            label={t('Show')}
            options={options}
            value={workspaceId}
            choose={(value) => void navigate({ search: { of: value }, replace: true })}
          />
        </div>
      )}
      {usage.error && !usage.data && <Problem error={usage.error} retry={() => void usage.refetch()} />}
      {usage.isPending && workspaceId !== undefined && <Skeleton lines={6} />}
      {usage.data && <Figures usage={usage.data} />}
    </AccountPage>
  )
}

function Figures({ usage }: { usage: Usage | InstallationUsage }) {
  const sum = (of: 'questions' | 'files'): number => usage.days.reduce((total, day) => total + day[of], 0)
  const figures = [
    [t('Questions in 30 days'), formatCount(sum('questions'))],
    [t('Files in 30 days'), formatCount(sum('files'))],
    [t('Documents'), formatCount(usage.documents)],
    [t('Stored files'), formatBytes(usage.storage_bytes)],
    ...(usage.question_tokens > 0
      ? [[t('Model tokens for answers'), formatCount(usage.question_tokens)]]
      : []),
    ...(usage.model_tokens > 0 ? [[t('Model tokens for the graph'), formatCount(usage.model_tokens)]] : []),
    ...('accounts' in usage
      ? [
          [t('Active accounts'), formatCount(usage.accounts)],
          [t('Workspaces'), formatCount(usage.workspaces)],
        ]
      : []),
  ]
  const months = usage.months.filter(({ questions, files }) => questions + files > 0).reverse()
  return (
    <>
      <dl className="mb-8 grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-soft">{name}</dt>
            <dd className="text-xl font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {sum('questions') > 0 && <Bars days={usage.days} />}
      {months.length > 0 && (
        <table className="w-full max-w-md text-left text-sm">
          <caption className="mb-2 text-left text-base font-semibold">{t('By month')}</caption>
          <thead className="text-soft">
            <tr className="border-b border-line">
              <th scope="col" className="py-1.5 font-medium">
                {t('Month')}
              </th>
              <th scope="col" className="text-right font-medium">
                {t('Questions')}
              </th>
              <th scope="col" className="text-right font-medium">
                {t('Files uploaded')}
              </th>
            </tr>
          </thead>
          <tbody>
            {months.map(({ period, questions, files }) => (
              <tr key={period} className="border-b border-line">
                <th scope="row" className="py-1.5 font-normal">
                  {monthName.format(new Date(`${period}-15`))}
                </th>
                <td className="text-right tabular-nums">{formatCount(questions)}</td>
                <td className="text-right tabular-nums">{formatCount(files)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

const monthName = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })
const dayName = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

const HEIGHT = 96
const STEP = 20

/** A chart with one bar per day. */
function Bars({ days }: { days: Usage['days'] }) {
  const maxQuestions = Math.max(...days.map(({ questions }) => questions))
  const dayLabel = (index: number): string => dayName.format(new Date(days.at(index)?.period ?? 0))
  return (
    <figure className="mb-8">
      <figcaption className="mb-2 flex items-baseline justify-between font-semibold">
        {t('Questions a day')}
        <span className="text-xs font-normal text-soft">
          {t('most on a day: {count}', { count: formatCount(maxQuestions) })}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={t('Questions a day from {from} to {to}, at most {questions} a day', {
          from: dayLabel(0),
          to: dayLabel(-1),
          questions: plural(maxQuestions, 'question'),
        })}
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT + 1}`}
        preserveAspectRatio="none"
        className="h-24 w-full border-b border-line"
      >
        {days.map(({ period, questions }, index) => {
          const height = (questions / maxQuestions) * HEIGHT
          return (
            <rect
              key={period}
              x={index * STEP + 2}
              width={STEP - 4}
              y={HEIGHT - height}
              height={height}
              className="fill-accent"
            >
              <title>
                {t('{day}: {questions}', {
                  day: dayName.format(new Date(period)),
                  questions: plural(questions, 'question'),
                })}
              </title>
            </rect>
          )
        })}
      </svg>
      <div className="flex justify-between text-xs text-soft">
        <span>{dayLabel(0)}</span>
        <span>{dayLabel(-1)}</span>
      </div>
    </figure>
  )
}
