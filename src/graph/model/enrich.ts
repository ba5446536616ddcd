// The model extractor: adds to the statistical one what a model finds and the text bears out. Each reply is kept, so
// that a killed task or a new version asks only about what it has not asked; the budget ends asking, never the file.

import type { Deps } from '../../ports/deps.ts'
import type { ChatModel } from '../../ports/llm/llm.ts'
import type { ExtractChunk, Extraction } from '../extraction.ts'
import { askingFor, batchesOf, costOf, hashOf } from './ask.ts'
import { book, correct, deleteReplies, insertReply, type ReplyKey, selectReply } from './model.sql.ts'
import { union } from './union.ts'
import { type Findings, verify } from './verify.ts'

export interface ModelNeeds extends Pick<Deps, 'db' | 'log'> {
  llm: ChatModel
  /** Tokens a workspace's graph may cost, ever. */
  budget: number
}

export interface ReadDocument {
  workspaceId: string
  documentId: string
  title: string
  chunks: readonly ExtractChunk[]
}

// A server that failed so often in a row is left alone until the document is read again.
const MOST_FAILURES = 3

/** `base` with what the model found and the text bears out; `base` itself where it could not be asked. */
export async function enrich(
  deps: ModelNeeds,
  document: ReadDocument,
  base: Extraction,
  signal: AbortSignal,
): Promise<Extraction> {
  const hashes: string[] = []
  const findings: Findings[] = []
  let failures = 0
  let complete = true
  for (const batch of batchesOf(document.chunks)) {
    signal.throwIfAborted()
    const asking = askingFor(document.title, batch, base.mentions)
    const key = { ...document, hash: hashOf(deps.llm.model, asking) }
    const found = (await selectReply(deps.db, key)) ?? (await askOnce(deps, key, batch, asking, signal))
    if (typeof found === 'string') {
      complete = false
      failures++
      if (found === 'budget' || failures >= MOST_FAILURES) break
      continue
    }
    failures = 0
    hashes.push(key.hash)
    findings.push(inDocument(found, batch))
  }
  if (complete) await deleteReplies(deps.db, document.workspaceId, document.documentId, hashes)
  // Once for all: a long document has a thousand batches and tens of thousands of mentions.
  return union(base, {
    mentions: findings.flatMap(({ mentions }) => mentions),
    relations: findings.flatMap(({ relations }) => relations),
  })
}

const NOTHING: Findings = { mentions: [], relations: [] }

async function askOnce(
  deps: ModelNeeds,
  key: ReplyKey,
  batch: readonly ExtractChunk[],
  asking: ReturnType<typeof askingFor>,
  signal: AbortSignal,
): Promise<Findings | 'failed' | 'budget'> {
  const booked = costOf(asking)
  if (!(await book(deps.db, key.workspaceId, booked, deps.budget))) {
    deps.log.info(
      { workspace: key.workspaceId },
      'the token budget of the graph is spent (KENNING_GRAPH_TOKENS)',
    )
    return 'budget'
  }
  try {
    const { text, tokens } = await deps.llm.complete(asking, signal)
    await correct(deps.db, key.workspaceId, (tokens ?? booked) - booked)
    const findings = verify(batch, text)
    if (!findings)
      deps.log.warn({ document: key.documentId }, 'the model answered with something else than JSON')
    // What could not be read is kept as nothing: asking the same again, at temperature 0, would cost the same again.
    await insertReply(deps.db, key, findings ?? NOTHING)
    return findings ?? NOTHING
  } catch (error) {
    // Stopped half-way the call may have been charged: what was booked stays booked.
    signal.throwIfAborted()
    // Nothing came back: nothing was spent, as far as anybody can tell.
    await correct(deps.db, key.workspaceId, -booked)
    deps.log.warn(
      { document: key.documentId, err: error },
      'the model could not be asked; the statistics stand',
    )
    return 'failed'
  }
}

/** Places in the batch become chunk numbers of the document. */
function inDocument(found: Findings, batch: readonly ExtractChunk[]): Findings {
  const place = <T extends { chunk_no: number }>(row: T): T => ({
    ...row,
    chunk_no: batch[row.chunk_no]?.chunk_no ?? 0,
  })
  return { mentions: found.mentions.map(place), relations: found.relations.map(place) }
}
