// A source as it is opened by the worker: addresses through the guard, folders and remotes only where the operator said so, and
// programs without anything of Kenning's own settings.

import { realpath } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import type { SourceCredentials } from '../contract/sources.ts'
import type { Deps, SourcePlace } from '../ports/deps.ts'
import { openGuardedProxy } from '../ports/outbound/guarded-proxy.ts'
import { SealBroken } from '../ports/seal.ts'
import { SyncFailed } from '../sync/failure.ts'
import { folderSource } from '../sync/folder.ts'
import { gitSource, type Reach } from '../sync/git.ts'
import { rcloneSource } from '../sync/rclone.ts'
import type { Source } from '../sync/source.ts'
import { webAddresses } from '../sync/web.ts'
import type { SourceRow } from './sources.sql.ts'

type Needs = Pick<Deps, 'settings' | 'mayConnect' | 'seal'>
type Described = Pick<
  SourceRow,
  'id' | 'kind' | 'addresses' | 'branch' | 'include' | 'exclude' | 'credentials'
>

// Of a site or a remote, kept on disk while it is compared and sent.
const MOST_SPOOLED_BYTES = 20 * 2 ** 30
const MOST_REPOSITORY_BYTES = 4 * 2 ** 30

/** Below the data folder, for what can be fetched again. */
export const sourcesFolder = (dataDir: string): string => join(dataDir, 'sources')

/** What its sealed credentials are about. */
export const sealedFor = (workspaceId: string, sourceId: string): string =>
  `source ${workspaceId} ${sourceId}`

/** Whether the operator allows the workspace to read there. */
export function isAllowed(
  places: readonly SourcePlace[],
  workspaceId: string,
  isBelow: (place: string) => boolean,
): boolean {
  return places.some((one) => (one.workspaceId ?? workspaceId) === workspaceId && isBelow(one.place))
}

export function isBelowFolder(folder: string, place: string): boolean {
  const way = relative(place, folder)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`))
}

/** Both as rclone names them: `remote:path`. */
export function isBelowRemote(remote: string, place: string): boolean {
  if (remote.split(/[/:]/).includes('..')) return false
  return remote === place || remote.startsWith(/[:/]$/.test(place) ? place : `${place}/`)
}

/** @throws SyncFailed */
export async function openSource(deps: Needs, workspaceId: string, row: Described): Promise<Source> {
  const { settings } = deps
  const folder = join(sourcesFolder(settings.dataDir), row.id)
  const options = { include: row.include, exclude: row.exclude }
  const spool = { folder, mostBytes: MOST_SPOOLED_BYTES }
  const [address = ''] = row.addresses
  const environment = { ...settings.sources.environment }
  if (row.kind === 'web') {
    const headersFor = headersOf(row, credentialsOf(deps, workspaceId, row))
    const addresses = row.addresses.map((one) => new URL(one))
    return webAddresses(addresses, { ...options, mayConnect: deps.mayConnect, headersFor, spool })
  }
  if (row.kind === 'git') {
    const reach = () => reachOf(deps, address, credentialsOf(deps, workspaceId, row))
    const branch = row.branch === null ? {} : { branch: row.branch }
    return gitSource(address, { ...options, ...branch, cache: folder, reach })
  }
  if (row.kind === 'remote') {
    const isBelow = (place: string): boolean => isBelowRemote(address, place)
    if (!isAllowed(settings.sources.remotes, workspaceId, isBelow))
      throw notAllowed(address, 'KENNING_SOURCE_REMOTES')
    return rcloneSource(address, { ...options, env: environment, spool })
  }
  return openFolder(settings.sources.folders, workspaceId, address, options)
}

async function openFolder(
  places: readonly SourcePlace[],
  workspaceId: string,
  address: string,
  options: { include: string[]; exclude: string[] },
): Promise<Source> {
  const refused = notAllowed(address, 'KENNING_SOURCE_FOLDERS')
  if (!isAllowed(places, workspaceId, (place) => isBelowFolder(resolve(address), resolve(place))))
    throw refused
  const real = await realpath(address).catch(() => {
    throw new SyncFailed(`There is no folder ${address}.`, 'not_found')
  })
  // A link below the place may lead out of it.
  const allowed = await Promise.all(
    places.map(async (one) => ({ ...one, place: await realpath(one.place).catch(() => one.place) })),
  )
  if (!isAllowed(allowed, workspaceId, (place) => isBelowFolder(real, place))) throw refused
  return folderSource(real, { ...options, links: false })
}

const notAllowed = (address: string, setting: string): SyncFailed =>
  new SyncFailed(`${address} is not among the places that the operator allows (${setting}).`)

function credentialsOf(
  { seal }: Pick<Deps, 'seal'>,
  workspaceId: string,
  { id, credentials }: Described,
): SourceCredentials | undefined {
  if (!credentials) return undefined
  try {
    return JSON.parse(seal.open(credentials, sealedFor(workspaceId, id))) as SourceCredentials
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new SyncFailed(
      'Its password cannot be opened, since the key of this installation (secret.key) is another one. Set the password again.',
    )
  }
}

const basic = ({ username, secret }: SourceCredentials): string =>
  `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`

/** Only to the sites that were named, so that a link or redirect takes the password nowhere. */
function headersOf(
  { addresses }: Described,
  credentials: SourceCredentials | undefined,
): (url: URL) => Record<string, string> {
  if (!credentials) return () => ({})
  const origins = new Set(addresses.map((address) => new URL(address).origin))
  const authorization = credentials.username ? basic(credentials) : `Bearer ${credentials.secret}`
  return (url) => (origins.has(url.origin) ? { authorization } : {})
}

/** Settings of git go by the environment: arguments can be read by everybody on the machine. */
async function reachOf(
  { mayConnect, settings }: Needs,
  address: string,
  credentials: SourceCredentials | undefined,
): Promise<Reach> {
  const proxy = await openGuardedProxy(mayConnect, MOST_REPOSITORY_BYTES)
  const { PATH = '', SSL_CERT_FILE, SSL_CERT_DIR } = settings.sources.environment
  const config: [string, string][] = [
    ['http.proxy', proxy.url],
    // A redirect would take the password elsewhere.
    ['http.followRedirects', credentials ? 'false' : 'initial'],
    ['credential.helper', ''],
  ]
  if (credentials) {
    const header = basic({ ...credentials, username: credentials.username || 'git' })
    config.push([`http.${new URL(address).origin}/.extraHeader`, `Authorization: ${header}`])
  }
  const pairs = config.flatMap(([key, value], no) => [
    [`GIT_CONFIG_KEY_${no}`, key],
    [`GIT_CONFIG_VALUE_${no}`, value],
  ])
  const certificates = {
    ...(SSL_CERT_FILE ? { SSL_CERT_FILE } : {}),
    ...(SSL_CERT_DIR ? { SSL_CERT_DIR } : {}),
  }
  return {
    env: {
      PATH,
      ...certificates,
      GIT_ALLOW_PROTOCOL: 'http:https',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_COUNT: String(config.length),
      ...Object.fromEntries(pairs),
    },
    refusal: proxy.refusal,
    close: proxy.close,
  }
}
