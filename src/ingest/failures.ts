// Why a file could not be read, as a sentence that a person can act on.

import { reasonSentence, type UnreadableReason } from '../reader/reader.ts'

export type Failure = UnreadableReason | 'gave_up' | 'name_taken'

export const failureSentence: Record<Failure, string> = {
  ...reasonSentence,
  name_taken:
    'Another document has this name, and the upload was sent with on_conflict=fail. Rename the file, or upload it with ' +
    'on_conflict=replace or keep_both.',
  gave_up:
    'The file could not be indexed after 3 attempts. Upload it again; if it fails again, tell the administrator.',
}

/** A warning on a file that is done. */
export const MISSING_GRAPH =
  'Its names and relations could not be read into the graph. Its text is found; reindex it to try again.'
