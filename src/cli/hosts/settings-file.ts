// Finds, reads and replaces the settings file of an assistant on this machine.

import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { CommandFailed } from '../failure.ts'
import { PRIVATE_MODE, replaceFile } from '../files/private-file.ts'

/**
 * The file to write: the target of a symbolic link, so that the link stays.
 * @param project for settings of a project: the folder that must contain the file, since other people may have made links in it
 * @throws CommandFailed if the file is outside that folder
 */
export async function settingsPath(path: string, project: string | undefined): Promise<string> {
  const target = await realpath(path).catch(() => undefined)
  if (project === undefined) return target ?? path
  const location = target ?? (await nearestFolder(path))
  const isInside = `${location}${sep}`.startsWith(`${await realpath(project)}${sep}`)
  if (!isInside) throw new CommandFailed(`${path} leads out of this folder. Nothing was changed.`)
  return target ?? path
}

/** The nearest existing folder above a file that does not exist. */
async function nearestFolder(path: string): Promise<string> {
  const folder = dirname(path)
  return realpath(folder).catch(() => nearestFolder(folder))
}

/** The text of the file; empty if the file does not exist. @throws CommandFailed */
export const readSettings = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new CommandFailed(`${path} cannot be read (${error.code}).`)
  })

interface Replacement {
  /** The text that the new text was made from. */
  oldText: string
  newText: string
  /** Whether the file has the settings of a project, for everybody who works in its folder. */
  isProject: boolean
}

/**
 * Replaces the text. Before the first change, personal settings are copied to a file beside them. Settings of a project are in its
 * version control.
 * @returns the path of the copy, if this call made one
 * @throws CommandFailed if the file has changed since it was read
 */
export async function replaceSettings(
  path: string,
  { oldText, newText, isProject }: Replacement,
): Promise<string | undefined> {
  // A running assistant may write its settings while `kenning connect` waits for the user's confirmation.
  if ((await readSettings(path)) !== oldText)
    throw new CommandFailed(`${path} was changed by another program meanwhile. Run this again.`)
  // The file keeps its mode. A new personal file is private, since it may contain keys of other servers.
  const defaultMode = isProject ? 0o644 : PRIVATE_MODE
  const mode = await stat(path).then(
    ({ mode }) => mode & 0o777,
    () => defaultMode,
  )
  const copy = `${path}.before-kenning`
  const needsCopy = oldText !== '' && !isProject && !(await exists(copy))
  if (needsCopy) await replaceFile(copy, oldText, PRIVATE_MODE)
  await replaceFile(path, newText, mode)
  return needsCopy ? copy : undefined
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
