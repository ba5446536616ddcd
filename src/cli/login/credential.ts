// Finds the service for a command and the token to send: from options first, then the environment, then the stored sign-in.

import type { CommandLineConfig } from '../config.ts'
import { notSignedIn, wrongUse } from '../failure.ts'
import type { ProfileFile } from './profile.ts'

export const USUAL_ORIGIN = 'http://127.0.0.1:8484'

interface Credential {
  origin: string
  token: string | ((renew: boolean) => Promise<string>)
}

export interface ServerOptions {
  server?: string
  token?: string
}

/** The address of a service without `/v1`, with which it may be given: its origin, and the path under which it lies. @throws CommandFailed (2) */
export function originOf(address: string): string {
  const withScheme = /^https?:\/\//i.test(address)
    ? address
    : /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/.test(address)
      ? `http://${address}`
      : `https://${address}`
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined
  const path = url?.pathname.replace(/(\/v1)?\/*$/, '')
  if (!url || url.search || url.hash || url.username) {
    throw wrongUse(
      `${address} is not the address of a service. It looks like ${USUAL_ORIGIN} or https://kenning.example.org.`,
    )
  }
  return url.origin + path
}

/** @throws CommandFailed (3) when there is no token for the service */
export async function findCredential(
  options: ServerOptions,
  config: Pick<CommandLineConfig, 'server' | 'token'>,
  profile: ProfileFile,
): Promise<Credential> {
  const server = options.server ?? config.server
  const givenToken = options.token ?? config.token
  const current = server === undefined ? await profile.current() : undefined
  if (givenToken !== undefined)
    return { origin: server ? originOf(server) : (current ?? USUAL_ORIGIN), token: givenToken }
  const origin = server ? originOf(server) : current
  if (origin === undefined)
    throw notSignedIn('You are not signed in. Run kenning login ADDRESS, or set KENNING_TOKEN.')
  if (!(await profile.get(origin)))
    throw notSignedIn(`You are not signed in at ${origin}. Run kenning login ${origin}.`)
  return { origin, token: (renew) => currentToken(origin, profile, renew) }
}

/**
 * The access token of the file, renewed if it has expired. The file is read each time, because another process may have renewed
 * it, and a refresh token works once.
 */
async function currentToken(origin: string, profile: ProfileFile, renew: boolean): Promise<string> {
  const signedIn = await profile.get(origin)
  if (!signedIn) throw notSignedIn(`You are not signed in at ${origin}. Run kenning login ${origin}.`)
  if (!renew && signedIn.expires_at > Date.now()) return signedIn.access_token
  const { renewTokens } = await import('./oauth.ts')
  const next = await renewTokens(origin, signedIn)
  await profile.renew(origin, next)
  return next.access_token
}
