// `kenning whoami` prints whose token the command line uses, and what this token allows.

import type { Me } from '../../contract/resources.ts'
import type { CommonOptions, Context } from '../context.ts'
import { safe, type Terminal } from '../terminal.ts'

export async function whoami(context: Context, options: CommonOptions): Promise<void> {
  const { client, origin } = await context.service(options)
  const me = await client.getMe({}, { signal: context.signal })
  if (options.json) context.printJson(me)
  else printMe(context.terminal, me, origin)
}

const SIGNED_IN_BY = {
  session: 'a session',
  oauth: 'kenning login or another application',
  api_key: 'an API key',
}

export function printMe(terminal: Terminal, me: Me, origin: string): void {
  terminal.print(`${safe(me.email ?? me.id)} at ${origin}`)
  terminal.print(`  signed in by  ${SIGNED_IN_BY[me.auth]}`)
  terminal.print(`  may           ${me.scopes.includes('knowledge:write') ? 'read and write' : 'read only'}`)
  terminal.print(`  workspaces    ${me.workspace_count}`)
}
