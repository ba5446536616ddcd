// `kenning keys`: API keys for programs. The service creates them only for a person who has just signed in with a password, not
// for another program's token. So each of these commands asks for the password.

import { text } from 'node:stream/consumers'
import type { Key, NewKey } from '../../contract/account.ts'
import { type Context, findWorkspace, isUuid, type WorkspaceOptions } from '../context.ts'
import { CommandFailed, EXIT, nothingFound, notSignedIn, wrongUse } from '../failure.ts'
import { originOf } from '../login/credential.ts'
import { safe } from '../terminal.ts'

interface KeysOptions extends WorkspaceOptions {
  email?: string
  passwordStdin?: boolean
}

type Account = <Body>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => Promise<Body>

export const listKeys = (context: Context, options: KeysOptions): Promise<void> =>
  asAccount(context, options, async (account) => {
    const list = await account<{ data: Key[] }>('GET', '/account/keys')
    if (options.json) {
      context.printJson(list)
      return
    }
    const rows = list.data.map((key) => [
      key.name,
      `…${key.last_four}`,
      String(key.workspace_ids.length),
      key.created_at.slice(0, 10),
      key.last_used_at?.slice(0, 10) ?? 'never',
      key.expires_at?.slice(0, 10) ?? 'never',
      key.id,
    ])
    context.terminal.table(['name', 'ends in', 'workspaces', 'created', 'used', 'expires', 'id'], rows)
  })

export async function createKey(
  context: Context,
  name: string,
  options: Omit<KeysOptions, 'workspace'> & { workspace?: string[]; expires?: string },
): Promise<void> {
  const expires = options.expires === undefined ? undefined : toExpiry(options.expires)
  const { client } = await context.service(options)
  const workspaceIds: string[] = []
  for (const idOrName of options.workspace ?? [undefined])
    workspaceIds.push((await findWorkspace(context, client, idOrName)).id)
  const { workspace: _, ...rest } = options
  await asAccount(context, rest, async (account) => {
    const body = {
      name,
      workspace_ids: workspaceIds,
      ...(expires === undefined ? {} : { expires_at: expires }),
    }
    const key = await account<NewKey>('POST', '/account/keys', body)
    if (options.json) {
      context.printJson(key)
      return
    }
    context.terminal.print(key.key)
    context.terminal.note('Keep it now: it is shown only once. It can read, and change nothing.')
  })
}

export const revokeKey = (context: Context, idOrName: string, options: KeysOptions): Promise<void> =>
  asAccount(context, options, async (account) => {
    const { data } = await account<{ data: Key[] }>('GET', '/account/keys')
    const matches = data.filter(({ id, name }) =>
      isUuid(idOrName) ? id === idOrName.toLowerCase() : name === idOrName,
    )
    const [key, ...others] = matches
    if (!key) throw nothingFound(`You have no key “${idOrName}”. kenning keys lists them.`)
    if (others.length > 0) throw wrongUse(`${matches.length} keys have this name. Use an id of kenning keys.`)
    await account('DELETE', `/account/keys/${key.id}`)
    context.terminal.note(`Revoked “${safe(key.name)}”. It no longer works.`)
  })

/** The time at which the key expires. For a day it is the day's last second in UTC. */
function toExpiry(text: string): string {
  const timestamp = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T23:59:59Z`) : Date.parse(text)
  if (Number.isNaN(timestamp)) throw wrongUse(`${text} is not a day such as 2027-12-31.`)
  return new Date(timestamp).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Opens a session for the duration of the work, and always ends it. */
async function asAccount(
  context: Context,
  options: KeysOptions,
  work: (account: Account) => Promise<void>,
): Promise<void> {
  const { profile, config, signal } = context
  const server = options.server ?? config.server
  const origin = server ? originOf(server) : await profile.current()
  if (origin === undefined) throw notSignedIn('You are not signed in. Run kenning login ADDRESS.')
  const email = options.email ?? (await profile.get(origin))?.email
  if (email === undefined) throw wrongUse('Name the account: add --email ADDRESS.')
  const console = `${origin}/keys`
  const password = await passwordOf(context, { email, console }, options)
  let cookie = ''
  const account: Account = async <Body>(method: string, path: string, body?: unknown) => {
    const answer = await fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: {
        origin,
        ...(cookie ? { cookie } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    })
    const setCookie = answer.headers.getSetCookie()[0]?.split(';')[0]
    if (setCookie) cookie = setCookie
    const bodyText = await answer.text()
    if (!answer.ok) throw refusal(answer.status, bodyText, path === '/session' ? console : undefined)
    return (bodyText ? JSON.parse(bodyText) : undefined) as Body
  }
  await account('POST', '/session', { email, password })
  try {
    await work(account)
  } finally {
    await account('DELETE', '/session').catch(() => undefined)
  }
}

/** @param console the address where somebody who signs in with the company, and has no password, makes keys */
async function passwordOf(
  context: Context,
  { email, console }: { email: string; console: string },
  { passwordStdin }: KeysOptions,
): Promise<string> {
  if (passwordStdin) return (await text(context.stdin)).replace(/\r?\n$/, '')
  if (!context.terminal.isInteractive)
    throw wrongUse(
      `Keys need your password: add --password-stdin. If you sign in with your company, make them at ${console}.`,
    )
  context.terminal.note(`If you sign in with your company, you have none: make keys at ${console}.`)
  const { password } = await import('../prompts.ts')
  return password(`Password of ${email}`)
}

function refusal(status: number, body: string, console: string | undefined): CommandFailed {
  let error: { type?: string; message?: string } | undefined
  try {
    error = (JSON.parse(body) as { error?: typeof error }).error
  } catch {
    // This is the page of a proxy.
  }
  const exitCode = status === 401 ? EXIT.notSignedIn : status === 404 ? EXIT.notFound : EXIT.failed
  const message = error?.message ?? `The service answered ${status}.`
  const hint = status === 401 && console ? ` If you sign in with your company, make keys at ${console}.` : ''
  return new CommandFailed(message + hint, exitCode, error?.type)
}
