// The scratch folders of parser children: one for each pool, named after its process, so that the folders of killed
// processes can be found and removed. The folder of a pool contains one for each child (sandbox-dir.ts).

import { appendFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type RecognisedPage, type ScanRound, type UnreadableReason, unreadPage } from './block.ts'
import type { FatalPage } from './child.ts'
import type { SandboxDir } from './sandbox.ts'
import { readChildFile, removeSandboxDir } from './sandbox-dir.ts'
import type { ParseJob, ParseTask, RoundRequest } from './task.ts'

const FOLDER_PREFIX = 'parser-'

/** Makes a folder in `cacheDir` and removes those of processes that no longer run. */
export async function makeScratch(cacheDir: string): Promise<string> {
  await mkdir(cacheDir, { recursive: true })
  await removeAbandonedFolders(cacheDir)
  return mkdtemp(join(resolve(cacheDir), `${FOLDER_PREFIX}${process.pid}-`))
}

type TaskFiles = Pick<ParseTask, 'id' | 'folder'>

/**
 * The request for the next round. The pages of earlier rounds are passed to the child in a file, because 2,000 pages have
 * 20 MB.
 */
export async function roundRequest(
  { id, folder }: TaskFiles,
  ms: number,
  previousRound: 'first' | ScanRound,
): Promise<RoundRequest> {
  if (previousRound === 'first') return { ms }
  const path = join(folder, `${id}.before`)
  await writeFile(path, JSON.stringify(previousRound), { mode: 0o600, flag: 'wx' })
  return { ms, earlierRoundsPath: path }
}

const journalPathOf = ({ id, folder }: TaskFiles): string => join(folder, `${id}.pages`)

/** Records the progress of a round: the number of each page before it is read, and the page itself after. */
export type RoundJournal = (entry: number | RecognisedPage) => void

/** Opens the journal of a round. Each entry is written at once, so that the journal is complete if the child is killed. */
export function openJournal(task: TaskFiles): RoundJournal {
  const path = journalPathOf(task)
  return (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
}

/** The length of a round for a short document, what earlier rounds have read, and the journal of this one. */
export interface Round {
  ms: number
  earlierRounds?: ScanRound
  journal: RoundJournal
}

/** The round that a task requests. Undefined if the document is to be read without rounds. */
export async function roundOf(task: Pick<ParseTask, 'id' | 'folder' | 'round'>): Promise<Round | undefined> {
  if (task.round === undefined) return undefined
  const { ms, earlierRoundsPath: previousRound } = task.round
  const round = { ms, journal: openJournal(task) }
  return previousRound === undefined
    ? round
    : { ...round, earlierRounds: JSON.parse(await readFile(previousRound, 'utf8')) }
}

/**
 * For a round that crashed its child: the page that it was reading, and the state from which the next round continues. The
 * next round begins after that page, which counts as unread. Undefined if the round had not reached a page.
 */
export async function afterFatalPage(
  task: TaskFiles,
  previousRound: ParseJob['round'],
  reason: UnreadableReason,
): Promise<FatalPage | undefined> {
  if (previousRound === undefined) return undefined
  const text = await readChildFile(task.folder, journalPathOf(task)).then(String, () => '')
  // The text after the last line break is an incomplete entry.
  const lines = text.split('\n').slice(0, -1)
  const entries = lines.map((line): number | RecognisedPage => JSON.parse(line))
  const lastEntry = entries.at(-1)
  if (typeof lastEntry !== 'number') return undefined
  const { pages, ...guessOnly } = previousRound === 'first' ? { pages: [] } : previousRound
  const parsedEntries = entries.filter((entry) => typeof entry === 'object')
  const unfinished = { ...guessOnly, pages: [...pages, ...parsedEntries, unreadPage(lastEntry, reason)] }
  return { page: lastEntry, document: { blocks: [], unfinished } }
}

/**
 * Removes the files of a task, all of which are named after it; a killed child leaves them behind. While the child runs, none
 * of its folders is entered, because the child could replace a folder by a link. If the child has ended, its own folder is
 * removed with its last file.
 */
export async function removeScratch(
  { folder, inputPath }: SandboxDir,
  id: number,
  isAlive: boolean,
): Promise<void> {
  const remove = async (path: string): Promise<void> => {
    await (isAlive ? unlink(path) : rm(path, { recursive: true, force: true })).catch(() => undefined)
  }
  for (const path of [inputPath, folder]) {
    const names = await readdir(path).catch(() => [])
    await Promise.all(
      names.filter((name) => name.startsWith(`${id}.`)).map((name) => remove(join(path, name))),
    )
  }
  if (!isAlive) await removeSandboxDir({ folder, inputPath })
}

async function removeAbandonedFolders(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    const pid = /^parser-(\d+)-/.exec(name)?.[1]
    if (pid === undefined || isRunning(Number(pid))) continue
    await rm(join(cacheDir, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
