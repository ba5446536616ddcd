// Reads the title, the bookmarks and the enclosed files of a PDF with pdf.js. This takes 10 ms for a filing. pdf-inspector takes
// 45 ms for the title alone and has no bookmarks.

import type { EnclosedFile } from '../../task.ts'
import type { attachedFiles } from './attachments.ts'
import type { Bookmark } from './bookmarks.ts'
import { type InkUse, inkUse } from './ink-use.ts'

export interface PdfProperties {
  /** The `/Title` of its properties. */
  title?: string
  /** The bookmarks in order, each on an existing page. */
  bookmarks: Bookmark[]
  /** The enclosed files, if they were requested. */
  attached: EnclosedFile[]
  ink: InkUse
  /** The number of pages that exist, which may differ from the number that the file states. Undefined if unknown. */
  pages?: number
}

type PdfFile = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>
type Outline = NonNullable<Awaited<ReturnType<PdfFile['getOutline']>>>

// A manual of a thousand pages has about this many; resolving one takes 0.15 ms.
const MAX_BOOKMARKS = 3000
const MAX_DEPTH = 8

/** Reads title, bookmarks, enclosed files, and how text is drawn. Properties that cannot be read are left out. */
export async function readProperties(
  bytes: Buffer,
  readFiles: typeof attachedFiles = async () => [],
): Promise<PdfProperties> {
  const { getDocumentProxy } = await import('unpdf')
  const file = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).catch(() => undefined)
  const ink = inkUse(bytes)
  if (file === undefined) return { bookmarks: [], attached: [], ink }
  try {
    const title = await titleOf(file).catch(() => undefined)
    const bookmarks = await bookmarksOf(file).catch(() => [])
    const attached = await readFiles(file, bytes).catch(() => [])
    return {
      ...(title === undefined ? {} : { title }),
      bookmarks,
      attached,
      ink,
      pages: file.numPages,
    }
  } finally {
    await file.destroy()
  }
}

async function titleOf(file: PdfFile): Promise<string | undefined> {
  const { info } = await file.getMetadata()
  const title: unknown = 'Title' in info ? info.Title : undefined
  return typeof title === 'string' ? title : undefined
}

async function bookmarksOf(file: PdfFile): Promise<Bookmark[]> {
  const flatBookmarks = flatten((await file.getOutline()) ?? []).slice(0, MAX_BOOKMARKS)
  const bookmarks: Bookmark[] = []
  for (const { title, depth, dest } of flatBookmarks) {
    const position = await positionOf(file, dest).catch(() => undefined)
    if (position !== undefined) bookmarks.push({ title, depth, ...position })
  }
  return bookmarks
}

type FlatBookmark = Pick<Outline[number], 'title' | 'dest'> & { depth: number }

const flatten = (items: Outline, depth = 0): FlatBookmark[] =>
  depth > MAX_DEPTH
    ? []
    : items.flatMap(({ title, dest, items: below }) => [
        { title, dest, depth },
        ...flatten(below as Outline, depth + 1),
      ])

/** The page of a bookmark and, if stated, its position on the page in points from the lower edge. */
async function positionOf(
  file: PdfFile,
  destination: FlatBookmark['dest'],
): Promise<Pick<Bookmark, 'page' | 'y'> | undefined> {
  const dest: unknown[] | null =
    typeof destination === 'string' ? await file.getDestination(destination) : destination
  const [target, fit, ...coordinates] = dest ?? []
  const index =
    typeof target === 'number'
      ? target
      : await file.getPageIndex(target as Parameters<PdfFile['getPageIndex']>[0])
  const fitName = typeof fit === 'object' && fit !== null && 'name' in fit ? fit.name : undefined
  const y = fitName === 'XYZ' ? coordinates[1] : fitName === 'FitH' ? coordinates[0] : undefined
  return { page: index + 1, ...(typeof y === 'number' ? { y } : {}) }
}
