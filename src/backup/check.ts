// Checks a complete backup by reading all of it: each file must exist and have the bytes that were written.

import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { BadBackup, blobFile, digestOf, readManifest, tableFile } from './manifest.ts'

/** One sentence for each missing or damaged file. @throws the reason of the signal */
export async function problemsOf(folder: string, signal?: AbortSignal): Promise<string[]> {
  const problems: string[] = []
  try {
    const { tables, blobs } = await readManifest(folder)
    for (const { name, rows, sha256 } of tables) {
      const path = join(folder, tableFile(name))
      const digest = await digestOf(path, signal)
      if (digest === undefined) problems.push(`${tableFile(name)} is missing.`)
      else if (digest !== sha256)
        problems.push(`${tableFile(name)} is damaged: its bytes are not those that were written.`)
      else if ((await countLines(path, signal)) !== rows)
        problems.push(`${tableFile(name)} does not have ${rows} rows.`)
    }
    for (const name of blobs) {
      const digest = await digestOf(join(folder, blobFile(name)), signal)
      if (digest === undefined) problems.push(`${blobFile(name)} is missing.`)
      else if (digest !== name)
        problems.push(`${blobFile(name)} is damaged: its bytes are not those that were uploaded.`)
    }
  } catch (error) {
    if (!(error instanceof BadBackup)) throw error
    problems.push(error.message)
  }
  return problems
}

/** @param path of a gzip file */
export const linesOf = (path: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(path).pipe(createGunzip()), crlfDelay: Number.POSITIVE_INFINITY })

async function countLines(path: string, signal?: AbortSignal): Promise<number> {
  let lines = 0
  for await (const _ of linesOf(path)) {
    signal?.throwIfAborted()
    lines++
  }
  return lines
}
