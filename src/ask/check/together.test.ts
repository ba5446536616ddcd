import { expect, test } from 'vitest'
import { mapTogether } from './together.ts'

test('the results have the order of the list', async () => {
  const results = await mapTogether(
    [3, 1, 2, 0],
    async (turns) => {
      for (let i = 0; i < turns; i++) await Promise.resolve()
      return turns
    },
    () => undefined,
  )
  expect(results).toEqual([3, 1, 2, 0])
})

test('one that fails stops the others, and is thrown when they have ended', async () => {
  const stopped = new AbortController()
  const started: number[] = []
  let running = 0
  const work = async (one: number): Promise<void> => {
    started.push(one)
    running++
    try {
      if (one === 1) throw new Error('broken')
      await new Promise((_, reject) => stopped.signal.addEventListener('abort', reject, { once: true }))
    } finally {
      running--
    }
  }
  const all = mapTogether([0, 1, 2, 3, 4, 5], work, (error) => stopped.abort(error))
  await expect(all).rejects.toThrow('broken')
  expect(started).toEqual([0, 1, 2])
  expect(running).toBe(0)
})
