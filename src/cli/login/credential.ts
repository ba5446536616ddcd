// Finds the service and the token for a command: first in the options, then in the environment, then in the stored sign-in.

import type { CommandLineConfig } from '../config.ts'
import { notSignedIn, wrongUse } from '../failure.ts'
import type { ProfileFile } from './profile.ts'

export const DEFAULT_ORIGIN = 'http://127.0.0.1:8484'

interface Credential {
  origin: string
  token: string | ((renew: boolean) => Promise<string>)
}

export interface ServerOptions {
  server?: string
  token?: string
}

/** Matches an address of this machine without a scheme, such as `localhost:8484/kenning`. */
const LOCAL_ADDRESS = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/

function withScheme(address: string): string {
  if (/^https?:\/\//i.test(address)) return address
  return `${LOCAL_ADDRESS.test(address) ? 'http' : 'https'}://${address}`
}

/** The origin of a service with its base path, without `/v1` at the end. @throws CommandFailed with exit code 2 */
export function originOf(address: string): string {
  const fullAddress = withScheme(address)
  const url = URL.canParse(fullAddress) ? new URL(fullAddress) : undefined
  const path = url?.pathname.replace(/(\/v1)?\/*$/, '')
  if (!url || url.search || url.hash || url.username) {
    throw wrongUse(
      `${address} is not the address of a service. It looks like ${DEFAULT_ORIGIN} or https://kenning.example.org.`,
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
    return { origin: server ? originOf(server) : (current ?? DEFAULT_ORIGIN), token: givenToken }
  const origin = server ? originOf(server) : current
  if (origin === undefined)
    throw notSignedIn('You are not signed in. Run kenning login ADDRESS, or set KENNING_TOKEN.')
  if (!(await profile.get(origin)))
    throw notSignedIn(`You are not signed in at ${origin}. Run kenning login ${origin}.`)
  return { origin, token: (renew) => currentToken(origin, profile, renew) }
}

/**
 * The stored access token, renewed if it has expired. The file is read each time, because another process may have renewed the
 * token, and a refresh token works only once.
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
