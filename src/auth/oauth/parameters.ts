// The parameters of an OAuth request (RFC 6749 section 3.1): an empty one counts as absent, a repeated one is refused.

import { OAuthError } from './error.ts'

export interface Parameters {
  /** @throws OAuthError invalid_request when it stands twice */
  one(name: string): string | undefined
  /** @throws OAuthError invalid_request when it is missing or stands twice */
  required(name: string): string
  all(name: string): string[]
}

export function readParameters(sent: URLSearchParams): Parameters {
  const all = (name: string): string[] => sent.getAll(name).filter((value) => value !== '')
  const one = (name: string): string | undefined => {
    if (sent.getAll(name).length > 1)
      throw new OAuthError('invalid_request', `The parameter ${name} stands twice.`)
    return all(name)[0]
  }
  const required = (name: string): string => {
    const value = one(name)
    if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`)
    return value
  }
  return { one, required, all }
}
