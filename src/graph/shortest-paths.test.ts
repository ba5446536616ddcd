import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Link } from './paths.sql.ts'
import { type Path, shortestPaths } from './shortest-paths.ts'

const link = (source: string, type: string, target: string, evidence_count = 1): Link => ({
  source: { id: source, name: source },
  target: { id: target, name: target },
  type,
  evidence_count,
})
const shown = (paths: readonly Path[]): string[] =>
  paths.map((path) =>
    path
      .map(({ link: { source, type, target }, isReversed }) =>
        isReversed ? `${target.id} <${type} ${source.id}` : `${source.id} ${type}> ${target.id}`,
      )
      .join(', '),
  )
const find = (
  links: Link[],
  from: string,
  to: string,
  more: Partial<Parameters<typeof shortestPaths>[1]> = {},
) => shortestPaths(links, { from, to, maxSteps: 3, limit: 3, mentionCounts: new Map(), ...more })

test('the shortest path is followed in both directions', () => {
  const links = [
    link('Ada', 'leads', 'Acme'),
    link('Bank', 'lends_to', 'Acme'),
    link('Bank', 'located_in', 'Leeds'),
  ]
  expect(shown(find(links, 'Ada', 'Leeds'))).toEqual([
    'Ada leads> Acme, Acme <lends_to Bank, Bank located_in> Leeds',
  ])
  expect(shown(find(links, 'Ada', 'Leeds', { maxSteps: 2 }))).toEqual([])
  expect(find(links, 'Ada', 'Nobody')).toEqual([])
})

test('a shorter path hides longer ones, and what is stated comes before what is named together', () => {
  const links = [
    link('Ada', 'mentioned_with', 'Bo', 9),
    link('Bo', 'mentioned_with', 'Cy', 9),
    link('Ada', 'knows', 'Di'),
    link('Di', 'knows', 'Cy'),
    link('Ada', 'knows', 'Ed'),
    link('Ed', 'knows', 'Flo'),
    link('Flo', 'knows', 'Cy'),
  ]
  expect(shown(find(links, 'Ada', 'Cy'))).toEqual([
    'Ada knows> Di, Di knows> Cy',
    'Ada mentioned_with> Bo, Bo mentioned_with> Cy',
  ])
})

test('a rare name between the ends says more than one that is everywhere', () => {
  const links = ['Europe', 'Unit 7'].flatMap((name) => [link('Ada', 'in', name), link('Cy', 'in', name)])
  const mentionCounts = new Map([
    ['Europe', 900],
    ['Unit 7', 3],
  ])
  expect(shown(find(links, 'Ada', 'Cy', { mentionCounts, limit: 1 }))).toEqual([
    'Ada in> Unit 7, Unit 7 <in Cy',
  ])
})

test('every path is connected, simple and as short as any', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g')
  const links = fc.array(
    fc
      .tuple(id, fc.constantFrom('knows', 'mentioned_with'), id, fc.nat(9))
      .map(([s, t, o, n]) => link(s, t, o, n)),
    { maxLength: 14 },
  )
  fc.assert(
    fc.property(links, (all) => {
      const paths = find(all, 'a', 'g', { limit: 100 })
      // The distance by another way: repeated relaxation over all links.
      const distance = new Map([['a', 0]])
      for (let round = 0; round < 7; round++)
        for (const { source, target } of all)
          for (const [x, y] of [
            [source.id, target.id],
            [target.id, source.id],
          ] as const)
            distance.set(y, Math.min(distance.get(y) ?? 99, (distance.get(x) ?? 99) + 1))
      const shortest = distance.get('g') ?? 99
      expect(paths.length > 0).toBe(shortest <= 3)
      for (const path of paths) {
        expect(path.length).toBe(shortest)
        const ids = [
          'a',
          ...path.map(({ link, isReversed }) => (isReversed ? link.source.id : link.target.id)),
        ]
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids.at(-1)).toBe('g')
        path.forEach(({ link, isReversed }, i) => {
          expect(isReversed ? link.target.id : link.source.id).toBe(ids[i])
        })
      }
    }),
  )
})
