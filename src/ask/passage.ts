// The text of a passage, as both agents and the citation check read it. Pure.

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
