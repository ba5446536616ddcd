// Errors in the chosen language. The service writes its messages in English; another language has a sentence for each type.

import { type ErrorType, KenningError } from '../../../src/client/client.ts'
import { language } from './locale.ts'
import { message, t } from './text.tsx'

const SENTENCES: Record<ErrorType, string> = {
  invalid_request: message('The service cannot accept this.'),
  unauthorized: message('You are not signed in. Sign in and try again.'),
  forbidden: message('You may not do this.'),
  insufficient_scope: message('You may not do this.'),
  not_found: message('Not found. It may have been deleted, or you have no access to it.'),
  file_too_large: message('The file is too large.'),
  rate_limited: message('There were too many requests. Try again in a moment.'),
  internal_error: message('Something went wrong in the service. Try again.'),
  agent_error: message('The language model gave no answer.'),
  unavailable: message('The service cannot do this at the moment. Try again in a moment.'),
  unreachable: message('The service cannot be reached, or the connection was lost.'),
  http_error: message('The service did not answer as expected.'),
}

/** The types that have many causes: only the message of the service says what to do. */
const NEEDS_MESSAGE = new Set<string>([
  'invalid_request',
  'forbidden',
  'insufficient_scope',
  'file_too_large',
  // A limit of the month is one as well.
  'rate_limited',
  'agent_error',
  'unavailable',
] satisfies ErrorType[])

/**
 * What a person reads about an error. In English it is the message of the service. In another language it is the sentence for
 * the type, with the message in parentheses where the sentence alone does not say what to do. Errors of the console itself are
 * in the chosen language already.
 */
export function errorText(error: Error): string
export function errorText(error: Error | null | undefined): string | undefined
export function errorText(error: Error | null | undefined): string | undefined {
  if (!error || language === 'en' || !(error instanceof KenningError)) return error?.message
  const { type, message: reason } = error
  if (!isErrorType(type)) return reason
  const sentence = t(SENTENCES[type])
  return NEEDS_MESSAGE.has(type) ? t('{sentence} ({reason})', { sentence, reason }) : sentence
}

const isErrorType = (type: string): type is ErrorType => Object.hasOwn(SENTENCES, type)
