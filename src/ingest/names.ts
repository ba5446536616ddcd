// The names of files and documents: the path of an upload, and a title that no other document of the workspace has.

import { cleanText } from '../contract/fields.ts'
import { titleKey } from '../documents/documents.ts'
import { uuid5 } from '../identity.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { ParsedDocument } from '../reader/reader.ts'
import { isTitleTaken, type VersionKey } from './publish.sql.ts'

// So a path fits into an entry of a PostgreSQL index (2,704 bytes) and into a file system (4,096 bytes).
export const MAX_PATH_CHARACTERS = 500

/**
 * The path of an upload in normal form (NFC, forward slashes). Undefined if it is absolute, too long or empty, or contains `..`.
 */
export function uploadPath(filename: string): string | undefined {
  const path = cleanText(filename)
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/[\t\n\r]/g, ' ')
    .trim()
  const isAbsolute = path.startsWith('/') || DRIVE.test(path)
  if (!path || isAbsolute || path.length > MAX_PATH_CHARACTERS) return undefined
  const steps = path.split('/').filter((step) => step !== '' && step !== '.')
  const leavesRoot = steps.includes('..') || DRIVE.test(steps[0] ?? '')
  return steps.length === 0 || leavesRoot ? undefined : steps.join('/')
}

// Matches the drive of a Windows path: `C:`.
const DRIVE = /^[a-z]:/i

/**
 * The id that a new document at a path gets, if it is free. A document keeps its id when it is moved, so another one at its
 * old path gets the id with the number 2, or the next one that is free. Which one that is holds while the workspace is locked
 * (`documentIdsFor` in versions/document-ids.ts).
 */
export const documentIdOf = (workspaceId: string, path: string, number = 1): string =>
  uuid5(workspaceId, number === 1 ? `upload\0${path}` : `upload\0${path}\0${number}`)

/** The last part of a path without its extension. */
export function nameOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(0, dot) : name
}

/** The path with a number, such as "minutes (2).md", for a document whose path another document has. */
export function numberedPath(path: string, copyNumber: number): string {
  const stem = nameOf(path)
  const stemEnd = path.lastIndexOf('/') + 1 + stem.length
  return `${path.slice(0, stemEnd)} (${copyNumber})${path.slice(stemEnd)}`
}

/** The names by which a document is found and shown. */
export interface DocumentNames {
  /** The document's title, or its file's name. */
  title: string
  /** The file's name without its extension. */
  name: string
}

export const namesOf = ({ title }: ParsedDocument, path: string): DocumentNames => {
  const name = nameOf(path)
  return { title: title?.trim() || name, name }
}

const MAX_TITLE_CHARACTERS = 1000

/**
 * A title that no other document has: if another document has the title, the name or the path of the file is appended. The
 * workspace must be locked. The version keeps this title even if the other document changes.
 */
export async function freeTitle(
  tx: Queryable,
  key: Omit<VersionKey, 'versionId'>,
  { title, name }: DocumentNames,
  path: string,
): Promise<string> {
  const shortTitle = title.slice(0, MAX_TITLE_CHARACTERS)
  const isName = title === name
  for (const candidate of isName ? [shortTitle] : [shortTitle, `${shortTitle} – ${name}`])
    if (!(await isTitleTaken(tx, key, titleKey(candidate)))) return candidate
  const longTitle = isName ? path : `${shortTitle} – ${path}`
  // A path is unique, but titles keep the paths that documents once had.
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? longTitle : `${longTitle} (${number})`
    if (!(await isTitleTaken(tx, key, titleKey(candidate)))) return candidate
  }
}

/** The names from which `freeTitle` made a title with the path. Undefined if it is not made with the path. */
export function namesInTitle(title: string, path: string): DocumentNames | undefined {
  const name = nameOf(path)
  // A path without a folder looks like a heading of the document, which must not be lost.
  if (!path.includes('/')) return undefined
  if (title === path) return { title: name, name }
  const ending = ` – ${path}`
  return title.endsWith(ending) ? { title: title.slice(0, -ending.length), name } : undefined
}
