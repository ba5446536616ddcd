// Plans carried out on a small model of the service: the same bytes are kept once, whatever their names.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FULL } from '../../test/support/full.ts'
import { type Entry, type FileResult, makePlan, type OwnedDocument } from './plan.ts'

interface Held {
  id: string
  path: string
  hash: string
  foreign: boolean
}

/** A workspace, and what the sync knows of it. */
function makeWorld() {
  let ids = 0
  let documents: Held[] = []
  const remembered = new Map<string, FileResult>()
  const add = (path: string, hash: string, foreign: boolean): Held => {
    const held = { id: `d${++ids}`, path, hash, foreign }
    documents.push(held)
    return held
  }
  /** As the service takes an upload that keeps both. */
  const upload = ({ path, hash }: Entry): { held: Held; made: boolean; beside: boolean } => {
    const own = documents.find((one) => one.path === path)
    if (own?.hash === hash) return { held: own, made: false, beside: false }
    const elsewhere = documents.find((one) => one.hash === hash)
    if (!own && elsewhere) return { held: elsewhere, made: false, beside: false }
    for (let no = 1; ; no++) {
      const free = no === 1 ? path : `${path} (${no})`
      if (!documents.some((one) => one.path === free))
        return { held: add(free, hash, false), made: true, beside: no > 1 }
    }
  }
  const drop = (id: string): void => {
    documents = documents.filter((one) => one.id !== id)
  }
  const owned = (): OwnedDocument[] => documents.filter(({ foreign }) => !foreign)
  const plan = (entries: Entry[]) =>
    makePlan(entries, owned(), remembered, {
      theirDocumentIds: new Set(documents.filter((one) => one.foreign).map(({ id }) => id)),
    })
  const remember = (entry: Entry, id: string, beside = false): void => {
    const document = documents.find((one) => one.id === id)
    const state = document?.foreign ? 'theirs' : 'ours'
    const at = document && document.path !== entry.path ? { at: document.path } : {}
    remembered.set(entry.path, {
      hash: entry.hash,
      state,
      document_id: id,
      ...(beside ? { beside } : {}),
      ...at,
    })
  }
  return {
    remembered,
    addForeign: (path: string, hash: string) => {
      if (!documents.some((one) => one.path === path || one.hash === hash)) add(path, hash, true)
    },
    plan,
    documents: () => documents,
    /** As somebody moves a document in the workspace. */
    move: (from: string, to: string): void => {
      const held = documents.find((one) => one.path === from)
      if (held && !documents.some((one) => one.path === to)) held.path = to
    },
    /** As far as `steps` lets it: a kill. */
    carryOut: (entries: Entry[], steps = Number.POSITIVE_INFINITY): void => {
      const made = plan(entries)
      let left = steps
      const step = (work: () => void): void => {
        if (left-- > 0) work()
      }
      for (const { id } of made.leave)
        step(() => {
          for (const held of documents) if (held.id === id) held.foreign = true
        })
      for (const { entry, documentId, isBeside } of made.settled)
        step(() => {
          if (documentId) remember(entry, documentId, isBeside)
          else remembered.set(entry.path, { hash: entry.hash, state: 'ours' })
        })
      for (const { entry, document } of made.replace)
        step(() => {
          const held = documents.find(({ id }) => id === document.id)
          if (held) held.hash = entry.hash
          remember(entry, document.id, document.path !== entry.path)
        })
      for (const { entry, document } of [
        ...made.move,
        ...made.create.map((entry) => ({ entry, document: undefined })),
      ]) {
        if (document) step(() => drop(document.id))
        step(() => {
          const { held, beside } = upload(entry)
          remember(entry, held.id, beside)
        })
      }
      for (const { id } of made.remove) step(() => drop(id))
      if (left <= 0) return
      for (const path of [...remembered.keys()])
        if (!entries.some((entry) => entry.path === path)) remembered.delete(path)
    },
  }
}

const path = fc.constantFrom('a', 'b', 'c', 'd/e', 'd/f')
const hash = fc.constantFrom('1', '2', '3', '4', '5', '6')
const source = fc
  .dictionary(path, hash)
  .map((files) => Object.entries(files).map(([at, of]) => ({ path: at, hash: of })))

test('whatever happens at the source, and wherever a run ends, the next run that ends makes both agree', () => {
  const runs = fc.array(
    fc.record({ entries: source, killedAfter: fc.option(fc.nat(6)), forgets: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(path, hash), { maxLength: 2 }), runs, (foreign, steps) => {
      const world = makeWorld()
      for (const [at, of] of foreign) world.addForeign(at, of)
      const before = world.documents().map((one) => ({ ...one }))
      for (const { entries, killedAfter, forgets } of steps) {
        if (forgets) world.remembered.clear()
        world.carryOut(entries, killedAfter ?? undefined)
      }
      const entries = steps.at(-1)?.entries ?? []
      // A machine that lost what it remembered may need a second run, to see where a document lies beside a namesake.
      world.carryOut(entries)
      world.carryOut(entries)
      const documents = world.documents()
      // Nothing of others was touched.
      expect(documents.filter((one) => one.foreign)).toEqual(before)
      // Each content of the source is there once, and nothing else is.
      const ours = documents.filter((one) => !one.foreign)
      const theirs = new Set(before.map((one) => one.hash))
      const wanted = new Set(entries.map((entry) => entry.hash).filter((one) => !theirs.has(one)))
      const held = ours.map((one) => one.hash).filter((one) => !theirs.has(one))
      expect(held.sort()).toEqual([...wanted].sort())
      // At a path of that content, or beside somebody else's document of that name.
      for (const one of ours) {
        const plain = one.path.replace(/ \(\d+\)$/, '')
        expect(entries.filter((entry) => entry.hash === one.hash).map((entry) => entry.path)).toContain(plain)
        if (plain !== one.path) expect(before.map((other) => other.path)).toContain(plain)
      }
      const { create, replace, move, remove } = world.plan(entries)
      expect([create, replace, move, remove]).toEqual([[], [], [], []])
    }),
    { numRuns: FULL ? 20_000 : 500 },
  )
})

test('a moved file is moved, a swap is two new contents, and the rest is left alone', () => {
  const owned = [
    { id: 'A', path: 'a', hash: '1' },
    { id: 'B', path: 'b', hash: '2' },
    { id: 'C', path: 'c', hash: '3' },
  ]
  const entries = [
    { path: 'a', hash: '2' },
    { path: 'b', hash: '1' },
    { path: 'moved/c', hash: '3' },
  ]
  const plan = makePlan(entries, owned, new Map())
  expect(plan.replace.map(({ entry, document }) => [entry.path, document.id])).toEqual([
    ['a', 'A'],
    ['b', 'B'],
  ])
  expect(plan.move.map(({ entry, document }) => [entry.path, document.id])).toEqual([['moved/c', 'C']])
  expect([plan.create, plan.remove]).toEqual([[], []])
})

test('a document that somebody moved in the workspace stays there with its file', () => {
  const world = makeWorld()
  // Two files with the same content are one document.
  const entries = ['a', 'b', 'c'].map((at) => ({ path: at, hash: at === 'c' ? '2' : '1' }))
  world.carryOut(entries)
  const [first, second] = world.documents().map(({ id }) => id)
  world.move('a', 'archive/a')
  world.move('c', 'archive/c')
  const moved = world.documents().map((one) => ({ ...one }))
  for (let run = 0; run < 2; run++) {
    world.carryOut(entries)
    expect(world.documents()).toEqual(moved)
  }
  // Its next content, and its end.
  world.carryOut([...entries.slice(0, 2), { path: 'c', hash: '3' }])
  expect(world.documents()).toContainEqual({ id: second, path: 'archive/c', hash: '3', foreign: false })
  world.carryOut(entries.slice(0, 2))
  expect(world.documents()).toEqual([{ id: first, path: 'archive/a', hash: '1', foreign: false }])
})

test('whatever is moved in the workspace, nothing is sent or deleted for it, and each content is there once', () => {
  const places = ['a', 'b', 'c', 'd/e', 'x/a', 'x/b', 'x/c']
  const moves = fc.array(fc.tuple(fc.oneof(path, fc.constantFrom(...places)), fc.constantFrom(...places)), {
    maxLength: 4,
  })
  fc.assert(
    fc.property(fc.array(fc.record({ entries: source, moves }), { minLength: 1, maxLength: 6 }), (steps) => {
      const world = makeWorld()
      for (const step of steps) {
        world.carryOut(step.entries)
        world.carryOut(step.entries)
        expect(
          world
            .documents()
            .map((one) => one.hash)
            .sort(),
        ).toEqual([...new Set(step.entries.map((entry) => entry.hash))].sort())
        for (const [from, to] of step.moves) world.move(from, to)
        const { create, replace, move, remove, leave } = world.plan(step.entries)
        expect([create, replace, move, remove, leave]).toEqual([[], [], [], [], []])
        // From now on the documents belong to their files at the new places, and end with them.
        world.carryOut(step.entries)
      }
    }),
    { numRuns: FULL ? 20_000 : 500 },
  )
})

test('a document that somebody has moved since the last run is never deleted, whatever happens to its file', () => {
  const places = fc.constantFrom('a', 'b', 'c', 'd/e', 'x/a', 'x/b')
  const moves = fc.array(fc.tuple(places, places), { minLength: 1, maxLength: 4 })
  const round = fc.record({ entries: source, moves, killedAfter: fc.option(fc.nat(6)) })
  fc.assert(
    fc.property(fc.array(round, { minLength: 1, maxLength: 6 }), source, (rounds, last) => {
      const world = makeWorld()
      for (const { entries, moves, killedAfter } of rounds) {
        world.carryOut(entries)
        const before = new Map(world.documents().map((one) => [one.id, one.path]))
        for (const [from, to] of moves) world.move(from, to)
        const moved = world.documents().filter((one) => one.path !== before.get(one.id))
        world.carryOut(last, killedAfter ?? undefined)
        world.carryOut(last)
        const after = new Map(world.documents().map((one) => [one.id, one.path]))
        for (const { id, path } of moved) expect(after.get(id)).toBe(path)
      }
      // Whatever is left to people, the source's contents are there, and nothing more is done.
      world.carryOut(last)
      const hashes = world.documents().map(({ hash }) => hash)
      expect(hashes).toEqual(expect.arrayContaining(last.map(({ hash }) => hash)))
      const { create, replace, move, remove, leave } = world.plan(last)
      expect([create, replace, move, remove, leave]).toEqual([[], [], [], [], []])
    }),
    { numRuns: FULL ? 20_000 : 500 },
  )
})

test('a file that could not be read is not sent again until it changes, and keeps the document it had', () => {
  const owned = [{ id: 'A', path: 'a', hash: '1' }]
  const remembered = new Map<string, FileResult>([
    ['a', { hash: '2', state: 'refused', reason: 'damaged', document_id: 'A' }],
  ])
  const entries = [{ path: 'a', hash: '2' }]
  expect(makePlan(entries, owned, remembered)).toMatchObject({
    refused: [{ reason: 'damaged' }],
    replace: [],
    remove: [],
  })
  expect(makePlan(entries, owned, remembered, { retry: true }).replace).toHaveLength(1)
  expect(makePlan([{ path: 'a', hash: '3' }], owned, remembered).replace).toHaveLength(1)
})
