// `kenning upload` uploads files, folders, patterns or standard input to a workspace, and waits until they are searchable.

import { existsSync } from 'node:fs'
import { blob } from 'node:stream/consumers'
import type { KenningClient } from '../../client/client.ts'
import type { FileProgress, Job, OnConflict, Workspace } from '../../contract/resources.ts'
import type { Sendable } from '../../sync/batches.ts'
import { collect } from '../../sync/collect.ts'
import { SyncFailed } from '../../sync/failure.ts'
import { type Context, findWorkspace, type WorkspaceOptions } from '../context.ts'
import { CommandFailed, nothingFound, wrongUse } from '../failure.ts'
import { neighboursOf } from '../files/neighbours.ts'
import { asSendable, sendFiles } from '../files/send.ts'
import { untilSearchable } from '../files/watch.ts'
import { safe } from '../terminal.ts'

const KB = 1000

interface UploadOptions extends WorkspaceOptions {
  name?: string
  into?: string
  include?: string[]
  exclude?: string[]
  hidden?: boolean
  onConflict?: OnConflict
  create?: boolean
  wait: boolean
}

export async function upload(context: Context, paths: string[], options: UploadOptions): Promise<void> {
  const { terminal } = context
  const { files, unreadable } = await filesOf(context, paths, options)
  if (unreadable.length > 0)
    terminal.note(
      `Left out: ${unreadable.length} files of kinds that are not read, such as ${safe(unreadable[0] ?? '')}.`,
    )
  if (files.length === 0) throw nothingFound('There is no file to upload.')
  const { client } = await context.service(options)
  const workspace = await findOrCreateWorkspace(context, client, options)
  const { jobs, refusals } = await send(context, client, { workspace, files, options })
  const progressByJob = options.wait ? await waitFor(context, client, jobs, files.length) : []
  const failures = [...refusals, ...progressByJob.flatMap(failuresOf)]
  if (options.json) for (const { id } of jobs) context.printJson(await client.getJob({ job_id: id }))
  else summarise(context, workspace, { jobs, progressByJob })
  for (const { path, reason } of failures) terminal.note(`${safe(path)}: ${reason}`)
  if (failures.length > 0)
    throw new CommandFailed(`${failures.length} of ${files.length} files were not read.`)
}

async function filesOf(context: Context, paths: string[], options: UploadOptions) {
  const { into, name } = options
  const inFolder = (path: string): string => (into ? `${into.replace(/\/+$/, '')}/${path}` : path)
  if (!paths.includes('-')) {
    if (name !== undefined) throw wrongUse('--name is for standard input: kenning upload - --name notes.md')
    const { files, unreadable } = await collect(paths, process.cwd(), options).catch(explainMissing(paths))
    return { files: files.map((file) => asSendable({ ...file, path: inFolder(file.path) })), unreadable }
  }
  if (paths.length > 1) throw wrongUse('Standard input (-) cannot be combined with files.')
  if (name === undefined)
    throw wrongUse('Name the content of standard input: kenning upload - --name notes.md')
  const content = await blob(context.stdin)
  const file: Sendable = { path: inFolder(name), bytes: content.size, content: async () => content }
  return { files: content.size > 0 ? [file] : [], unreadable: [] }
}

const explainMissing =
  (paths: readonly string[]) =>
  async (error: unknown): Promise<never> => {
    const missingPath = paths.find((path) => !existsSync(path))
    if (!(error instanceof SyncFailed) || error.type !== 'not_found' || missingPath === undefined) throw error
    throw nothingFound(`${error.message} ${await neighboursOf(missingPath)}`)
  }

/** The workspace with this name. Creates it if the option --create is set. */
export async function findOrCreateWorkspace(
  context: Context,
  client: KenningClient,
  { workspace, create }: { workspace?: string; create?: boolean },
): Promise<Workspace> {
  try {
    return await findWorkspace(context, client, workspace)
  } catch (error) {
    if (!create || workspace === undefined || !(error instanceof CommandFailed) || error.type !== 'not_found')
      throw error
    const newWorkspace = await client.createWorkspace({ name: workspace })
    context.terminal.note(`Created the workspace “${safe(newWorkspace.name)}”.`)
    return newWorkspace
  }
}

async function send(
  context: Context,
  client: KenningClient,
  {
    workspace,
    files,
    options: { onConflict },
  }: { workspace: Workspace; files: readonly Sendable[]; options: UploadOptions },
) {
  const report = context.terminal.progress('upload (kB)')
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const jobs: Job[] = []
  const refusals: { path: string; reason: string }[] = []
  let doneBytes = 0
  for await (const outcome of sendFiles(client, workspace.id, files, {
    signal: context.signal,
    ...(onConflict ? { onConflict } : {}),
  })) {
    if ('job' in outcome) {
      jobs.push(outcome.job)
      doneBytes += outcome.files.reduce((sum, { bytes }) => sum + bytes, 0)
    } else {
      refusals.push({ path: outcome.refused.path, reason: outcome.reason })
      doneBytes += outcome.refused.bytes
    }
    if (files.length > 1) report(Math.round(doneBytes / KB), Math.round(totalBytes / KB))
  }
  return { jobs, refusals }
}

async function waitFor(
  context: Context,
  client: KenningClient,
  jobs: readonly Job[],
  totalFiles: number,
): Promise<FileProgress[][]> {
  const report = context.terminal.progress('index')
  const progressByJob: FileProgress[][] = []
  let doneFiles = 0
  for (const { id, files } of jobs) {
    const show = (share: number): void => report(Math.floor(doneFiles + share * files.length), totalFiles)
    progressByJob.push((await untilSearchable(client, id, context.signal, show)).files)
    doneFiles += files.length
  }
  report(totalFiles, totalFiles)
  return progressByJob
}

const failuresOf = (files: readonly FileProgress[]): { path: string; reason: string }[] =>
  files.flatMap(({ filename, status, error }) =>
    status === 'failed' ? [{ path: filename, reason: error ?? 'could not be read' }] : [],
  )

const OUTCOME_LABELS: Record<NonNullable<FileProgress['outcome']>, string> = {
  created: 'new',
  replaced: 'new versions',
  unchanged: 'already there',
  superseded: 'older than the current version',
  kept_both: 'stored beside another document of this name',
}

function summarise(
  { terminal }: Context,
  workspace: Workspace,
  { jobs, progressByJob }: { jobs: readonly Job[]; progressByJob: readonly FileProgress[][] },
): void {
  const name = safe(workspace.name)
  if (progressByJob.length === 0) {
    for (const { id, files } of jobs) terminal.print(`${id}  ${files.length} files`)
    terminal.note(`They are being read. To see how far it is: kenning jobs -w "${name}"`)
    return
  }
  const doneFiles = progressByJob.flat().filter(({ status }) => status === 'done')
  const counts = (Object.keys(OUTCOME_LABELS) as (keyof typeof OUTCOME_LABELS)[])
    .map((outcome) => ({ outcome, count: doneFiles.filter((file) => file.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count} ${OUTCOME_LABELS[outcome]}`)
  terminal.print(
    `${doneFiles.length} ${doneFiles.length === 1 ? 'file' : 'files'} can be found in “${name}”${counts.length ? `: ${counts.join(', ')}` : ''}.`,
  )
  for (const { filename, warnings } of doneFiles)
    for (const warning of warnings ?? []) terminal.note(`${safe(filename)}: ${safe(warning)}`)
}
