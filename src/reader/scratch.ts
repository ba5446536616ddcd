// The folders parser children write in: one a pool, named after its process, so that what a killed process left is found.

import { appendFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type RecognisedPage, type ScanRound, type UnreadableReason, unreadPage } from './block.ts'
import type { FatalPage } from './child.ts'
import type { ParseJob, ParseTask, RoundWanted } from './task.ts'

const FOLDER = 'parser-'

/** A new folder in `cacheDir`; folders of processes that are gone are removed on the way. */
export async function makeScratch(cacheDir: string): Promise<string> {
  await mkdir(cacheDir, { recursive: true })
  await sweep(cacheDir)
  return mkdtemp(join(resolve(cacheDir), `${FOLDER}${process.pid}-`))
}

type TaskFiles = Pick<ParseTask, 'id' | 'folder'>

/** What rounds before have read goes to the child by way of a file of its task: of 2,000 pages 20 MB. */
export async function roundWanted(
  { id, folder }: TaskFiles,
  ms: number,
  before: 'first' | ScanRound,
): Promise<RoundWanted> {
  if (before === 'first') return { ms }
  const path = join(folder, `${id}.before`)
  await writeFile(path, JSON.stringify(before), { mode: 0o600 })
  return { ms, before: path }
}

const journalOf = ({ id, folder }: TaskFiles): string => join(folder, `${id}.pages`)

/** What a round does, a line at once: the number of a page that it begins, and that page when it is read. */
export type RoundJournal = (entry: number | RecognisedPage) => void

/** Written as it happens: a child that is killed says nothing any more. */
export function openJournal(task: TaskFiles): RoundJournal {
  const path = journalOf(task)
  return (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
}

/** So long (of a short document), where rounds before ended, and where this one says how far it is. */
export interface Round {
  ms: number
  before?: ScanRound
  journal: RoundJournal
}

/** The round that a task asks for; undefined where it asks for all at once. */
export async function roundOf(task: Pick<ParseTask, 'id' | 'folder' | 'round'>): Promise<Round | undefined> {
  if (task.round === undefined) return undefined
  const { ms, before } = task.round
  const round = { ms, journal: openJournal(task) }
  return before === undefined ? round : { ...round, before: JSON.parse(await readFile(before, 'utf8')) }
}

/**
 * What a round leaves that took its child down: the page it was at, and how it goes on behind it, where that page counts
 * as unread. Undefined where it had not come to a page.
 */
export async function behindFatalPage(
  task: TaskFiles,
  before: ParseJob['round'],
  why: UnreadableReason,
): Promise<FatalPage | undefined> {
  if (before === undefined) return undefined
  const text = await readFile(journalOf(task), 'utf8').catch(() => '')
  // What stands behind the last end of a line is half of one.
  const lines = text.split('\n').slice(0, -1)
  const entries = lines.map((line): number | RecognisedPage => JSON.parse(line))
  const fatal = entries.at(-1)
  if (typeof fatal !== 'number') return undefined
  const { pages, ...known } = before === 'first' ? { pages: [] } : before
  const read = entries.filter((entry) => typeof entry === 'object')
  const unfinished = { ...known, pages: [...pages, ...read, unreadPage(fatal, why)] }
  return { page: fatal, document: { blocks: [], unfinished } }
}

/** A killed child leaves its files, all named after the task. */
export async function removeScratch(folder: string, id: number): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const own = names.filter((name) => name.startsWith(`${id}.`))
  await Promise.all(own.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}

async function sweep(cacheDir: string): Promise<void> {
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
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
