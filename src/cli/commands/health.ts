// `kenning health` prints the health of each part of the service, failed files and backups, for administrators.

import type { Backup, Backups, FailedFileOfService, ServiceHealth } from '../../contract/health.ts'
import type { Context } from '../context.ts'
import { CommandFailed } from '../failure.ts'
import { type AccountOptions, asAccount } from '../login/account.ts'
import { safe } from '../terminal.ts'

const PAGE = { path: '/health', task: 'see how the service is doing' }

/** Prints a line for each part. @throws CommandFailed if a part has a problem */
export const showHealth = (context: Context, options: AccountOptions): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    const health = await account<ServiceHealth>('GET', '/account/health')
    if (options.json) context.printJson(health)
    else
      for (const { check, status, message } of health.parts)
        context.terminal.print(`${status.padEnd(9)}${check.padEnd(18)}${safe(message)}`)
    if (health.status === 'problem') throw new CommandFailed('A part of the service has a problem.')
  })

/** Prints the files of all workspaces that could not be read. */
export const showFailedFiles = (context: Context, options: AccountOptions): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    const files = await account<{ data: FailedFileOfService[] }>('GET', '/account/failed-files')
    if (options.json) {
      context.printJson(files)
      return
    }
    for (const { failed_at, workspace, filename, kind, owners, error } of files.data)
      context.terminal.print(
        [failed_at, workspace ?? owners.join(', '), filename ?? `a file (${kind})`, error]
          .map(safe)
          .join('  '),
      )
  })

export const showBackups = (context: Context, options: AccountOptions): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    const backups = await account<Backups>('GET', '/account/backups')
    if (options.json) context.printJson(backups)
    else for (const backup of backups.data) context.terminal.print(lineOf(backup))
  })

/** Queues a backup, which a worker makes. */
export const beginBackup = (context: Context, options: AccountOptions): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    const backup = await account<Backup>('POST', '/account/backups')
    if (options.json) context.printJson(backup)
    else context.terminal.note('A worker makes the backup. See kenning health backups.')
  })

function lineOf({ created_at, state, machine, folder, size, error }: Backup): string {
  const parts = [
    created_at,
    state,
    ...(folder ? [`${folder} on ${machine}`] : []),
    ...(size === null ? [] : [`${size.toLocaleString('en')} bytes`]),
    ...(error ? [error] : []),
  ]
  return parts.map(safe).join('  ')
}
