// The second factor of the own account: authenticator app and passkeys, new recovery codes, turning it off.

import { startRegistration } from '@simplewebauthn/browser'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type {
  NewSecondFactor,
  Passkey,
  RecoveryCodes,
  SecondFactor,
} from '../../../src/contract/second-factor.ts'
import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { CopyBlock, CopyLine } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { formatDate } from '../parts/format.ts'
import { Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { account } from '../session.ts'
import { Section } from './page.tsx'
import { CodeField, fromBrowser, PasswordField, type Proof, ProofField, secondFactorQuery } from './proof.tsx'
import { QrCode } from './qr-code.tsx'

const FEW_CODES = 3
const MAX_PASSKEYS = 10

type Step = 'none' | 'app' | 'passkey' | 'renew' | 'off' | 'app-off' | { remove: Passkey }

export function SecondFactorSection({ email }: { email: string }) {
  const { data, error, refetch } = useQuery(secondFactorQuery)
  const queries = useQueryClient()
  const [step, setStep] = useState<Step>('none')
  const [codes, setCodes] = useState<string[]>()
  const close = (newCodes?: string[]): void => {
    setStep('none')
    // With an empty list, the codes that are shown still hold.
    if (newCodes?.length !== 0) setCodes(newCodes)
    void queries.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
  }
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={3} />
  const isOn = data.confirmed_at !== null
  const passkeyToRemove = typeof step === 'object' ? step.remove : undefined
  const mayAddPasskey = data.allows_passkeys && data.passkeys.length < MAX_PASSKEYS
  const dialog = (name: Step, title: string) => ({
    open: step === name,
    onOpenChange: (open: boolean) => !open && close(codes),
    title,
  })
  return (
    <Section title={t('Second factor')}>
      {codes && <NewCodes codes={codes} />}
      <p className="mb-3 text-soft">
        {data.confirmed_at === null
          ? t(
              'With an authenticator app or a passkey, a password that somebody has learned is not enough to sign in as you.',
            )
          : t('Since {date}, signing in with your password asks for your second factor.', {
              date: formatDate(data.confirmed_at),
            })}
      </p>
      {isOn && (
        <>
          <p className={`mb-3 ${data.recovery_codes <= FEW_CODES ? 'text-bad' : 'text-soft'}`}>
            {plural(
              data.recovery_codes,
              '{count} recovery code is left.',
              '{count} recovery codes are left.',
            )}
          </p>
          <ul className="mb-3 divide-y divide-line">
            {data.app && <Factor name={t('Authenticator app')} remove={() => setStep('app-off')} />}
            {data.passkeys.map((passkey) => (
              <Factor
                key={passkey.id}
                name={passkey.name}
                detail={
                  passkey.used_on === null
                    ? t('Passkey, added {date}', { date: formatDate(passkey.created_at) })
                    : t('Passkey, last used {date}', { date: formatDate(passkey.used_on) })
                }
                remove={() => setStep({ remove: passkey })}
              />
            ))}
          </ul>
        </>
      )}
      <div className="flex flex-wrap gap-2">
        {!data.app && <Button onClick={() => setStep('app')}>{t('Set up an authenticator app')}</Button>}
        {mayAddPasskey && <Button onClick={() => setStep('passkey')}>{t('Add a passkey')}</Button>}
        {isOn && (
          <>
            <Button onClick={() => setStep('renew')}>{t('New recovery codes')}</Button>
            <Button kind="danger" onClick={() => setStep('off')}>
              {t('Turn off')}
            </Button>
          </>
        )}
      </div>
      <Dialog {...dialog('app', t('Set up an authenticator app'))}>
        <Setup email={email} factor={data} done={close} />
      </Dialog>
      <Dialog {...dialog('passkey', t('Add a passkey'))}>
        <NewPasskey email={email} factor={data} done={close} />
      </Dialog>
      <Dialog
        {...dialog('renew', t('New recovery codes'))}
        description={t('The recovery codes that you have now stop working.')}
      >
        <Confirmation
          label={t('Create new codes')}
          factor={data}
          send={async (confirmation) =>
            close(
              (await account<RecoveryCodes>('POST', '/second-factor/recovery-codes', confirmation))
                .recovery_codes,
            )
          }
        />
      </Dialog>
      <Dialog
        {...dialog('off', t('Turn off the second factor?'))}
        description={t('From then on, your password alone signs you in.')}
      >
        <Confirmation
          label={t('Turn off')}
          isDangerous
          factor={data}
          send={async (confirmation) => {
            await account('DELETE', '/second-factor', confirmation)
            announce(t('The second factor is off.'))
            close()
          }}
        />
      </Dialog>
      <Dialog
        {...dialog('app-off', t('Remove the authenticator app?'))}
        description={t('If nothing else is left, the second factor is off.')}
      >
        <Confirmation
          label={t('Remove')}
          isDangerous
          factor={data}
          send={async (confirmation) => {
            await account('DELETE', '/second-factor/app', confirmation)
            close(data.passkeys.length > 0 ? [] : undefined)
          }}
        />
      </Dialog>
      <Dialog
        open={passkeyToRemove !== undefined}
        onOpenChange={(open) => !open && close(codes)}
        title={t('Remove the passkey “{name}”?', { name: passkeyToRemove?.name ?? '' })}
        description={t('If nothing else is left, the second factor is off.')}
      >
        <Confirmation
          label={t('Remove')}
          isDangerous
          factor={data}
          send={async (confirmation) => {
            await account('DELETE', `/second-factor/passkeys/${passkeyToRemove?.id}`, confirmation)
            close(data.app || data.passkeys.length > 1 ? [] : undefined)
          }}
        />
      </Dialog>
    </Section>
  )
}

function Factor({ name, detail, remove }: { name: string; detail?: string; remove: () => void }) {
  return (
    <li className="flex items-center gap-3 py-2">
      <span className="min-w-0 flex-1">
        <span className="block truncate">{name}</span>
        {detail && <span className="block text-sm text-soft">{detail}</span>}
      </span>
      <Button onClick={remove} aria-label={t('Remove {name}', { name })}>
        {t('Remove')}
      </Button>
    </li>
  )
}

interface SetupProps {
  email: string
  factor: SecondFactor
  done: (codes: string[]) => void
}

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']

function NewPasskey({ email, factor, done }: SetupProps) {
  const [password, setPassword] = useState('')
  const [name, setName] = useState('')
  const [proof, setProof] = useState<Proof>({})
  // They stay good until the service has had an answer: who cancels in the browser tries again without another proof.
  const [options, setOptions] = useState<CreationOptions>()
  const add = useMutation({
    mutationFn: async () => {
      const optionsJSON =
        options ?? (await account<CreationOptions>('POST', '/second-factor/passkeys', { password, ...proof }))
      setOptions(optionsJSON)
      const response = await fromBrowser(() => startRegistration({ optionsJSON }))
      setOptions(undefined)
      return account<RecoveryCodes>('POST', '/second-factor/passkeys/confirm', { name, response })
    },
    onError: () => setProof({}),
    onSuccess: ({ recovery_codes }) => {
      announce(t('The passkey was added. All other browsers are signed out.'))
      done(recovery_codes)
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field
        label={t('Name')}
        hint={t('By which you recognise it, such as “Phone” or “Key on the ring”.')}
        required
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {!options && (
        <>
          <PasswordField value={password} change={setPassword} />
          <ProofField factor={factor} proof={proof} change={setProof} />
        </>
      )}
      {add.error && (
        <p role="alert" className="mb-4 text-sm text-bad">
          {errorText(add.error)}
        </p>
      )}
      <Button type="submit" kind="primary" disabled={add.isPending || name.trim() === ''}>
        {t('Continue')}
      </Button>
    </form>
  )
}

function Setup({ email, factor, done }: SetupProps) {
  const [password, setPassword] = useState('')
  const [proof, setProof] = useState<Proof>({})
  const [code, setCode] = useState('')
  const begin = useMutation({
    mutationFn: () => account<NewSecondFactor>('POST', '/second-factor', { password, ...proof }),
    onError: () => setProof({}),
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
        <ProofField factor={factor} proof={proof} change={setProof} />
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

/** Asks for password and second factor. */
function Confirmation({
  label,
  isDangerous = false,
  factor,
  send,
}: {
  label: string
  isDangerous?: boolean
  factor: SecondFactor
  send: (confirmation: { password: string } & Proof) => Promise<void>
}) {
  const [password, setPassword] = useState('')
  const [proof, setProof] = useState<Proof>({})
  const change = useMutation({
    mutationFn: () => send({ password, ...proof }),
    onError: () => setProof({}),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <PasswordField value={password} change={setPassword} />
      <ProofField factor={factor} proof={proof} change={setProof} problem={errorText(change.error)} />
      <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} disabled={change.isPending}>
        {label}
      </Button>
    </form>
  )
}

function NewCodes({ codes }: { codes: string[] }) {
  return (
    <section
      aria-label={t('New recovery codes')}
      className="mb-4 rounded-lg border border-accent bg-tint p-4"
    >
      <p role="status" className="mb-3">
        {t(
          'Keep these recovery codes where you find them without your phone. Each signs you in once, in place of the app or a passkey. They are shown only now.',
        )}
      </p>
      <CopyBlock text={codes.join('\n')} label={t('recovery codes')} />
    </section>
  )
}
