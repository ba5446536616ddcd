// What a model would cost at most, before it is asked: tokens estimated from the text itself, nothing sent.

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { GraphEstimate } from '../contract/resources.ts'
import type { Deps } from '../ports/deps.ts'
import { batchesOf, extractionPrompt, tokenCost } from './model/prompt.ts'
import { type ModelText, selectSpent, selectTexts } from './model/replies.sql.ts'

/** Chunks read at a time, so that a large workspace does not block other work. */
const CHUNKS_AT_ONCE = 200

/** Calls and tokens (at most) that reading the whole workspace with the model would take. @throws ApiError 404 */
export async function estimateGraph(
  deps: Pick<Deps, 'db' | 'llm' | 'settings'>,
  caller: Caller,
  workspaceId: string,
): Promise<GraphEstimate> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  let calls = 0
  let tokens = 0
  let after: { documentId: string; chunkNo: number } | undefined
  for (;;) {
    const chunks = await selectTexts(deps.db, workspaceId, after, CHUNKS_AT_ONCE)
    // A page may split a document's last batch: at most one call in 200 chunks too many.
    for (const own of documentsOf(chunks)) {
      for (const batch of batchesOf(own)) {
        calls++
        tokens += tokenCost(extractionPrompt(own[0]?.title ?? '', batch, []))
      }
    }
    const last = chunks.at(-1)
    if (!last || chunks.length < CHUNKS_AT_ONCE) break
    after = { documentId: last.document_id, chunkNo: last.chunk_no }
  }
  return {
    model: deps.llm?.model ?? null,
    calls,
    tokens,
    budget: deps.settings.graphTokens,
    spent: await selectSpent(deps.db, workspaceId),
  }
}

/** Chunks of one document after the other, in the order of the walk. */
function documentsOf(chunks: readonly ModelText[]): ModelText[][] {
  const documents: ModelText[][] = []
  for (const chunk of chunks) {
    const open = documents.at(-1)
    if (open?.[0]?.document_id === chunk.document_id) open.push(chunk)
    else documents.push([chunk])
  }
  return documents
}
