// What both agents and the citation check read of a passage. Pure.

import type { Passage } from '../search/passage.ts'

/** What search knows of a passage: title, heading path and text. */
export const passageText = ({ document_title, heading, text }: Passage): string =>
  `${document_title}\n${heading}\n${text}`

/** The last heading of the passage's heading path; may be empty. */
export const innermostHeading = ({ heading }: Pick<Passage, 'heading'>): string =>
  heading.split(' > ').at(-1)?.trim() ?? ''
