// The language of a page: that of the account, otherwise the first one that the browser accepts and that Kenning has.

import type { FastifyRequest } from 'fastify'
import type { ApiError } from '../../errors.ts'
import { acceptedLocales } from '../../messages/accept-language.ts'
import { bestLocale, type Language, PLACEHOLDER } from '../../messages/messages.ts'
import { message, type Texts, textsIn } from '../../messages/texts.ts'
import { type Html, type HtmlValue, html } from './html.ts'

export const languageOf = ({ headers }: Pick<FastifyRequest, 'headers'>): Language =>
  bestLocale(acceptedLocales(headers['accept-language'])).language

/** @param accountLanguage the language that the signed-in user has chosen, if any */
export const textsOf = (
  request: Pick<FastifyRequest, 'headers'>,
  accountLanguage: Language | null = null,
): Texts => textsIn(accountLanguage ?? languageOf(request))

/** A text with markup for its values: `withMarkup(t('Signed in as {email}.'), { email: html`<b>…</b>` })`. */
export const withMarkup = (text: string, values: Readonly<Record<string, HtmlValue>>): Html =>
  // Odd parts are the names of values.
  html`${text.split(PLACEHOLDER).map((part, index) => (index % 2 === 0 ? part : (values[part] ?? `{${part}}`)))}`

/**
 * Errors that other folders throw and a page shows, word for word. They are listed here because `message` marks them for
 * translation.
 */
export const MESSAGES_OF_ROOMS = [
  message('The email address or password is incorrect.'),
  message('The code is wrong, was already used or has expired.'),
  message('The passkey was not accepted. Try again.'),
  message('The sign-in took too long. Enter your password again.'),
  message('Sign-up is closed on this server. Ask the administrator for an invitation.'),
  message(
    'This invitation has expired, was already used or is for another email address. Ask for a new one.',
  ),
  message('An account with this email address already exists; sign in instead'),
  message('The password must have at least 12 characters'),
  message('The password must have at most 1000 characters'),
  message('This password is too easy to guess; choose another one, for example four unrelated words'),
  message('This link has expired or was already used. Request a new one.'),
  message('Email is not configured on this server. Ask the administrator for a password reset link.'),
  message('Too many sign-ins are in progress; try again in a moment.'),
  message('This account is suspended. Ask your administrator.'),
  message('You are not in a company group that may use Kenning. Ask your administrator.'),
  message('Your company’s identity provider does not confirm your email address. Ask your administrator.'),
  message(
    'Your company’s identity provider does not send a valid email address for you. Ask your administrator.',
  ),
  message('Your email address belongs to the account of another company user. Ask your administrator.'),
  message('Kenning has no administrator yet: the first account has to be created with the setup token.'),
  message('This sign-in was started in another browser or more than 15 minutes ago. Start again.'),
  message('Your company’s identity provider refused the sign-in. Start again.'),
  message(
    'Your company’s identity provider could not complete the sign-in. Start again, or ask your administrator.',
  ),
  message('Company sign-in is not configured on this server.'),
  message(
    'This application is not registered on this server, or its registration has expired. Remove the connection in the application and add it again.',
  ),
  message('This is not a valid email address'),
  message('There is no page at this address.'),
  message('The service is restarting; try again in a few seconds.'),
  message('The database is not reachable at the moment; try again in a few seconds.'),
  message('The database did not answer in time; try again in a few seconds.'),
]

const FIELDS: Readonly<Record<string, string>> = {
  email: message('email'),
  password: message('password'),
}

/** An error that a page shows. */
export interface PageError extends Pick<ApiError, 'message' | 'extras'> {
  status: number
}

/** The message of an error as the page shows it. The API's name of the field is left out, because it is not on the page. */
export function errorText({ language, t, plural }: Texts, { status, message, extras }: PageError): string {
  const [detail] = extras.detail ?? []
  const { field, problem } = (detail?.ctx ?? {}) as Record<string, unknown>
  if (typeof field === 'string' && typeof problem === 'string')
    return t('Check “{field}”: {problem}', { field: t(FIELDS[field] ?? field), problem: t(problem) })
  // The English message is shown as it is, because it says which attempts were too many.
  if (language !== 'en' && status === 429 && extras.retryAfter !== undefined)
    return plural(
      Math.ceil(extras.retryAfter),
      'Too many attempts. Try again in {count} second.',
      'Too many attempts. Try again in {count} seconds.',
    )
  return t(detail?.msg ?? message)
}
