import { describe, expect, test } from 'vitest'
import { decide, type SpaceChoice } from './decide.ts'
import { LEXICAL } from './lexical.ts'
import type { WorkspaceSpace } from './spaces.sql.ts'

const held = (id: number, state: WorkspaceSpace['state'], fitted: number | null = null): WorkspaceSpace => ({
  id,
  state,
  fitted,
  embedder: fitted === null ? 'onnx:m' : LEXICAL,
  dimensions: 128,
  index: null,
})
const lexical: SpaceChoice = { kind: 'lexical' }
const model: SpaceChoice = { kind: 'model', spaceId: 7 }
const none: SpaceChoice = { kind: 'none' }

describe('decide', () => {
  test.each<[string, SpaceChoice, WorkspaceSpace[], number, ReturnType<typeof decide>]>([
    ['too small for LSA', lexical, [], 49, { target: undefined, retire: [] }],
    ['large enough', lexical, [], 50, { target: 'fit', retire: [] }],
    ['a fit that still fits', lexical, [held(1, 'serving', 60)], 119, { target: 1, retire: [] }],
    ['an outgrown fit serves on', lexical, [held(1, 'serving', 60)], 120, { target: 'fit', retire: [] }],
    [
      'a fit under way is filled',
      lexical,
      [held(1, 'serving', 60), held(2, 'filling', 120)],
      130,
      { target: 2, retire: [] },
    ],
    [
      'a fit outgrown while it filled',
      lexical,
      [held(1, 'serving', 60), held(2, 'filling', 120)],
      260,
      { target: 'fit', retire: [2] },
    ],
    [
      'half a fit',
      lexical,
      [held(1, 'serving', 60), held(2, 'fitting', 120)],
      130,
      { target: 'fit', retire: [2] },
    ],
    ['deletions', lexical, [held(1, 'serving', 60)], 10, { target: 1, retire: [] }],
    ['a model after LSA', model, [held(1, 'serving', 60)], 80, { target: 7, retire: [] }],
    [
      'a model that fills',
      model,
      [held(1, 'serving', 60), held(7, 'filling')],
      80,
      { target: 7, retire: [] },
    ],
    ['a model that serves', model, [held(7, 'serving'), held(8, 'filling')], 80, { target: 7, retire: [8] }],
    [
      'a model had before',
      model,
      [held(1, 'serving', 60), held(7, 'retired')],
      80,
      { target: 7, retire: [] },
    ],
    ['LSA after a model', lexical, [held(7, 'serving')], 80, { target: 'fit', retire: [] }],
    [
      'too small for LSA after a model',
      lexical,
      [held(7, 'serving')],
      10,
      { target: undefined, retire: [7] },
    ],
    [
      'none',
      none,
      [held(1, 'serving', 60), held(7, 'filling'), held(8, 'retired')],
      80,
      { target: undefined, retire: [1, 7] },
    ],
  ])('%s', (_, wanted, spaces, chunks, plan) => {
    expect(decide(wanted, spaces, chunks)).toEqual(plan)
  })
})
