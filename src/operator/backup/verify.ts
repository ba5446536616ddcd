// `kenning verify FOLDER` reads a backup to its end: every file is there and has the bytes that were written.

import { createReadStream } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { Output } from '../output.ts'
import { BadBackup, blobFile, digestOf, readManifest, tableFile } from './manifest.ts'

export const VERIFY_USAGE = `Usage: kenning verify FOLDER

Reads a backup made by kenning backup to its end, and says what is missing or damaged. Nothing is changed.
Exit code: 0 when it is whole, 1 when it is not, 2 for wrong use.
`

export async function verify(args: readonly string[], output: Output): Promise<number> {
  const [folderArgument, ...more] = args
  if (folderArgument === undefined || more.length > 0 || folderArgument.startsWith('-')) {
    output.complain(VERIFY_USAGE)
    return 2
  }
  const folder = resolve(folderArgument)
  const problems = await problemsOf(folder)
  for (const problem of problems.slice(0, 20)) output.complain(`${problem}\n`)
  if (problems.length > 20) output.complain(`… and ${problems.length - 20} more\n`)
  if (problems.length > 0) return 1
  const { made_at, tables, blobs } = await readManifest(folder)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  output.print(
    `${folder} is complete: made at ${made_at}, with ${rows.toLocaleString('en')} rows and ${blobs.length.toLocaleString('en')} files.\n`,
  )
  return 0
}

/** Sentences about what is missing or damaged; none for a complete backup. */
export async function problemsOf(folder: string): Promise<string[]> {
  const problems: string[] = []
  try {
    const { tables, blobs } = await readManifest(folder)
    for (const { name, rows, sha256 } of tables) {
      const path = join(folder, tableFile(name))
      const digest = await digestOf(path)
      if (digest === undefined) problems.push(`${tableFile(name)} is missing.`)
      else if (digest !== sha256)
        problems.push(`${tableFile(name)} is damaged: its bytes are not those that were written.`)
      else if ((await countLines(path)) !== rows)
        problems.push(`${tableFile(name)} does not have ${rows} rows.`)
    }
    for (const name of blobs) {
      const digest = await digestOf(join(folder, blobFile(name)))
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

/** The lines of a compressed file. */
export const linesOf = (path: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(path).pipe(createGunzip()), crlfDelay: Number.POSITIVE_INFINITY })

async function countLines(path: string): Promise<number> {
  let lines = 0
  for await (const _ of linesOf(path)) lines++
  return lines
}
