// For administrators: how each part of the service is doing, what waits, what could not be read, and backups.

import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import type {
  Backup,
  Backups,
  FailedFileOfService,
  FailedFileRetry,
  PartHealth,
  ServiceHealth,
} from '../../../src/contract/health.ts'
import { reasonText } from '../documents/reason-text.ts'
import { errorText } from '../language/error-text.ts'
import { message, plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { formatAgo, formatBytes, formatCount, formatDateTime, formatDuration } from '../parts/format.ts'
import { Empty, Problem, Skeleton, ToWorkspaces } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { account } from '../session.ts'
import { AccountPage, Section } from './page.tsx'
import { partText } from './part-sentences.ts'
import { accountQuery } from './queries.ts'

// Each look asks the server of the language model for its list.
const REFRESH_MS = 60_000
const BUSY_REFRESH_MS = 1500

const healthQuery = queryOptions({
  queryKey: ['account', 'health'],
  queryFn: () => account<ServiceHealth>('GET', '/health'),
  refetchInterval: REFRESH_MS,
})

const isOpen = ({ state }: Backup): boolean => state === 'queued' || state === 'running'

const backupsQuery = queryOptions({
  queryKey: ['account', 'backups'],
  queryFn: () => account<Backups>('GET', '/backups'),
  refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? BUSY_REFRESH_MS : REFRESH_MS),
})

const failedQuery = queryOptions({
  queryKey: ['account', 'failed-files'],
  queryFn: async () => (await account<{ data: FailedFileOfService[] }>('GET', '/failed-files')).data,
})

export function HealthPage() {
  const { data: me } = useQuery(accountQuery)
  const health = useQuery({ ...healthQuery, enabled: me?.admin === true })
  if (me && !me.admin)
    return (
      <Empty page title={t('Not allowed')} action={<ToWorkspaces />}>
        {t('Only administrators see how the service is doing.')}
      </Empty>
    )
  return (
    <AccountPage
      title={t('Health')}
      description={t('How each part of the service is doing, and what to do about the rest.')}
    >
      {health.error && !health.data && <Problem error={health.error} retry={() => void health.refetch()} />}
      {health.isPending && <Skeleton lines={8} />}
      {health.data && (
        <>
          <Section title={t('Parts')}>
            <Parts parts={health.data.parts} />
          </Section>
          <Section title={t('Backups')}>
            <BackupList />
          </Section>
          <Section title={t('Files that could not be read')}>
            <FailedFiles />
          </Section>
          <Section title={t('Waiting and running')}>
            <Queue queue={health.data.queue} />
          </Section>
          <Section title={t('Disk and versions')}>
            <Facts health={health.data} />
          </Section>
        </>
      )}
    </AccountPage>
  )
}

const STATES: Record<PartHealth['status'], { label: string; color: string; icon: typeof CircleCheck }> = {
  ok: { label: message('Works'), color: 'text-good', icon: CircleCheck },
  warning: { label: message('Warning'), color: 'text-ink', icon: TriangleAlert },
  problem: { label: message('Problem'), color: 'text-bad', icon: CircleAlert },
}

const PART_NAMES: Record<PartHealth['check'], string> = {
  database: message('Database'),
  workers: message('Workers'),
  reading: message('Reading'),
  queue: message('Queue'),
  disk: message('Disk'),
  'language model': message('Language model'),
  embeddings: message('Search by meaning'),
  reranker: message('Order of results'),
  'text recognition': message('Text recognition'),
  backup: message('Backup'),
}

function Parts({ parts }: { parts: readonly PartHealth[] }) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line">
      {parts.map((part) => {
        const { check, status } = part
        const { label, color, icon: Icon } = STATES[status]
        return (
          <li key={check} className="flex gap-3 px-4 py-2.5">
            <Icon size={16} className={`mt-1 shrink-0 ${color}`} aria-label={t(label)} />
            <div className="min-w-0 sm:flex sm:gap-3">
              <div className="shrink-0 font-medium sm:w-36">{t(PART_NAMES[check])}</div>
              <div className="break-words text-soft">{partText(part)}</div>
            </div>
          </li>
        )
      })}
    </ul>
  )
}

const STEPS = {
  files: message('Being made: copying files'),
  rows: message('Being made: writing rows'),
  check: message('Being made: reading it again'),
}

function BackupList() {
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(backupsQuery)
  const begin = useMutation({
    mutationFn: () => account<Backup>('POST', '/backups'),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: backupsQuery.queryKey })
      announce(t('A backup is being made.'))
    },
  })
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={2} />
  return (
    <>
      {data.refusal ? (
        <p className="mb-3 text-soft">
          {t(
            'There is no folder for backups: whoever runs the machine sets KENNING_BACKUP_DIR, or uses kenning backup FOLDER.',
          )}
        </p>
      ) : (
        <div className="mb-4">
          <Button disabled={begin.isPending || data.data.some(isOpen)} onClick={() => begin.mutate()}>
            {t('Make a backup')}
          </Button>
        </div>
      )}
      {begin.error && (
        <p role="alert" className="mb-3 text-sm text-bad">
          {errorText(begin.error)}
        </p>
      )}
      {data.data.length === 0 ? (
        <p className="text-soft">{t('None was made yet.')}</p>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {data.data.map((backup) => (
            <li key={backup.id} className="px-4 py-2.5 text-sm">
              <BackupState backup={backup} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function BackupState({ backup }: { backup: Backup }) {
  const { state, step, progress, created_at, finished_at, machine, folder, size, is_checked, error } = backup
  if (state === 'failed')
    return (
      <>
        <div className="text-bad">{t('Failed {ago}', { ago: formatAgo(finished_at ?? created_at) })}</div>
        <div className="break-words text-soft">{error}</div>
      </>
    )
  if (state !== 'done')
    return (
      <>
        <div aria-live="polite">
          {state === 'queued' ? t('Waits for a worker') : t(STEPS[step ?? 'files'])}
        </div>
        <progress
          className="mt-1 h-1.5 w-full accent-accent"
          value={progress}
          max={1}
          aria-label={t('Backup')}
        />
      </>
    )
  return (
    <>
      <div>
        {formatDateTime(finished_at ?? created_at)}{' '}
        <span className="text-soft">
          ·{' '}
          {is_checked
            ? t('{size}, whole', { size: formatBytes(size ?? 0) })
            : t('{size}, not read again', { size: formatBytes(size ?? 0) })}
        </span>
      </div>
      <div className="break-all text-soft">
        {t('{folder} on {machine}', { folder: folder ?? '', machine: machine ?? '' })}
      </div>
    </>
  )
}

function FailedFiles() {
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(failedQuery)
  const retry = useMutation({
    mutationFn: (file: FailedFileRetry) => account('POST', '/failed-files/retry', file),
    onSuccess: () => announce(t('The file is read again.')),
    onSettled: () => queries.invalidateQueries({ queryKey: failedQuery.queryKey }),
  })
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={2} />
  if (data.length === 0) return <p className="text-soft">{t('None in the last 30 days.')}</p>
  return (
    <>
      <p className="mb-3 text-soft">
        {t(
          'Names are shown to members of the workspace. A file stays stored for seven days, so that it can be tried again.',
        )}
      </p>
      {retry.error && (
        <p role="alert" className="mb-3 text-sm text-bad">
          {errorText(retry.error)}
        </p>
      )}
      <ul className="divide-y divide-line rounded-lg border border-line">
        {data.map((file) => (
          <li
            key={`${file.job_id} ${file.file_no}`}
            className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-2.5"
          >
            <div className="min-w-0 flex-1 basis-64">
              <div className="break-words">
                {file.filename ??
                  t('A file ({kind}, {size})', { kind: file.kind, size: formatBytes(file.size) })}
                <span className="text-soft"> {placeOf(file)}</span>
              </div>
              <div className="break-words text-sm text-soft">{reasonText(file.error)}</div>
            </div>
            {file.can_retry && (
              <Button
                disabled={retry.isPending}
                onClick={() =>
                  retry.mutate({
                    workspace_id: file.workspace_id,
                    job_id: file.job_id,
                    file_no: file.file_no,
                  })
                }
              >
                {t('Try again')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function placeOf({ workspace, owners, failed_at }: FailedFileOfService): string {
  const ago = formatAgo(failed_at)
  if (owners.length === 0)
    return workspace === null
      ? t('in a workspace of nobody, {ago}', { ago })
      : t('in {workspace} of nobody, {ago}', { workspace, ago })
  return workspace === null
    ? t('in a workspace of {owners}, {ago}', { owners: owners.join(', '), ago })
    : t('in {workspace} of {owners}, {ago}', { workspace, owners: owners.join(', '), ago })
}

const KINDS: Readonly<Record<string, string>> = {
  ingest: message('Reading files'),
  fold: message('Counting terms'),
  graph: message('Graph'),
  embed: message('Search by meaning'),
  pictures: message('Words in pictures'),
  purge: message('Deleting workspaces'),
  source: message('Sources'),
  notice: message('Webhooks'),
  delivery: message('Deliveries of webhooks'),
  import: message('Imports'),
  backup: message('Backups'),
}

function Queue({ queue }: { queue: ServiceHealth['queue'] }) {
  if (queue.length === 0) return <p className="text-soft">{t('Nothing waits.')}</p>
  return (
    <table aria-label={t('Waiting and running')} className="w-full max-w-xl text-left text-sm">
      <thead className="text-soft">
        <tr className="border-b border-line">
          <th scope="col" className="py-1.5 font-medium">
            {t('Work')}
          </th>
          {[t('Waiting'), t('Running'), t('Oldest')].map((name) => (
            <th key={name} scope="col" className="pl-3 text-right font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {queue.map(({ kind, waiting, running, oldest_seconds }) => (
          <tr key={kind} className="border-b border-line">
            <th scope="row" className="py-1.5 font-normal">
              {t(KINDS[kind] ?? kind)}
            </th>
            <td className="pl-3 text-right tabular-nums">{formatCount(waiting)}</td>
            <td className="pl-3 text-right tabular-nums">{formatCount(running)}</td>
            <td className="pl-3 text-right">{oldest_seconds > 0 ? formatDuration(oldest_seconds) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Facts({ health: { disk, versions, workers } }: { health: ServiceHealth }) {
  const facts = [
    [t('Free for files'), disk.free === null ? t('not known') : formatBytes(disk.free)],
    [t('Uploaded files'), formatBytes(disk.files)],
    [t('Database'), formatBytes(disk.database)],
    [t('Workers'), plural(workers.length, 'worker')],
    ['Kenning', versions.kenning],
    ['Node.js', versions.node],
    ['PostgreSQL', `${versions.postgres}, pgvector ${versions.pgvector}`],
    [t('Schema'), versions.schema.replace(/\.sql$/, '')],
  ]
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-2">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
