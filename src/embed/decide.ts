// Decides which of a workspace's vector spaces are to be retired. Pure.

import type { WorkspaceSpace } from './spaces.sql.ts'

/**
 * The ids of the spaces that are retired now. The serving space stays until the target is filled, whichever embedder made it.
 * @param target the space that is to serve. Undefined if there is no embedder.
 */
export const retiredBy = (
  target: number | undefined,
  spaces: readonly Pick<WorkspaceSpace, 'id' | 'state'>[],
): number[] =>
  spaces
    .filter(
      ({ id, state }) =>
        id !== target && state !== 'retired' && (target === undefined || state !== 'serving'),
    )
    .map(({ id }) => id)
