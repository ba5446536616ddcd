// Decides which of a workspace's vector spaces are to be retired. Pure.

import type { WorkspaceSpace } from './spaces.sql.ts'

/**
 * The ids of the spaces that are to be retired now. The serving space stays until the target is filled. @param targetId the id
 * of the space that is to serve. Undefined if there is no embedder: then the serving space is retired too.
 */
export const retiredBy = (
  targetId: number | undefined,
  spaces: readonly Pick<WorkspaceSpace, 'id' | 'state'>[],
): number[] =>
  spaces
    .filter(
      ({ id, state }) =>
        id !== targetId && state !== 'retired' && (targetId === undefined || state !== 'serving'),
    )
    .map(({ id }) => id)
