// What a document is called: by itself, by its file, and among the others of its workspace.

import { titleKey } from '../documents/documents.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { ParsedDocument } from '../reader/reader.ts'
import { isTitleTaken, type VersionKey } from './index.sql.ts'
import { nameOf } from './path.ts'

/** What a document is found and shown by. */
export interface DocumentNames {
  /** Its own title, else its file's name. */
  title: string
  /** Its file's name. */
  name: string
}

export const namesOf = ({ title }: ParsedDocument, path: string): DocumentNames => {
  const name = nameOf(path)
  return { title: title?.trim() || name, name }
}

const MOST_TITLE_CHARACTERS = 1000

/**
 * A title that another document has already says nothing of this one: its file's name stands behind it, or its path. The
 * workspace must be locked. It stays with the version, whatever comes and goes beside it.
 */
export async function freeTitle(
  tx: Queryable,
  key: VersionKey,
  { title, name }: DocumentNames,
  path: string,
): Promise<string> {
  const own = title.slice(0, MOST_TITLE_CHARACTERS)
  const isName = title === name
  for (const one of isName ? [own] : [own, `${own} – ${name}`])
    if (!(await isTitleTaken(tx, key, titleKey(one)))) return one
  return isName ? path : `${own} – ${path}`
}
