// `kenning login`: the user signs in with a browser. The tokens are stored in a file that only this user can read.

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { createClient } from '../../client/client.ts'
import type { Context } from '../context.ts'
import { DEFAULT_ORIGIN, originOf } from '../login/credential.ts'
import { revokeTokens, signIn } from '../login/oauth.ts'
import { serviceFetch } from '../outbound.ts'
import { printMe } from './whoami.ts'

interface LoginOptions {
  browser: boolean
  readOnly?: boolean
  json?: boolean
}

export async function login(
  context: Context,
  address: string | undefined,
  options: LoginOptions,
): Promise<void> {
  const { terminal, profile, config, signal } = context
  const server = address ?? config.server
  const origin = server ? originOf(server) : ((await profile.current()) ?? DEFAULT_ORIGIN)
  const previous = await profile.get(origin)
  const lines = createInterface({ input: context.stdin })
  // If the input ends, the command goes on waiting for the browser.
  const pastedAddress = new Promise<string>((resolve) => {
    lines.once('line', resolve)
  })
  const show = (url: URL): void => {
    const isBrowserOpen = options.browser && terminal.isInteractive && openBrowser(url.href)
    terminal.note(
      isBrowserOpen
        ? 'Your browser opens. If it does not, open this address:'
        : 'Open this address in a browser:',
    )
    terminal.note(`\n  ${url.href}\n`)
    terminal.note(
      'If that browser is on another machine, it ends on a page that cannot be opened:\ncopy the address of that page, paste it here and press Enter.',
    )
  }
  const tokens = await signIn(origin, {
    readOnly: options.readOnly === true,
    show,
    pastedAddress,
    signal,
  }).finally(() => lines.close())
  const client = createClient({
    baseUrl: `${origin}/v1`,
    token: tokens.access_token,
    fetch: serviceFetch,
  })
  const me = await client.getMe({})
  await profile.set(origin, { ...tokens, ...(me.email === undefined ? {} : { email: me.email }) })
  // Without this the tokens of the earlier sign-in would stay valid for a month.
  if (previous) await revokeTokens(origin, previous).catch(() => undefined)
  if (options.json) context.printJson(me)
  else printMe(terminal, me, origin)
}

/** @returns false if no browser can be opened */
function openBrowser(url: string): boolean {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url]
  try {
    const child = spawn(command ?? '', args, { stdio: 'ignore', detached: true })
    child.on('error', () => undefined)
    child.unref()
    return true
  } catch {
    return false
  }
}
