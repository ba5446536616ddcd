// Lists applications that were connected by OAuth, and disconnects them.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Grant } from '../../../src/contract/account.ts'
import { errorText } from '../language/error-text.ts'
import { message, rich, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { formatAgo, formatDate } from '../parts/format.ts'
import { Problem, Skeleton } from '../parts/states.tsx'
import { account } from '../session.ts'
import { ConnectAssistant } from './connect.tsx'
import { AccountPage, Section } from './page.tsx'
import { accountQuery, grantsQuery } from './queries.ts'

export function ConnectionsPage() {
  const grants = useQuery(grantsQuery)
  const { data: me } = useQuery(accountQuery)
  return (
    <AccountPage
      title={t('Connections')}
      description={t(
        'Applications and assistants that you have connected. They act as you, and none of them can do more than you can.',
      )}
    >
      <Section title={t('Connected applications')}>
        {grants.error && !grants.data && <Problem error={grants.error} retry={() => void grants.refetch()} />}
        {grants.isPending && <Skeleton lines={3} />}
        {grants.data?.length === 0 && <p className="text-soft">{t('No application is connected.')}</p>}
        {grants.data && grants.data.length > 0 && <GrantList grants={grants.data} />}
      </Section>
      {me && (
        <Section title={t('Connect an assistant')}>
          <ConnectAssistant server={{ api: me.api_url, mcp: me.mcp_url }} />
        </Section>
      )}
    </AccountPage>
  )
}

const abilitiesOf = ({ scopes }: Grant): string =>
  scopes.includes('knowledge:write')
    ? t(
        'Reads, searches and asks in all your workspaces; adds, changes and deletes documents and workspaces where your role allows it.',
      )
    : t('Reads, searches and asks in all your workspaces. It can change nothing.')

const RETURN_TEXTS: Record<NonNullable<Grant['returns_to']>['kind'], string> = {
  web: message('Returns to {address}'),
  loopback: message('A program on the computer it was connected from, at {address}'),
  application: message('The app that opens links of {address}'),
}

function GrantList({ grants }: { grants: readonly Grant[] }) {
  const [grantToRevoke, setGrantToRevoke] = useState<Grant>()
  const queries = useQueryClient()
  const disconnect = useMutation({
    mutationFn: (id: string) => account('DELETE', `/grants/${id}`),
    onSuccess: async () => {
      setGrantToRevoke(undefined)
      await queries.invalidateQueries({ queryKey: ['account', 'grants'] })
    },
  })
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {grants.map((grant) => (
          <li key={grant.id} className="flex flex-wrap items-start gap-x-4 gap-y-1 py-3">
            <div className="min-w-0 flex-1 basis-72">
              <div className="font-medium">{grant.client_name}</div>
              {grant.returns_to && (
                <div className="text-sm text-soft">
                  {rich(RETURN_TEXTS[grant.returns_to.kind], {
                    address: <span className="text-ink">{grant.returns_to.shown}</span>,
                  })}
                </div>
              )}
              <div className="text-sm text-soft">{abilitiesOf(grant)}</div>
              <div className="text-sm text-soft">
                {t('Connected on {date} · last used {ago}', {
                  date: formatDate(grant.created_at),
                  ago: formatAgo(grant.last_used_at),
                })}
              </div>
            </div>
            <Button
              kind="danger"
              aria-label={t('Disconnect {application}', { application: grant.client_name })}
              onClick={() => setGrantToRevoke(grant)}
            >
              {t('Disconnect')}
            </Button>
          </li>
        ))}
      </ul>
      <Confirm
        open={grantToRevoke !== undefined}
        close={() => setGrantToRevoke(undefined)}
        title={t('Disconnect “{application}”?', { application: grantToRevoke?.client_name ?? '' })}
        description={t(
          'Its next request will be refused. To use it again, connect it again from the application.',
        )}
        confirmLabel={t('Disconnect')}
        cancelLabel={t('Keep it')}
        pending={disconnect.isPending}
        problem={errorText(disconnect.error)}
        confirm={() => grantToRevoke && disconnect.mutate(grantToRevoke.id)}
      />
    </>
  )
}
