// Results as they come, a line each, so that a run of an hour that was cut short goes on where it ended.

import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Kept<Result> {
  /** By the id of the question. */
  results: ReadonlyMap<string, Result>
  /** Adds one, on disk too. */
  keep(result: Result): Promise<void>
}

/** The results of an earlier run in a file; without a file there are none, and none stay. */
export async function openKept<Result extends { id: string }>(
  path: string | undefined,
): Promise<Kept<Result>> {
  const text = path === undefined ? '' : await readFile(path, 'utf8').catch(() => '')
  // The last line of a run that was killed may be cut.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (path !== undefined) {
    await mkdir(dirname(path), { recursive: true })
    if (whole.length < text.length) await writeFile(path, whole)
  }
  const read = whole.split('\n').filter(Boolean)
  const results = new Map(read.map((line) => JSON.parse(line) as Result).map((result) => [result.id, result]))
  return {
    results,
    keep: async (result) => {
      results.set(result.id, result)
      if (path !== undefined) await appendFile(path, `${JSON.stringify(result)}\n`)
    },
  }
}
