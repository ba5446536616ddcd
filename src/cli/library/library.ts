// Answers questions about a folder without a service. Its files are read into a library in the cache, which is updated when
// `kenning ask` or `kenning mcp` starts. If no file has changed, only the database is opened for a question.

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

/** The content of library.json. */
interface LibraryRecord {
  /** The folder or file of the library, for people who look into the cache. */
  place: string
  workspace_id: string
  user_id: string
  /** Whether all files are searchable, in the graph and embedded. */
  complete: boolean
}

// The limit of questions per hour protects other users, and this service has only one user.
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

interface LibraryFolder {
  source: Source
  folder: string
  /** The path of library.json. */
  path: string
  library: LibraryRecord | undefined
  folderOrFile: string
  state: FileState
}

/** Opens the library of a folder or file, and locks it for this process. */
async function openLibraryFolder({ config }: Context, folderOrFile: string): Promise<LibraryFolder> {
  const realFolder = await realpath(folderOrFile)
  const isFolder = (await stat(realFolder)).isDirectory()
  const source = isFolder ? await folderSource(realFolder, {}) : await fileSource(realFolder)
  const libraries = join(config.folders.cache, 'libraries')
  const name = createHash('sha256').update(realFolder).digest('hex').slice(0, 32)
  const folder = join(libraries, name)
  await removeUnusedLibraries(libraries, name)
  const state = await openState(folder, [realFolder]).catch((error: unknown) => {
    if (!(error instanceof CommandFailed)) throw error
    throw new CommandFailed(
      `Another kenning ask or kenning mcp uses ${folderOrFile}. Try again when it has ended.`,
    )
  })
  const path = join(folder, 'library.json')
  const library = (await readJsonFile(path).catch(() => undefined)) as LibraryRecord | undefined
  return { source, folder, path, library, folderOrFile: realFolder, state }
}

export async function openLibrary(context: Context, folderOrFile: string): Promise<OpenedLibrary> {
  const libraryFolder = await openLibraryFolder(context, folderOrFile)
  const { source, folder, path, library, state } = libraryFolder
  try {
    if (library?.complete) {
      const reopenedLibrary = await reopen(context, { source, data: join(folder, 'data'), library, state })
      if (reopenedLibrary) {
        const now = new Date()
        await utimes(path, now, now)
        return reopenedLibrary
      }
    }
    return await fillLibrary(context, libraryFolder)
  } catch (error) {
    await state.close()
    throw error
  }
}

interface ReopenOptions {
  source: Source
  data: string
  library: LibraryRecord
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

const startLibraryService = (
  { main, terminal }: Context,
  folder: string,
): ReturnType<typeof startTemporary> =>
  startTemporary(main, { folder: join(folder, 'data'), settings: SETTINGS, onProgress: terminal.note })

async function fillLibrary(context: Context, libraryFolder: LibraryFolder): Promise<OpenedLibrary> {
  const { folder, library, folderOrFile, state } = libraryFolder
  const { terminal, signal } = context
  if (!library)
    terminal.note(`Reading ${safe(folderOrFile)} for the first time; later questions are answered at once.`)
  const service = await startLibraryService(context, folder)
  try {
    const client = createClient({ baseUrl: service.base, token: service.token })
    const incompleteLibrary = await startReading(client, service, libraryFolder)
    const files = await readFiles(context, client, libraryFolder, incompleteLibrary)
    if (files === 0) throw nothingFound(`There is nothing to read in ${folderOrFile}.`)
    const waitLimit = { signal, maxWaitMs: MAX_WAIT_MS }
    if (!(await waitUntilComplete(client, libraryFolder, incompleteLibrary, waitLimit)))
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

/** Stores that the library is incomplete, since its files are read now. Creates the library if it does not exist. */
async function startReading(
  client: KenningClient,
  service: OpenedFolder,
  { path, library, folderOrFile }: LibraryFolder,
): Promise<LibraryRecord> {
  const existingLibrary = library ?? (await createLibrary(client, service, folderOrFile))
  const incompleteLibrary = { ...existingLibrary, complete: false }
  await writePrivateFile(path, `${JSON.stringify(incompleteLibrary)}\n`)
  return incompleteLibrary
}

/** Returns how many files the library has. */
async function readFiles(
  { terminal, signal }: Pick<Context, 'terminal' | 'signal'>,
  client: KenningClient,
  { source, state }: LibraryFolder,
  { workspace_id }: LibraryRecord,
): Promise<number> {
  const summary = await syncOnce({
    destination: serviceDestination(client, workspace_id, source, signal),
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
  return summary.files
}

/** Returns false if the library is not complete within the limit. */
async function waitUntilComplete(
  client: KenningClient,
  { path }: LibraryFolder,
  library: LibraryRecord,
  limit: WaitLimit,
): Promise<boolean> {
  const complete = await untilReady(client, library.workspace_id, limit)
  if (complete) await writePrivateFile(path, `${JSON.stringify({ ...library, complete })}\n`)
  return complete
}

export interface ServedLibrary {
  /** The address of its MCP endpoint. */
  url: string
  /** An API key that can only read, and only this library. */
  token: string
  close(): Promise<void>
}

/** A service with the files of a folder. It answers while they are read, and finds what was read so far. */
export async function serveLibrary(context: Context, folderOrFile: string): Promise<ServedLibrary> {
  const { terminal, signal } = context
  const libraryFolder = await openLibraryFolder(context, folderOrFile)
  const { folder, state } = libraryFolder
  const closeController = new AbortController()
  try {
    const service = await startLibraryService(context, folder)
    try {
      const client = createClient({ baseUrl: service.base, token: service.token })
      const library = await startReading(client, service, libraryFolder)
      const token = await service.readerKey(library.workspace_id)
      const readContext = { terminal, signal: AbortSignal.any([signal, closeController.signal]) }
      const readingDone = readFiles(readContext, client, libraryFolder, library)
        .then(async (files) => {
          terminal.note(`${safe(folderOrFile)} is read: ${files} ${files === 1 ? 'file' : 'files'}.`)
          // No question waits for this, so there is no time limit.
          const limit = { signal: readContext.signal, maxWaitMs: Number.POSITIVE_INFINITY }
          await waitUntilComplete(client, libraryFolder, library, limit)
        })
        .catch((error: unknown) => {
          if (!readContext.signal.aborted)
            terminal.note(error instanceof Error ? error.message : String(error))
        })
      // Marks the library as used while it is served, so that `removeUnusedLibraries` keeps it.
      const touch = (): void => void utimes(libraryFolder.path, new Date(), new Date()).catch(() => undefined)
      const useTimer = setInterval(touch, MAX_UNUSED_MS / 30).unref()
      const close = async (): Promise<void> => {
        clearInterval(useTimer)
        closeController.abort()
        await readingDone
        await closeBoth(service.stop, state)()
      }
      return { url: `${service.base}/mcp`, token, close }
    } catch (error) {
      await service.stop()
      throw error
    }
  } catch (error) {
    await state.close()
    throw error
  }
}

async function createLibrary(
  client: KenningClient,
  { caller }: OpenedFolder,
  folderOrFile: string,
): Promise<LibraryRecord> {
  // An earlier run that was killed may have created the workspace.
  const [existingWorkspace] = (await client.listWorkspaces({ limit: 1 })).data
  const workspace = existingWorkspace ?? (await client.createWorkspace({ name: folderOrFile.slice(-200) }))
  return { place: folderOrFile, workspace_id: workspace.id, user_id: caller.userId, complete: false }
}

interface WaitLimit {
  signal: AbortSignal
  maxWaitMs: number
}

async function untilReady(
  client: KenningClient,
  workspaceId: string,
  { signal, maxWaitMs }: WaitLimit,
): Promise<boolean> {
  const deadline = performance.now() + maxWaitMs
  while (performance.now() < deadline) {
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

/** Removes libraries that were not used for MAX_UNUSED_MS, except the one that is opened now. */
async function removeUnusedLibraries(libraries: string, openedName: string): Promise<void> {
  for (const name of await readdir(libraries).catch(() => [])) {
    const usage = await stat(join(libraries, name, 'library.json')).catch(() => undefined)
    if (name === openedName || !usage || usage.mtimeMs > Date.now() - MAX_UNUSED_MS) continue
    await rm(join(libraries, name), { recursive: true, force: true })
  }
}
