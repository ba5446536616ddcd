// The format of logs: JSON for machines, with levels by name and times in ISO 8601, or a short line for a person at a terminal.

import { type LoggerOptions, stdTimeFunctions } from 'pino'

/** Options of every log. */
export const LOG_FORM = {
  formatters: { level: (level) => ({ level }) },
  timestamp: stdTimeFunctions.isoTime,
} as const satisfies LoggerOptions

interface Line {
  level: string
  time: string
  role?: string
  msg?: string
  err?: { message?: string; stack?: string }
  [field: string]: unknown
}

const SEVERITIES: Readonly<Record<string, string>> = { warn: 'WARNING', error: 'ERROR', fatal: 'ERROR' }
const ROLE_WIDTH = 10
const FIELDS_IN_HEAD = new Set(['level', 'time', 'role', 'msg', 'err', 'pid', 'hostname'])

/** A destination for pino; undefined for its default, which is JSON on standard output. */
export const logStream = (
  out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
): { write(line: string): void } | undefined =>
  out.isTTY ? { write: (line) => void out.write(readableLine(line)) } : undefined

/** The line for a person: `22:04:13  worker      worker is ready`. Warnings and errors also have their fields and stack trace. */
export function readableLine(json: string): string {
  let line: Line
  try {
    line = JSON.parse(json) as Line
  } catch {
    return json
  }
  const { level, time, role = '', msg = '', err } = line
  const timeOfDay = new Date(time).toLocaleTimeString('en-GB')
  const linePrefix = `${timeOfDay}  ${role.padEnd(ROLE_WIDTH)}  `
  const severity = SEVERITIES[level]
  if (severity === undefined) return `${linePrefix}${msg}\n`
  const fields = Object.entries(line)
    .filter(([name, value]) => !FIELDS_IN_HEAD.has(name) && typeof value !== 'object')
    .map(([name, value]) => `${name}=${value}`)
  const fieldNote = fields.length > 0 ? ` (${fields.join(', ')})` : ''
  const trace = err?.stack ?? err?.message
  return `${linePrefix}${severity}: ${msg}${fieldNote}\n${trace ? `${trace}\n` : ''}`
}
