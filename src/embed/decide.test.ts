import { describe, expect, test } from 'vitest'
import { retiredBy } from './decide.ts'
import type { WorkspaceSpace } from './spaces.sql.ts'

const space = (id: number, state: WorkspaceSpace['state']) => ({ id, state })

describe('retiredBy', () => {
  test.each<[string, number | undefined, Pick<WorkspaceSpace, 'id' | 'state'>[], number[]]>([
    ['one that serves stays until the target is filled', 7, [space(1, 'serving')], []],
    ['one that fills is the target', 7, [space(1, 'serving'), space(7, 'filling')], []],
    ['another that fills is given up', 7, [space(7, 'serving'), space(8, 'filling')], [8]],
    ['one that was retired is taken again', 7, [space(1, 'serving'), space(7, 'retired')], []],
    [
      'without an embedder none is kept',
      undefined,
      [space(1, 'serving'), space(7, 'filling'), space(8, 'retired')],
      [1, 7],
    ],
  ])('%s', (_, target, spaces, retired) => {
    expect(retiredBy(target, spaces)).toEqual(retired)
  })
})
