// Why a file cannot be read, as a sentence for users: what is wrong, and what they can do.

import type { UnreadableReason } from './block.ts'
import { unsupportedSentence } from './identify/kind-by-name.ts'
import { parserLimits } from './limits.ts'

export const reasonSentence: Record<UnreadableReason, string> = {
  encrypted: 'The file is protected by a password. Remove the password and upload it again.',
  damaged: 'The file is damaged or not what its name says. Open it, save it again and upload the new copy.',
  empty: 'The file is empty. If something should be in it, save it again and upload the new copy.',
  unsupported: unsupportedSentence,
  too_large_unpacked:
    'The file is too large once unpacked. Split it into smaller files, or save a picture with fewer pixels.',
  too_many_pages: `The file has more than ${parserLimits.maxPages.toLocaleString('en')} pages. Split it into smaller files.`,
  took_too_long: 'Reading the file took too long. Split it into smaller files.',
  too_complex:
    'Reading the file took more processor time than a file may take. Save it in a simpler form, a picture with fewer pixels.',
  no_text: 'No text was found in the file. If it shows some, save it as PDF and upload that.',
  unrecognised:
    'The text in the picture could not be recognised. It may be a poor scan, handwriting, or a language that the ' +
    'administrator has not named in KENNING_OCR_LANGUAGES.',
  no_heic:
    'HEIC pictures cannot be read here. Save it as JPEG or PNG and upload it again, or ask the administrator to run ' +
    '"npm install heic-decode" where the service is installed.',
  cancelled: 'The upload was cancelled.',
}
