// The sources of this workspace: the state of each one, and the owner's actions.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CirclePause, CirclePlay, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { errorText } from '../../language/error-text.ts'
import { message, plural, t } from '../../language/text.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { formatAgo, formatDuration } from '../../parts/format.ts'
import { api } from '../../session.ts'
import { NewSource } from './new-source.tsx'
import { isBusy, refusedFilesQuery, type Source, sourcesQuery } from './queries.ts'

interface Props {
  workspace: string
  isOwner: boolean
}

export function SourcesPanel({ workspace, isOwner }: Props) {
  const { data: sources, error } = useQuery(sourcesQuery(workspace))
  const [isAdding, setIsAdding] = useState(false)
  return (
    <section aria-label={t('Sources')} className="mb-3 rounded-lg border border-line text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2">
        <p className="min-w-0 flex-1 basis-60 text-soft">
          {sources?.length
            ? t(
                'The service checks these sources regularly. It adds what is new or changed there, and deletes here what was deleted there.',
              )
            : t(
                'The service can copy web pages, a repository or a drive into this workspace and update the copies, so that nobody has to upload what changes.',
              )}
        </p>
        {isOwner && (
          <Button onClick={() => setIsAdding(true)}>
            <Plus size={14} /> {t('Add a source')}
          </Button>
        )}
      </div>
      {error && !sources && (
        <p role="alert" className="border-t border-line px-3 py-2 text-bad">
          {errorText(error)}
        </p>
      )}
      {sources !== undefined && sources.length > 0 && (
        <ul className="max-h-80 divide-y divide-line overflow-y-auto border-t border-line">
          {sources.map((source) => (
            <SourceRow key={source.id} workspace={workspace} source={source} isOwner={isOwner} />
          ))}
        </ul>
      )}
      {isOwner && <NewSource workspace={workspace} open={isAdding} close={() => setIsAdding(false)} />}
    </section>
  )
}

function SourceRow({ workspace, source, isOwner }: Props & { source: Source }) {
  const queries = useQueryClient()
  const ids = { workspace_id: workspace, source_id: source.id }
  const reloadSources = () => queries.invalidateQueries({ queryKey: ['workspace', workspace, 'sources'] })
  const run = useMutation({ mutationFn: () => api.runSource(ids), onSuccess: reloadSources })
  const pause = useMutation({
    mutationFn: (paused: boolean) => api.updateSource({ ...ids, paused }),
    onSuccess: reloadSources,
  })
  const [isRemoving, setIsRemoving] = useState(false)
  const [showsRefused, setShowsRefused] = useState(false)
  const refusedCount = source.counts?.refused ?? 0
  const problem = run.error ?? pause.error
  return (
    <li className="px-3 py-2.5">
      <div className="flex items-start gap-x-3">
        <div className="min-w-0 flex-1">
          <div className="font-medium break-words">{source.name}</div>
          {source.addresses[0] !== undefined && !source.addresses[0].endsWith(source.name) && (
            <div className="text-soft break-all">
              {source.addresses.length > 1
                ? t('{address} and {more}', {
                    address: source.addresses[0],
                    more: plural(source.addresses.length - 1, '{count} more', '{count} more'),
                  })
                : source.addresses[0]}
              {source.branch !== null && ` (${source.branch})`}
            </div>
          )}
          <div className="text-soft">
            <State source={source} /> · {documentsText(source)}
            {refusedCount > 0 && (
              <>
                {' · '}
                <button
                  type="button"
                  aria-expanded={showsRefused}
                  onClick={() => setShowsRefused(!showsRefused)}
                  className="text-left text-accent underline"
                >
                  {plural(refusedCount, '{count} file could not be read', '{count} files could not be read')}
                </button>
              </>
            )}
          </div>
        </div>
        {isOwner && source.state !== 'removing' && (
          <div className="-my-1 flex shrink-0">
            <IconButton
              label={t('Run {source} now', { source: source.name })}
              disabled={isBusy(source) || run.isPending}
              onClick={() => run.mutate()}
            >
              <RefreshCw size={15} className={source.state === 'running' ? 'animate-pulse' : ''} />
            </IconButton>
            <IconButton
              label={
                source.paused
                  ? t('Resume {source}', { source: source.name })
                  : t('Pause {source}', { source: source.name })
              }
              disabled={pause.isPending}
              onClick={() => pause.mutate(!source.paused)}
            >
              {source.paused ? <CirclePlay size={15} /> : <CirclePause size={15} />}
            </IconButton>
            <IconButton
              label={t('Remove {source}', { source: source.name })}
              onClick={() => setIsRemoving(true)}
            >
              <Trash2 size={15} />
            </IconButton>
          </div>
        )}
      </div>
      {source.error !== null && !isBusy(source) && <p className="mt-1 text-bad">{source.error}</p>}
      {problem && (
        <p role="alert" className="mt-1 text-bad">
          {errorText(problem)}
        </p>
      )}
      {showsRefused && <RefusedFiles workspace={workspace} source={source} />}
      <Remove workspace={workspace} source={source} open={isRemoving} close={() => setIsRemoving(false)} />
    </li>
  )
}

function documentsText({ documents, into }: Source): string {
  const count = plural(documents, 'document')
  return into ? t('{documents} in {folder}', { documents: count, folder: into }) : count
}

const STATE_LABELS: Record<Source['state'], string> = {
  waiting: message('Up to date'),
  queued: message('Starts soon'),
  running: message('Running'),
  paused: message('Paused'),
  failed: message('Failed'),
  removing: message('Being removed'),
}

function State({ source }: { source: Source }): ReactNode {
  const { state, last_run_at: lastRunAt, next_run_at: nextRunAt } = source
  const seconds = nextRunAt === null ? undefined : (Date.parse(nextRunAt) - Date.now()) / 1000
  const times = [
    lastRunAt !== null && t('ran {ago}', { ago: formatAgo(lastRunAt) }),
    !isBusy(source) &&
      seconds !== undefined &&
      (seconds > 0 ? t('again in {duration}', { duration: formatDuration(seconds) }) : t('again soon')),
    source.every_minutes === null && t('runs only when you start it'),
  ].filter(Boolean)
  return (
    <>
      <span className={state === 'failed' ? 'text-bad' : ''}>{t(STATE_LABELS[state])}</span>
      {times.length > 0 && ` · ${times.join(', ')}`}
    </>
  )
}

function RefusedFiles({ workspace, source }: { workspace: string; source: Source }) {
  const { data } = useQuery(refusedFilesQuery(workspace, source.id))
  return (
    <ul className="mt-1 space-y-1">
      {data?.map(({ path, reason }) => (
        <li key={path} className="break-words">
          <span className="font-medium">{path}</span> <span className="text-soft">{reason}</span>
        </li>
      ))}
    </ul>
  )
}

interface RemoveProps {
  workspace: string
  source: Source
  open: boolean
  close: () => void
}

function Remove({ workspace, source, open, close }: RemoveProps) {
  const [documents, setDocuments] = useState<'keep' | 'delete'>('keep')
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.deleteSource({ workspace_id: workspace, source_id: source.id, documents }),
    onSuccess: async () => {
      close()
      await queries.invalidateQueries({ queryKey: ['workspace', workspace, 'sources'] })
    },
  })
  const choices = [
    {
      value: 'keep',
      label: plural(source.documents, 'Keep its {count} document', 'Keep its {count} documents'),
      about: t('They stay as they are and are no longer updated.'),
    },
    {
      value: 'delete',
      label: plural(source.documents, 'Delete its {count} document', 'Delete its {count} documents'),
      about: t('Documents that somebody has changed here are kept.'),
    },
  ] as const
  return (
    <Confirm
      open={open}
      close={close}
      title={t('Remove “{source}”?', { source: source.name })}
      description={t('The source itself, wherever it is, is not touched.')}
      confirmLabel={documents === 'keep' ? t('Remove source') : t('Remove source and documents')}
      cancelLabel={t('Cancel')}
      pending={remove.isPending}
      problem={errorText(remove.error)}
      confirm={() => remove.mutate()}
    >
      <fieldset className="mb-4 space-y-2">
        <legend className="sr-only">{t('What happens to its documents')}</legend>
        {choices.map(({ value, label, about }) => (
          <label key={value} className="flex items-start gap-2">
            <input
              type="radio"
              name={`documents of ${source.id}`}
              checked={documents === value}
              onChange={() => setDocuments(value)}
              className="mt-1 accent-accent"
            />
            <span>
              <span className="font-medium">{label}</span>
              <span className="block text-soft">{about}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Confirm>
  )
}
