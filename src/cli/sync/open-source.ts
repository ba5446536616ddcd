// Opens the source at a location: a folder, a git repository, web pages or a remote of rclone.

import type { CollectOptions } from '../../sync/collect.ts'
import { SyncFailed } from '../../sync/failure.ts'
import type { Source } from '../../sync/source.ts'
import type { CommandLineConfig } from '../config.ts'
import { nothingFound, wrongUse } from '../failure.ts'
import { neighboursOf } from '../files/neighbours.ts'

export interface SourceOptions extends CollectOptions {
  /** The name used instead of the default one, so that the source is recognised on another machine. */
  name?: string
  branch?: string
  /** Allows web pages at addresses outside the public internet, such as a wiki of the company. */
  allowPrivate?: boolean
}

export async function openSource(
  location: string,
  options: SourceOptions,
  config: Pick<CommandLineConfig, 'folders'>,
): Promise<Source> {
  const source = await sourceOf(location, options, config)
  return options.name === undefined
    ? source
    : { ...source, label: options.name, identity: `name ${options.name}` }
}

async function sourceOf(
  location: string,
  options: SourceOptions,
  { folders }: Pick<CommandLineConfig, 'folders'>,
): Promise<Source> {
  const { name: _, branch, ...collectOptions } = options
  const remote = /^rclone:(.+)$/s.exec(location)?.[1] ?? s3RemoteOf(location)
  if (remote !== undefined) return (await import('../../sync/rclone.ts')).rcloneSource(remote, collectOptions)
  if (isRepository(location)) {
    const { gitSource } = await import('../../sync/git.ts')
    const address = location.replace(/^git\+/, '')
    return gitSource(address, {
      ...collectOptions,
      cache: folders.cache,
      ...(branch === undefined ? {} : { branch }),
    })
  }
  if (branch !== undefined) throw wrongUse('--branch is for git addresses.')
  if (/^https?:\/\//i.test(location) || location.startsWith('@')) {
    const { webSource } = await import('../../sync/web.ts')
    return webSource(location, options)
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(location))
    throw wrongUse(
      `${location} is not a known kind of source: use a folder, git, http(s), s3:// or rclone:remote:path.`,
    )
  const { folderSource } = await import('../../sync/folder.ts')
  return folderSource(location, collectOptions).catch(async (error: unknown) => {
    if (!(error instanceof SyncFailed) || error.type !== 'not_found') throw error
    throw nothingFound(`${error.message} ${await neighboursOf(location)}`)
  })
}

/** The rclone remote for `s3://bucket/prefix`, with the credentials of the AWS programs; undefined for other locations. */
function s3RemoteOf(location: string): string | undefined {
  const [, bucket] = /^s3:\/\/(.+)$/s.exec(location) ?? []
  return bucket && `:s3,env_auth=true:${bucket}`
}

/**
 * Whether the location is the address of a git repository, such as `git@example.org:team/docs`, `https://example.org/docs.git` or
 * `https://github.com/example/handbook`.
 */
const isRepository = (location: string): boolean =>
  /^(git\+|git:\/\/|ssh:\/\/|file:\/\/|git@)/.test(location) ||
  /^https?:\/\/[^?#]+\.git$/i.test(location) ||
  /^https:\/\/(www\.)?(github|gitlab|codeberg|bitbucket)\.(com|org)\/[\w.-]+\/[\w.-]+\/?$/i.test(location)
