// `kenning jobs` lists the newest jobs of a workspace, or prints, watches or cancels one job.

import type { FileProgress, JobProgress } from '../../contract/resources.ts'
import { type Context, findWorkspace, listAll, type WorkspaceOptions } from '../context.ts'
import { CommandFailed, wrongUse } from '../failure.ts'
import { untilSearchable } from '../files/watch.ts'
import { safe } from '../terminal.ts'

interface JobsOptions extends WorkspaceOptions {
  limit: number
  watch?: boolean
  cancel?: boolean
}

export async function jobs(context: Context, id: string | undefined, options: JobsOptions): Promise<void> {
  if (id !== undefined) return showJob(context, id, options)
  if (options.watch || options.cancel) throw wrongUse('Name the job: kenning jobs ID --watch')
  const { client } = await context.service(options)
  const { id: workspaceId } = await findWorkspace(context, client, options.workspace)
  const { limit } = options
  if (options.json) {
    const page = await client.listJobs({ workspace_id: workspaceId, limit: Math.min(limit, 200) })
    return context.printJson(page)
  }
  const input = { workspace_id: workspaceId, limit: Math.min(limit, 200) }
  const newestJobs = await listAll(client.all('listJobs', input, { signal: context.signal }), limit)
  const rows = newestJobs.map(
    ({ id: job, kind, status, created_at, file_count, done_count, failed_count }) => [
      job,
      kind,
      status,
      created_at.replace('T', ' ').slice(0, 16),
      String(file_count),
      String(done_count),
      String(failed_count),
    ],
  )
  context.terminal.table(['id', 'kind', 'state', 'started', 'files', 'done', 'failed'], rows)
}

async function showJob(context: Context, id: string, options: JobsOptions): Promise<void> {
  const { client } = await context.service(options)
  if (options.cancel) {
    await client.cancelJob({ job_id: id })
    return context.terminal.note('Cancelled. Files that can already be found stay.')
  }
  const report = context.terminal.progress('index')
  const progress = options.watch
    ? await untilSearchable(client, id, context.signal, (share) => report(Math.round(share * 100), 100))
    : await client.getJobProgress({ job_id: id })
  if (options.json) context.printJson(progress)
  else printJob(context, progress)
  const failedCount = progress.files.filter(({ status }) => status === 'failed').length
  if (options.watch && failedCount > 0)
    throw new CommandFailed(`${failedCount} of ${progress.files.length} files were not read.`)
}

function printJob({ terminal }: Context, { state, files, remaining_seconds }: JobProgress): void {
  const remainingTime = remaining_seconds === undefined ? '' : `, about ${remaining_seconds} s left`
  terminal.print(`${state}${remainingTime}`)
  terminal.table(
    ['file', 'state', 'what'],
    files.map((file) => [file.filename, file.state, descriptionOf(file)]),
  )
}

const descriptionOf = ({ error, outcome, stage, status }: FileProgress): string =>
  safe(error ?? outcome ?? (status === 'running' ? stage : ''))
