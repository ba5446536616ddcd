// Which source a person means.

import type { CommandLineConfig } from '../../config.ts'
import { wrongUse } from '../failure.ts'
import type { CollectOptions } from '../files/collect.ts'
import type { Source } from './source.ts'

export interface SourceOptions extends CollectOptions {
  /** Instead of what a source is called by itself, so that it stays the same on another machine. */
  name?: string
  branch?: string
}

export async function openSource(
  given: string,
  options: SourceOptions,
  config: Pick<CommandLineConfig, 'folders'>,
): Promise<Source> {
  const source = await sourceOf(given, options, config)
  return options.name === undefined
    ? source
    : { ...source, label: options.name, identity: `name ${options.name}` }
}

async function sourceOf(
  given: string,
  options: SourceOptions,
  _config: Pick<CommandLineConfig, 'folders'>,
): Promise<Source> {
  if (/^(https?|git|ssh|rclone|s3):/.test(given)) throw wrongUse('not yet')
  const { folderSource } = await import('./sources/folder.ts')
  return folderSource(given, options)
}
