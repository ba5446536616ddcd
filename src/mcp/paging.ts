// Lists of several workspaces, one after the other, in pages that fit into a result.

import type { Page } from '../contract/resources.ts'
import { invalid } from '../errors.ts'
import { countFitting, tokensOf } from './budget.ts'
import type { Place } from './places.ts'
import type { Session } from './tool.ts'

/**
 * @param cursor of the page before: which workspace, and the cursor of its own list, which is signed and bound to it
 * @param read one page of a workspace
 */
export async function listPlaces<Item>(
  { signal }: Pick<Session, 'signal'>,
  places: readonly Place[],
  { limit, cursor }: { limit: number; cursor: string | undefined },
  read: (place: Place, page: { limit: number; cursor: string | null }) => Promise<Page<Item>>,
): Promise<{ items: Item[]; next_cursor: string | undefined }> {
  const start = cursor === undefined ? { at: 0, inner: null } : positionOf(cursor)
  const items: Item[] = []
  for (const [at, place] of places.entries()) {
    if (at < start.at) continue
    let inner = at === start.at ? start.inner : null
    for (let room = limit - items.length; ; ) {
      if (room < 1) return { items, next_cursor: cursorOf(at, inner) }
      signal.throwIfAborted()
      const page = await read(place, { limit: room, cursor: inner })
      const all = [...items, ...page.data]
      if (countFitting(all, tokensOf(page.next_cursor ?? '')) < all.length) {
        if (room === 1 && items.length > 0) return { items, next_cursor: cursorOf(at, inner) }
        if (room > 1) {
          // The cursor of a workspace points behind a whole page, so a smaller one is read.
          room = Math.floor(room / 2)
          continue
        }
      }
      items.push(...page.data)
      inner = page.next_cursor
      if (inner === null) break
      room = limit - items.length
    }
  }
  return { items, next_cursor: undefined }
}

const cursorOf = (at: number, inner: string | null): string => `${at}.${inner ?? ''}`

/** @throws ApiError 422; what follows the number is checked by the workspace's own list */
function positionOf(cursor: string): { at: number; inner: string | null } {
  const [, at, inner] = /^(\d{1,6})\.([\w-]*)$/.exec(cursor) ?? []
  if (at === undefined || inner === undefined) {
    throw invalid(['query', 'cursor'], 'The cursor is not valid for this list; start again without a cursor')
  }
  return { at: Number(at), inner: inner === '' ? null : inner }
}
