// Invitations: links that each create an account, and optionally add it to a workspace of the administrator.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { NewInvitation } from '../../../src/contract/account.ts'
import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { CopyButton, CopyLine } from '../parts/copy.tsx'
import { inputClass } from '../parts/field.tsx'
import { isRole, ROLES, type Role } from '../parts/roles.ts'
import { Select } from '../parts/select.tsx'
import { workspacesQuery } from '../queries.ts'
import { account } from '../session.ts'
import { addressesIn, isLoopback } from './addresses.ts'

interface Outcome {
  created: NewInvitation[]
  refused: { email: string; why: string }[]
}

/** `initialWorkspace`: the workspace from whose page the form was opened. */
export function InviteForm({
  sendsMail,
  initialWorkspace,
}: {
  sendsMail: boolean
  initialWorkspace: string | undefined
}) {
  const { data: workspaces } = useQuery(workspacesQuery)
  const [text, setText] = useState('')
  const [workspace, setWorkspace] = useState(initialWorkspace ?? '')
  const [role, setRole] = useState<Role>('viewer')
  const queries = useQueryClient()
  const id = useId()
  const emails = addressesIn(text)
  const hasNoAddress = emails.length === 0 && text.trim() !== ''
  const inviteOne = (email: string | undefined): Promise<NewInvitation> =>
    account<NewInvitation>('POST', '/invitations', {
      ...(email ? { email } : {}),
      ...(workspace ? { workspace_id: workspace, role } : {}),
    })
  const invite = useMutation({
    mutationFn: async (): Promise<Outcome> => {
      if (emails.length === 0) return { created: [await inviteOne(undefined)], refused: [] }
      const outcome: Outcome = { created: [], refused: [] }
      for (const email of emails)
        await inviteOne(email).then(
          (invitation) => outcome.created.push(invitation),
          (error: Error) => outcome.refused.push({ email, why: errorText(error) }),
        )
      return outcome
    },
    onSuccess: async ({ refused: refusals }) => {
      // Addresses that were refused stay in the field, so that they can be corrected.
      setText(refusals.map(({ email }) => email).join('\n'))
      await queries.invalidateQueries({ queryKey: ['account', 'invitations'] })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!hasNoAddress) invite.mutate()
  }
  const refusals = invite.data?.refused ?? []
  return (
    <form onSubmit={submit}>
      <div className="mb-4">
        <label htmlFor={id} className="mb-1 block text-sm font-medium">
          {t('Email addresses')}
        </label>
        <textarea
          id={id}
          rows={Math.min(10, Math.max(2, text.split('\n').length))}
          placeholder="name@example.org"
          value={text}
          aria-invalid={hasNoAddress}
          aria-describedby={`${id}-note`}
          onChange={(event) => setText(event.target.value)}
          className={inputClass}
        />
        <p
          id={`${id}-note`}
          role={hasNoAddress ? 'alert' : undefined}
          className={`mt-1 text-sm ${hasNoAddress ? 'text-bad' : 'text-soft'}`}
        >
          {hasNoAddress
            ? t('There is no email address in this.')
            : sendsMail
              ? t(
                  'As many as you like. Each gets a link by mail that works for that address only. Without an address, the link works for anyone.',
                )
              : t(
                  'As many as you like. Each gets a link that works for that address only; this server sends no mail, so you pass it on yourself. Without an address, the link works for anyone.',
                )}
        </p>
      </div>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Select
          label={t('Workspace')}
          value={workspace}
          choose={setWorkspace}
          options={[
            { value: '', label: t('None yet') },
            ...(workspaces?.map(({ id, name }) => ({ value: id, label: name })) ?? []),
          ]}
        />
        {workspace && (
          <Select
            label={t('Role')}
            value={role}
            choose={(next) => isRole(next) && setRole(next)}
            options={ROLES}
          />
        )}
      </div>
      {(invite.error || refusals.length > 0) && (
        <ul role="alert" className="mb-3 text-sm text-bad">
          {invite.error && <li>{errorText(invite.error)}</li>}
          {refusals.map(({ email, why }) => (
            <li key={email}>
              {email}: {why}
            </li>
          ))}
        </ul>
      )}
      <Button type="submit" kind="primary" disabled={invite.isPending || hasNoAddress}>
        {emails.length > 1
          ? plural(emails.length, 'Create {count} invitation', 'Create {count} invitations')
          : t('Create invitation')}
      </Button>
      {invite.data && invite.data.created.length > 0 && (
        <NewInvitations created={invite.data.created} sendsMail={sendsMail} />
      )}
    </form>
  )
}

const severalText = (count: number, isSent: boolean): string =>
  `${
    isSent
      ? plural(
          count,
          '{count} invitation was sent. If it does not arrive, pass on its link.',
          '{count} invitations were sent. If one does not arrive, pass on its link.',
        )
      : plural(count, 'Pass this link on.', 'Pass each of these {count} links on.')
  } ${t('Each creates one account, within seven days. They are shown only now.')}`

function oneText(email: string | null, isSent: boolean): string {
  const step =
    email === null
      ? t('Pass this link on.')
      : isSent
        ? t('The invitation was sent to {email}. If it does not arrive, pass on this link.', { email })
        : t('Pass this link on to {email}.', { email })
  return `${step} ${t('It creates one account, within seven days. It is shown only now.')}`
}

function NewInvitations({ created, sendsMail }: { created: readonly NewInvitation[]; sendsMail: boolean }) {
  const [firstLink, ...rest] = created
  if (!firstLink) return null
  const isSent = sendsMail && firstLink.email !== null
  const hasSeveral = rest.length > 0
  return (
    <section aria-label={t('New invitation')} className="mt-4 rounded-lg border border-accent bg-tint p-4">
      <p role="status" className="mb-3">
        {hasSeveral ? severalText(created.length, isSent) : oneText(firstLink.email, isSent)}
      </p>
      {isLoopback(firstLink.link) && (
        <p className="mb-3 text-sm text-bad">
          {t(
            'It opens only on this computer. For others, start Kenning with KENNING_HOST and with KENNING_BASE_URL, the address that they use and /v1 behind it.',
          )}
        </p>
      )}
      {hasSeveral ? (
        <>
          <ul className="mb-3 space-y-3">
            {created.map(({ id, email, link }) => (
              <li key={id}>
                <div className="mb-1 text-sm">{email}</div>
                <CopyLine text={link} label={t('Copy the link for {email}', { email: email ?? '' })} />
              </li>
            ))}
          </ul>
          <CopyButton
            name={t('Copy all')}
            text={created.map(({ email, link }) => `${email}\t${link}`).join('\n')}
          />
        </>
      ) : (
        <CopyLine text={firstLink.link} label={t('Copy the link')} />
      )}
    </section>
  )
}
