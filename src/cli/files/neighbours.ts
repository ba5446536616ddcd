// Describes, for a file or folder that does not exist, in which folder it was looked for and what is there. Only for the user of
// this machine, who may see these folders.

import { readdir } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { safe } from '../terminal.ts'

const MAX_NAMES = 5

/** The nearest existing folder above the path, with its visible names. */
async function nearestFolder(path: string): Promise<{ folder: string; names: string[] }> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const names = await readdir(folder).catch(() => undefined)
    if (names) return { folder, names: names.filter((name) => !name.startsWith('.')) }
    if (folder === dirname(folder)) return { folder, names: [] }
  }
}

/** The similarity of two names: the number of pairs of letters that both have. */
function similarity(one: string, other: string): number {
  const pairsOf = (name: string) =>
    new Set(Array.from({ length: name.length - 1 }, (_, index) => name.toLowerCase().slice(index, index + 2)))
  const pairs = pairsOf(one)
  return [...pairsOf(other)].filter((pair) => pairs.has(pair)).length
}

/** A sentence for the end of a message, such as `In /home/ada there is: Contracts, Invoices. See it all: ls '/home/ada'` */
export async function neighboursOf(location: string): Promise<string> {
  const path = resolve(location)
  const { folder, names } = await nearestFolder(path)
  const missingName = relative(folder, path).split(sep)[0] ?? ''
  const sortedNames = names.sort(
    (a, b) => similarity(missingName, b) - similarity(missingName, a) || (a < b ? -1 : 1),
  )
  const listing = sortedNames.length === 0 ? 'nothing' : sortedNames.slice(0, MAX_NAMES).map(safe).join(', ')
  const omittedNote = sortedNames.length > MAX_NAMES ? ` and ${sortedNames.length - MAX_NAMES} more` : ''
  return `In ${safe(folder)} there is: ${listing}${omittedNote}. See it all: ls ${quoted(safe(folder))}`
}

const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`
