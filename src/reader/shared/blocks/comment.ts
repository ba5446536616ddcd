// A comment on a document becomes a note that begins with "Comment" and names the author.

import type { Block } from '../../block.ts'

/**
 * A comment as a note: "Comment by Ann Lee: …", in sheets "Comment on B4 by Ann Lee: …". The text is '' if it is empty.
 */
export function commentBlock(author: string, text: string, place = ''): Block {
  const words = text.trim()
  const placeText = place === '' ? '' : ` on ${place}`
  const authorText = author.trim() === '' ? '' : ` by ${author.trim().replace(/\s+/g, ' ')}`
  return { kind: 'note', text: words === '' ? '' : `Comment${placeText}${authorText}: ${words}` }
}
