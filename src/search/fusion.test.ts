import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  diversify,
  inOrder,
  reciprocalRank,
  withDocument,
  withMeaning,
  withoutNearDuplicates,
} from './fusion.ts'
import { withHopTargets } from './stages/second-hop.ts'

const item = (chunk_id: string, score: number, document_id = chunk_id) => ({ chunk_id, document_id, score })
const ids = (found: readonly { chunk_id: string }[]): string => found.map(({ chunk_id }) => chunk_id).join('')

const ranking = fc
  .array(fc.record({ document: fc.nat(3), score: fc.double({ min: 0.1, max: 9, noNaN: true }) }), {
    maxLength: 20,
  })
  .map((rows) =>
    inOrder(
      rows.map(({ document, score }, i) => item(String(i).padStart(2, '0'), score, `d${String(document)}`)),
    ),
  )

test("without a document score the chunk's counts for both", () => {
  expect(withDocument(3, null)).toBeCloseTo(3)
  expect(withDocument(3, 8)).toBeCloseTo(0.6 * 3 + 0.4 * 8)
})

describe('spread', () => {
  test('lets another document between two chunks of one, but not far', () => {
    expect(
      ids(diversify([item('a', 10, 'x'), item('b', 9.9, 'x'), item('c', 9.8, 'y'), item('d', 5, 'y')])),
    ).toBe('acbd')
  })

  test('lets none between the chunks of a document that is meant', () => {
    const found = [item('a', 10, 'x'), item('b', 9.9, 'x'), item('c', 9.8, 'y'), item('d', 5, 'y')]
    expect(ids(diversify(found, false, ['x']))).toBe('abcd')
  })

  test('keeps everything, and the order within each document', () => {
    fc.assert(
      fc.property(ranking, (found) => {
        const after = diversify(found)
        expect(new Set(after.map(({ chunk_id }) => chunk_id)).size).toBe(found.length)
        for (const document of ['d0', 'd1', 'd2', 'd3']) {
          const of = (list: typeof found) => ids(list.filter(({ document_id }) => document_id === document))
          expect(of(after)).toBe(of(found))
        }
      }),
    )
  })
})

describe('withMeaning', () => {
  const near = (values: Record<string, number | null>, found: ReturnType<typeof item>[]) =>
    found.map((one) => ({ ...one, similarity: values[one.chunk_id] ?? null }))

  test('adds the cosine times the factor', () => {
    const found = near({ a: 0.1, b: 0.1, c: 0.9, d: 0.2 }, [
      item('a', 10),
      item('b', 5),
      item('c', 4.9),
      item('d', 1),
    ])
    expect(ids(withMeaning(found, 2))).toBe('acbd')
    expect(withMeaning(found, 2)[0]?.score).toBeCloseTo(10.2)
  })

  test('without vectors nothing moves, and a chunk without one has the mean of the others', () => {
    fc.assert(
      fc.property(ranking, (found) => {
        const unknown = near({}, found)
        expect(withMeaning(unknown, 3)).toEqual(unknown)
      }),
    )
    const found = near({ a: 0.2, b: null, c: 0.6 }, [item('a', 1), item('b', 1), item('c', 1)])
    expect(ids(withMeaning(found, 1))).toBe('cba')
  })

  test('an opposite meaning takes nothing away', () => {
    expect(withMeaning(near({ a: -0.5 }, [item('a', 1)]), 1)[0]?.score).toBe(1)
  })
})

test('reciprocal rank: ids in both rankings come first, ties by id', () => {
  expect([...reciprocalRank(['a', 'b', 'c'], ['c', 'd'])].map(([id]) => id)).toEqual(['c', 'a', 'b', 'd'])
  expect([...reciprocalRank(['b'], ['a'])].map(([id]) => id)).toEqual(['a', 'b'])
})

describe('distinct', () => {
  test('the better of two that share nine tenths of their terms stays', () => {
    const hit = (id: number, terms: number[]) => ({ id, terms: Int32Array.from(terms) })
    const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    const found = withoutNearDuplicates([
      hit(1, ten),
      hit(2, [...ten, 11]),
      hit(3, ten.slice(0, 8)),
      hit(4, [11]),
    ])
    expect(found.map(({ id }) => id)).toEqual([1, 3, 4])
  })

  test('is the share of the union, whatever the sets', () => {
    const terms = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 40 })
    const changed = fc
      .tuple(terms, fc.integer({ min: 1, max: 40 }))
      .map(([all, at]) => [all, all.filter((x) => x % at)])
    fc.assert(
      fc.property(fc.oneof(fc.tuple(terms, terms), changed), ([a = [], b = []]) => {
        const shared = a.filter((x) => b.includes(x)).length
        const union = a.length + b.length - shared
        const isSame = union > 0 && shared / union >= 0.9
        const sets = [a, b].map((set) => ({ terms: Int32Array.from(set).sort() }))
        expect(withoutNearDuplicates(sets).length).toBe(isSame ? 1 : 2)
      }),
    )
  })
})

describe('withHopTargets', () => {
  const target = (from: string, chunk_id: string, about: boolean, rest: number, shared = 2) => ({
    from,
    chunk_id,
    document_id: chunk_id,
    about,
    shared,
    score: 1,
    rest,
  })

  test('a passage about a name in a good passage moves up if it answers the open part', () => {
    const found = [item('a', 10), item('b', 6), item('c', 5)]
    expect(ids(withHopTargets(found, [target('a', 'z', true, 2)], 100).ranked)).toBe('azbc')
    expect(ids(withHopTargets(found, [target('a', 'z', false, 0)], 100).ranked)).toBe('abcz')
  })

  test('the more documents have a name, the less it leads to; one in all documents leads nowhere', () => {
    const found = [item('a', 10), item('b', 6), item('c', 5)]
    const ledBy = (shared: number): string =>
      ids(
        withHopTargets(
          found,
          [target('a', 'z', true, 1)].map((l) => ({ ...l, shared })),
          100,
        ).ranked,
      )
    expect([2, 5, 100].map(ledBy)).toEqual(['azbc', 'abzc', 'abcz'])
  })

  test('no chunk loses by being a target, and a start outside the ranking leads nowhere', () => {
    const found = [item('a', 10), item('b', 9)]
    expect(withHopTargets(found, [target('a', 'b', false, 0)], 100).ranked).toEqual(found)
    expect(withHopTargets(found, [target('q', 'b', true, 9)], 100).ranked).toEqual(found)
    expect(withHopTargets([], [target('a', 'b', true, 9)], 100).ranked).toEqual([])
  })
})
