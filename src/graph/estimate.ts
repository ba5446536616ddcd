// The most tokens that a model would use for the graph. They are estimated from the text, and no text is sent.

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { GraphEstimate } from '../contract/resources.ts'
import type { Deps } from '../ports/deps.ts'
import { batchesOf, extractionPrompt, maxTokensOf } from './model/prompt.ts'
import { type ModelChunk, selectChunks, selectSpentTokens } from './model/replies.sql.ts'

/** Chunks per query, so that a large workspace does not block other work. */
const CHUNKS_PER_QUERY = 200

/** The most calls and tokens that reading the whole workspace with the model would take. @throws ApiError 404 */
export async function estimateGraph(
  deps: Pick<Deps, 'db' | 'llm' | 'graphTokens'>,
  caller: Caller,
  workspaceId: string,
): Promise<GraphEstimate> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  let calls = 0
  let tokens = 0
  let position: { documentId: string; chunkNo: number } | undefined
  for (;;) {
    const chunks = await selectChunks(deps.db, workspaceId, position, CHUNKS_PER_QUERY)
    // A query may end within a document and so split a batch. Then the estimate is at most one call too high for each query.
    for (const documentChunks of groupByDocument(chunks)) {
      for (const batch of batchesOf(documentChunks)) {
        calls++
        tokens += maxTokensOf(extractionPrompt(documentChunks[0]?.title ?? '', batch, []))
      }
    }
    const lastChunk = chunks.at(-1)
    if (!lastChunk || chunks.length < CHUNKS_PER_QUERY) break
    position = { documentId: lastChunk.document_id, chunkNo: lastChunk.chunk_no }
  }
  return {
    model: (await deps.llm())?.model ?? null,
    calls,
    tokens,
    budget: await deps.graphTokens(),
    spent: await selectSpentTokens(deps.db, workspaceId),
  }
}

/** Groups the chunks by document, in the order in which they were read. */
function groupByDocument(chunks: readonly ModelChunk[]): ModelChunk[][] {
  const documents: ModelChunk[][] = []
  for (const chunk of chunks) {
    const current = documents.at(-1)
    if (current?.[0]?.document_id === chunk.document_id) current.push(chunk)
    else documents.push([chunk])
  }
  return documents
}
