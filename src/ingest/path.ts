
import { cleanText } from '../contract/fields.ts'

// PostgreSQL's btree entries hold 2,704 bytes; file systems 4,096.
const MOST_CHARACTERS = 500

/** The path in one spelling (NFC, forward slashes); undefined when it is absolute, climbs with `..` or names nothing. */
export function uploadPath(filename: string): string | undefined {
  const path = cleanText(filename)
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/[\t\n\r]/g, ' ')
    .trim()
  if (!path || path.startsWith('/') || /^[a-z]:/i.test(path) || path.length > MOST_CHARACTERS)
    return undefined
  const steps = path.split('/').filter((step) => step !== '' && step !== '.')
  const climbs = steps.includes('..') || /^[a-z]:/i.test(steps[0] ?? '')
  return steps.length === 0 || climbs ? undefined : steps.join('/')
}

/** The last step of a path without its extension. */
export function nameOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(0, dot) : name
}

/** The path of another document at a taken path: "minutes (2).md". */
export function numbered(path: string, no: number): string {
  const stem = nameOf(path)
  const at = path.lastIndexOf('/') + 1 + stem.length
  return `${path.slice(0, at)} (${no})${path.slice(at)}`
}
