// Reads the files of a set line by line. Error messages contain the file and the line.

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { z } from 'zod'
import { wrongSet } from '../error.ts'

export interface Line {
  text: string
  /** `corpus.jsonl line 7` */
  location: string
}

/** The lines that are not blank. @throws EvaluationFailed when the file cannot be read */
export async function* linesOf(path: string, name: string): AsyncGenerator<Line> {
  const input = createReadStream(path, 'utf8')
  const openFailure = new Promise<never>((_, reject) => input.once('error', reject))
  openFailure.catch(() => undefined)
  let number = 0
  try {
    await Promise.race([new Promise((resolve) => input.once('open', resolve)), openFailure])
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number++
      const text = number === 1 ? line.replace(/^\uFEFF/, '') : line
      if (text.trim()) yield { text, location: `${name} line ${number}` }
    }
  } catch (error) {
    const code = (error as { code?: unknown }).code
    if (code === 'ENOENT') throw wrongSet(`The set has no ${name}.`)
    if (typeof code === 'string') throw wrongSet(`${name} cannot be read: ${code}.`)
    throw error
  } finally {
    input.destroy()
  }
}

/** The line parsed as JSON of this schema. @throws EvaluationFailed with the line and the field in its message */
export function parseLine<Schema extends z.ZodType>(line: Line, schema: Schema): z.output<Schema> {
  let value: unknown
  try {
    value = JSON.parse(line.text)
  } catch (error) {
    throw wrongSet(`${line.location} is not a JSON object: ${error instanceof Error ? error.message : error}`)
  }
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.')
  throw wrongSet(`${line.location}: ${field ? `"${field}" ` : ''}${issue?.message ?? 'is wrong'}`)
}
