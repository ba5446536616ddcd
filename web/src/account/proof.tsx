// What proves the second factor for a change of the account: a code, or a passkey that the browser asks for.

import { startAuthentication } from '@simplewebauthn/browser'
import { queryOptions, useMutation } from '@tanstack/react-query'
import type { PasskeyAnswer, SecondFactor } from '../../../src/contract/second-factor.ts'
import { errorText } from '../language/error-text.ts'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { account } from '../session.ts'

export const secondFactorQuery = queryOptions({
  queryKey: ['account', 'second-factor'],
  queryFn: () => account<SecondFactor>('GET', '/second-factor'),
})

/** As the API takes it. Empty: nothing was entered. */
export type Proof = { code?: string; passkey?: PasskeyAnswer }

/** Asks for the second factor, if the account has one. The answer of a passkey counts once: start anew after an error. */
export function ProofField({
  factor,
  proof,
  change,
  problem,
}: {
  factor: SecondFactor | undefined
  proof: Proof
  change: (proof: Proof) => void
  problem?: string | undefined
}) {
  const ask = useMutation({
    mutationFn: async () => {
      type Options = Parameters<typeof startAuthentication>[0]['optionsJSON']
      const optionsJSON = await account<Options>('POST', '/second-factor/challenge')
      return fromBrowser(() => startAuthentication({ optionsJSON }))
    },
    onSuccess: (passkey) => change({ passkey }),
  })
  if (!factor?.confirmed_at) return null
  if (proof.passkey)
    return (
      <p ref={(element) => element?.focus()} tabIndex={-1} role="status" className="mb-4 outline-none">
        {t('The passkey has answered.')}
      </p>
    )
  const hasPasskey = factor.allows_passkeys && factor.passkeys.length > 0
  return (
    <>
      <CodeField
        value={proof.code ?? ''}
        change={(code) => change({ code })}
        hint={
          factor.app ? t('From the app, or one of your recovery codes.') : t('One of your recovery codes.')
        }
        problem={problem}
      />
      {hasPasskey && (
        <div className="mb-4">
          <Button onClick={() => ask.mutate()} disabled={ask.isPending}>
            {t('Use a passkey instead')}
          </Button>
          {ask.error && (
            <p role="alert" className="mt-1 text-sm text-bad">
              {errorText(ask.error)}
            </p>
          )}
        </div>
      )}
    </>
  )
}

/** What the browser answers. What it says about a failure is for developers and in a language of its own. @throws Error */
export async function fromBrowser<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const exists = error instanceof Error && error.name === 'InvalidStateError'
    throw new Error(
      exists
        ? t('This passkey belongs to your account already.')
        : t('The browser gave no passkey. Try again.'),
    )
  }
}

export interface FieldProps {
  value: string
  change: (value: string) => void
  hint?: string
  problem?: string | undefined
}

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

export const PasswordField = ({ value, change, ...rest }: FieldProps) => (
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
