// Filters as models write them, in the form in which documents have them. Pure.

import { normaliseFolder } from '../documents/folders.ts'

const KIND_OF_ENDING: Readonly<Record<string, string>> = {
  md: 'markdown',
  txt: 'text',
  word: 'docx',
  excel: 'xlsx',
}

/** `.PDF` and `application/pdf` are pdf. */
export function kindOf(kind: string | undefined): string | undefined {
  const name = kind
    ?.trim()
    .toLowerCase()
    .replace(/^(\.|kind:|\w+\/)/, '')
  return name === undefined ? undefined : (KIND_OF_ENDING[name] ?? name)
}

/** Without slashes at its ends, as in paths. The root is no filter. */
export function folderOf(folder: string | undefined): string | undefined {
  return normaliseFolder((folder ?? '').trim().replace(/^folder:/, '')) || undefined
}
