// Finds the service and the token for a command: first in the options, then in the environment, then in the stored sign-in.

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

/** The origin of a service with its base path, without `/v1` at the end. @throws CommandFailed with exit code 2 */
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

/** @throws CommandFailed with exit code 3 if there is no token for the service */
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
 * The stored access token, renewed if it has expired. The file is read each time, because another process may have renewed the token, and a
 * refresh token works only once.
 */
async function currentToken(origin: string, profile: ProfileFile, renew: boolean): Promise<string> {
  const storedTokens = await profile.get(origin)
  if (!storedTokens) throw notSignedIn(`You are not signed in at ${origin}. Run kenning login ${origin}.`)
  if (!renew && storedTokens.expires_at > Date.now()) return storedTokens.access_token
  const { renewTokens } = await import('./oauth.ts')
  const newTokens = await renewTokens(origin, storedTokens)
  await profile.renew(origin, newTokens)
  return newTokens.access_token
}
