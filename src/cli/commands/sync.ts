// `kenning sync` copies the changes of a folder, a repository or web pages to a workspace: once, at intervals, or whenever
// something changes.

import { setTimeout as sleep } from 'node:timers/promises'
import type { KenningClient } from '../../client/client.ts'
import type { Workspace } from '../../contract/resources.ts'
import { SyncFailed } from '../../sync/failure.ts'
import { type Change, type Summary, syncOnce } from '../../sync/run.ts'
import type { Source } from '../../sync/source.ts'
import { type Context, findWorkspace, type WorkspaceOptions } from '../context.ts'
import { CommandFailed, EXIT, wrongUse } from '../failure.ts'
import { emptyDestination, emptyState } from '../sync/empty.ts'
import { openSource, type SourceOptions } from '../sync/open-source.ts'
import { serviceDestination } from '../sync/service.ts'
import { openState } from '../sync/state.ts'
import { safe } from '../terminal.ts'
import { findOrCreateWorkspace } from './upload.ts'

interface SyncCommandOptions extends WorkspaceOptions, SourceOptions {
  into?: string
  create?: boolean
  dryRun?: boolean
  every?: string
  watch?: boolean
  retry?: boolean
  allowEmpty?: boolean
  adopt?: boolean
}

export async function sync(context: Context, address: string, options: SyncCommandOptions): Promise<void> {
  const everyMs = options.every === undefined ? undefined : parseInterval(options.every)
  if (options.watch && everyMs !== undefined) throw wrongUse('Use either --watch or --every.')
  const source = await openSource(address, options, context.config)
  if (options.watch && !source.watch)
    throw wrongUse('Only a folder of this machine can be watched. Use --every 10m.')
  const { client, origin } = await context.service(options)
  const workspace = await findSyncWorkspace(context, client, options)
  const state = workspace
    ? await openState(context.config.folders.state, [origin, workspace.id, source.identity])
    : emptyState
  const destination = workspace
    ? serviceDestination(client, workspace.id, source, context.signal)
    : emptyDestination
  const workspaceName = workspace?.name ?? options.workspace ?? ''
  const runOnce = async (): Promise<void> => {
    let foreignCount = 0
    const summary = await syncOnce({
      destination,
      source,
      state,
      into: (options.into ?? '').replace(/^\/+|\/+$/g, ''),
      dryRun: options.dryRun === true,
      retry: options.retry === true,
      allowEmpty: options.allowEmpty === true,
      adopt: options.adopt === true,
      signal: context.signal,
      onChange: (change) => {
        if (change.action === 'keep_theirs') foreignCount++
        printChange(context, change, options)
      },
      onNote: (note) => context.terminal.note(safe(note)),
      progress: context.terminal.progress,
    }).catch((error: unknown) => {
      if (!(error instanceof SyncFailed) || error.type !== 'empty') throw error
      throw new CommandFailed(`${error.message} If it is meant to be empty, add --allow-empty.`)
    })
    context.terminal.note(summaryOf(summary, source, workspaceName, options.dryRun === true))
    if (foreignCount > 0)
      context.terminal.note(
        `= was there already: this sync will neither change nor delete it.${options.adopt ? '' : ' --adopt takes over what you uploaded yourself.'}`,
      )
  }
  try {
    if (options.watch) await runOnChanges(context, source, runOnce)
    else if (everyMs !== undefined) await runAtIntervals(context, everyMs, runOnce)
    else await runOnce()
  } finally {
    await state.close()
  }
}

/** The workspace of the sync. Undefined in a dry run if the workspace does not exist and would be created. */
async function findSyncWorkspace(
  context: Context,
  client: KenningClient,
  options: SyncCommandOptions,
): Promise<Workspace | undefined> {
  if (!options.dryRun || !options.create) return findOrCreateWorkspace(context, client, options)
  return findWorkspace(context, client, options.workspace).catch((error: unknown) => {
    if (!(error instanceof CommandFailed) || error.type !== 'not_found' || options.workspace === undefined)
      throw error
    context.terminal.note(`There is no workspace “${safe(options.workspace)}” yet: it would be created.`)
    return undefined
  })
}

/** Runs once. Prints a failure that may be temporary, such as a restart of the service. @throws if a repetition would fail too */
async function runToleratingFailures(context: Context, runOnce: () => Promise<void>): Promise<void> {
  await runOnce().catch((error: unknown) => {
    context.signal.throwIfAborted()
    const isTemporary =
      error instanceof SyncFailed
        ? error.type !== 'not_found'
        : !(error instanceof CommandFailed) || error.exitCode === EXIT.failed
    if (!isTemporary || (error as { status?: number }).status === 401) throw error
    context.terminal.note(`${error instanceof Error ? error.message : String(error)} It is tried again.`)
  })
}

async function runAtIntervals(
  context: Context,
  everyMs: number,
  runOnce: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await runToleratingFailures(context, runOnce)
    await sleep(everyMs, undefined, { signal: context.signal })
  }
}

// The sync runs again after this pause even if no change is reported: a network drive may not report all changes, and the last run
// may have failed.
const MAX_PAUSE_MS = 10 * 60_000

async function runOnChanges(context: Context, source: Source, runOnce: () => Promise<void>): Promise<void> {
  let wakeUp = (): void => {}
  let hasChanged = false
  const watchFailure = source.watch?.(() => {
    hasChanged = true
    wakeUp()
  }, context.signal)
  for (;;) {
    hasChanged = false
    await runToleratingFailures(context, runOnce)
    context.terminal.note('Waiting for changes. Ctrl-C ends it.')
    if (!hasChanged) {
      const untilWoken = new Promise<void>((resolve) => {
        wakeUp = resolve
      })
      await Promise.race([
        untilWoken,
        watchFailure,
        sleep(MAX_PAUSE_MS, undefined, { signal: context.signal }),
      ])
    }
    context.signal.throwIfAborted()
  }
}

/** Parses `30s`, `10m`, `1h` or `2d` to milliseconds. */
function parseInterval(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})(s|m|h|d)$/.exec(text) ?? []
  const seconds = { s: 1, m: 60, h: 3600, d: 86_400 }[unit as 's' | 'm' | 'h' | 'd']
  const ms = Number(count) * (seconds ?? 0) * 1000
  if (ms < 10_000 || ms > 2 ** 31 - 1)
    throw wrongUse(`${text} is not a time of 10s to 24d, such as 10m or 1h.`)
  return ms
}

const ACTION_SIGNS: Record<Change['action'], string> = {
  create: '+',
  replace: '~',
  move: '>',
  delete: '-',
  refuse: '!',
  keep_theirs: '=',
  leave: '!',
}

function printChange({ terminal, printJson }: Context, change: Change, { json }: { json?: boolean }): void {
  if (json) {
    printJson(change)
    return
  }
  const { action, path, from, reason } = change
  terminal.print(
    `${ACTION_SIGNS[action]} ${from ? `${safe(from)} → ` : ''}${safe(path)}${reason ? `  ${safe(reason)}` : ''}`,
  )
}

function summaryOf(summary: Summary, { label }: Source, workspace: string, dryRun: boolean): string {
  const { files, created, replaced, moved, deleted, refused } = summary
  const parts = [
    [created, 'new'],
    [replaced, 'changed'],
    [moved, 'moved'],
    [deleted, 'deleted'],
    [refused, 'not read'],
  ] as const
  const counts = parts.filter(([count]) => count > 0).map(([count, label]) => `${count} ${label}`)
  const actionCounts = counts.length > 0 ? counts.join(', ') : 'nothing to do'
  return `${safe(label)} → “${safe(workspace)}”: ${files} files, ${actionCounts}${dryRun ? ' (dry run)' : ''}.`
}
