// The arguments of the commands about backups: each takes one folder and no options.

import { resolve } from 'node:path'

/** The absolute path of the only argument. Undefined for wrong use: no argument, several, or an option. */
export function onlyFolder(args: readonly string[]): string | undefined {
  const [folder, ...otherArguments] = args
  const isWrongUse = folder === undefined || otherArguments.length > 0 || folder.startsWith('-')
  return isWrongUse ? undefined : resolve(folder)
}
