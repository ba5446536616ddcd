// A list read page by page while it grows: what was there from the beginning is shown once, and the last page costs what the
// first one did.

export interface Listed {
  data: { id: string }[]
  next_cursor: string | null
}

export interface Walk {
  ids: string[]
  /** Milliseconds of each page. */
  pages: number[]
}

/** @param read the page at a cursor; null: the first one */
export async function walkList(read: (cursor: string | null) => Promise<Listed>): Promise<Walk> {
  const walk: Walk = { ids: [], pages: [] }
  let cursor: string | null = null
  do {
    const began = performance.now()
    const page: Listed = await read(cursor)
    walk.pages.push(performance.now() - began)
    walk.ids.push(...page.data.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor !== null)
  return walk
}

/** What a walk shows twice, and what it leaves out of what was there before it began. */
export function faultsOf({ ids }: Walk, before: ReadonlySet<string>): { twice: number; missing: number } {
  const shown = new Set(ids)
  return {
    twice: ids.length - shown.size,
    missing: [...before].filter((id) => !shown.has(id)).length,
  }
}
