// The second factor of the own account: setting it up, new recovery codes, turning it off.

import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { NewSecondFactor, RecoveryCodes, SecondFactor } from '../../../src/contract/second-factor.ts'
import { errorText } from '../language/error-text.ts'
import { message, plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { CopyBlock, CopyLine } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { formatDate } from '../parts/format.ts'
import { Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { account } from '../session.ts'
import { Section } from './page.tsx'
import { QrCode } from './qr-code.tsx'

const FEW_CODES = 3

export const secondFactorQuery = queryOptions({
  queryKey: ['account', 'second-factor'],
  queryFn: () => account<SecondFactor>('GET', '/second-factor'),
})

type Step = 'none' | 'setup' | 'renew' | 'off'

export function SecondFactorSection({ email }: { email: string }) {
  const { data, error, refetch } = useQuery(secondFactorQuery)
  const queries = useQueryClient()
  const [step, setStep] = useState<Step>('none')
  const [codes, setCodes] = useState<string[]>()
  const close = (newCodes?: string[]): void => {
    setStep('none')
    setCodes(newCodes)
    void queries.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
  }
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={3} />
  return (
    <Section title={t('Second factor')}>
      {codes && <NewCodes codes={codes} />}
      {data.confirmed_at === null ? (
        <>
          <p className="mb-3 text-soft">
            {t(
              'With an authenticator app on your phone, a password that somebody has learned is not enough to sign in as you.',
            )}
          </p>
          <Button onClick={() => setStep('setup')}>{t('Set up a second factor')}</Button>
        </>
      ) : (
        <>
          <p className="mb-1 text-soft">
            {t('Since {date}, signing in with your password asks for a code of your authenticator app.', {
              date: formatDate(data.confirmed_at),
            })}
          </p>
          <p className={`mb-3 ${data.recovery_codes <= FEW_CODES ? 'text-bad' : 'text-soft'}`}>
            {plural(
              data.recovery_codes,
              '{count} recovery code is left.',
              '{count} recovery codes are left.',
            )}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setStep('renew')}>{t('New recovery codes')}</Button>
            <Button kind="danger" onClick={() => setStep('off')}>
              {t('Turn off')}
            </Button>
          </div>
        </>
      )}
      <Dialog
        open={step === 'setup'}
        onOpenChange={(open) => !open && close(codes)}
        title={t('Set up a second factor')}
      >
        <Setup email={email} done={close} />
      </Dialog>
      <Dialog
        open={step === 'renew'}
        onOpenChange={(open) => !open && close(codes)}
        title={t('New recovery codes')}
        description={t('The recovery codes that you have now stop working.')}
      >
        <Confirmation
          label={t('Create new codes')}
          send={async (confirmation) =>
            close(
              (await account<RecoveryCodes>('POST', '/second-factor/recovery-codes', confirmation))
                .recovery_codes,
            )
          }
        />
      </Dialog>
      <Dialog
        open={step === 'off'}
        onOpenChange={(open) => !open && close(codes)}
        title={t('Turn off the second factor?')}
        description={t('From then on, your password alone signs you in.')}
      >
        <Confirmation
          label={t('Turn off')}
          isDangerous
          send={async (confirmation) => {
            await account('DELETE', '/second-factor', confirmation)
            announce(t('The second factor is off.'))
            close()
          }}
        />
      </Dialog>
    </Section>
  )
}

function Setup({ email, done }: { email: string; done: (codes: string[]) => void }) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const begin = useMutation({
    mutationFn: () => account<NewSecondFactor>('POST', '/second-factor', { password }),
  })
  const confirm = useMutation({
    mutationFn: () => account<RecoveryCodes>('POST', '/second-factor/confirm', { code }),
    onSuccess: ({ recovery_codes }) => {
      announce(t('The second factor is on. All other browsers are signed out.'))
      done(recovery_codes)
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (begin.data) confirm.mutate()
    else begin.mutate()
  }
  if (!begin.data)
    return (
      <form onSubmit={submit}>
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordField value={password} change={setPassword} problem={errorText(begin.error)} />
        <Button type="submit" kind="primary" disabled={begin.isPending}>
          {t('Continue')}
        </Button>
      </form>
    )
  return (
    <form onSubmit={submit}>
      <p className="mb-3">{t('Scan this with an authenticator app on your phone.')}</p>
      <QrCode text={begin.data.uri} label={t('QR code for the authenticator app')} />
      <p className="mt-3 mb-1 text-sm text-soft">{t('Or enter this key in the app:')}</p>
      <CopyLine text={begin.data.secret} label={t('Copy the key')} />
      <div className="mt-4">
        <CodeField value={code} change={setCode} problem={errorText(confirm.error)} />
      </div>
      <Button type="submit" kind="primary" disabled={confirm.isPending}>
        {t('Turn on')}
      </Button>
    </form>
  )
}

/** Asks for password and code. */
function Confirmation({
  label,
  isDangerous = false,
  send,
}: {
  label: string
  isDangerous?: boolean
  send: (confirmation: { password: string; code: string }) => Promise<void>
}) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const change = useMutation({ mutationFn: () => send({ password, code }) })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <PasswordField value={password} change={setPassword} />
      <CodeField value={code} change={setCode} hint={t(CODE_HINT)} problem={errorText(change.error)} />
      <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} disabled={change.isPending}>
        {label}
      </Button>
    </form>
  )
}

interface FieldProps {
  value: string
  change: (value: string) => void
  hint?: string
  problem?: string | undefined
}

const PasswordField = ({ value, change, ...rest }: FieldProps) => (
  <Field
    label={t('Password')}
    type="password"
    autoComplete="current-password"
    required
    maxLength={4000}
    value={value}
    onChange={(event) => change(event.target.value)}
    {...rest}
  />
)

/** Beside a field for a code, translated where it is shown. */
export const CODE_HINT = message('From the app, or one of your recovery codes.')

export const CodeField = ({ value, change, ...rest }: FieldProps) => (
  <Field
    label={t('Code')}
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    required
    maxLength={100}
    value={value}
    onChange={(event) => change(event.target.value)}
    {...rest}
  />
)

function NewCodes({ codes }: { codes: string[] }) {
  return (
    <section
      aria-label={t('New recovery codes')}
      className="mb-4 rounded-lg border border-accent bg-tint p-4"
    >
      <p role="status" className="mb-3">
        {t(
          'Keep these recovery codes where you find them without your phone. Each signs you in once, in place of a code of the app. They are shown only now.',
        )}
      </p>
      <CopyBlock text={codes.join('\n')} label={t('recovery codes')} />
    </section>
  )
}
