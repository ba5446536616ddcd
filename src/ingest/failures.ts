// Why a file could not be read, in sentences that say what the user can do.

import { RETRYABLE_FAILURES } from '../contract/failures.ts'
import { reasonSentence, type UnreadableReason } from '../reader/reader.ts'

export type Failure = UnreadableReason | 'gave_up' | 'name_taken' | 'no_parser'

export const failureSentence: Record<Failure, string> = {
  ...reasonSentence,
  ...RETRYABLE_FAILURES,
  name_taken:
    'Another document has this name, and the upload was sent with on_conflict=fail. Rename the file, or upload it with ' +
    'on_conflict=replace or keep_both.',
}

/** The warning of a file that waits for a parser. */
export const WAITS_FOR_PARSER =
  'The program that reads this file could not be started and is tried again. If this message stays, ask the administrator for the reason in the log.'

/** The warning of a file that is searchable but not in the graph. */
export const MISSING_GRAPH =
  'The names and relations of this document could not be added to the graph. Its text can be found. Reindex it to try again.'
