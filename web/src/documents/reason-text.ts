// Why a file could not be read, in the chosen language. The service says it in English, by a sentence for each reason
// (src/reader/reasons.ts).

import { language } from '../language/locale.ts'
import { englishOf, message, t } from '../language/text.tsx'

const SENTENCES = [
  message('The file is protected by a password. Remove the password and upload it again.'),
  message('The file is damaged or not what its name says. Open it, save it again and upload the new copy.'),
  message('The file is empty. If something should be in it, save it again and upload the new copy.'),
  message(
    'The file is too large once unpacked. Split it into smaller files, or save a picture with fewer pixels.',
  ),
  message('The file has more than 20,000 pages. Split it into smaller files.'),
  message('Reading the file took too long. Split it into smaller files.'),
  message(
    'Reading the file took more processor time than a file may take. Save it in a simpler form, a picture with fewer pixels.',
  ),
  message('No text was found in the file. If it shows some, save it as PDF and upload that.'),
  message(
    'The text in the picture could not be recognised. It may be a poor scan, handwriting, or a language that the administrator has not named in KENNING_OCR_LANGUAGES.',
  ),
  message(
    'HEIC pictures cannot be read here. Save it as JPEG or PNG and upload it again, or ask the administrator to run "npm install heic-decode" where the service is installed.',
  ),
  message('The upload was cancelled.'),
]
/** In English the service goes on with the names of all kinds that it reads. */
const UNSUPPORTED = message('This kind of file cannot be read.')

/** The sentence of the service, translated if it is one of the list. */
export function reasonText(reason: string): string {
  const sentence = SENTENCES.find((candidate) => englishOf(candidate) === reason)
  if (sentence !== undefined) return t(sentence)
  const kind = englishOf(UNSUPPORTED)
  return reason.startsWith(kind) && language !== 'en' ? t(UNSUPPORTED) : reason
}
