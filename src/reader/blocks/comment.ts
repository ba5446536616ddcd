// What somebody remarked beside a document's text: a note that says so, and whose it is.

import type { Block } from '../block.ts'

/** A remark as a note: "Comment by Ann Lee: …", of a sheet "Comment on B4 by Ann Lee: …"; without text for an empty one. */
export function commentBlock(author: string, text: string, place = ''): Block {
  const words = text.trim()
  const on = place === '' ? '' : ` on ${place}`
  const by = author.trim() === '' ? '' : ` by ${author.trim().replace(/\s+/g, ' ')}`
  return { kind: 'note', text: words === '' ? '' : `Comment${on}${by}: ${words}` }
}
