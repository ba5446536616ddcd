// The service's own log under every API test: as verbose as it gets, each line held against what no log may say, and
// against what a test names.

import { pino } from 'pino'
import { logOptions } from '../../src/app.ts'
import type { Log } from '../../src/ports/deps.ts'
import { secretsIn } from './secrets.ts'

export interface WatchedLog extends Log {
  /** What was logged as error. */
  errors: { fields: object; message: string }[]
  /** Lines that said what they may not. */
  leaks: string[]
  /** How many lines there were. */
  lines: () => number
  /** From now on this text is one of them: of a document, a question. */
  neverSay(text: string): void
}

export function watchedLog(): WatchedLog {
  const errors: WatchedLog['errors'] = []
  const leaks: string[] = []
  const unsaid: string[] = []
  let lines = 0
  const write = (line: string): void => {
    lines++
    if (secretsIn(line, unsaid).length > 0) leaks.push(line)
  }
  const log = pino(logOptions('trace', 'test'), { write })
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => {
      errors.push({ fields, message })
      log.error(fields, message)
    },
    errors,
    leaks,
    lines: () => lines,
    neverSay: (text) => void unsaid.push(text),
  }
}
