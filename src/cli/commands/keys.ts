// `kenning keys` lists, creates and revokes API keys. The service allows this only in a session with a password, not with the token
// of another program. So each of these commands needs the password.

import type { Key, NewKey } from '../../contract/account.ts'
import { type Context, findWorkspace, isUuid, type WorkspaceOptions } from '../context.ts'
import { nothingFound, wrongUse } from '../failure.ts'
import { type AccountOptions, asAccount } from '../login/account.ts'
import { safe } from '../terminal.ts'

type KeysOptions = WorkspaceOptions & AccountOptions

const PAGE = { path: '/keys', task: 'make keys' }

export const listKeys = (context: Context, options: KeysOptions): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
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
  const { workspace, ...rest } = options
  await asAccount(context, rest, PAGE, async (account) => {
    // The workspaces are those of the account, which need not be the one that is signed in here.
    const { access_token: token } = await account<{ access_token: string }>('POST', '/session/token')
    const { client } = await context.service({ ...rest, token })
    const workspaceIds: string[] = []
    for (const idOrName of workspace ?? [undefined])
      workspaceIds.push((await findWorkspace(context, client, idOrName)).id)
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
  asAccount(context, options, PAGE, async (account) => {
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

/** The time at which the key expires. A day without a time means its last second in UTC. */
function toExpiry(text: string): string {
  const timestamp = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T23:59:59Z`) : Date.parse(text)
  if (Number.isNaN(timestamp)) throw wrongUse(`${text} is not a day such as 2027-12-31.`)
  return new Date(timestamp).toISOString().replace(/\.\d+Z$/, 'Z')
}
