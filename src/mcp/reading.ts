// Reading a document in parts that fit into a result, for tools and resources.

import { type Passages, readPassages, type StartPosition } from '../documents/documents.ts'
import { cutText, MAX_TOKENS, tokensOf } from './budget.ts'
import { documentUrl } from './links.ts'
import type { Session } from './tool.ts'
import type { ReadableWorkspace } from './workspaces.ts'

export interface Part {
  id: string
  title: string
  version: string
  url: string
  /** Passages with a line such as "[page 3]" where a page begins. */
  text: string
  /** Positions of the first passage, and of the one behind the last. */
  from: number
  next: number
  total: number
}

// More than fits into a result: a token of English text has about four characters.
const MAX_CHARACTERS = 40_000
// The other tokens are for title, address and cursor, and for the escapes of JSON.
const TEXT_TOKENS = MAX_TOKENS - 900

/** @throws ApiError 404 */
export async function readPart(
  { depsOf, caller, deps }: Session,
  workspace: ReadableWorkspace,
  documentId: string,
  start: StartPosition,
): Promise<Part> {
  const passages = await readPassages(
    depsOf(workspace.id),
    caller,
    { workspaceId: workspace.id, documentId },
    {
      start,
      maxChars: MAX_CHARACTERS,
    },
  )
  const pieces = piecesOf(passages)
  const firstChunk = passages.chunks[0]
  return {
    id: passages.id,
    title: cutText(passages.title, 200),
    version: passages.version,
    url: documentUrl(deps.settings, documentId, passages.from > 0 ? firstChunk?.id : undefined),
    text: pieces.join('\n\n'),
    from: passages.from,
    next: passages.from + pieces.length,
    total: passages.total,
  }
}

/** The passages that fit into a result. The first one is always included, and cut if it is too long. */
function piecesOf({ chunks }: Passages): string[] {
  const pieces: string[] = []
  let remainingTokens = TEXT_TOKENS
  let page: number | null = null
  for (const chunk of chunks) {
    const pageMark = chunk.page != null && chunk.page !== page ? `[page ${chunk.page}]\n` : ''
    page = chunk.page ?? page
    const piece = pageMark + chunk.text
    remainingTokens -= tokensOf(JSON.stringify(piece)) + 1
    if (remainingTokens < 0 && pieces.length > 0) break
    pieces.push(remainingTokens < 0 ? cutText(piece, TEXT_TOKENS * 0.8) : piece)
  }
  return pieces
}
