// Why a file could not be read, as a sentence that a person can act on.

import { reasonSentence, type UnreadableReason } from '../reader/reader.ts'

export type Failure = UnreadableReason | 'gave_up' | 'name_taken' | 'no_parser'

export const failureSentence: Record<Failure, string> = {
  ...reasonSentence,
  name_taken:
    'Another document has this name, and the upload was sent with on_conflict=fail. Rename the file, or upload it with ' +
    'on_conflict=replace or keep_both.',
  no_parser:
    'The program that reads it could not be started, twenty times in a row. Tell the administrator, who finds the reason in ' +
    'the log, such as a library that is missing or a sandbox that the system refuses. Upload the file again after that.',
  gave_up:
    'The file could not be indexed after 3 attempts. Upload it again; if it fails again, tell the administrator.',
}

/** The warning of a file that waits. */
export const WAITS_FOR_PARSER =
  'The program that reads it could not be started. It is tried again. If this stays, tell the administrator: the log says why.'

/** The warning of a file that is done. */
export const MISSING_GRAPH =
  'Its names and relations could not be read into the graph. Its text is found; reindex it to try again.'
