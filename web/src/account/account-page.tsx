// The page of the own account: password, second factor, sessions, and deletion.

import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Account } from '../../../src/contract/account.ts'
import { errorText } from '../language/error-text.ts'
import { rich, t } from '../language/text.tsx'
import { Button, buttonClass } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Field } from '../parts/field.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { account } from '../session.ts'
import { SITE } from '../site.ts'
import { LanguageChoice } from './language-choice.tsx'
import { AccountPage, Section } from './page.tsx'
import { type Proof, ProofField, secondFactorQuery } from './proof.tsx'
import { accountQuery } from './queries.ts'
import { SecondFactorSection } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

export function OwnAccountPage() {
  const { data: me, error, refetch } = useQuery(accountQuery)
  if (error && !me) return <Problem page error={error} retry={() => void refetch()} />
  return (
    <AccountPage
      title={t('Account')}
      description={me && t('You are signed in as {email}.', { email: me.email })}
    >
      {me ? (
        <>
          <LanguageChoice me={me} />
          <Section title={t('Password')}>
            {me.has_password ? (
              <PasswordForm email={me.email} />
            ) : (
              <p className="text-soft">
                {t(
                  'You have no password, because you sign in with {company}. An administrator can give you a link to set one.',
                  { company: me.company ?? t('your company') },
                )}
              </p>
            )}
          </Section>
          {me.has_password && <SecondFactorSection email={me.email} />}
          <Sessions />
          <CloseAccount me={me} />
        </>
      ) : (
        <Skeleton lines={6} />
      )}
    </AccountPage>
  )
}

function PasswordForm({ email }: { email: string }) {
  const [form, setForm] = useState({ password: '', new_password: '', repeated: '' })
  const [proof, setProof] = useState<Proof>({})
  const { data: factor } = useQuery(secondFactorQuery)
  const isSame = form.new_password === form.repeated
  const change = useMutation({
    mutationFn: () =>
      account('POST', '/password', {
        password: form.password,
        new_password: form.new_password,
        ...proof,
      }),
    onError: () => setProof({}),
    onSuccess: () => {
      setProof({})
      setForm({ password: '', new_password: '', repeated: '' })
      announce(t('Your password has been changed. All other browsers are signed out.'))
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isSame) change.mutate()
  }
  const field = (name: keyof typeof form) => ({
    type: 'password',
    required: true,
    value: form[name],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  })
  return (
    <form onSubmit={submit} className="max-w-md">
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field
        label={t('Current password')}
        autoComplete="current-password"
        maxLength={4000}
        problem={errorText(change.error)}
        {...field('password')}
      />
      <Field
        label={t('New password')}
        hint={t('At least 12 characters.')}
        autoComplete="new-password"
        minLength={12}
        maxLength={1000}
        {...field('new_password')}
      />
      <Field
        label={t('Repeat the new password')}
        autoComplete="new-password"
        maxLength={1000}
        problem={form.repeated !== '' && !isSame ? t('The two passwords do not match.') : undefined}
        {...field('repeated')}
      />
      <ProofField factor={factor} proof={proof} change={setProof} />
      <Button type="submit" disabled={change.isPending || !isSame || form.new_password === ''}>
        {t('Change password')}
      </Button>
    </form>
  )
}

function CloseAccount({ me }: { me: Account }) {
  const [open, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const [proof, setProof] = useState<Proof>({})
  const { data: factor } = useQuery(secondFactorQuery)
  const close = useMutation({
    mutationFn: () => account('DELETE', '', { ...(me.has_password && { password }), ...proof }),
    onError: () => setProof({}),
    onSuccess: () => location.assign(`${SITE}/sign-in`),
  })
  return (
    <section className="rounded-lg border border-bad p-4">
      <h2 className="mb-1 font-semibold text-bad">{t('Delete your account')}</h2>
      <p className="mb-3 text-soft">
        {t(
          'Workspaces that have no other members are deleted with it. Documents that you uploaded to other workspaces stay there.',
        )}
      </p>
      {!me.has_password && (
        <p className="mb-3">
          {rich('{sign_in} first, then delete the account within ten minutes.', {
            sign_in: (
              <a className={buttonClass()} href={`${SITE}/sign-in/company?next=%2Fsettings`}>
                {t('Sign in with {company} again', { company: me.company ?? t('your company') })}
              </a>
            ),
          })}
        </p>
      )}
      <Button kind="danger" onClick={() => setOpen(true)}>
        {t('Delete my account')}
      </Button>
      <Confirm
        open={open}
        close={() => setOpen(false)}
        title={t('Delete your account?')}
        description={t(
          'Your workspaces without other members, your conversations, keys and connections are deleted. This cannot be undone.',
        )}
        confirmLabel={t('Delete my account')}
        cancelLabel={t('Keep it')}
        pending={close.isPending}
        problem={errorText(close.error)}
        confirm={() => close.mutate()}
      >
        {me.has_password && (
          <Field
            label={t('Password')}
            type="password"
            autoComplete="current-password"
            required
            maxLength={4000}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
        <ProofField factor={factor} proof={proof} change={setProof} />
      </Confirm>
    </section>
  )
}
