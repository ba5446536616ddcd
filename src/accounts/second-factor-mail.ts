// Mails about the second factor, in the receiver's language. Each tells the owner of the account what somebody has done there.

import type { Language } from '../messages/messages.ts'
import { message, type Texts, textsIn } from '../messages/texts.ts'
import type { Deps } from '../ports/deps.ts'
import { makeLetter, oneLine } from './letter.ts'
import { sendInBackground } from './mail.ts'

type MailDeps = Pick<Deps, 'mail' | 'log'> & { settings: Pick<Deps['settings'], 'siteUrl'> }

interface Receiver {
  email: string
  /** Null: none was chosen. */
  language: Language | null
}

const UNEXPECTED = message('If you did not expect this, change your password and tell your administrator.')

const REASONS_OFF = {
  owner: message(
    'You turned off your second factor on your account page: from now on, your password alone signs you in at {address}.',
  ),
  administrator: message(
    'An administrator turned off your second factor: from now on, your password alone signs you in at {address}.',
  ),
}

export function sendTurnedOff(deps: MailDeps, receiver: Receiver, by: keyof typeof REASONS_OFF): void {
  const address = deps.settings.siteUrl
  const { t } = textsOf(receiver)
  send(deps, receiver, t('The second factor of your Kenning account is off'), [
    t(REASONS_OFF[by], { address }),
    t('You can set up a new one on your account page.'),
  ])
}

export function sendTurnedOn(deps: MailDeps, receiver: Receiver): void {
  const address = deps.settings.siteUrl
  const { t } = textsOf(receiver)
  send(deps, receiver, t('The second factor of your Kenning account is on'), [
    t('From now on, signing in with your password at {address} also asks for your second factor.', {
      address,
    }),
    t('Keep your recovery codes where you find them without your phone.'),
  ])
}

export function sendCodesRenewed(deps: MailDeps, receiver: Receiver): void {
  const address = deps.settings.siteUrl
  const { t } = textsOf(receiver)
  send(deps, receiver, t('New recovery codes for your Kenning account'), [
    t('You made new recovery codes on your account page at {address}. The former ones no longer work.', {
      address,
    }),
  ])
}

/** The app, or a passkey by its name. */
export type Factor = 'app' | { passkey: string }

/** For a factor that is added to others. */
export function sendFactorAdded(deps: MailDeps, receiver: Receiver, factor: Factor): void {
  const address = deps.settings.siteUrl
  const { t } = textsOf(receiver)
  if (factor === 'app')
    send(deps, receiver, t('An authenticator app was added to your Kenning account'), [
      t('From now on, you can also sign in at {address} with your password and a code of the app.', {
        address,
      }),
    ])
  else
    send(deps, receiver, t('A passkey was added to your Kenning account'), [
      t('From now on, you can also sign in at {address} with your password and the passkey “{name}”.', {
        name: oneLine(factor.passkey),
        address,
      }),
    ])
}

/** For a factor that is removed while others remain. */
export function sendFactorRemoved(deps: MailDeps, receiver: Receiver, factor: Factor): void {
  const address = deps.settings.siteUrl
  const { t } = textsOf(receiver)
  if (factor === 'app')
    send(deps, receiver, t('The authenticator app was removed from your Kenning account'), [
      t('Codes of the app no longer sign you in at {address}. Your passkeys and recovery codes still work.', {
        address,
      }),
    ])
  else
    send(deps, receiver, t('A passkey was removed from your Kenning account'), [
      t('The passkey “{name}” no longer signs you in at {address}.', {
        name: oneLine(factor.passkey),
        address,
      }),
    ])
}

/** @param codesLeft the number of recovery codes that were not used */
export function sendRecoveryCodeUsed(deps: MailDeps, receiver: Receiver, codesLeft: number): void {
  const address = deps.settings.siteUrl
  const { t, plural } = textsOf(receiver)
  send(deps, receiver, t('A recovery code of your Kenning account was used'), [
    t('Someone, probably you, signed in at {address} with your password and a recovery code.', { address }),
    plural(codesLeft, '{count} recovery code is left.', '{count} recovery codes are left.'),
    t('You can make new recovery codes on your account page.'),
  ])
}

const textsOf = ({ language }: Receiver): Texts => textsIn(language ?? 'en')

function send(deps: MailDeps, receiver: Receiver, subject: string, paragraphs: string[]): void {
  const { siteUrl } = deps.settings
  const texts = textsOf(receiver)
  const action = { label: texts.t('Open your account page'), link: `${siteUrl}/settings` }
  const content = { to: receiver.email, subject, paragraphs, action, notes: [texts.t(UNEXPECTED)] }
  sendInBackground(deps, makeLetter(texts, content, siteUrl))
}
