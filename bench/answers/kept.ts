// Results as they come, a line each, so that a run of an hour that was cut short goes on where it ended.

import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AnswerResult } from '../../src/eval/answers/run.ts'

/** Question id → its result, from an earlier run; the last line may be cut. */
export async function readKept(path: string | undefined): Promise<Map<string, AnswerResult>> {
  const text = path === undefined ? '' : await readFile(path, 'utf8').catch(() => '')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const results = whole
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as AnswerResult)
  return new Map(results.map((result) => [result.id, result]))
}

export async function keep(path: string | undefined, result: AnswerResult): Promise<void> {
  if (path === undefined) return
  await mkdir(dirname(path), { recursive: true })
  await appendFile(path, `${JSON.stringify(result)}\n`)
}
