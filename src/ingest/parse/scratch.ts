// The folders parser children write in: one a pool, named after its process, so that what a killed process left is found.

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ScanRound } from './block.ts'
import type { ParseTask, RoundWanted } from './task.ts'

const FOLDER = 'parser-'

/** A new folder in `cacheDir`; folders of processes that are gone are removed on the way. */
export async function makeScratch(cacheDir: string): Promise<string> {
  await mkdir(cacheDir, { recursive: true })
  await sweep(cacheDir)
  return mkdtemp(join(resolve(cacheDir), `${FOLDER}${process.pid}-`))
}

/** What rounds before have read goes to the child by way of a file of its task: of 2,000 pages 20 MB. */
export async function roundWanted(
  { id, folder }: Pick<ParseTask, 'id' | 'folder'>,
  ms: number,
  before: 'first' | ScanRound,
): Promise<RoundWanted> {
  if (before === 'first') return { ms }
  const path = join(folder, `${id}.before`)
  await writeFile(path, JSON.stringify(before), { mode: 0o600 })
  return { ms, before: path }
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
