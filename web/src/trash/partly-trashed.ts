// The messages when only some of the documents were moved to the trash or restored.

import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'
import { formatCount } from '../parts/format.ts'
import { announce } from '../parts/toast.tsx'
import { type Restored, restoreFromTrash, type Trashed } from './trash.ts'

/** Undefined if all were moved. */
export const partlyTrashed = ({ trashIds, leftIds, error }: Trashed): string | undefined =>
  error &&
  t('{documents} moved to the trash, {count} not. {reason}', {
    documents: plural(trashIds.length, 'document'),
    count: formatCount(leftIds.length),
    reason: errorText(error),
  })

/** Undefined if all were restored. */
export const partlyRestored = ({ count, leftCount, error }: Restored): string | undefined =>
  leftCount > 0
    ? t('{documents} restored, {count} not. {reason}', {
        documents: plural(count, 'document'),
        count: formatCount(leftCount),
        reason: error
          ? errorText(error)
          : t('Not found. It may have been deleted, or you have no access to it.'),
      })
    : undefined

/** Restores what an action has moved to the trash, and says so if not all of it came back. */
export async function undoTrash(workspace: string, trashIds: readonly string[]): Promise<void> {
  try {
    const problem = partlyRestored(await restoreFromTrash(workspace, trashIds))
    if (problem) announce(problem)
  } catch (error) {
    announce(errorText(error instanceof Error ? error : new Error(String(error))))
  }
}
