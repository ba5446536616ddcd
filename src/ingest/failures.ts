// Why a file could not be read, as a sentence a person can act on (contract.md, "Jobs": a fixed vocabulary).

import type { UnreadableReason } from './parse/block.ts'
import { unsupportedSentence } from './parse/identify/kind-by-name.ts'
import { parserLimits } from './parse/limits.ts'

export type Failure = UnreadableReason | 'gave_up' | 'name_taken'

export const failureSentence: Record<Failure, string> = {
  encrypted: 'The file is protected by a password. Remove the password and upload it again.',
  damaged: 'The file is damaged or not what its name says. Open it, save it again and upload the new copy.',
  empty: 'The file is empty. If something should be in it, save it again and upload the new copy.',
  unsupported: unsupportedSentence,
  too_large_unpacked:
    'The file is too large once unpacked. Split it into smaller files, or save a picture with fewer pixels.',
  too_many_pages: `The file has more than ${parserLimits.mostPages.toLocaleString('en')} pages. Split it into smaller files.`,
  took_too_long: 'Reading the file took too long. Split it into smaller files.',
  no_text: 'No text was found in the file. If it shows some, save it as PDF and upload that.',
  unrecognised:
    'The text in the picture could not be recognised. It may be a poor scan, handwriting, or a language that the ' +
    'administrator has not named in KENNING_OCR_LANGUAGES.',
  no_heic:
    'HEIC pictures cannot be read here. Save it as JPEG or PNG and upload it again, or ask the administrator to run ' +
    '"npm install heic-decode" where the service is installed.',
  cancelled: 'The upload was cancelled.',
  name_taken:
    'Another document has this name, and the upload was sent with on_conflict=fail. Rename the file, or upload it with ' +
    'on_conflict=replace or keep_both.',
  gave_up:
    'The file could not be indexed after 3 attempts. Upload it again; if it fails again, tell the administrator.',
}

/** A warning: the file is done. */
export const MISSING_GRAPH =
  'Its names and relations could not be read into the graph. Its text is found; reindex it to try again.'
