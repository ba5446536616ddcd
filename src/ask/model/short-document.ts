// A short document is sent to the model whole instead of some of its passages, because the answer may be anywhere in it.

import type { Passage } from '../../search/passage.ts'
import type { Tools } from '../tools/tools.ts'
import { tokensOfExcerpts, tokensOfWhole, without } from './context.ts'

// The limit if the model's context is unknown or very large. A longer document costs more and is rarely needed.
const MAX_TOKENS = 4_000
const MAX_PASSAGES = 16

/** All passages of the document to which the best passage belongs, in reading order. Empty for a longer document. */
export async function shortDocument(
  tools: Pick<Tools, 'readDocument'>,
  [best]: readonly Passage[],
): Promise<Passage[]> {
  if (!best) return []
  const passages = await tools.readDocument(best.document_id, { from: 0 }, MAX_PASSAGES + 1)
  return passages.length > MAX_PASSAGES ? [] : passages
}

/** The document if it fits into the room of the first passages beside the passages of other documents. Empty if it does not. */
export function documentThatFits(
  document: readonly Passage[],
  passages: readonly Passage[],
  room: number,
): readonly Passage[] {
  const most = Math.min(room, MAX_TOKENS + tokensOfExcerpts(passages, room))
  const others = without(passages, document)
  return tokensOfWhole(document) + tokensOfExcerpts(others, room) <= most ? document : []
}
