// `kenning token` prints the access token of the sign-in, for curl and scripts. It renews an expired token first.

import type { Context } from '../context.ts'
import type { ServerOptions } from '../login/credential.ts'

export async function printToken(context: Context, options: ServerOptions): Promise<void> {
  const { token } = await context.service(options)
  context.terminal.print(typeof token === 'string' ? token : await token(false))
}
