// Lists of several workspaces, one after the other, in pages that fit into a result.

import type { Page } from '../contract/resources.ts'
import { invalid } from '../errors.ts'
import { countFitting, tokensOf } from './budget.ts'
import type { Session } from './tool.ts'
import type { ReadableWorkspace } from './workspaces.ts'

/**
 * @param workspaces oldest first
 * @param cursor names the last workspace of the page before and holds the cursor of that workspace's own list, which is signed.
 * Workspaces that are added or deleted in between do not shift the pages.
 * @param read reads one page of a workspace
 */
export async function listByWorkspace<Item>(
  { signal }: Pick<Session, 'signal'>,
  workspaces: readonly ReadableWorkspace[],
  { limit, cursor }: { limit: number; cursor: string | undefined },
  read: (workspace: ReadableWorkspace, page: { limit: number; cursor: string | null }) => Promise<Page<Item>>,
): Promise<{ items: Item[]; next_cursor: string | undefined }> {
  const start = cursor === undefined ? undefined : positionOf(cursor)
  const items: Item[] = []
  for (const workspace of workspaces) {
    const order = start === undefined ? 1 : compare(workspace, start)
    if (order < 0) continue
    let workspaceCursor = order === 0 ? (start?.inner ?? null) : null
    for (let pageLimit = limit - items.length; ; ) {
      if (pageLimit < 1) return { items, next_cursor: cursorOf(workspace, workspaceCursor) }
      signal.throwIfAborted()
      const page = await read(workspace, { limit: pageLimit, cursor: workspaceCursor })
      const allItems = [...items, ...page.data]
      if (countFitting(allItems, tokensOf(page.next_cursor ?? '')) < allItems.length) {
        if (pageLimit === 1 && items.length > 0)
          return { items, next_cursor: cursorOf(workspace, workspaceCursor) }
        if (pageLimit > 1) {
          // The cursor of a workspace points behind a whole page, so a smaller one is read.
          pageLimit = Math.floor(pageLimit / 2)
          continue
        }
      }
      items.push(...page.data)
      workspaceCursor = page.next_cursor
      if (workspaceCursor === null) break
      pageLimit = limit - items.length
    }
  }
  return { items, next_cursor: undefined }
}

type Position = Pick<ReadableWorkspace, 'created' | 'id'>

/** Negative when `a` is before `b` in the order of workspaces. */
function compare(a: Position, b: Position): number {
  const difference = BigInt(a.created) - BigInt(b.created)
  if (difference !== 0n) return difference < 0n ? -1 : 1
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1
}

const cursorOf = ({ created, id }: Position, workspaceCursor: string | null): string =>
  `${created}.${id}.${workspaceCursor ?? ''}`

/** @throws ApiError 422; the last part is checked by the workspace's own list */
function positionOf(cursor: string): Position & { inner: string | null } {
  const [, created, id, workspaceCursor] = /^(-?\d{1,18})\.([\da-f-]{36})\.([\w-]*)$/.exec(cursor) ?? []
  if (created === undefined || id === undefined || workspaceCursor === undefined) {
    throw invalid(['query', 'cursor'], 'The cursor is not valid for this list; start again without a cursor')
  }
  return { created, id, inner: workspaceCursor === '' ? null : workspaceCursor }
}
