// The documents in the trash as lines: a folder of which no document is left outside the trash is one line.

import { ancestorsOf, type Folder, parentOf, ROOT } from '../documents/folders.ts'
import type { TrashedDocument } from './trash.ts'

export interface TrashedFolder {
  path: string
  documents: readonly TrashedDocument[]
}

type TrashLine = TrashedFolder | TrashedDocument

/** Each folder stands where the first of its documents does. A document that is alone in its folder is a line of its own. */
export function trashLines(documents: readonly TrashedDocument[], folders: readonly Folder[]): TrashLine[] {
  const existing = new Set(folders.flatMap(({ path }) => [path, ...ancestorsOf(path)]).concat(ROOT))
  const goneFolderOf = (document: TrashedDocument): string | undefined =>
    ancestorsOf(document.filename).find((path) => !existing.has(path))
  const byFolder = new Map<string, TrashedDocument[]>()
  for (const document of documents) {
    const path = goneFolderOf(document)
    if (path === undefined) continue
    const inFolder = byFolder.get(path)
    if (inFolder) inFolder.push(document)
    else byFolder.set(path, [document])
  }
  return documents.flatMap((document): TrashLine[] => {
    const path = goneFolderOf(document)
    const inFolder = path === undefined ? [] : (byFolder.get(path) ?? [])
    if (path === undefined || inFolder.length < 2) return [document]
    return inFolder[0] === document ? [{ path, documents: inFolder }] : []
  })
}

export const folderName = (path: string): string =>
  path.slice((parentOf(path) ?? '').length).replace(/^\//, '')
