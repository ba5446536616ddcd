import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longSlots, makeMemoryBudget, makeReservation, mayStartTask } from './capacity.ts'

const room = (concurrency: number, extraSlots: number, has = true) => ({
  concurrency,
  extraSlots,
  hasRoom: () => has,
})

test('the last of three tasks begins while there is memory; more only beside tasks that only write', () => {
  const usual = room(3, 3)
  expect([0, 1, 2, 3].map((begun) => mayStartTask(begun, 0, usual))).toEqual([true, true, true, false])
  expect([3, 4, 5, 6].map((begun) => mayStartTask(begun, begun - 1, usual))).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(mayStartTask(3, 1, usual)).toBe(false)
  expect([0, 1, 2, 3].map((begun) => mayStartTask(begun, begun, room(3, 3, false)))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect([0, 1].map((begun) => mayStartTask(begun, begun, room(1, 0)))).toEqual([true, false])
  expect([0, 1, 2].map((begun) => mayStartTask(begun, 0, room(5, 3, false)))).toEqual([true, true, false])
})

test('however tasks are begun, parsed and ended, no more than `concurrency` are being read', () => {
  const move = fc.constantFrom('begin' as const, 'parse' as const, 'end' as const)
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.nat(4),
      fc.array(move),
      (concurrency, extraSlots, moves) => {
        let begun = 0
        let parsed = 0
        for (const what of moves) {
          if (what === 'begin' && mayStartTask(begun, parsed, room(concurrency, extraSlots))) begun++
          if (what === 'parse' && parsed < begun) parsed++
          if (what === 'end' && parsed > 0) {
            begun--
            parsed--
          }
          expect(begun - parsed).toBeLessThanOrEqual(concurrency)
          expect(begun).toBeLessThanOrEqual(concurrency + extraSlots)
        }
      },
    ),
  )
})

const MB = 1e6
/** Resolves when everything that is due has happened. */
const soon = () => new Promise(setImmediate)

test('texts enter in turn while they fit; a small one at once, one larger than the whole budget alone', async () => {
  const texts = makeMemoryBudget(300 * MB)
  const inside: string[] = []
  const gone = new AbortController()
  const enter = (name: string, bytes: number, signal?: AbortSignal) => {
    const place = makeReservation(texts, 'one workspace')
    const entered = place.acquire(bytes, signal).then(
      () => inside.push(name),
      () => inside.push(`${name} left`),
    )
    return { ...place, entered }
  }
  const [a, b] = [enter('a', 140 * MB), enter('b', 140 * MB)]
  const c = enter('c', 140 * MB, gone.signal)
  const d = enter('d', 20 * MB)
  enter('small', 3 * MB)
  await soon()
  // There is room for d, but c came first.
  expect(inside.toSorted()).toEqual(['a', 'b', 'small'])
  gone.abort(new Error('cancelled'))
  await soon()
  expect(inside.slice(3)).toEqual(['c left', 'd'])
  const huge = enter('huge', 900 * MB)
  a.release()
  b.release()
  c.release()
  await soon()
  expect(inside).not.toContain('huge')
  d.release()
  d.release()
  await huge.entered
  expect(inside.at(-1)).toBe('huge')
  const after = enter('after', 5 * MB)
  huge.release()
  await after.entered
})

test('a small text of a workspace that holds none passes large texts of others; its second one waits in line', async () => {
  const texts = makeMemoryBudget(300 * MB)
  const inside: string[] = []
  const enter = (name: string, owner: string, bytes: number) => {
    const place = makeReservation(texts, owner)
    void place.acquire(bytes).then(() => inside.push(name))
    return place
  }
  const large = [1, 2, 3].map((no) => enter(`large ${no}`, 'a', 105 * MB))
  const first = enter('first', 'b', 15 * MB)
  enter('second', 'b', 15 * MB)
  enter('other', 'c', 15 * MB)
  enter('not small', 'd', 25 * MB)
  await soon()
  expect(inside).toEqual(['large 1', 'large 2', 'first'])
  first.release()
  await soon()
  expect(inside.slice(3)).toEqual(['other'])
  large[0]?.release()
  await soon()
  expect(inside.slice(4)).toEqual(['large 3', 'second', 'not small'])
})

test('texts of several workspaces all enter while there is room, small or not', async () => {
  const texts = makeMemoryBudget(300 * MB)
  let inside = 0
  for (const owner of ['a', 'b', 'c', 'd', 'e'])
    void makeReservation(texts, owner)
      .acquire(15 * MB)
      .then(() => inside++)
  await soon()
  expect(inside).toBe(5)
})

test('a task that enters again first gives up its share', async () => {
  const texts = makeMemoryBudget(300 * MB)
  const [one, other] = [makeReservation(texts, 'a'), makeReservation(texts, 'a')]
  await one.acquire(200 * MB)
  const waiting = other.acquire(200 * MB)
  const again = one.acquire(200 * MB)
  await waiting
  other.release()
  await again
})

test('in any order of texts no more than fits is held, plus a single larger one and 20 MB of other workspaces; in the end all have entered', async () => {
  const move = fc.record({
    size: fc.integer({ min: 5, max: 500 }),
    what: fc.constantFrom('enter' as const, 'leave' as const, 'cancel' as const),
    which: fc.nat(20),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 40 }), async (moves) => {
      const texts = makeMemoryBudget(300 * MB)
      const inside = new Map<number, number>()
      const asked: {
        place: ReturnType<typeof makeReservation>
        cancel: AbortController
        done: Promise<void>
      }[] = []
      const check = async () => {
        await soon()
        const sizes = [...inside.values()]
        const total = sizes.reduce((sum, size) => sum + size, 0)
        expect(total).toBeLessThanOrEqual(Math.max(300, ...sizes) + 20)
      }
      for (const { size, what, which } of moves) {
        const other = asked[which % Math.max(1, asked.length)]
        if (what === 'enter') {
          const [no, place, cancel] = [
            asked.length,
            makeReservation(texts, `${size % 3}`),
            new AbortController(),
          ]
          const done = place.acquire(size * MB, cancel.signal).then(
            () => void inside.set(no, size),
            () => {},
          )
          asked.push({ place, cancel, done })
        } else if (what === 'cancel') other?.cancel.abort()
        else if (inside.delete(which % Math.max(1, asked.length))) other?.place.release()
        await check()
      }
      for (let left = asked.length; left > 0; left--) {
        for (const no of [...inside.keys()]) {
          inside.delete(no)
          asked[no]?.place.release()
        }
        await check()
      }
      await Promise.all(asked.map(({ done }) => done))
    }),
    { numRuns: 60 },
  )
})

test('slots for what takes hours are as many as a quarter of the memory holds, at least two and at most six', () => {
  const gigabytes = [2, 8, 16, 64]
  expect(gigabytes.map((count) => longSlots(count * 2 ** 30))).toEqual([2, 2, 4, 6])
})
