// Answers questions about a folder without a service. Its files are read into a library in the cache, which is updated when `kenning ask`
// starts. If no file has changed, only the database is opened.

import { createHash } from 'node:crypto'
import { readdir, realpath, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type KenningClient } from '../../client/client.ts'
import { fileSource, folderSource } from '../../sync/folder.ts'
import { hasNothingToSend, syncOnce } from '../../sync/run.ts'
import type { Source } from '../../sync/source.ts'
import { type OpenedFolder, openFolder, startTemporary } from '../../temporary.ts'
import type { Context, QuestionSession } from '../context.ts'
import { CommandFailed, nothingFound } from '../failure.ts'
import { readJsonFile, writePrivateFile } from '../files/private-file.ts'
import { serviceDestination } from '../sync/service.ts'
import { type FileState, openState } from '../sync/state.ts'
import { safe } from '../terminal.ts'

interface Library {
  /** The folder or file of the library, for people who look into the cache. */
  place: string
  workspace_id: string
  user_id: string
  /** Whether all files are searchable, in the graph and embedded. */
  complete: boolean
}

// The limit of questions per hour protects other users, and this service has none.
const SETTINGS = { KENNING_ASK_PER_HOUR: '1000000' }
const MAX_UNUSED_MS = 30 * 24 * 3_600_000
// After this time the question is answered from the files that are ready. The next run continues with the rest.
const MAX_WAIT_MS = 60_000
const POLL_MS = 300

interface OpenedLibrary {
  session: QuestionSession
  /** The id of the latest conversation. */
  latestThread(): Promise<string | undefined>
}

export async function openLibrary(context: Context, folderOrFile: string): Promise<OpenedLibrary> {
  const realFolder = await realpath(folderOrFile)
  const isFolder = (await stat(realFolder)).isDirectory()
  const source = isFolder ? await folderSource(realFolder, {}) : await fileSource(realFolder)
  const libraries = join(context.config.folders.cache, 'libraries')
  const name = createHash('sha256').update(realFolder).digest('hex').slice(0, 32)
  const folder = join(libraries, name)
  await removeUnused(libraries, name)
  const state = await openState(folder, [realFolder]).catch((error: unknown) => {
    if (!(error instanceof CommandFailed)) throw error
    throw new CommandFailed(`Another kenning ask is reading ${folderOrFile}. Ask again when it has ended.`)
  })
  const path = join(folder, 'library.json')
  const library = (await readJsonFile(path).catch(() => undefined)) as Library | undefined
  try {
    if (library?.complete) {
      const reopenedLibrary = await reopen(context, { source, data: join(folder, 'data'), library, state })
      if (reopenedLibrary) {
        const now = new Date()
        await utimes(path, now, now)
        return reopenedLibrary
      }
    }
    return await fillLibrary(context, { source, folder, path, library, folderOrFile: realFolder, state })
  } catch (error) {
    await state.close()
    throw error
  }
}

interface ReopenOptions {
  source: Source
  data: string
  library: Library
  state: FileState
}

/** Undefined if files have changed. The library is opened while its files are compared, because opening takes longer. */
async function reopen(
  { signal, terminal }: Context,
  { source, data, library, state }: ReopenOptions,
): Promise<OpenedLibrary | undefined> {
  const { workspace_id: workspaceId, user_id } = library
  const [opening, modules, comparison] = await Promise.allSettled([
    openFolder(data, user_id, { settings: SETTINGS, onProgress: terminal.note }),
    Promise.all([import('../../ask/ask.ts'), import('../../ask/history.ts')]),
    hasNothingToSend(source, state, signal),
  ])
  if (opening.status === 'rejected') throw opening.reason
  const { deps, caller, stop } = opening.value
  if (modules.status === 'rejected' || comparison.status === 'rejected' || !comparison.value) {
    await stop()
    if (modules.status === 'rejected') throw modules.reason
    if (comparison.status === 'rejected') throw comparison.reason
    return undefined
  }
  const [{ ask }, { listThreads }] = modules.value
  const session: QuestionSession = {
    ask: (question, threadId) =>
      ask(deps, caller, workspaceId, { question, thread_id: threadId ?? null, stream: true }, { signal }),
    close: closeBoth(stop, state),
  }
  return {
    session,
    latestThread: async () => (await listThreads(deps, caller, workspaceId, { limit: 1 })).data[0]?.id,
  }
}

interface FillOptions {
  source: Source
  folder: string
  /** The path of library.json. */
  path: string
  library: Library | undefined
  folderOrFile: string
  state: FileState
}

async function fillLibrary(context: Context, fillOptions: FillOptions): Promise<OpenedLibrary> {
  const { source, folder, path, library, folderOrFile, state } = fillOptions
  const { terminal, main, signal } = context
  if (!library)
    terminal.note(`Reading ${safe(folderOrFile)} for the first time; later questions are answered at once.`)
  const service = await startTemporary(main, {
    folder: join(folder, 'data'),
    settings: SETTINGS,
    onProgress: terminal.note,
  })
  try {
    const client = createClient({ baseUrl: service.base, token: service.token })
    const existingLibrary = library ?? (await createLibrary(client, service, folderOrFile))
    const incompleteLibrary = { ...existingLibrary, complete: false }
    await writePrivateFile(path, `${JSON.stringify(incompleteLibrary)}\n`)
    const summary = await syncOnce({
      destination: serviceDestination(client, incompleteLibrary.workspace_id, source, signal),
      source,
      state,
      into: '',
      dryRun: false,
      retry: false,
      allowEmpty: true,
      adopt: false,
      signal,
      onChange: ({ action, path, reason }) => {
        if (action === 'refuse') terminal.note(`${safe(path)}: ${safe(reason ?? 'could not be read')}`)
      },
      onNote: (note) => terminal.note(safe(note)),
      progress: terminal.progress,
    })
    if (summary.files === 0) throw nothingFound(`There is nothing to read in ${folderOrFile}.`)
    const complete = await untilReady(client, incompleteLibrary.workspace_id, signal)
    if (complete) await writePrivateFile(path, `${JSON.stringify({ ...incompleteLibrary, complete })}\n`)
    else
      terminal.note('The graph and search by meaning are not complete yet. The next question continues them.')
    const session: QuestionSession = {
      ask: (question, threadId) => {
        const input = { workspace_id: incompleteLibrary.workspace_id, question }
        return client.askEvents(threadId === undefined ? input : { ...input, thread_id: threadId }, {
          signal,
        })
      },
      close: closeBoth(service.stop, state),
    }
    const latestThread = async () =>
      (await client.listThreads({ workspace_id: incompleteLibrary.workspace_id, limit: 1 })).data[0]?.id
    return { session, latestThread }
  } catch (error) {
    await service.stop()
    throw error
  }
}

async function createLibrary(
  client: KenningClient,
  { caller }: OpenedFolder,
  folderOrFile: string,
): Promise<Library> {
  // An earlier run that was killed may have created the workspace.
  const [existing] = (await client.listWorkspaces({ limit: 1 })).data
  const workspace = existing ?? (await client.createWorkspace({ name: folderOrFile.slice(-200) }))
  return { place: folderOrFile, workspace_id: workspace.id, user_id: caller.userId, complete: false }
}

async function untilReady(client: KenningClient, workspaceId: string, signal: AbortSignal): Promise<boolean> {
  const limit = performance.now() + MAX_WAIT_MS
  while (performance.now() < limit) {
    if ((await client.getWorkspace({ workspace_id: workspaceId }, { signal })).ready) return true
    await sleep(POLL_MS, undefined, { signal })
  }
  return false
}

const closeBoth = (stop: () => Promise<void>, state: FileState) => async (): Promise<void> => {
  try {
    await stop()
  } finally {
    await state.close()
  }
}

/** Removes libraries that were not used for MAX_UNUSED_MS. */
async function removeUnused(libraries: string, current: string): Promise<void> {
  for (const name of await readdir(libraries).catch(() => [])) {
    const usage = await stat(join(libraries, name, 'library.json')).catch(() => undefined)
    if (name === current || !usage || usage.mtimeMs > Date.now() - MAX_UNUSED_MS) continue
    await rm(join(libraries, name), { recursive: true, force: true })
  }
}
