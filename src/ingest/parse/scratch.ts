// The folders parser children write in: one a pool, named after its process, so that what a killed process left is found.

import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const FOLDER = 'parser-'

/** A new folder in `cacheDir`; folders of processes that are gone are removed on the way. */
export async function makeScratch(cacheDir: string): Promise<string> {
  await mkdir(cacheDir, { recursive: true })
  await sweep(cacheDir)
  return mkdtemp(join(resolve(cacheDir), `${FOLDER}${process.pid}-`))
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
