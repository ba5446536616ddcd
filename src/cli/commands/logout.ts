// `kenning logout` ends the sign-in at the service and deletes its tokens from this machine.

import type { Context } from '../context.ts'
import { notSignedIn } from '../failure.ts'
import { originOf } from '../login/credential.ts'
import { revokeTokens } from '../login/oauth.ts'

export async function logout(
  { profile, terminal, config }: Context,
  address: string | undefined,
  { all }: { all?: boolean },
): Promise<void> {
  const server = address ?? config.server
  const requestedOrigins = all
    ? await profile.origins()
    : [server ? originOf(server) : await profile.current()]
  const origins = requestedOrigins.filter((origin) => origin !== undefined)
  if (origins.length === 0) throw notSignedIn('You are not signed in anywhere.')
  for (const origin of origins) {
    const tokens = await profile.get(origin)
    if (!tokens) throw notSignedIn(`You are not signed in at ${origin}.`)
    const hasEnded = await revokeTokens(origin, tokens).then(
      () => true,
      () => false,
    )
    // Even if the service cannot be reached, no token stays on this machine after a logout.
    await profile.remove(origin)
    terminal.note(
      hasEnded
        ? `You are signed out of ${origin}.`
        : `You are signed out on this machine, but ${origin} could not be reached. The sign-in expires there by itself. To end it now, open Connections in its settings.`,
    )
  }
}
