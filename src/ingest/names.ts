// The names of files and documents: the path of an upload, and a title that no other document of the workspace has.

import { titleKey } from '../documents/documents.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { ParsedDocument } from '../reader/reader.ts'
import { isTitleTaken, type VersionKey } from './index.sql.ts'
import { nameOf } from './path.ts'

/** The names a document is found and shown by. */
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

const MOST_TITLE_CHARACTERS = 1000

/**
 * A title that another document already has gets the file's name appended, or its path: alone it would not tell the two
 * apart. The workspace must be locked. The version keeps this title whatever happens to the other document.
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
