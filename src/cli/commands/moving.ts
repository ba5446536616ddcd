// `kenning export` writes a workspace to one file. `kenning import` makes a workspace from this file, at the same service or
// another.

import { createWriteStream, existsSync, openAsBlob } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KenningClient } from '../../client/client.ts'
import type { WorkspaceImport } from '../../contract/archives.ts'
import { type CommonOptions, type Context, findWorkspace } from '../context.ts'
import { CommandFailed, nothingFound, wrongUse } from '../failure.ts'
import { isPermanent, untilSearchable } from '../files/watch.ts'
import { safe } from '../terminal.ts'

const KB = 1000
const CANCEL_TIMEOUT_MS = 3000

export async function exportWorkspace(
  context: Context,
  nameOrId: string,
  file: string,
  options: CommonOptions,
): Promise<void> {
  const { terminal, signal } = context
  if (file === '-' && terminal.isOutputTerminal) throw wrongUse('Name a file: kenning export WORKSPACE FILE')
  if (file !== '-' && existsSync(file)) throw wrongUse(`${file} already exists. Choose another file name.`)
  const { client } = await context.service(options)
  const { id, name } = await findWorkspace(context, client, nameOrId)
  const response = await client.bytes('exportWorkspace', { workspace_id: id }, { signal })
  const size = Number(response.headers.get('content-length'))
  const report = terminal.progress('export (kB)')
  let receivedBytes = 0
  const counter = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      receivedBytes += piece.length
      report(Math.round(receivedBytes / KB), Math.round(size / KB))
      done(null, piece)
    },
  })
  const body = Readable.fromWeb(response.body as ReadableStream)
  if (file === '-') return pipeline(body, counter, process.stdout, { end: false, signal })
  const partialFile = `${file}.partial`
  try {
    await pipeline(body, counter, createWriteStream(partialFile, { flags: 'wx', mode: 0o600 }), { signal })
    if (receivedBytes !== size)
      throw new CommandFailed('The connection ended before the export was complete. Try again.')
    await rename(partialFile, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(partialFile, { force: true })
    throw error
  }
  if (options.json) context.printJson({ file, bytes: size, workspace_id: id })
  else terminal.print(`Wrote “${safe(name)}” to ${safe(file)} (${size.toLocaleString('en')} bytes).`)
}

export async function importWorkspace(
  context: Context,
  file: string,
  options: CommonOptions & { newIds?: boolean; name?: string; wait: boolean },
): Promise<void> {
  const { terminal, signal } = context
  if (!existsSync(file)) throw nothingFound(`There is no file ${file}.`)
  const { client } = await context.service(options)
  const input = {
    archive: await openAsBlob(file),
    ids: options.newIds ? ('new' as const) : ('keep' as const),
    ...(options.name === undefined ? {} : { name: options.name }),
  }
  const newImport = await client.importWorkspace(input, { signal })
  const finishedImport = await untilImported(context, client, newImport.id)
  const { workspace, job_id: jobId, documents, conversations, sources, notes } = finishedImport
  if (finishedImport.status !== 'done' || !workspace)
    throw new CommandFailed(finishedImport.error?.message ?? 'The import was cancelled.')
  const failedFiles: string[] = []
  if (options.wait && documents > 0 && jobId !== null) {
    const report = terminal.progress('index')
    const show = (share: number): void => report(Math.floor(share * documents), documents)
    const { files } = await untilSearchable(client, jobId, signal, show)
    report(documents, documents)
    for (const { filename, status, error } of files)
      if (status === 'failed') failedFiles.push(`${safe(filename)}: ${error ?? 'could not be read'}`)
  }
  if (options.json) context.printJson(finishedImport)
  else {
    terminal.print(
      `Made “${safe(workspace.name)}” (${workspace.id}) with ${documents} ${documents === 1 ? 'document' : 'documents'}.`,
    )
    if (conversations > 0) terminal.note(`Conversations that are now yours: ${conversations}.`)
    if (sources > 0)
      terminal.note(`Sources that are paused until you enter their passwords and resume them: ${sources}.`)
    for (const note of notes) terminal.note(safe(note))
  }
  for (const line of failedFiles) terminal.note(line)
  if (failedFiles.length > 0)
    throw new CommandFailed(`${failedFiles.length} of ${documents} documents could not be read.`)
}

const POLL_MS = 500
// The service or a proxy may be restarting, so half a minute of failures is accepted.
const MAX_FAILURES = 60

/**
 * Waits until the import has finished. Cancels the import if the command is interrupted, since its workspace is not visible yet.
 */
async function untilImported(
  { terminal, signal }: Context,
  client: KenningClient,
  importId: string,
): Promise<WorkspaceImport> {
  const input = { import_id: importId }
  const report = terminal.progress('import (%)')
  try {
    for (let failures = 0; ; ) {
      try {
        const state = await client.getImport(input, { signal })
        failures = 0
        report(Math.floor(state.progress * 100), 100)
        if (state.finished_at !== null) return state
      } catch (error) {
        signal.throwIfAborted()
        if (isPermanent(error) || ++failures > MAX_FAILURES) throw error
      }
      await sleep(POLL_MS, undefined, { signal })
    }
  } catch (error) {
    if (signal.aborted)
      await client
        .cancelImport(input, { signal: AbortSignal.timeout(CANCEL_TIMEOUT_MS) })
        .catch(() => undefined)
    throw error
  }
}
