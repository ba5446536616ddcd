// A comment on a document becomes a note that begins with "Comment" and the author's name.

import type { Block } from '../../block.ts'

/**
 * A comment as a note: "Comment by Ann Lee: …", in sheets "Comment on B4 by Ann Lee: …". The text is '' if it is empty.
 */
export function commentBlock(author: string, text: string, location = ''): Block {
  const words = text.trim()
  const placeText = location === '' ? '' : ` on ${location}`
  const authorText = author.trim() === '' ? '' : ` by ${author.trim().replace(/\s+/g, ' ')}`
  return { kind: 'note', text: words === '' ? '' : `Comment${placeText}${authorText}: ${words}` }
}
