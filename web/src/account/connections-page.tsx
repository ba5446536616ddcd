// Lists applications that were connected by OAuth, and disconnects them.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Grant } from '../../../src/contract/account.ts'
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
      title="Connections"
      description="Applications and assistants that you have connected. They act as you, and none of them can do more than you can."
    >
      <Section title="Connected applications">
        {grants.error && !grants.data && <Problem error={grants.error} retry={() => void grants.refetch()} />}
        {grants.isPending && <Skeleton lines={3} />}
        {grants.data?.length === 0 && <p className="text-soft">No application is connected.</p>}
        {grants.data && grants.data.length > 0 && <GrantList grants={grants.data} />}
      </Section>
      {me && (
        <Section title="Connect an assistant">
          <ConnectAssistant server={{ api: me.api_url, mcp: me.mcp_url }} />
        </Section>
      )}
    </AccountPage>
  )
}

const abilitiesOf = ({ scopes }: Grant): string =>
  scopes.includes('knowledge:write')
    ? 'Reads, searches and asks in all your workspaces; adds, changes and deletes documents and workspaces where your role allows it.'
    : 'Reads, searches and asks in all your workspaces. It can change nothing.'

const RETURN_LABELS: Record<NonNullable<Grant['returns_to']>['kind'], string> = {
  web: 'Returns to',
  loopback: 'A program on the computer it was connected from, at',
  application: 'The app that opens links of',
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
                <div className="text-sm">
                  <span className="text-soft">{RETURN_LABELS[grant.returns_to.kind]}</span>{' '}
                  {grant.returns_to.shown}
                </div>
              )}
              <div className="text-sm text-soft">{abilitiesOf(grant)}</div>
              <div className="text-sm text-soft">
                Connected on {formatDate(grant.created_at)} · last used {formatAgo(grant.last_used_at)}
              </div>
            </div>
            <Button
              kind="danger"
              aria-label={`Disconnect ${grant.client_name}`}
              onClick={() => setGrantToRevoke(grant)}
            >
              Disconnect
            </Button>
          </li>
        ))}
      </ul>
      <Confirm
        open={grantToRevoke !== undefined}
        close={() => setGrantToRevoke(undefined)}
        title={`Disconnect “${grantToRevoke?.client_name}”?`}
        description="Its next request will be refused. To use it again, connect it again from the application."
        confirmLabel="Disconnect"
        cancelLabel="Keep it"
        pending={disconnect.isPending}
        problem={disconnect.error?.message}
        confirm={() => grantToRevoke && disconnect.mutate(grantToRevoke.id)}
      />
    </>
  )
}
