// The outline of a document, from the headings above its chunks.

import type { Output } from '../../../src/client/client.ts'

type ChunkPlace = Output<'listDocumentLayout'>['data'][number]

interface OutlineEntry {
  title: string
  /** From 0. */
  depth: number
  /** The first chunk below the heading. */
  chunk: string
  page: number | null
}

/** The headings in reading order. A heading occurs again if it begins again after another one. */
export function outlineOf(
  chunks: readonly Pick<ChunkPlace, 'chunk_id' | 'heading' | 'page'>[],
): OutlineEntry[] {
  const entries: OutlineEntry[] = []
  let pathAbove: string[] = []
  for (const { chunk_id, heading, page } of chunks) {
    const path = heading === '' ? [] : heading.split(' > ')
    const firstDifference = path.findIndex((title, depth) => title !== pathAbove[depth])
    if (firstDifference >= 0)
      path.slice(firstDifference).forEach((title, i) => {
        if (title) entries.push({ title, depth: firstDifference + i, chunk: chunk_id, page })
      })
    pathAbove = path
  }
  return entries
}
