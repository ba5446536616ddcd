// The members of the workspace and their roles, which owners can change. Other members can leave the workspace.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { KenningError } from '../../../src/client/client.ts'
import { accountQuery } from '../account/queries.ts'
import { errorText } from '../language/error-text.ts'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Field } from '../parts/field.tsx'
import { isRole, ROLES, type Role, withArticle } from '../parts/roles.ts'
import { Select } from '../parts/select.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { membershipQuery, membersQuery, meQuery, workspacesQuery } from '../queries.ts'
import { api } from '../session.ts'

type Member = Output<'putMember'>

export function Members({ workspace }: { workspace: string }) {
  const { data: membership } = useQuery(membershipQuery(workspace))
  const isOwner = membership?.role === 'owner'
  const { data, error, refetch } = useQuery({ ...membersQuery(workspace), enabled: isOwner })
  return (
    <section className="mb-10">
      <h2 className="mb-3 text-lg font-semibold">{t('Members')}</h2>
      {membership && !isOwner && (
        <p className="text-soft">
          {t('You are {role} of this workspace. Its owners see and change its members.', {
            role: withArticle(membership.role),
          })}
        </p>
      )}
      {isOwner && error && !data && <Problem error={error} retry={() => void refetch()} />}
      {isOwner && !error && !data && <Skeleton lines={3} />}
      {data && (
        <>
          <MemberList workspace={workspace} members={data} />
          <NewMember workspace={workspace} />
        </>
      )}
    </section>
  )
}

function MemberList({ workspace, members }: { workspace: string; members: readonly Member[] }) {
  const queries = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const [memberToRemove, setMemberToRemove] = useState<Member>()
  const reloadMembers = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: membersQuery(workspace).queryKey })
  const setMember = useMutation({
    mutationFn: (member: { email: string; role: Role }) =>
      api.putMember({ workspace_id: workspace, ...member }),
    onError: (problem) => announce(errorText(problem)),
    onSettled: reloadMembers,
  })
  const remove = useMutation({
    mutationFn: (user_id: string) => api.deleteMember({ workspace_id: workspace, user_id }),
    onSuccess: async () => {
      setMemberToRemove(undefined)
      await reloadMembers()
    },
  })
  const otherMembers = members.filter(({ user_id }) => user_id !== me?.id)
  const ownMembership = members.find(({ user_id }) => user_id === me?.id)
  return (
    <>
      <ul className="mb-6 divide-y divide-line border-y border-line">
        {ownMembership && (
          <li className="py-2.5">
            {ownMembership.email} <span className="text-soft">{t('(you)')}</span>
            <div className="text-sm text-soft">
              {t(ROLES.find(({ value }) => value === ownMembership.role)?.label ?? '')}
            </div>
          </li>
        )}
        {otherMembers.map((member) => (
          <li key={member.user_id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
            <span className="min-w-0 flex-1 basis-48 truncate">{member.email}</span>
            <select
              aria-label={t('Role of {person}', { person: member.email })}
              value={member.role}
              disabled={setMember.isPending}
              onChange={({ target }) =>
                isRole(target.value) && setMember.mutate({ email: member.email, role: target.value })
              }
              className="max-w-full rounded-md border border-edge/60 bg-paper px-2 py-1 text-sm"
            >
              {ROLES.map(({ value, label }) => (
                <option key={value} value={value}>
                  {t(label)}
                </option>
              ))}
            </select>
            <Button
              aria-label={t('Remove {person}', { person: member.email })}
              onClick={() => setMemberToRemove(member)}
            >
              {t('Remove')}
            </Button>
          </li>
        ))}
      </ul>
      <Confirm
        open={memberToRemove !== undefined}
        close={() => setMemberToRemove(undefined)}
        title={t('Remove {person}?', { person: memberToRemove?.email ?? '' })}
        description={t(
          'They, their keys and their connections can no longer read this workspace. Documents that they uploaded stay.',
        )}
        confirmLabel={t('Remove')}
        pending={remove.isPending}
        problem={errorText(remove.error)}
        confirm={() => memberToRemove && remove.mutate(memberToRemove.user_id)}
      />
    </>
  )
}

function NewMember({ workspace }: { workspace: string }) {
  const queries = useQueryClient()
  const { data: account } = useQuery(accountQuery)
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const add = useMutation({
    mutationFn: () => api.putMember({ workspace_id: workspace, email: email.trim(), role }),
    onSuccess: async () => {
      setEmail('')
      await queries.invalidateQueries({ queryKey: membersQuery(workspace).queryKey })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    add.mutate()
  }
  return (
    <form onSubmit={submit} aria-label={t('Add a member')} className="rounded-lg border border-line p-4">
      <Field
        label={t('Email address of their account')}
        type="email"
        placeholder="name@example.org"
        required
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        problem={
          add.error instanceof KenningError && add.error.status === 404
            ? t('No account has this email address. Ask the administrator to invite this person first.')
            : errorText(add.error)
        }
      />
      <Select
        label={t('Role')}
        value={role}
        options={ROLES.map(({ value, label }) => ({ value, label: t(label) }))}
        choose={(next) => isRole(next) && setRole(next)}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={add.isPending || email.trim() === ''}>
          {t('Add member')}
        </Button>
        {account?.admin && (
          <Link to="/people" search={{ into: workspace }} className="text-sm text-accent underline">
            {t('No account yet? Invite them.')}
          </Link>
        )}
      </div>
    </form>
  )
}

/** The section with which a member who is not an owner can leave the workspace. */
export function Leave({ workspace, name }: { workspace: string; name: string }) {
  const { data: me } = useQuery(meQuery)
  const [isConfirming, setIsConfirming] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const leave = useMutation({
    mutationFn: () => api.deleteMember({ workspace_id: workspace, user_id: me?.id ?? '' }),
    onSuccess: async () => {
      queries.setQueryData(workspacesQuery.queryKey, (workspaces) =>
        workspaces?.filter(({ id }) => id !== workspace),
      )
      await navigate({ to: '/' })
      queries.removeQueries({ queryKey: ['workspace', workspace] })
    },
  })
  return (
    <section className="rounded-lg border border-line p-4">
      <h2 className="mb-1 font-semibold">{t('Leave this workspace')}</h2>
      <p className="mb-3 text-soft">{t('An owner can let you in again.')}</p>
      <Button onClick={() => setIsConfirming(true)} disabled={!me}>
        {t('Leave the workspace')}
      </Button>
      <Confirm
        open={isConfirming}
        close={() => setIsConfirming(false)}
        title={t('Leave “{workspace}”?', { workspace: name })}
        description={t(
          'You, your keys and your connections can no longer read it. Your conversations in it are not shown any more.',
        )}
        confirmLabel={t('Leave')}
        pending={leave.isPending}
        problem={errorText(leave.error)}
        confirm={() => leave.mutate()}
      />
    </section>
  )
}
