// A short document is sent to the model whole instead of some of its passages, because the answer may be anywhere in it.

import type { AnalysedText } from '../../language/analysed-text.ts'
import type { Passage } from '../../search/passage.ts'
import type { Tools } from '../tools/tools.ts'
import { tokensOfExcerpts, tokensOfWhole, without } from './context.ts'

// The tokens that a whole document may take in addition to those of the first passages.
const MAX_EXTRA_TOKENS = 4_000
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

/** The document if it fits into the prompt beside the passages of other documents, else an empty list. */
export function documentThatFits(
  { document, passages }: { document: readonly Passage[]; passages: readonly Passage[] },
  query: string | AnalysedText,
  room: number,
): readonly Passage[] {
  const maxTokens = Math.min(room, MAX_EXTRA_TOKENS + tokensOfExcerpts(passages, query, room))
  const others = without(passages, document)
  return tokensOfWhole(document) + tokensOfExcerpts(others, query, room) <= maxTokens ? document : []
}
