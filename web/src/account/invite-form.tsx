// An invitation: a link that creates an account, and leads into a workspace of the administrator if one is chosen.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { NewInvitation } from '../../../src/contract/account.ts'
import { Button } from '../parts/button.tsx'
import { CopyLine } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'
import { isRole, ROLES, type Role } from '../parts/roles.ts'
import { Select } from '../parts/select.tsx'
import { workspacesQuery } from '../queries.ts'
import { account } from '../session.ts'

/** `into`: the workspace that somebody comes from. */
export function InviteForm({ mails, into }: { mails: boolean; into: string | undefined }) {
  const { data: workspaces } = useQuery(workspacesQuery)
  const [email, setEmail] = useState('')
  const [workspace, setWorkspace] = useState(into ?? '')
  const [role, setRole] = useState<Role>('viewer')
  const queries = useQueryClient()
  const invite = useMutation({
    mutationFn: () =>
      account<NewInvitation>('POST', '/invitations', {
        ...(email.trim() ? { email: email.trim() } : {}),
        ...(workspace ? { workspace_id: workspace, role } : {}),
      }),
    onSuccess: async () => {
      setEmail('')
      await queries.invalidateQueries({ queryKey: ['account', 'invitations'] })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    invite.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Field
        label="Email address"
        type="email"
        maxLength={254}
        placeholder="name@example.org"
        hint={
          mails
            ? 'The link is sent there and works for this address only. Without an address you pass it on yourself.'
            : 'Optional: the link then works for this address only. This server sends no mail, so you pass the link on yourself.'
        }
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Select
          label="Workspace"
          value={workspace}
          choose={setWorkspace}
          options={[
            { value: '', label: 'None yet' },
            ...(workspaces?.map(({ id, name }) => ({ value: id, label: name })) ?? []),
          ]}
        />
        {workspace && (
          <Select
            label="Role"
            value={role}
            choose={(next) => isRole(next) && setRole(next)}
            options={ROLES}
          />
        )}
      </div>
      {invite.error && (
        <p role="alert" className="mb-3 text-sm text-bad">
          {invite.error.message}
        </p>
      )}
      <Button type="submit" kind="primary" disabled={invite.isPending}>
        Create invitation
      </Button>
      {invite.data && <Made invitation={invite.data} mails={mails} />}
    </form>
  )
}

function Made({ invitation: { email, link }, mails }: { invitation: NewInvitation; mails: boolean }) {
  const isSent = mails && email !== null
  return (
    <section aria-label="New invitation" className="mt-4 rounded-lg border border-accent bg-tint p-4">
      <p role="status" className="mb-3">
        {isSent
          ? `The invitation was sent to ${email}. If it does not arrive, pass on this link.`
          : `Pass this link on${email === null ? '' : ` to ${email}`}.`}{' '}
        It creates one account, within seven days. It is shown only now.
      </p>
      <CopyLine text={link} label="Copy the link" />
    </section>
  )
}
