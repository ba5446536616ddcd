// For administrators: inviting people, their accounts, and who may administer.

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Invitation, User } from '../../../src/contract/account.ts'
import { errorText } from '../language/error-text.ts'
import { message, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { CopyLine } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { formatDate } from '../parts/format.ts'
import { Empty, Problem, Skeleton, ToWorkspaces } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { workspacesQuery } from '../queries.ts'
import { account } from '../session.ts'
import { InviteForm } from './invite-form.tsx'
import { AccountPage, Section } from './page.tsx'
import { accountQuery, invitationsQuery, usersQuery } from './queries.ts'

const INVITED_AS = {
  viewer: message('viewer of {workspace} · expires on {date}'),
  editor: message('editor of {workspace} · expires on {date}'),
  owner: message('owner of {workspace} · expires on {date}'),
}

export function PeoplePage() {
  const { data: me, error, refetch } = useQuery(accountQuery)
  const { into } = useSearch({ from: '/people' })
  if (error && !me) return <Problem page error={error} retry={() => void refetch()} />
  if (!me) return <Skeleton lines={6} />
  if (!me.admin)
    return (
      <AccountPage title={t('People')}>
        <Empty title={t('Not allowed')} action={<ToWorkspaces />}>
          {t(
            'Only administrators manage accounts and invitations. The members of a workspace are in its settings.',
          )}
        </Empty>
      </AccountPage>
    )
  return (
    <AccountPage
      title={t('People')}
      description={t(
        'Who has an account on this server. What somebody may read is decided in each workspace, by its owners.',
      )}
    >
      <Section title={t('Invite somebody')}>
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
    onError: (error) => announce(errorText(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['account', 'invitations'] }),
  })
  if (!data || data.length === 0) return null
  const nameOf = (id: string): string => workspaces?.find((one) => one.id === id)?.name ?? t('a workspace')
  const recipientOf = ({ email }: Invitation): string => email ?? t('Anyone with the link')
  return (
    <Section title={t('Open invitations')}>
      <ul className="divide-y divide-line border-y border-line">
        {data.map((invitation) => (
          <li key={invitation.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <div className="min-w-0 flex-1 basis-60">
              <div className="truncate">{recipientOf(invitation)}</div>
              <div className="text-sm text-soft">
                {invitation.workspace_id && invitation.role
                  ? t(INVITED_AS[invitation.role], {
                      workspace: nameOf(invitation.workspace_id),
                      date: formatDate(invitation.expires_at),
                    })
                  : t('expires on {date}', { date: formatDate(invitation.expires_at) })}
              </div>
            </div>
            <Button
              aria-label={t('Withdraw the invitation of {email}', { email: recipientOf(invitation) })}
              disabled={withdraw.isPending}
              onClick={() => withdraw.mutate(invitation.id)}
            >
              {t('Withdraw')}
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
  const [userWithFactor, setUserWithFactor] = useState<User>()
  const [link, setLink] = useState<{ email: string; link: string }>()
  const change = useMutation({
    mutationFn: ({ id, ...body }: { id: string; admin?: boolean; status?: User['status'] }) =>
      account<User>('PATCH', `/users/${id}`, body),
    onSuccess: async () => {
      setUserToSuspend(undefined)
      setAdminToRemove(undefined)
      await queries.invalidateQueries({ queryKey: ['account'] })
    },
    onError: (error) => announce(errorText(error)),
  })
  const reset = useMutation({
    mutationFn: async ({ id, email }: User) => ({
      email,
      link: (await account<{ link: string }>('POST', `/users/${id}/reset`)).link,
    }),
    onSuccess: setLink,
    onError: (error) => announce(errorText(error)),
  })
  const resetFactor = useMutation({
    mutationFn: ({ id }: User) => account('DELETE', `/users/${id}/second-factor`),
    onSuccess: async () => {
      setUserWithFactor(undefined)
      await queries.invalidateQueries({ queryKey: ['account'] })
    },
  })
  const users = list.data?.pages.flatMap(({ data }) => data) ?? []
  // At least one administrator has to remain.
  const isOnlyAdmin =
    !list.hasNextPage && users.filter(({ admin, status }) => admin && status === 'active').length < 2
  return (
    <Section title={t('Accounts')}>
      {list.error && !list.data && <Problem error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={5} />}
      <ul className="divide-y divide-line border-y border-line">
        {users.map((user) => (
          <li key={user.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
            <div className="min-w-0 flex-1 basis-60">
              <div className="truncate">
                {user.email}
                {user.id === ownId && <span className="text-soft"> {t('(you)')}</span>}
              </div>
              <div className="text-sm text-soft">
                {user.status === 'suspended' && <strong className="text-bad">{t('Suspended')} · </strong>}
                {user.admin &&
                  `${user.admin_by_group ? t('Administrator by a group of the company') : t('Administrator')} · `}
                {user.second_factor && `${t('Second factor')} · `}
                {t('since {date}', { date: formatDate(user.created_at) })}
              </div>
            </div>
            <div className="flex flex-wrap gap-2">
              {user.status === 'active' && user.id !== ownId && (
                <Button
                  kind="quiet"
                  aria-label={t('Reset password: {email}', { email: user.email })}
                  disabled={reset.isPending}
                  onClick={() => reset.mutate(user)}
                >
                  {t('Reset password')}
                </Button>
              )}
              {user.status === 'active' && user.second_factor && user.id !== ownId && (
                <Button
                  kind="quiet"
                  aria-label={t('Reset second factor: {email}', { email: user.email })}
                  onClick={() => setUserWithFactor(user)}
                >
                  {t('Reset second factor')}
                </Button>
              )}
              {user.status === 'active' && user.admin_by_group && user.id !== ownId && (
                <Button
                  kind="quiet"
                  aria-label={t('Keep as administrator: {email}', { email: user.email })}
                  disabled={change.isPending}
                  onClick={() => change.mutate({ id: user.id, admin: true })}
                >
                  {t('Keep as administrator')}
                </Button>
              )}
              {user.status === 'active' && !(user.id === ownId && isOnlyAdmin) && (
                <Button
                  kind="quiet"
                  aria-label={
                    user.admin
                      ? t('Remove as administrator: {email}', { email: user.email })
                      : t('Make administrator: {email}', { email: user.email })
                  }
                  disabled={change.isPending}
                  onClick={() =>
                    user.id === ownId
                      ? setAdminToRemove(user)
                      : change.mutate({ id: user.id, admin: !user.admin })
                  }
                >
                  {user.admin ? t('Remove as administrator') : t('Make administrator')}
                </Button>
              )}
              {user.status === 'suspended' ? (
                <Button
                  aria-label={t('Restore {email}', { email: user.email })}
                  disabled={change.isPending}
                  onClick={() => change.mutate({ id: user.id, status: 'active' })}
                >
                  {t('Restore')}
                </Button>
              ) : (
                user.id !== ownId && (
                  <Button
                    kind="danger"
                    aria-label={t('Suspend {email}', { email: user.email })}
                    onClick={() => setUserToSuspend(user)}
                  >
                    {t('Suspend')}
                  </Button>
                )
              )}
            </div>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button className="mt-3" onClick={() => void list.fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
      <Confirm
        open={userToSuspend !== undefined}
        close={() => setUserToSuspend(undefined)}
        title={t('Suspend {email}?', { email: userToSuspend?.email ?? '' })}
        description={t(
          'They are signed out everywhere, and their API keys and connections end for good. Once restored, they sign in again and create new ones.',
        )}
        confirmLabel={t('Suspend')}
        cancelLabel={t('Cancel')}
        pending={change.isPending}
        problem={errorText(change.error)}
        confirm={() => userToSuspend && change.mutate({ id: userToSuspend.id, status: 'suspended' })}
      />
      <Confirm
        open={adminToRemove !== undefined}
        close={() => setAdminToRemove(undefined)}
        title={t('Step down as administrator?')}
        description={t('You no longer see this page, and only another administrator can make you one again.')}
        confirmLabel={t('Step down')}
        cancelLabel={t('Cancel')}
        pending={change.isPending}
        problem={errorText(change.error)}
        confirm={() => adminToRemove && change.mutate({ id: adminToRemove.id, admin: false })}
      />
      <Confirm
        open={userWithFactor !== undefined}
        close={() => setUserWithFactor(undefined)}
        title={t('Reset the second factor of {email}?', { email: userWithFactor?.email ?? '' })}
        description={t(
          'Their password alone then signs them in, until they set up a new one. Make sure that it is they who ask for it.',
        )}
        confirmLabel={t('Reset second factor')}
        cancelLabel={t('Cancel')}
        pending={resetFactor.isPending}
        problem={errorText(resetFactor.error)}
        confirm={() => userWithFactor && resetFactor.mutate(userWithFactor)}
      />
      <Dialog
        open={link !== undefined}
        onOpenChange={() => setLink(undefined)}
        title={t('Password reset link')}
        description={t('Pass this link on to {email}. It sets a new password, once, within an hour.', {
          email: link?.email ?? '',
        })}
      >
        {link && <CopyLine text={link.link} label={t('Copy the link')} />}
      </Dialog>
    </Section>
  )
}
