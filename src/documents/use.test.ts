import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Db } from '../ports/db/db.ts'
import { countUse } from './use.ts'

const [ONE, OTHER, THIRD] = ['one', 'other', 'third'].map((name) => `workspace ${name}`) as [
  string,
  string,
  string,
]
const HALF_A_MINUTE = 30_000
const log = { debug() {}, info() {}, warn() {}, error() {} }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Records which workspaces are written, and lets each write wait for what `answer` returns. */
function database(answer: (workspaceId: string) => Promise<void>) {
  const tried: string[] = []
  const rows = (async ({ values }: { values: unknown[] }) => {
    const workspaceId = String(values.find((value) => String(value).startsWith('workspace ')))
    tried.push(workspaceId)
    await answer(workspaceId)
    return []
  }) as unknown as Db['rows']
  const db = { rows, tx: (work: (tx: unknown) => Promise<unknown>) => work({ rows }) } as unknown as Db
  return { db, tried }
}
const nodeAway = (): Error =>
  Object.assign(new Error('connection to the remote node failed'), { severity: 'ERROR', code: '08006' })

test('a round that takes longer than the time between two is not followed by those that were missed', async () => {
  let end = (): void => {}
  const hanging = new Promise<void>((_, reject) => {
    end = () => reject(nodeAway())
  })
  const { db, tried } = database(() => hanging)
  const use = countUse({ db, log })
  for (let round = 0; round < 5; round++) {
    use.found(ONE, ['a'])
    vi.advanceTimersByTime(HALF_A_MINUTE)
  }
  expect(tried).toEqual([ONE])
  end()
  await use.write()
  expect(tried).toEqual([ONE, ONE])
  await use.close()
})

test('workspaces of a node that is away come after all others in the next round', async () => {
  let isAway = true
  const { db, tried } = database(async (id) => {
    if (isAway && id === ONE) throw nodeAway()
  })
  const use = countUse({ db, log })
  const round = async (): Promise<string[]> => {
    tried.length = 0
    for (const id of [ONE, OTHER, THIRD]) use.found(id, ['a'])
    await use.write()
    return tried
  }
  expect(await round()).toEqual([ONE, OTHER, THIRD])
  expect(await round()).toEqual([OTHER, THIRD, ONE])
  isAway = false
  expect(await round()).toEqual([OTHER, THIRD, ONE])
  expect(await round()).toEqual([ONE, OTHER, THIRD])
  await use.close()
})

test('closing waits for a database that hangs for a limited time, and begins nothing more then', async () => {
  let fail = (_: Error): void => {}
  const hanging = new Promise<void>((_, reject) => {
    fail = reject
  })
  const { db, tried } = database((id) => (id === ONE ? hanging : Promise.resolve()))
  const use = countUse({ db, log }, { closeMs: 1 })
  for (const id of [ONE, OTHER]) use.found(id, ['a'])
  vi.advanceTimersByTime(HALF_A_MINUTE)
  use.found(THIRD, ['a'])
  await use.close()
  expect(tried).toEqual([ONE, THIRD])
  fail(nodeAway())
  await use.write()
  expect(tried).toEqual([ONE, THIRD])
})
