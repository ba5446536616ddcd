// Where documents were selected. It decides whether those in folders below it keep these folders when they are moved.

import { isWithin, lastStep, parentOf, pathIn, ROOT, typedFolder } from './folders.ts'

export interface SelectedFrom {
  /** The folder that is shown. */
  folder: string
  /** The paths of the selected documents by their ids, as far as they are listed. */
  pathById: ReadonlyMap<string, string>
  /** Whether all that the folder contains is listed and selected, without a filter. */
  isWholeFolder: boolean
}

/**
 * One of the documents that lie in a folder below the one that is shown. Undefined also while the documents of the folder before are
 * listed: those elsewhere cannot keep their places below this one.
 */
export function deepPathOf({ folder, pathById }: SelectedFrom): string | undefined {
  const paths = [...pathById.values()]
  return paths.every((path) => isWithin(path, folder))
    ? paths.find((path) => parentOf(path) !== folder)
    : undefined
}

/**
 * The folder below which the documents keep their places, if nobody says otherwise. Whoever selects all that a folder contains means
 * its folders as well; whoever picks some from the list means these alone (undefined).
 */
export const belowOf = (from: SelectedFrom): string | undefined =>
  from.isWholeFolder && deepPathOf(from) !== undefined ? from.folder : undefined

/** The path that a document has after it was moved. */
export const newPathOf = (path: string, destination: string, below: string | undefined): string =>
  pathIn(
    destination,
    below === undefined ? lastStep(path) : below === ROOT ? path : path.slice(below.length + 1),
  )

/**
 * The ids of documents. If they are to keep their places below a folder, they are ordered so that each of them finds its new path
 * free, although those after it are still where they were: one request does not move all of many documents.
 */
export function inOrderOfMove(
  documentIds: readonly string[],
  pathById: ReadonlyMap<string, string>,
  { destination, below }: { destination: string; below: string | undefined },
): readonly string[] {
  if (below === undefined) return documentIds
  const depthOf = (id: string): number => pathById.get(id)?.split('/').length ?? 0
  // Into a folder below, a document gets the path of one that is deeper than itself; out of it, of one that is less deep.
  const direction = isWithin(typedFolder(destination), below) ? -1 : 1
  return documentIds.toSorted((a, b) => direction * (depthOf(a) - depthOf(b)))
}
