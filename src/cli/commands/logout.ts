// `kenning logout`: ends the sign-in at the service and deletes it here.

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
  const signedInOrigins = all
    ? await profile.origins()
    : [server ? originOf(server) : await profile.current()]
  const origins = signedInOrigins.filter((origin) => origin !== undefined)
  if (origins.length === 0) throw notSignedIn('You are not signed in anywhere.')
  for (const origin of origins) {
    const signedIn = await profile.get(origin)
    if (!signedIn) throw notSignedIn(`You are not signed in at ${origin}.`)
    const hasEnded = await revokeTokens(origin, signedIn).then(
      () => true,
      () => false,
    )
    // Deleted in any case, because after a logout no token may stay on this machine.
    await profile.remove(origin)
    terminal.note(
      hasEnded
        ? `You are signed out of ${origin}.`
        : `You are signed out on this machine, but ${origin} could not be reached. The sign-in expires there by itself. To end it now, open Connections in its settings.`,
    )
  }
}
