// `kenning mcp`: an MCP server on standard input and output, for hosts that start their servers as programs. It forwards messages
// to the MCP endpoint of a service, or of a service that it starts for the files of a folder. Standard output contains nothing but
// messages.

import { existsSync } from 'node:fs'
import type { Context } from '../context.ts'
import { nothingFound, wrongUse } from '../failure.ts'
import { neighboursOf } from '../files/neighbours.ts'
import type { ServedLibrary } from '../library/library.ts'
import type { ServerOptions } from '../login/credential.ts'
import { forwardMessages } from '../mcp/forward.ts'
import { serviceFetch } from '../outbound.ts'

export async function mcp(
  context: Context,
  folder: string | undefined,
  options: ServerOptions,
): Promise<void> {
  const { signal, stdin, terminal } = context
  const host = { input: stdin, write: terminal.print, signal }
  if (folder === undefined) return forwardMessages(host, () => endpointOf(context, options), serviceFetch)
  if (options.server ?? options.token)
    throw wrongUse('A folder needs no service: leave out --server and --token.')
  if (!existsSync(folder))
    throw nothingFound(`There is no file or folder ${folder}. ${await neighboursOf(folder)}`)
  const { serveLibrary } = await import('../library/library.ts')
  let library: Promise<ServedLibrary> | undefined
  try {
    await forwardMessages(host, () => (library = serveLibrary(context, folder)), fetch)
  } finally {
    await library?.then(
      ({ close }) => close(),
      () => undefined,
    )
  }
}

async function endpointOf({ service }: Context, options: ServerOptions) {
  const { origin, token } = await service(options)
  return { url: `${origin}/v1/mcp`, token }
}
