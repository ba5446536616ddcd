// Runs commands about the account itself in a session of their own. They need the password, because a token that acts for a person
// must not make keys or decide where passages are sent.

import { text } from 'node:stream/consumers'
import type { CommonOptions, Context } from '../context.ts'
import { CommandFailed, EXIT, notSignedIn, wrongUse } from '../failure.ts'
import { serviceFetch } from '../outbound.ts'
import { originOf } from './credential.ts'

export interface AccountOptions extends CommonOptions {
  email?: string
  passwordStdin?: boolean
}

/** The page of the console for people who sign in with their company and so have no password. */
interface ConsolePage {
  path: string
  /** What people can do on the page, such as `make keys`. */
  task: string
}

export type Account = <Body>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
) => Promise<Body>

/** Opens a session, runs `work` in it and ends it. */
export async function asAccount(
  context: Context,
  options: AccountOptions,
  page: ConsolePage,
  work: (account: Account) => Promise<void>,
): Promise<void> {
  const { profile, config, signal } = context
  const server = options.server ?? config.server
  const origin = server ? originOf(server) : await profile.current()
  if (origin === undefined) throw notSignedIn('You are not signed in. Run kenning login ADDRESS.')
  const email = options.email ?? (await profile.get(origin))?.email
  if (email === undefined) throw wrongUse('Name the account: add --email ADDRESS.')
  const advice = `${page.task} at ${origin}${page.path}.`
  const { password, code } = await passwordOf(context, { email, advice }, options)
  const cookies = new Map<string, string>()
  const account: Account = async <Body>(method: string, path: string, body?: unknown) => {
    const answer = await serviceFetch(origin + path, {
      method,
      redirect: 'manual',
      headers: {
        origin: new URL(origin).origin,
        ...(cookies.size > 0 ? { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    })
    for (const setCookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? []
      cookies.set(name, value)
    }
    const bodyText = await answer.text()
    if (!answer.ok) throw failureOf(answer.status, bodyText, path === '/session' ? advice : undefined)
    return (bodyText ? JSON.parse(bodyText) : undefined) as Body
  }
  const secondStep = await account<{ next?: string } | undefined>('POST', '/session', { email, password })
  if (secondStep?.next === 'code')
    await account('POST', '/session/code', { code: code ?? (await askCode(context)) })
  try {
    await work(account)
  } finally {
    await account('DELETE', '/session').catch(() => undefined)
  }
}

/**
 * With `--password-stdin` the code of the second factor may follow in the second line.
 * @param advice what a person without a password does instead
 */
async function passwordOf(
  context: Context,
  { email, advice }: { email: string; advice: string },
  { passwordStdin }: AccountOptions,
): Promise<{ password: string; code?: string }> {
  if (passwordStdin) {
    const [password = '', code] = (await text(context.stdin)).split(/\r?\n/)
    return code ? { password, code } : { password }
  }
  if (!context.terminal.isInteractive)
    throw wrongUse(
      `This needs your password: add --password-stdin. If you sign in with your company, ${advice}`,
    )
  context.terminal.note(`If you sign in with your company, you have none: ${advice}`)
  const { password } = await import('../prompts.ts')
  return { password: await password(`Password of ${email}`) }
}

async function askCode({ terminal }: Context): Promise<string> {
  if (!terminal.isInteractive)
    throw wrongUse(
      'This account has a second factor: send a code, or a recovery code, in the line after the password.',
    )
  const { password } = await import('../prompts.ts')
  return password('Code of your authenticator app, or a recovery code (a passkey works in the browser only)')
}

function failureOf(status: number, body: string, advice: string | undefined): CommandFailed {
  let error: { type?: string; message?: string } | undefined
  let reason: string | undefined
  try {
    const answer = JSON.parse(body) as { error?: typeof error; detail?: { type?: string }[] }
    error = answer.error
    reason = answer.detail?.[0]?.type
  } catch {
    // A body without JSON comes from a proxy.
  }
  const exitCode = status === 401 ? EXIT.notSignedIn : status === 404 ? EXIT.notFound : EXIT.failed
  const message = error?.message ?? `The service answered ${status}.`
  const hint = status === 401 && advice ? ` If you sign in with your company, ${advice}` : ''
  return new CommandFailed(message + hint, exitCode, error?.type, reason)
}
