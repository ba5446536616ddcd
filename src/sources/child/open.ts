// Opens a source in its child process. The guard checks addresses, folders are opened by their real path, and git and rclone get
// only the environment variables that they need.

import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import type { SourceCredentials } from '../../contract/sources.ts'
import { publicAnd } from '../../ports/outbound/guard.ts'
import { openGuardedProxy } from '../../ports/outbound/guarded-proxy.ts'
import { networkInUse } from '../../ports/outbound/network.ts'
import { SyncFailed } from '../../sync/failure.ts'
import { folderSource } from '../../sync/folder.ts'
import { type GitAccess, gitSource } from '../../sync/git.ts'
import { rcloneSource } from '../../sync/rclone.ts'
import type { Source } from '../../sync/source.ts'
import { webAddresses } from '../../sync/web.ts'
import { isBelowFolder, notAllowedError } from '../open.ts'
import type { SourceSpec } from './messages.ts'

// The disk space for the files of a website or a remote while they are compared and sent.
const MAX_SPOOLED_BYTES = 20 * 2 ** 30
const MAX_REPOSITORY_BYTES = 4 * 2 ** 30

/** @param onProgress called whenever bytes arrive. @throws SyncFailed */
export async function openSource(spec: SourceSpec, onProgress: () => void): Promise<Source> {
  const { folder, environment, include, exclude } = spec
  const options = { include, exclude, onProgress }
  const spool = { folder, maxBytes: MAX_SPOOLED_BYTES }
  const [address = ''] = spec.addresses
  if (spec.kind === 'web') {
    const addresses = spec.addresses.map((text) => new URL(text))
    const mayConnect = publicAnd(spec.privateNetworks)
    return webAddresses(addresses, { ...options, mayConnect, headersFor: headersOf(spec), spool })
  }
  if (spec.kind === 'git') {
    const branch = spec.branch === null ? {} : { branch: spec.branch }
    const openAccess = () => gitAccessOf(spec, address, onProgress)
    return gitSource(address, { ...options, ...branch, cache: folder, openAccess })
  }
  if (spec.kind === 'remote') {
    const authorities = await writeAuthorities(folder, environment)
    const env = { ...environment, ...(authorities ? { SSL_CERT_FILE: authorities } : {}) }
    return rcloneSource(address, { ...options, env, spool })
  }
  return openFolder(spec.allowedFolders, address, options)
}

/**
 * Writes a file with certificate authorities for git and rclone, which read neither KENNING_CA_FILE nor NODE_EXTRA_CA_CERTS. The
 * file replaces their usual authorities and SSL_CERT_FILE, so it contains those, too. Undefined if there are no additional
 * authorities.
 */
async function writeAuthorities(
  folder: string,
  { NODE_EXTRA_CA_CERTS, SSL_CERT_FILE }: SourceSpec['environment'],
): Promise<string | undefined> {
  // If KENNING_CA_FILE is set, the settings have already added the authorities of NODE_EXTRA_CA_CERTS.
  const addedAuthorities = networkInUse().authorities ?? (await readIfThere(NODE_EXTRA_CA_CERTS))
  if (addedAuthorities === undefined) return undefined
  const programAuthorities = await readIfThere(SSL_CERT_FILE)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'authorities.pem')
  await writeFile(path, [...rootCertificates, programAuthorities ?? '', addedAuthorities].join('\n'))
  return path
}

/** Undefined for a file that cannot be read; Node.js ignores such a file, too. */
const readIfThere = async (path: string | undefined): Promise<string | undefined> =>
  path ? readFile(path, 'utf8').catch(() => undefined) : undefined

async function openFolder(
  allowedLocations: readonly string[],
  address: string,
  options: { include: string[]; exclude: string[] },
): Promise<Source> {
  const realFolder = await realpath(address).catch(() => {
    throw new SyncFailed(`There is no folder ${address}.`, 'not_found')
  })
  // A symbolic link in an allowed folder may lead out of it, so the real paths are compared.
  const allowedFolders = await Promise.all(
    allowedLocations.map((location) => realpath(location).catch(() => location)),
  )
  if (!allowedFolders.some((allowedFolder) => isBelowFolder(realFolder, allowedFolder)))
    throw notAllowedError(address, 'KENNING_SOURCE_FOLDERS')
  return folderSource(realFolder, { ...options, links: false })
}

const basicAuthorization = ({ username, secret }: SourceCredentials): string =>
  `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`

/** The password is sent only to the origins of the source's own addresses, so that no link or redirect sends it to another site. */
function headersOf({ addresses, credentials }: SourceSpec): (url: URL) => Record<string, string> {
  if (!credentials) return () => ({})
  const origins = new Set(addresses.map((address) => new URL(address).origin))
  const authorization = credentials.username
    ? basicAuthorization(credentials)
    : `Bearer ${credentials.secret}`
  return (url) => (origins.has(url.origin) ? { authorization } : {})
}

/** Settings of git are passed in environment variables, because all users of the machine can read the arguments of a process. */
async function gitAccessOf(
  { credentials, environment, privateNetworks, folder }: SourceSpec,
  address: string,
  onProgress: () => void,
): Promise<GitAccess> {
  const proxy = await openGuardedProxy(publicAnd(privateNetworks), MAX_REPOSITORY_BYTES, onProgress)
  const { PATH = '', SSL_CERT_FILE, SSL_CERT_DIR } = environment
  const authorities = await writeAuthorities(folder, environment)
  const config: [string, string][] = [
    ['http.proxy', proxy.url],
    // A redirect would send the password to another site.
    ['http.followRedirects', credentials ? 'false' : 'initial'],
    ['credential.helper', ''],
  ]
  if (credentials) {
    const header = basicAuthorization({ ...credentials, username: credentials.username || 'git' })
    config.push([`http.${new URL(address).origin}/.extraHeader`, `Authorization: ${header}`])
  }
  if (authorities) config.push(['http.sslCAInfo', authorities])
  const pairs = config.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
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
    failure: proxy.failure,
    close: proxy.close,
  }
}
