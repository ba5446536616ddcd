// `kenning verify FOLDER` checks whether a backup is complete.

import { problemsOf } from '../../backup/check.ts'
import { readManifest } from '../../backup/manifest.ts'
import type { Output } from '../output.ts'
import { onlyFolder } from './arguments.ts'

export const VERIFY_USAGE = `Usage: kenning verify FOLDER

Reads a backup made by kenning backup to its end, and says what is missing or damaged. Nothing is changed.
Exit code: 0 when it is whole, 1 when it is not, 2 for wrong use.
`

export async function verify(args: readonly string[], output: Output): Promise<number> {
  const folder = onlyFolder(args)
  if (folder === undefined) {
    output.complain(VERIFY_USAGE)
    return 2
  }
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
