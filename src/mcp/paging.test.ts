// Pages over several workspaces: nothing is skipped or given twice when workspaces come and go between two pages.

import { expect, test } from 'vitest'
import { listByWorkspace } from './paging.ts'
import type { ReadableWorkspace } from './workspaces.ts'

const signal = new AbortController().signal
const idOf = (no: number): string => `00000000-0000-4000-8000-${String(no).padStart(12, '0')}`
const workspaceNumbered = (no: number): ReadableWorkspace => ({
  id: idOf(no),
  name: `W${no}`,
  role: 'viewer',
  isEmpty: false,
  label: {},
  created: String(1000 * Math.ceil(no / 2)),
})

/** A page of `limit` items of these workspaces, each of which has three. */
function page(numbers: readonly number[], cursor: string | undefined, limit = 2) {
  const workspaces = numbers.map(workspaceNumbered)
  return listByWorkspace({ signal }, workspaces, { limit, cursor }, async ({ name }, inner) => {
    const from = Number(inner.cursor ?? 0)
    const to = Math.min(3, from + inner.limit)
    const data = Array.from({ length: to - from }, (_, i) => `${name}.${from + i + 1}`)
    return { data, has_more: to < 3, next_cursor: to < 3 ? String(to) : null }
  })
}

test('a workspace before it goes: the list goes on where it was', async () => {
  const first = await page([1, 2, 3], undefined, 4)
  expect(first.items).toEqual(['W1.1', 'W1.2', 'W1.3', 'W2.1'])
  const next = await page([2, 3], first.next_cursor, 4)
  expect(next.items).toEqual(['W2.2', 'W2.3', 'W3.1', 'W3.2'])
})

test('a workspace comes before it: nothing is given twice', async () => {
  const first = await page([2, 4], undefined, 4)
  expect(first.items).toEqual(['W2.1', 'W2.2', 'W2.3', 'W4.1'])
  expect((await page([1, 2, 3, 4], first.next_cursor, 4)).items).toEqual(['W4.2', 'W4.3'])
})

test('its own workspace goes: the list goes on with the next one', async () => {
  const first = await page([1, 2, 3], undefined, 4)
  expect((await page([1, 3], first.next_cursor, 4)).items).toEqual(['W3.1', 'W3.2', 'W3.3'])
})

test('a made-up cursor is refused', async () => {
  await expect(page([1], '0.')).rejects.toMatchObject({ status: 422 })
})
