// Decides in the worker what a source may read. The operator must have allowed its folder or remote. The `SourceSpec` that the
// child gets (child/messages.ts) contains no other settings of Kenning.

import { join, relative, resolve, sep } from 'node:path'
import type { SourceCredentials } from '../contract/sources.ts'
import type { AllowedSource, Deps } from '../ports/deps.ts'
import { SealBroken } from '../ports/seal.ts'
import { SyncFailed } from '../sync/failure.ts'
import type { SourceSpec } from './child/messages.ts'
import type { SourceRow } from './sources.sql.ts'

type OpenDeps = Pick<Deps, 'settings' | 'seal'>
type SourceDescription = Pick<
  SourceRow,
  'id' | 'kind' | 'addresses' | 'branch' | 'include' | 'exclude' | 'credentials'
>

/** The folder in the data folder for files that sources can fetch again. */
export const sourcesFolder = (dataDir: string): string => join(dataDir, 'sources')

/** The purpose for which the credentials of the source are sealed. */
export const sealPurpose = (workspaceId: string, sourceId: string): string =>
  `source ${workspaceId} ${sourceId}`

/** Whether the workspace may read this location. An allowed location without a workspace is for all workspaces. */
export const isForWorkspace = (source: AllowedSource, workspaceId: string): boolean =>
  (source.workspaceId ?? workspaceId) === workspaceId

/**
 * Whether the operator allows the workspace to read a location. @param contains whether an allowed location contains that location
 */
export function isAllowed(
  allowedSources: readonly AllowedSource[],
  workspaceId: string,
  contains: (location: string) => boolean,
): boolean {
  return allowedSources.some((source) => isForWorkspace(source, workspaceId) && contains(source.location))
}

/** Whether `folder` is `location` or a folder in it. */
export function isBelowFolder(folder: string, location: string): boolean {
  const relativePath = relative(location, folder)
  return relativePath === '' || (relativePath !== '..' && !relativePath.startsWith(`..${sep}`))
}

/** Whether `remote` is in `location`. Both have rclone's form `remote:path`. */
export function isBelowRemote(remote: string, location: string): boolean {
  if (remote.split(/[/:]/).includes('..')) return false
  return remote === location || remote.startsWith(/[:/]$/.test(location) ? location : `${location}/`)
}

/** @throws SyncFailed for a location that the operator does not allow, or a password that cannot be decrypted */
export function specOf(deps: OpenDeps, workspaceId: string, row: SourceDescription): SourceSpec {
  const { sources, privateNetworks, dataDir } = deps.settings
  const { kind, addresses, branch, include, exclude } = row
  const [address = ''] = addresses
  if (
    kind === 'remote' &&
    !isAllowed(sources.remotes, workspaceId, (location) => isBelowRemote(address, location))
  )
    throw notAllowedError(address, 'KENNING_SOURCE_REMOTES')
  const contains = (location: string): boolean => isBelowFolder(resolve(address), resolve(location))
  if (kind === 'folder' && !isAllowed(sources.folders, workspaceId, contains))
    throw notAllowedError(address, 'KENNING_SOURCE_FOLDERS')
  const allowedFolders = sources.folders.filter((source) => isForWorkspace(source, workspaceId))
  return {
    kind,
    addresses,
    branch,
    include,
    exclude,
    credentials: credentialsOf(deps, workspaceId, row),
    folder: join(sourcesFolder(dataDir), row.id),
    allowedFolders: allowedFolders.map(({ location }) => location),
    privateNetworks,
    environment: sources.environment,
  }
}

export const notAllowedError = (address: string, setting: string): SyncFailed =>
  new SyncFailed(`${address} is not among the places that the operator allows (${setting}).`)

function credentialsOf(
  { seal }: Pick<Deps, 'seal'>,
  workspaceId: string,
  { id, credentials }: SourceDescription,
): SourceCredentials | undefined {
  if (!credentials) return undefined
  try {
    return JSON.parse(seal.open(credentials, sealPurpose(workspaceId, id))) as SourceCredentials
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new SyncFailed(
      'Its password cannot be decrypted, because the key of this installation (secret.key) has changed. Set the password again.',
    )
  }
}
