// The local state of a sync, for each source, service and workspace: a file that is written at intervals, and a journal of later
// changes. If the process is killed, only changes that are not in the journal yet are lost. They are then read from the service.

import { createHash } from 'node:crypto'
import { type FileHandle, link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { State, StoredFileResult } from '../../sync/state.ts'
import { CommandFailed } from '../failure.ts'
import { readJsonFile, writePrivateFile } from '../files/private-file.ts'

export interface FileState extends State {
  close(): Promise<void>
}

interface StoredState {
  files: Record<string, StoredFileResult>
}

type Line =
  | { intent: { path: string; hash: string }[]; since: string | null }
  | { path: string; kept: StoredFileResult | null }
  | { settled: true }

// A longer journal takes more time to read at the start than the file takes to write.
const MAX_JOURNAL_LINES = 5000

/** @throws CommandFailed when another process runs the same sync */
export async function openState(folder: string, parts: readonly string[]): Promise<FileState> {
  const name = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
  const path = join(folder, 'sync', `${name}.json`)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const unlock = await lock(`${path}.lock`)
  try {
    return await openLocked(path, unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

async function openLocked(path: string, unlock: () => Promise<void>): Promise<FileState> {
  const journalPath = `${path}.journal`
  const stored = (await readJsonFile(path).catch(() => undefined)) as StoredState | undefined
  const files = new Map<string, StoredFileResult>(Object.entries(stored?.files ?? {}))
  const intents = new Map<string, Set<string>>()
  let since: string | null = null
  let lineCount = 0
  const apply = (line: Line): void => {
    if ('settled' in line) intents.clear()
    else if ('intent' in line) {
      if (intents.size === 0) since = line.since
      for (const sentFile of line.intent)
        intents.set(sentFile.path, (intents.get(sentFile.path) ?? new Set()).add(sentFile.hash))
    } else {
      if (line.kept) files.set(line.path, line.kept)
      else files.delete(line.path)
      intents.delete(line.path)
    }
  }
  for (const line of await readJournal(journalPath)) apply(line)
  // The journal is not emptied while it has intents without a result, because they are stored nowhere else.
  let journal: FileHandle = await open(journalPath, 'a', 0o600)
  const save = async (): Promise<void> => {
    await writePrivateFile(path, JSON.stringify({ files: Object.fromEntries(files) } satisfies StoredState))
    if (intents.size > 0) return
    await journal.close()
    journal = await open(journalPath, 'w', 0o600)
    lineCount = 0
  }
  const add = async (line: Line): Promise<void> => {
    apply(line)
    await journal.appendFile(`${JSON.stringify(line)}\n`)
    lineCount++
    if (lineCount > MAX_JOURNAL_LINES && intents.size === 0) await save()
  }
  return {
    files,
    intents,
    get since() {
      return since
    },
    rememberSending: (intent, newestJob) =>
      add({ intent: intent.map(({ path: filePath, hash }) => ({ path: filePath, hash })), since: newestJob }),
    remember: (filePath, result) => add({ path: filePath, kept: result }),
    forget: (filePath) => add({ path: filePath, kept: null }),
    clearSending: () => add({ settled: true }),
    close: async () => {
      await save()
      await journal.close()
      await unlock()
    },
  }
}

/** Ignores a last line that is incomplete because the process was killed. */
async function readJournal(path: string): Promise<Line[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    try {
      return line ? [JSON.parse(line) as Line] : []
    } catch {
      return []
    }
  })
}

/** The lock file contains the process id of the running sync. The lock of a process that has ended is ignored. */
async function lock(path: string): Promise<() => Promise<void>> {
  for (let attempt = 0; ; attempt++) {
    if (await linkIfAbsent(path)) return () => rm(path, { force: true })
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    if (attempt > 3 || (holder > 0 && isAlive(holder)))
      throw new CommandFailed(`This sync is already running (process ${holder}).`)
    await rm(path, { force: true })
  }
}

/**
 * Creates the lock file with its content in one step, so that no process sees it without the process id. Returns false if it
 * exists.
 */
async function linkIfAbsent(path: string): Promise<boolean> {
  const temporaryPath = `${path}.${process.pid}`
  await writeFile(temporaryPath, String(process.pid), { mode: 0o600 })
  try {
    await link(temporaryPath, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(temporaryPath, { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
