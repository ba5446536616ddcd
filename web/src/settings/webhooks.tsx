// The webhooks of a workspace, which tell other programs when a job is done. Only owners see them. A new webhook's secret is
// shown once, deliveries for 30 days.

import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CirclePause, CirclePlay, Send, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { errorText } from '../language/error-text.ts'
import { message, plural, rich, t } from '../language/text.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { CopyLine } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'
import { formatAgo, formatDuration } from '../parts/format.ts'
import { Problem, Skeleton } from '../parts/states.tsx'
import { api } from '../session.ts'

type Webhook = Output<'listWebhooks'>['data'][number]
type Delivery = Output<'listWebhookDeliveries'>['data'][number]

const MAX_DELIVERIES = 20
// An attempt ends within 15 seconds, so the list is reloaded often while one is running.
const BUSY_REFRESH_MS = 1500

const webhooksQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'webhooks'],
    queryFn: ({ signal }) => api.listWebhooks({ workspace_id: id, limit: 100 }, { signal }),
  })

const deliveriesQuery = (id: string, webhook: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'webhook deliveries', webhook],
    queryFn: ({ signal }) =>
      api.listWebhookDeliveries({ workspace_id: id, webhook_id: webhook, limit: MAX_DELIVERIES }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.data.some((one) => one.state === 'waiting' && one.attempts === 0) ? BUSY_REFRESH_MS : false,
  })

export function Webhooks({ workspace }: { workspace: string }) {
  const { data, error, refetch } = useQuery(webhooksQuery(workspace))
  const [newWebhook, setNewWebhook] = useState<{ url: string; secret: string }>()
  return (
    <section className="mb-10">
      <h2 className="mb-1 text-lg font-semibold">{t('Webhooks')}</h2>
      <p className="mb-3 text-soft">
        {t(
          'Kenning tells a program of yours when files have been read: an upload, a source or a reindexing.',
        )}
      </p>
      {error && !data && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={2} />}
      {newWebhook && (
        <section aria-label={t('New webhook')} className="mb-4 rounded-lg border border-accent bg-tint p-4">
          <h3 className="mb-1 font-semibold">{t('The webhook is ready')}</h3>
          <p className="mb-3 text-soft" role="status">
            {t(
              'With this secret the program at {address} checks that an event comes from Kenning, as Standard Webhooks describes. Copy it now: it is not shown again.',
              { address: newWebhook.url },
            )}
          </p>
          <CopyLine text={newWebhook.secret} label={t('Copy the secret')} />
          <Button className="mt-3" onClick={() => setNewWebhook(undefined)}>
            {t('Done: I have copied the secret')}
          </Button>
        </section>
      )}
      {data && data.data.length > 0 && (
        <ul className="mb-4 divide-y divide-line border-y border-line">
          {data.data.map((webhook) => (
            <Row key={webhook.id} workspace={workspace} webhook={webhook} />
          ))}
        </ul>
      )}
      {data && <NewWebhook workspace={workspace} done={setNewWebhook} />}
    </section>
  )
}

function NewWebhook({
  workspace,
  done,
}: {
  workspace: string
  done: (webhook: Output<'createWebhook'>) => void
}) {
  const [url, setUrl] = useState('')
  const queries = useQueryClient()
  const add = useMutation({
    mutationFn: () => api.createWebhook({ workspace_id: workspace, url: url.trim() }),
    onSuccess: async (webhook) => {
      setUrl('')
      done(webhook)
      await queries.invalidateQueries({ queryKey: webhooksQuery(workspace).queryKey })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    add.mutate()
  }
  return (
    <form onSubmit={submit} aria-label={t('Add a webhook')} className="rounded-lg border border-line p-4">
      <Field
        label={t('Address')}
        type="url"
        placeholder="https://example.org/hooks/kenning"
        required
        maxLength={2000}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        problem={errorText(add.error)}
      />
      <Button type="submit" disabled={add.isPending || url.trim() === ''}>
        {t('Add webhook')}
      </Button>
    </form>
  )
}

function Row({ workspace, webhook }: { workspace: string; webhook: Webhook }) {
  const { id, url, paused, error } = webhook
  const queries = useQueryClient()
  const webhookPath = { workspace_id: workspace, webhook_id: id }
  const [open, setOpen] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  const deliveriesKey = deliveriesQuery(workspace, id).queryKey
  const reloadWebhooks = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: webhooksQuery(workspace).queryKey })
  const pause = useMutation({
    mutationFn: () => api.updateWebhook({ ...webhookPath, paused: !paused }),
    onSuccess: reloadWebhooks,
  })
  const test = useMutation({
    mutationFn: () => api.testWebhook(webhookPath),
    onSuccess: async () => {
      setOpen(true)
      await queries.invalidateQueries({ queryKey: deliveriesKey })
    },
  })
  const remove = useMutation({
    mutationFn: () => api.deleteWebhook(webhookPath),
    // The webhook's deliveries are deleted with it, so requests for them are cancelled.
    onMutate: () => queries.cancelQueries({ queryKey: deliveriesKey }),
    onSuccess: async () => {
      setIsConfirming(false)
      await reloadWebhooks()
      queries.removeQueries({ queryKey: deliveriesKey })
    },
  })
  const problem = pause.error ?? test.error
  return (
    <li className="py-2.5">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <div className="break-all">{url}</div>
          <div className="text-sm text-soft">
            {paused ? t('Paused') : t('Active')} · {t('added {ago}', { ago: formatAgo(webhook.created_at) })}{' '}
            ·{' '}
            <button
              type="button"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
              className="text-accent underline"
            >
              {t('Sent events')}
            </button>
          </div>
        </div>
        <div className="-my-0.5 flex shrink-0">
          <IconButton
            label={t('Send a test event to {address}', { address: url })}
            disabled={test.isPending}
            onClick={() => test.mutate()}
          >
            <Send size={15} />
          </IconButton>
          <IconButton
            label={paused ? t('Resume {address}', { address: url }) : t('Pause {address}', { address: url })}
            disabled={pause.isPending}
            onClick={() => pause.mutate()}
          >
            {paused ? <CirclePlay size={15} /> : <CirclePause size={15} />}
          </IconButton>
          <IconButton label={t('Delete {address}', { address: url })} onClick={() => setIsConfirming(true)}>
            <Trash2 size={15} />
          </IconButton>
        </div>
      </div>
      {error !== null && <p className="mt-1 text-sm text-bad">{error}</p>}
      {problem && (
        <p role="alert" className="mt-1 text-sm text-bad">
          {errorText(problem)}
        </p>
      )}
      {open && !remove.isPending && !remove.isSuccess && <Deliveries workspace={workspace} webhook={id} />}
      <Confirm
        open={isConfirming}
        close={() => setIsConfirming(false)}
        title={t('Delete this webhook?')}
        description={t(
          '{address} receives nothing more, not even events that are still waiting to be sent.',
          {
            address: url,
          },
        )}
        confirmLabel={t('Delete webhook')}
        pending={remove.isPending}
        problem={errorText(remove.error)}
        confirm={() => remove.mutate()}
      />
    </li>
  )
}

const TYPES: Record<Delivery['type'], string> = {
  'job.done': message('A job is done'),
  'webhook.test': message('Test'),
}

function Deliveries({ workspace, webhook }: { workspace: string; webhook: string }) {
  const { data, error, refetch } = useQuery(deliveriesQuery(workspace, webhook))
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={2} />
  if (data.data.length === 0)
    return <p className="mt-2 text-sm text-soft">{t('Nothing was sent in the last 30 days.')}</p>
  return (
    <ul aria-label={t('Sent events')} className="mt-2 space-y-1.5 border-l-2 border-line pl-3 text-sm">
      {data.data.map((item) => (
        <li key={item.id}>
          {rich('{event}, {ago}: {state}', {
            event: t(TYPES[item.type]),
            ago: formatAgo(item.created_at),
            state: (
              <span className={item.state === 'given_up' ? 'text-bad' : 'text-soft'}>
                {deliveryState(item)}
              </span>
            ),
          })}
        </li>
      ))}
      {data.has_more && (
        <li className="text-soft">
          {plural(MAX_DELIVERIES, 'The last {count} is shown.', 'The last {count} are shown.')}
        </li>
      )}
    </ul>
  )
}

function deliveryState(delivery: Delivery): string {
  const { state, attempts, status, error } = delivery
  if (state === 'delivered')
    return status === null ? t('delivered') : t('delivered (answer {status})', { status })
  if (state === 'waiting' && attempts === 0) return t('is being sent')
  const text =
    state === 'given_up'
      ? plural(attempts, 'failed after {count} attempt', 'failed after {count} attempts')
      : waitingState(delivery)
  return error === null ? text : t('{state}: {reason}', { state: text, reason: error })
}

/** Of a delivery that failed and is tried again. */
function waitingState({ attempts, next_attempt_at: next }: Delivery): string {
  const failures = plural(attempts, '{count} attempt failed', '{count} attempts failed')
  const seconds = next === null ? 0 : (Date.parse(next) - Date.now()) / 1000
  return seconds > 0
    ? t('{failures}, again in {duration}', { failures, duration: formatDuration(seconds) })
    : t('{failures}, again soon', { failures })
}
