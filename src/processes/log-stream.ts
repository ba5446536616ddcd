// Chooses the form of logs: JSON for machines, a short line for a person at a terminal.

interface Line {
  level: number
  time: number
  role?: string
  msg?: string
  err?: { message?: string; stack?: string }
  [field: string]: unknown
}

const WARN = 40
const ROLE_WIDTH = 10
const WRITTEN_ALREADY = new Set(['level', 'time', 'role', 'msg', 'err', 'pid', 'hostname'])

/** A destination for pino. Undefined: its default, standard output as JSON. */
export const logStream = (
  out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
): { write(line: string): void } | undefined =>
  out.isTTY ? { write: (line) => void out.write(readable(line)) } : undefined

/** `22:04:13  worker      worker is ready`. Warnings and errors also show their fields and where they come from. */
export function readable(json: string): string {
  let line: Line
  try {
    line = JSON.parse(json) as Line
  } catch {
    return json
  }
  const { level, time, role = '', msg = '', err } = line
  const at = new Date(time).toLocaleTimeString('en-GB')
  const head = `${at}  ${role.padEnd(ROLE_WIDTH)}  `
  if (level < WARN) return `${head}${msg}\n`
  const fields = Object.entries(line)
    .filter(([name, value]) => !WRITTEN_ALREADY.has(name) && typeof value !== 'object')
    .map(([name, value]) => `${name}=${value}`)
  const what = level > WARN ? 'ERROR' : 'WARNING'
  const more = fields.length > 0 ? ` (${fields.join(', ')})` : ''
  const from = err?.stack ?? err?.message
  return `${head}${what}: ${msg}${more}\n${from ? `${from}\n` : ''}`
}
