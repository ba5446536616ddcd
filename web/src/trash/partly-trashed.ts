// The message when the service failed before all documents were in the trash.

import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'
import { formatCount } from '../parts/format.ts'
import type { Trashed } from './trash.ts'

/** Undefined if all were moved. */
export const partlyTrashed = ({ trashIds, leftIds, error }: Trashed): string | undefined =>
  error &&
  t('{documents} moved to the trash, {count} not. {reason}', {
    documents: plural(trashIds.length, 'document'),
    count: formatCount(leftIds.length),
    reason: errorText(error),
  })
