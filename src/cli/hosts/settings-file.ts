// The settings file of an assistant on this machine: where it really is, what it holds, and how it is replaced.

import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { CommandFailed } from '../failure.ts'
import { writeWhole } from '../files/private-file.ts'

/**
 * The file that is written: the target of a symbolic link, so that the link stays.
 * @param project the folder that it has to be in, if it is settings of a folder, whose links other people made
 * @throws CommandFailed if it is elsewhere
 */
export async function settingsPath(path: string, project: string | undefined): Promise<string> {
  const target = await realpath(path).catch(() => undefined)
  if (project === undefined) return target ?? path
  const place = target ?? (await nearestFolder(path))
  const isInside = `${place}${sep}`.startsWith(`${await realpath(project)}${sep}`)
  if (!isInside) throw new CommandFailed(`${path} leads out of this folder. Nothing was changed.`)
  return target ?? path
}

/** Of a file that does not exist: the nearest folder that does. */
async function nearestFolder(path: string): Promise<string> {
  const folder = dirname(path)
  return realpath(folder).catch(() => nearestFolder(folder))
}

/** Empty if there is none. @throws CommandFailed */
export const readSettings = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new CommandFailed(`${path} cannot be read (${error.code}).`)
  })

interface Replacement {
  /** The text that the new one was made of. */
  oldText: string
  newText: string
  /** Whether it is settings of a folder, for everybody who works in it. */
  isProject: boolean
}

/**
 * Replaces the text. Personal settings are first copied beside themselves, once; those of a folder are in its version control.
 * @returns the path of the copy, if this made one @throws CommandFailed if the file has changed since it was read
 */
export async function replaceSettings(
  path: string,
  { oldText, newText, isProject }: Replacement,
): Promise<string | undefined> {
  // Running assistants write their settings too, while a person is asked.
  if ((await readSettings(path)) !== oldText)
    throw new CommandFailed(`${path} was changed by another program meanwhile. Run this again.`)
  // The file keeps its mode. A new personal file is private, since it may contain keys of other servers.
  const defaultMode = isProject ? 0o644 : PRIVATE
  const mode = await stat(path).then(
    ({ mode }) => mode & 0o777,
    () => defaultMode,
  )
  const copy = `${path}.before-kenning`
  const isCopied = oldText !== '' && !isProject && !(await exists(copy))
  if (isCopied) await writeWhole(copy, oldText, PRIVATE)
  await writeWhole(path, newText, mode)
  return isCopied ? copy : undefined
}

const PRIVATE = 0o600

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
