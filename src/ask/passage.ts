// The text of a passage, as both agents and the citation check read it. Pure.

import { isMessageHeading } from '../language/attribution.ts'
import type { Passage } from '../search/passage.ts'

/** Title, heading path and text of the passage, which are what search reads. */
export const passageText = ({ document_title, heading, text }: Passage): string =>
  `${document_title}\n${heading}\n${text}`

/** The name of the passage's file without its extension, by which search finds the document, too. */
export function fileNameOf({ document_path }: Pick<Passage, 'document_path'>): string {
  const name = document_path.slice(document_path.lastIndexOf('/') + 1)
  return name.replace(/(?<=.)\.[^.]*$/, '')
}

/** The last heading of the passage's heading path; may be empty. */
export const innermostHeading = ({ heading }: Pick<Passage, 'heading'>): string =>
  heading.split(' > ').at(-1)?.trim() ?? ''

// The name of a mail or a mailbox. Mails may also be stored without an extension.
const MAIL_NAME = /\.(?:eml|msg|oft|mbox|dat)$/i
const HAS_EXTENSION = /\.[a-z\d]{1,8}$/i

/**
 * The heading of the earlier message that the passage is from, if it is from such a message in a mail: "On Friday, Ann wrote:".
 * Headings of other documents may read the same.
 */
export function messageHeadingOf({
  document_path,
  heading,
}: Pick<Passage, 'document_path' | 'heading'>): string | undefined {
  const headings = heading.split(' > ').map((text) => text.trim())
  const isMail =
    MAIL_NAME.test(document_path) ||
    !HAS_EXTENSION.test(document_path) ||
    headings.some((text) => text.startsWith('Attachment: ') && MAIL_NAME.test(text))
  return isMail ? headings.findLast(isMessageHeading) : undefined
}
