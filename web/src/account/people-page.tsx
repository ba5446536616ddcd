// For administrators: inviting people, their accounts, and who may administer.

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Invitation, User } from '../../../src/contract/account.ts'
import { Button } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { CopyLine } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { formatDate } from '../parts/format.ts'
import { Empty, Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { workspacesQuery } from '../queries.ts'
import { account } from '../session.ts'
import { InviteForm } from './invite-form.tsx'
import { AccountPage, Section } from './page.tsx'
import { accountQuery, invitationsQuery, usersQuery } from './queries.ts'

export function PeoplePage() {
  const { data: me, error, refetch } = useQuery(accountQuery)
  const { into } = useSearch({ from: '/people' })
  if (error && !me) return <Problem page error={error} retry={() => void refetch()} />
  if (!me) return <Skeleton lines={6} />
  if (!me.admin)
    return (
      <AccountPage title="People">
        <Empty title="Not allowed">
          Only administrators manage accounts and invitations. The members of a workspace are in its settings.
        </Empty>
      </AccountPage>
    )
  return (
    <AccountPage
      title="People"
      description="Who has an account on this server. What somebody may read is decided in each workspace, by its owners."
    >
      <Section title="Invite somebody">
        <InviteForm sendsMail={me.sends_mail} initialWorkspace={into} />
      </Section>
      <Invitations />
      <Users ownId={me.id} />
    </AccountPage>
  )
}

function Invitations() {
  const { data } = useQuery(invitationsQuery)
  const { data: workspaces } = useQuery(workspacesQuery)
  const queries = useQueryClient()
  const withdraw = useMutation({
    mutationFn: (id: string) => account('DELETE', `/invitations/${id}`),
    onError: (error) => announce(error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['account', 'invitations'] }),
  })
  if (!data || data.length === 0) return null
  const nameOf = (id: string): string => workspaces?.find((one) => one.id === id)?.name ?? 'a workspace'
  const recipientOf = ({ email }: Invitation): string => email ?? 'Anyone with the link'
  return (
    <Section title="Open invitations">
      <ul className="divide-y divide-line border-y border-line">
        {data.map((invitation) => (
          <li key={invitation.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <div className="min-w-0 flex-1 basis-60">
              <div className="truncate">{recipientOf(invitation)}</div>
              <div className="text-sm text-soft">
                {invitation.workspace_id && `${invitation.role} of ${nameOf(invitation.workspace_id)} · `}
                expires on {formatDate(invitation.expires_at)}
              </div>
            </div>
            <Button
              aria-label={`Withdraw the invitation of ${recipientOf(invitation)}`}
              disabled={withdraw.isPending}
              onClick={() => withdraw.mutate(invitation.id)}
            >
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Users({ ownId }: { ownId: string }) {
  const list = useInfiniteQuery(usersQuery)
  const queries = useQueryClient()
  const [userToSuspend, setUserToSuspend] = useState<User>()
  const [adminToRemove, setAdminToRemove] = useState<User>()
  const [link, setLink] = useState<{ email: string; link: string }>()
  const change = useMutation({
    mutationFn: ({ id, ...body }: { id: string; admin?: boolean; status?: User['status'] }) =>
      account<User>('PATCH', `/users/${id}`, body),
    onSuccess: async () => {
      setUserToSuspend(undefined)
      setAdminToRemove(undefined)
      await queries.invalidateQueries({ queryKey: ['account'] })
    },
    onError: (error) => announce(error.message),
  })
  const reset = useMutation({
    mutationFn: async ({ id, email }: User) => ({
      email,
      link: (await account<{ link: string }>('POST', `/users/${id}/reset`)).link,
    }),
    onSuccess: setLink,
    onError: (error) => announce(error.message),
  })
  const users = list.data?.pages.flatMap(({ data }) => data) ?? []
  // At least one administrator has to remain.
  const isOnlyAdmin =
    !list.hasNextPage && users.filter(({ admin, status }) => admin && status === 'active').length < 2
  return (
    <Section title="Accounts">
      {list.error && !list.data && <Problem error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={5} />}
      <ul className="divide-y divide-line border-y border-line">
        {users.map((user) => (
          <li key={user.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
            <div className="min-w-0 flex-1 basis-60">
              <div className="truncate">
                {user.email}
                {user.id === ownId && <span className="text-soft"> (you)</span>}
              </div>
              <div className="text-sm text-soft">
                {user.status === 'suspended' && <strong className="text-bad">Suspended · </strong>}
                {user.admin && 'Administrator · '}since {formatDate(user.created_at)}
              </div>
            </div>
            <div className="flex flex-wrap gap-2">
              {user.status === 'active' && user.id !== ownId && (
                <Button
                  kind="quiet"
                  aria-label={`Reset password: ${user.email}`}
                  disabled={reset.isPending}
                  onClick={() => reset.mutate(user)}
                >
                  Reset password
                </Button>
              )}
              {user.status === 'active' && !(user.id === ownId && isOnlyAdmin) && (
                <Button
                  kind="quiet"
                  aria-label={`${user.admin ? 'Remove as administrator' : 'Make administrator'}: ${user.email}`}
                  disabled={change.isPending}
                  onClick={() =>
                    user.id === ownId
                      ? setAdminToRemove(user)
                      : change.mutate({ id: user.id, admin: !user.admin })
                  }
                >
                  {user.admin ? 'Remove as administrator' : 'Make administrator'}
                </Button>
              )}
              {user.status === 'suspended' ? (
                <Button
                  aria-label={`Restore ${user.email}`}
                  disabled={change.isPending}
                  onClick={() => change.mutate({ id: user.id, status: 'active' })}
                >
                  Restore
                </Button>
              ) : (
                user.id !== ownId && (
                  <Button
                    kind="danger"
                    aria-label={`Suspend ${user.email}`}
                    onClick={() => setUserToSuspend(user)}
                  >
                    Suspend
                  </Button>
                )
              )}
            </div>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button className="mt-3" onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
      <Confirm
        open={userToSuspend !== undefined}
        close={() => setUserToSuspend(undefined)}
        title={`Suspend ${userToSuspend?.email}?`}
        description="They are signed out everywhere, and their API keys and connections end for good. Once restored, they sign in again and create new ones."
        confirmLabel="Suspend"
        cancelLabel="Cancel"
        pending={change.isPending}
        problem={change.error?.message}
        confirm={() => userToSuspend && change.mutate({ id: userToSuspend.id, status: 'suspended' })}
      />
      <Confirm
        open={adminToRemove !== undefined}
        close={() => setAdminToRemove(undefined)}
        title="Step down as administrator?"
        description="You no longer see this page, and only another administrator can make you one again."
        confirmLabel="Step down"
        cancelLabel="Cancel"
        pending={change.isPending}
        problem={change.error?.message}
        confirm={() => adminToRemove && change.mutate({ id: adminToRemove.id, admin: false })}
      />
      <Dialog
        open={link !== undefined}
        onOpenChange={() => setLink(undefined)}
        title="Password reset link"
        description={`Pass this link on to ${link?.email}. It sets a new password, once, within an hour.`}
      >
        {link && <CopyLine text={link.link} label="Copy the link" />}
      </Dialog>
    </Section>
  )
}
